"""Price a stage that stands and sells nothing, and a trial of some hours. Modelled.

US dollars, us-east-1, without free tiers, as the price pages of June 2026 say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fairgate_ops.operate.capacity import access
from fairgate_ops.operate.capacity.cost import (
    CLOUDFRONT_GB,
    CLOUDFRONT_REQUEST,
    FUNCTION_CALL,
    HOURS_A_MONTH,
    HTTP_API_REQUEST,
    LAMBDA_GB_S,
    LAMBDA_REQUEST,
    LOG_BYTES_A_CALL,
    LOG_GB,
    METRIC_MONTH,
    STORE_READ,
    TRACE,
    WRITE_UNIT,
    metrics_at_rest,
)
from fairgate_ops.shared.secret_file import SECRET_NAMES
from infra.firewall import RULES
from infra.firewall import a_month as firewall_a_month

if TYPE_CHECKING:
    from fairgate_ops.operate.capacity.inputs import Inputs

MINUTES_A_MONTH = HOURS_A_MONTH * 60
ZONES = 2
ENDPOINT_HOUR = 0.01  # AWS PrivateLink pricing: an interface endpoint in a zone
CACHE_GB_HOUR = 0.084  # Amazon ElastiCache pricing: serverless, Valkey, stored
CACHE_GB_LEAST = 0.1  # the same: metered for at least 100 MB
ALARM_METRICS = 152  # of all alarms, the edge's too; one on an expression counts each that it reads
ALARM_METRIC = 0.10  # Amazon CloudWatch pricing: standard resolution, a month
DASHBOARD = 3.00  # the same; an account's first three are free
SECRETS = len(SECRET_NAMES) + 1  # those with keys, and the front door's value
SECRET = 0.40  # AWS Secrets Manager pricing: a month
WORKFLOW_S = 60  # the ten-second schedule: one run a minute that lasts it
WORKFLOW_GB_S = 0.00001667  # AWS Step Functions pricing: express, its duration
WORKFLOW_GB = 0.0625  # metered by 64 MB
WORKFLOW_REQUEST = 1.00 / 1e6
TIMER_RUNS_A_MINUTE = 7  # the controller's six and the sweeper's
TIMER_RUN_S, TIMER_GB = 0.2, 0.5  # modelled; memory as infra/functions.py
QUEUES, POLLS_A_MINUTE = 4, 15  # with a consumer: Lambda asks five at a time, 20 s each
QUEUE_REQUEST = 0.40 / 1e6  # Amazon SQS pricing: standard queues
# Amazon DynamoDB pricing: a reading of a stream, which is free where Lambda does it. That Pipes ask
# each shard as often as Lambda, four times a second, is assumed, and that theirs is charged.
PIPES_OF_SHARDS = {"seats": 1, "reservations": 2}
STREAM_READ, STREAM_READS_PER_S = 0.02 / 100_000, 4
SHARDS_NEW, SHARDS_WARM = 4, 40  # as many as partitions: of a new table, of one for 40,000 writes
TRIAL_HOURS = 4
TRIAL_SEATS = 100


class FixedCost(NamedTuple):
    what: str
    amount: str
    dollars: float  # a month


def at_rest() -> list[FixedCost]:
    """Make a row for each thing that is charged by the hour, the month or the clock."""
    timers = TIMER_RUNS_A_MINUTE * MINUTES_A_MONTH
    workflow = MINUTES_A_MONTH * (WORKFLOW_REQUEST + WORKFLOW_S * WORKFLOW_GB * WORKFLOW_GB_S)
    log_gb = timers * LOG_BYTES_A_CALL / 1e9
    run = LAMBDA_REQUEST + TIMER_RUN_S * TIMER_GB * LAMBDA_GB_S
    return [
        FixedCost(
            "interface endpoint for Secrets Manager",
            f"{ZONES} zones",
            ZONES * HOURS_A_MONTH * ENDPOINT_HOUR,
        ),
        FixedCost("alarms", f"{ALARM_METRICS} metrics", ALARM_METRICS * ALARM_METRIC),
        FixedCost(
            "custom metrics of functions that the clock calls",
            f"{len(metrics_at_rest())} metrics",
            len(metrics_at_rest()) * METRIC_MONTH,
        ),
        FixedCost("cache", f"{CACHE_GB_LEAST} GB", CACHE_GB_LEAST * HOURS_A_MONTH * CACHE_GB_HOUR),
        FixedCost("dashboard", "1", DASHBOARD),
        FixedCost("ten-second schedule", f"{MINUTES_A_MONTH:,} runs", workflow),
        FixedCost("functions that the clock calls", f"{timers:,} calls", timers * run),
        # Fewer than one a second, so that X-Ray takes each.
        FixedCost("X-Ray, their traces", f"{timers:,} traces", timers * TRACE),
        FixedCost("their logs", f"{log_gb:.1f} GB", log_gb * LOG_GB),
        FixedCost(
            "queues that Lambda looks into",
            str(QUEUES),
            QUEUES * POLLS_A_MINUTE * MINUTES_A_MONTH * QUEUE_REQUEST,
        ),
        FixedCost("secrets", str(SECRETS), SECRETS * SECRET),
    ]


def a_month() -> float:
    """Return the dollars of a month at rest."""
    return sum(row.dollars for row in at_rest())


def streams_read(shards: int) -> float:
    """Return the dollars of a month in which pipes ask streams of so many shards each."""
    reads = STREAM_READS_PER_S * HOURS_A_MONTH * 3_600 * shards * sum(PIPES_OF_SHARDS.values())
    return reads * STREAM_READ


def streams_told() -> str:
    """Return what stands below the table: nobody here knows whether it is charged."""
    new, warm = streams_read(SHARDS_NEW), streams_read(SHARDS_WARM)
    return (
        "Not in it: what the pipes read of the tables' streams. Should AWS charge it,"
        f" {new:.0f} dollars a month of new tables ({SHARDS_NEW} shards each),"
        f" {warm:.0f} of warmed ones ({SHARDS_WARM})."
    )


def trial_cost(inputs: Inputs) -> float:
    """Return the dollars of a trial: TRIAL_HOURS at rest, its seats, and one buyer's requests.

    Each of these is priced as if it went all the way to a function.
    """
    asked = CLOUDFRONT_REQUEST + FUNCTION_CALL + STORE_READ + HTTP_API_REQUEST + LAMBDA_REQUEST
    asked += TIMER_RUN_S * LAMBDA_GB_S + inputs.answer_bytes / 1e9 * CLOUDFRONT_GB
    bought = inputs.requests_a_waiting_buyer * asked
    written = sum(access.units_by_table(inputs, {"creation": TRIAL_SEATS})[0].values()) * WRITE_UNIT
    return a_month() / HOURS_A_MONTH * TRIAL_HOURS + bought + written


def rest_table() -> str:
    """Return docs/deploying.md's table; a test compares them."""
    rows = [(row.what, row.amount, f"{row.dollars:.2f}") for row in at_rest()]
    rows.append(("together", "", f"{a_month():.2f}"))
    rows.append(("an hour of it", "", f"{a_month() / HOURS_A_MONTH:.3f}"))
    rows.append(("in a stage that sells: firewall", f"{RULES} rules", f"{firewall_a_month():.2f}"))
    lines = ["| estimated, a month at rest | amount | dollars |", "|---|---|---|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])
