"""Alarms on the promised availability: how fast the canary's failures use up what is allowed."""

from __future__ import annotations

from dataclasses import dataclass

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch

from fairgate import metrics
from infra.constructs.alarms import Alarms, Severity, metric
from infra.naming import metrics_namespace

# Of the journeys in 30 days. With one a minute, 99.9 percent would be used up by a single failure
# within an hour, and a single one shows nothing (docs/adr/0049).
SLO_PERCENT = 99.5
SLOW_MS, SLOW_MINUTES = 4_000, 15  # of all eight answers of a journey together


@dataclass(frozen=True)
class Burn:
    """So many times as fast as would use up the allowed failures in 30 days.

    Attributes:
        long_minutes: over which it counts.
        short_minutes: over which it must count, too, so that the alarm ends soon after the fault.
        used: how much of what 30 days allow.
    """

    times: float
    long_minutes: int
    short_minutes: int
    severity: Severity
    used: str


# Source: Google, The Site Reliability Workbook, chapter 5, "Multiwindow, Multi-Burn-Rate Alerts".
BURNS = {
    "SloBurnFast": Burn(14.4, 60, 5, "critical", "in an hour a fiftieth"),
    "SloBurnSlow": Burn(6, 360, 30, "warning", "in six hours a twentieth"),
}


def watch_journeys(alarms: Alarms, stage: str) -> None:
    for alarm_id, burn in BURNS.items():
        percent = burn.times * (100 - SLO_PERCENT)
        windows = [
            alarms.add(
                f"{alarm_id}{minutes}Min",
                _failed(stage, minutes),
                f"More than {percent:g} percent of the canary's journeys failed in {minutes}"
                " minutes. It tells nobody by itself.",
                threshold=percent,
                minutes=minutes,
                silent=True,
            )
            for minutes in (burn.long_minutes, burn.short_minutes)
        ]
        alarms.all_of(
            alarm_id,
            windows,
            f"The canary fails so often that it uses up {burn.used} of the failures that"
            f" {SLO_PERCENT:g} percent allow in 30 days. The log of canary names the step.",
            severity=burn.severity,
        )
    alarms.add(
        "CanarySlow",
        _figure(stage, metrics.CANARY_ANSWERING, SLOW_MINUTES, "p90"),
        f"All answers of a canary's journey together take longer than {SLOW_MS / 1000:g} s.",
        threshold=SLOW_MS,
        minutes=SLOW_MINUTES,
    )


def _failed(stage: str, minutes: int) -> cloudwatch.MathExpression:
    """Share of the journeys; none where there was none, which CanarySilent tells."""
    return cloudwatch.MathExpression(
        expression="100 * failed / runs",
        using_metrics={
            "failed": _figure(stage, metrics.CANARY_FAILURES, minutes),
            "runs": _figure(stage, metrics.CANARY_RUNS, minutes),
        },
        label="Failed journeys, percent",
        period=Duration.minutes(minutes),
    )


def _figure(stage: str, figure: str, minutes: int, statistic: str = "Sum") -> cloudwatch.Metric:
    return metric(
        metrics_namespace(stage),
        figure,
        {"service": metrics.EMITTED_BY[figure]},
        statistic,
        Duration.minutes(minutes),
    )
