"""Add alarms on Fairgate's own metrics: sale, money, timers and seat map."""

from __future__ import annotations

from dataclasses import dataclass

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch

from fairgate import metrics
from infra.constructs.alarms import (
    BELOW,
    MINUTE,
    SILENCE_IS_BAD,
    Alarms,
    Severity,
    Thresholds,
    metric,
)
from infra.constructs.ten_second_schedule import STEPS_A_MINUTE
from infra.functions import CANARY
from infra.naming import metrics_namespace, pascal

HOLD_FAILURES_PERCENT: Thresholds = {"warning": 5, "critical": 10}
# Far beyond a good sale, in which one payment in five may be declined and, near its end, most
# sessions find nothing: beyond it something is broken.
DECLINED_PERCENT: Thresholds = {"warning": 30, "critical": 60}
EXPIRED_PERCENT = 90
# Of few, a share says nothing: below so many it is 0.
SHARE_MINUTES, SHARE_OF_MIN, SESSIONS_MIN = 5, 20, 200
FEED_MINUTES = 5
SIGN_IN_MINUTES = 3  # one slow answer is no outage
FEED_MADE_MAX = 4  # the last few before the period's end are carried after it
CROWDS: Thresholds = {"warning": 1, "critical": 2}  # times the crowd that is planned
WAIT_WARNING_S = 900
# By an exponential draw one in twenty waits three times the mean (-ln 0.05 = 3.0).
WAITED_P95_S = 3 * WAIT_WARNING_S
REFUSED_PERCENT, HOLDS_MIN = 80, 200  # near the end of a sale most find nothing
SWEPT_WARNING = 10  # a minute; single messages do get lost, that is what the sweeper is for
UPDATE_AGE_MS: Thresholds = {"warning": 2_000, "critical": 5_000}
FROM_TABLE_WARNING = 10  # a minute; a refill that is waited for too long is one now and then


@dataclass(frozen=True)
class Heartbeat:
    """How a function that is called by the clock shows that it lives.

    Its own count of runs, and not Lambda's of invocations: one that is cut off before its end was
    invoked, too, and so is one whose figures nobody sees any more.

    Args:
        runs_min: fewer than that in a period are too few.
        minutes: of the metric's period, as the schedule is.
        periods: in a row; two at least, as a run that takes longer may fall into the next one.
    """

    figure: str
    meaning: str
    runs_min: float = 1
    minutes: int = 1
    periods: int = 3


TIMERS = {
    "controller": Heartbeat(
        metrics.CONTROLLER_RUNS,
        "The admission controller does not run as often as it should: epochs will run out.",
        runs_min=STEPS_A_MINUTE / 2,
    ),
    "sweeper": Heartbeat(
        metrics.SWEEPER_RUNS,
        "The sweeper does not run: what a lost message left behind stays, refunds wait.",
    ),
    CANARY: Heartbeat(
        metrics.CANARY_RUNS,
        "The canary does not run: nobody measures whether a buyer can come in and hold a seat.",
    ),
    "auditor": Heartbeat(
        metrics.AUDITOR_RUNS,
        "Nobody compares holds and orders with the seats: a double sale is not noticed.",
        minutes=10,
        periods=2,
    ),
    "reconcile": Heartbeat(
        metrics.RECONCILE_RUNS,
        "The provider's books are not compared with the orders: a payment whose webhook never"
        " came is not noticed.",
        minutes=60,
        periods=2,
    ),
}


@dataclass(frozen=True)
class Feed:
    """How it shows that a feed carries: what makes changes, and what counts them as they arrive.

    Args:
        periods: in a row. One is enough where changes are made all the time; a timer's may all be
            made at the end of a period, and be carried after it.
    """

    made: str
    carried: str
    meaning: str
    severity: Severity = "critical"
    periods: int = 1


FEEDS = {
    "SeatChanges": Feed(
        metrics.HOLDS_MADE,
        metrics.SEAT_CHANGES_APPLIED,
        "Seats are held, and no change reaches the map: pipe or queue stands still.",
    ),
    "PaidOrders": Feed(
        metrics.ORDERS_PAID,
        metrics.ORDERS_TICKETED,
        "Orders are paid, and none gets its tickets: pipe or queue stands still.",
    ),
    "MailedChanges": Feed(
        metrics.REFUNDS_MOVED,
        metrics.CHANGES_HEARD,
        "Refunds are sent, and nothing comes that buyers are mailed: pipe or queue stands still.",
        severity="warning",
        periods=2,
    ),
}


class OwnAlarms:
    """Adds them to ``alarms``. Figures come from the functions of one stage.

    Args:
        canary: whether there is one.
    """

    def __init__(self, alarms: Alarms, stage: str, crowd: int, *, canary: bool) -> None:
        self.alarms, self._stage, self._crowd = alarms, stage, crowd
        self._timers_there = {name: one for name, one in TIMERS.items() if canary or name != CANARY}

    def add(self) -> None:
        self._room()
        self._inventory()
        self._money()
        self._sign_in()
        self._shares()
        self._feeds()
        self._availability()
        self._timers()

    def _room(self) -> None:
        """Of the event for which the most wait, and the longest."""
        for severity, times in CROWDS.items():
            waiting = times * self._crowd
            self.alarms.add(
                f"QueueWaiting{pascal(severity)}",
                self._figure(metrics.QUEUE_WAITING, "Maximum"),
                f"More than {waiting:,.0f} people wait for one event, and {self._crowd:,} were"
                " planned (-c crowd=…).",
                severity=severity,
                threshold=waiting,
                minutes=2,
            )
        self.alarms.add(
            "WaitExpected",
            self._figure(metrics.WAIT_EXPECTED, "Maximum"),
            f"A buyer who joins now waits for more than {WAIT_WARNING_S // 60} minutes on average.",
            threshold=WAIT_WARNING_S,
            minutes=5,
        )
        self.alarms.add(
            "WaitedP95",
            self._figure(metrics.WAITED, "p95", Duration.minutes(SHARE_MINUTES)),
            f"One buyer in twenty waited for more than {WAITED_P95_S // 60} minutes to come in.",
            threshold=WAITED_P95_S,
            minutes=SHARE_MINUTES,
        )

    def _inventory(self) -> None:
        self.alarms.add(
            "DoubleBooking",
            self._figure(metrics.DOUBLE_BOOKINGS),
            "A seat was sold or held twice. Pause the sale: `fairgate event pause final`. The"
            " auditor's log and `fairgate audit items` name each seat with its first step.",
            severity="critical",
        )
        self.alarms.add(
            "InventoryFaults",
            self._figure(metrics.INVENTORY_FAULTS),
            "A seat is kept without a hold or an order, or an area's counter is wrong. The"
            " auditor's log and `fairgate audit items` name each with its first step.",
            severity="critical",
        )
        self.alarms.add(
            "EventsDamaged",
            self._figure(metrics.EVENTS_DAMAGED, "Maximum"),
            "An event of the catalogue cannot be read, so nothing is done for it any more:"
            " `fairgate event list` names it.",
            severity="critical",
        )
        self.alarms.add(
            "SessionsSwept",
            self._figure(metrics.SESSIONS_SWEPT),
            "Expiry messages are lost or late: the sweeper ends the sessions instead.",
            threshold=SWEPT_WARNING,
            minutes=5,
        )

    def _money(self) -> None:
        self.alarms.add(
            "RefundOverdue",
            self._figure(metrics.REFUNDS_OVERDUE),
            "A captured payment without seats has waited over five minutes for its refund.",
            severity="critical",
        )
        self.alarms.add(
            "PaymentsRaised",
            self._figure(metrics.PAYMENTS_RAISED),
            "The provider's books and the orders differ in a way that only a person can judge:"
            " run `fairgate orders reconcile --dry-run`.",
        )
        self.alarms.add(
            "PaymentsNotSetUp",
            self._sum_of_each(metrics.PAYMENT_SETUP_ERRORS),
            "The payment provider rejects our key or its permissions: nobody can pay, and no"
            " refund is sent. Replace the key: `fairgate keys payments`.",
            severity="critical",
        )
        self.alarms.add(
            "ManualTasksOpen",
            self._figure(metrics.MANUAL_TASKS_OPEN, "Maximum"),
            "A manual task is open, such as a refund that the payment provider"
            " refuses for good: `fairgate orders tasks` lists it.",
        )
        self.alarms.add(
            "PaymentsAway",
            self._sum_of_each(metrics.PAYMENTS_AWAY),
            "The payment provider hangs, and is not called for half a minute at a time: nobody can"
            " pay, seats are kept. Its status page says more.",
            severity="critical",
        )

    def _sign_in(self) -> None:
        self.alarms.add(
            "SignInsUnavailable",
            self._figure(metrics.SIGN_INS_UNAVAILABLE),
            "Nobody new can sign in: the identity provider does not answer, or takes neither our"
            " client nor its secret. `fairgate doctor` says which.",
            severity="critical",
            minutes=SIGN_IN_MINUTES,
        )
        self.alarms.add(
            "IdentityKeysUnreadable",
            self._figure(metrics.IDENTITY_KEYS_UNREADABLE),
            "The identity provider's keys cannot be read. Those of the last day go on counting:"
            " after 24 hours nobody can sign in.",
            minutes=SIGN_IN_MINUTES,
        )

    def _shares(self) -> None:
        failed = cloudwatch.MathExpression(
            expression=f"IF(attempts >= {SHARE_OF_MIN}, 100 * failures / attempts, 0)",
            using_metrics={
                "attempts": self._figure(metrics.HOLD_ATTEMPTS),
                "failures": self._figure(metrics.HOLD_FAILURES),
            },
            label="Failed holds, percent",
            period=MINUTE,
        )
        for severity, percent in HOLD_FAILURES_PERCENT.items():
            self.alarms.add(
                f"HoldFailures{pascal(severity)}",
                failed,
                f"More than {percent} percent of the holds fail by our doing.",
                severity=severity,
                threshold=percent,
                minutes=2,
            )
        period = Duration.minutes(SHARE_MINUTES)
        self.alarms.add(
            "HoldsRefused",
            cloudwatch.MathExpression(
                expression=f"IF(attempts >= {HOLDS_MIN}, 100 * (attempts - made) / attempts, 0)",
                using_metrics={
                    "attempts": self._figure(metrics.HOLD_ATTEMPTS, period=period),
                    "made": self._figure(metrics.HOLDS_MADE, period=period),
                },
                label="Refused holds, percent",
                period=period,
            ),
            f"More than {REFUSED_PERCENT} percent of the holds get no seats, whosever doing it is.",
            threshold=REFUSED_PERCENT,
            minutes=SHARE_MINUTES,
        )
        declined = self._share_of(metrics.PAYMENTS_DECLINED, SHARE_OF_MIN, "Declined, percent")
        for severity, percent in DECLINED_PERCENT.items():
            self.alarms.add(
                f"PaymentsDeclined{pascal(severity)}",
                declined,
                f"More than {percent} percent of the payments are declined.",
                severity=severity,
                threshold=percent,
                minutes=SHARE_MINUTES,
            )
        self.alarms.add(
            "SessionsExpired",
            self._share_of(metrics.SESSIONS_EXPIRED, SESSIONS_MIN, "Expired, percent"),
            f"More than {EXPIRED_PERCENT} percent of the sessions run out of time.",
            threshold=EXPIRED_PERCENT,
            minutes=SHARE_MINUTES,
        )

    def _share_of(self, bad: str, of_min: int, label: str) -> cloudwatch.MathExpression:
        """Share of what went wrong in that and in the paid orders; 0 below ``of_min``."""
        period = Duration.minutes(SHARE_MINUTES)
        return cloudwatch.MathExpression(
            expression=f"IF(FILL(bad, 0) + FILL(good, 0) >= {of_min},"
            " 100 * FILL(bad, 0) / (FILL(bad, 0) + FILL(good, 0)), 0)",
            using_metrics={
                "bad": self._figure(bad, period=period),
                "good": self._figure(metrics.ORDERS_PAID, period=period),
            },
            label=label,
            period=period,
        )

    def _feeds(self) -> None:
        """A pipe that is stopped, or not allowed any more, fails nowhere: what it fed is silent."""
        for feed_id, feed in FEEDS.items():
            period = Duration.minutes(FEED_MINUTES)
            self.alarms.add(
                f"{feed_id}Silent",
                cloudwatch.MathExpression(
                    expression="IF(FILL(carried, 0) > 0, 0, FILL(made, 0))",
                    using_metrics={
                        "made": self._figure(feed.made, period=period),
                        "carried": self._figure(feed.carried, period=period),
                    },
                    label="Made, and none of them carried",
                    period=period,
                ),
                feed.meaning,
                severity=feed.severity,
                threshold=FEED_MADE_MAX,
                minutes=FEED_MINUTES * feed.periods,
            )

    def _availability(self) -> None:
        for severity, age_ms in UPDATE_AGE_MS.items():
            self.alarms.add(
                f"UpdateAge{pascal(severity)}",
                self._figure(metrics.INVALIDATION_AGE, "p99"),
                f"One change in a hundred reaches the map after more than {age_ms // 1000} s.",
                severity=severity,
                threshold=age_ms,
                minutes=3,
            )
        self.alarms.add(
            "CacheUnavailable",
            self._figure(metrics.CACHE_UNAVAILABLE),
            "Seat changes find the cache down or slow. Once it is back: `fairgate queue redrive"
            " invalidations`, then `fairgate cache rebuild EVENT`.",
            minutes=2,
        )
        self.alarms.add(
            "MalformedSeatChanges",
            self._figure(metrics.SEAT_CHANGES_MALFORMED),
            "Seat changes cannot be read and end as dead letters: the map lacks them.",
        )
        self.alarms.add(
            "SeatMapFromTable",
            self._figure(metrics.SEAT_MAP_FROM_TABLE),
            "Seat maps are read from the table: the cache is down, slow or too small. Holds go on.",
            threshold=FROM_TABLE_WARNING,
            minutes=2,
        )
        self.alarms.add(
            "CacheScriptDefects",
            self._sum_of_each(metrics.CACHE_SCRIPT_DEFECTS),
            "The cache rejects one of our scripts; holds and maps go on without it. The"
            " functions' logs say where: `fairgate cache rebuild EVENT --forget` mends a wrong key,"
            " a deployment a wrong script.",
        )
        self.alarms.add(
            "SeatsDamaged",
            self._sum_of_each(metrics.SEATS_DAMAGED),
            "A seat or a counter of an area cannot be read: it is shown as not available, and"
            " cannot be sold. `fairgate cache rebuild EVENT` names it.",
        )
        self.alarms.add(
            "TableReadsRefused",
            self._figure(metrics.TABLE_READS_REFUSED),
            "Without the cache, the limiter refuses viewers to keep the table for holds.",
            minutes=2,
        )

    def _timers(self) -> None:
        for function_name, heartbeat in self._timers_there.items():
            self.alarms.add(
                f"{pascal(function_name)}Silent",
                self._figure(heartbeat.figure, period=Duration.minutes(heartbeat.minutes)),
                heartbeat.meaning,
                severity="critical",
                threshold=heartbeat.runs_min,
                minutes=heartbeat.minutes * heartbeat.periods,
                comparison=BELOW,
                missing=SILENCE_IS_BAD,
            )
        for construct_id, figure, what in (
            ("BackstopFailures", metrics.BACKSTOP_FAILURES, "sweeper could not end or refund"),
            ("AuditFailures", metrics.AUDIT_FAILURES, "auditor could not compare"),
            ("ReconcileFailures", metrics.RECONCILE_FAILURES, "reconciliation could not compare"),
            ("ControllerFailures", metrics.CONTROLLER_FAILURES, "controller could not plan for"),
        ):
            self.alarms.add(
                construct_id,
                self._figure(figure),
                f"Something that the {what}; the others of the run were done. Its log says which.",
            )

    def _figure(
        self, figure: str, statistic: str = "Sum", period: Duration = MINUTE
    ) -> cloudwatch.Metric:
        service = metrics.EMITTED_BY[figure]
        namespace = metrics_namespace(self._stage)
        return metric(namespace, figure, {"service": service}, statistic, period)

    def _sum_of_each(self, figure: str) -> cloudwatch.MathExpression:
        """What all the functions that emit it say, together; a silent one says nothing."""
        namespace = metrics_namespace(self._stage)
        said = {
            service: metric(namespace, figure, {"service": service})
            for service in metrics.EMITTED_BY_SEVERAL[figure]
        }
        return cloudwatch.MathExpression(
            expression=" + ".join(f"FILL({service}, 0)" for service in said),
            using_metrics=said,
            label=figure,
            period=MINUTE,
        )
