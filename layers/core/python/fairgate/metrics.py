"""Name the metrics, for the functions that emit them and for the alarms."""

from __future__ import annotations

DOUBLE_BOOKINGS = "DoubleBookings"  # seats in two holds or orders, or of an order without them
INVENTORY_FAULTS = "InventoryFaults"  # seats that nobody has or can buy, and wrong area counters
HOLD_ATTEMPTS = "HoldAttempts"
HOLDS_MADE = "HoldsMade"  # of those, that got their seats
HOLD_FAILURES = "HoldFailures"  # of those, refused by our doing: not a seat that was taken
ORDERS_PAID = "OrdersPaid"  # settled while a webhook or the buyer asked
PAYMENTS_DECLINED = "PaymentsDeclined"  # attempts on a payment page that failed, by webhook
ORDERS_TICKETED = "OrdersTicketed"  # whose tickets were issued
CHANGES_HEARD = "ChangesHeard"  # of orders and refunds, that the pipe for mails carried
MAILS_NOT_SENT = "MailsNotSent"  # to addresses that no mail can be sent to: each order has a task
SIGN_INS_UNAVAILABLE = "SignInsUnavailable"  # refused, as the identity provider cannot be asked
IDENTITY_KEYS_UNREADABLE = "IdentityKeysUnreadable"  # looks; those of the last day go on counting
SESSIONS_EXPIRED = "SessionsExpired"  # whose time ran out unpaid, by their own message
REFUNDS_OVERDUE = "RefundsOverdue"  # owed for more than five minutes, and still not to be sent
REFUNDS_MOVED = "RefundsMoved"  # by the sweeper: sent, or further than they were
SESSIONS_SWEPT = "SessionsSwept"  # ended by the backstop: their messages were lost or late
PAYMENTS_REPAIRED = "PaymentsRepaired"  # differences with the provider's books, put right
PAYMENTS_RAISED = "PaymentsRaised"  # those that a person must look at
# The timers: 1 for each run that came to its end; silence is an alarm.
SWEEPER_RUNS = "SweeperRuns"  # each minute
RECONCILE_RUNS = "ReconcileRuns"  # each hour
AUDITOR_RUNS = "AuditorRuns"  # every ten minutes
# Entries, captures and whole events that could not be done, each without holding up the others.
BACKSTOP_FAILURES = "BackstopFailures"  # of the sweeper's run
RECONCILE_FAILURES = "ReconcileFailures"
AUDIT_FAILURES = "AuditFailures"
PAYMENT_SETUP_ERRORS = "PaymentSetupErrors"  # calls of which the provider refused key or rights
PAYMENTS_AWAY = "PaymentsAway"  # times that the circuit before the provider opened, or stayed so
MANUAL_TASKS_OPEN = "ManualTasksOpen"  # what only a person can do, and nobody has ticked off yet
CANARY_RUNS = "CanaryRuns"  # each minute, where there is a canary; with and without success
CANARY_FAILURES = "CanaryFailures"  # of those, in which a step did not end as it should
CANARY_ANSWERING = "CanaryAnswering"  # how long all answers of a run took, milliseconds
CONTROLLER_RUNS = "ControllerRuns"  # every ten seconds, as the other timers' runs
CONTROLLER_FAILURES = "ControllerFailures"  # events whose next epoch could not be planned
# Once a minute for each event that is on sale, by the controller.
QUEUE_WAITING = "QueueWaiting"  # about so many who wait, by the sample
WAIT_EXPECTED = "WaitExpectedSeconds"  # of who joins now, in the mean
WAITED = "WaitedSeconds"  # of each admission, from joining to the session
SESSIONS_LIVE = "SessionsLive"
SESSIONS_TARGET = "SessionsTarget"  # so many may shop at once
EVENTS_DAMAGED = "EventsDamaged"  # in the catalogue, which no reader understands
SEATS_DAMAGED = "SeatsDamaged"  # seats and counters that no reader understands: not available
SEAT_CHANGES_APPLIED = "SeatChangesApplied"
SEAT_CHANGES_MALFORMED = "MalformedSeatChanges"  # not understood: they end as dead letters
INVALIDATION_AGE = "InvalidationAge"  # from a change to its place in the cache, milliseconds
CACHE_UNAVAILABLE = "CacheUnavailable"  # batches of changes that found the cache gone, or slow
SEAT_MAP_FROM_TABLE = "SeatMapFromTable"  # answers that went round the cache
CLAIMS_SKIPPED = "ClaimsSkipped"  # claims of seats that the cache did not take: holds go on without
CACHE_SCRIPT_DEFECTS = "CacheScriptDefects"  # questions that no working cache could have answered
REQUESTS_LIMITED = "RequestsLimited"  # refused: more changes at once than the page ever asks for
LIMITS_SKIPPED = "LimitsSkipped"  # let through, because neither cache nor table could count them
TABLE_READS_REFUSED = "TableReadsRefused"  # by the limiter, while the cache is gone

# The function that emits each: Powertools adds its name as the dimension ``service``.
EMITTED_BY = {
    DOUBLE_BOOKINGS: "auditor",
    INVENTORY_FAULTS: "auditor",
    AUDITOR_RUNS: "auditor",
    AUDIT_FAILURES: "auditor",
    HOLD_ATTEMPTS: "holds",
    HOLDS_MADE: "holds",
    HOLD_FAILURES: "holds",
    ORDERS_PAID: "orders",
    PAYMENTS_DECLINED: "orders",
    ORDERS_TICKETED: "ticketer",
    CHANGES_HEARD: "ticketer",
    MAILS_NOT_SENT: "ticketer",
    SIGN_INS_UNAVAILABLE: "auth",
    IDENTITY_KEYS_UNREADABLE: "auth",
    SESSIONS_EXPIRED: "expiry",
    REFUNDS_OVERDUE: "sweeper",
    REFUNDS_MOVED: "sweeper",
    SESSIONS_SWEPT: "sweeper",
    PAYMENTS_REPAIRED: "reconcile",
    PAYMENTS_RAISED: "reconcile",
    SWEEPER_RUNS: "sweeper",
    BACKSTOP_FAILURES: "sweeper",
    MANUAL_TASKS_OPEN: "sweeper",
    RECONCILE_RUNS: "reconcile",
    RECONCILE_FAILURES: "reconcile",
    CANARY_RUNS: "canary",
    CANARY_FAILURES: "canary",
    CANARY_ANSWERING: "canary",
    CONTROLLER_RUNS: "controller",
    CONTROLLER_FAILURES: "controller",
    QUEUE_WAITING: "controller",
    WAIT_EXPECTED: "controller",
    WAITED: "sessions",
    SESSIONS_LIVE: "controller",
    SESSIONS_TARGET: "controller",
    EVENTS_DAMAGED: "controller",
    SEAT_CHANGES_APPLIED: "invalidator",
    SEAT_CHANGES_MALFORMED: "invalidator",
    INVALIDATION_AGE: "invalidator",
    CACHE_UNAVAILABLE: "invalidator",
    CLAIMS_SKIPPED: "holds",
    SEAT_MAP_FROM_TABLE: "seatmap",
    TABLE_READS_REFUSED: "seatmap",
}
# What several functions emit, each under its own name.
EMITTED_BY_SEVERAL = {
    CACHE_SCRIPT_DEFECTS: ("holds", "invalidator", "seatmap"),
    PAYMENT_SETUP_ERRORS: ("checkout", "expiry", "jobs", "orders", "reconcile", "sweeper"),
    PAYMENTS_AWAY: ("checkout", "expiry", "jobs", "orders", "reconcile", "sweeper"),
    REQUESTS_LIMITED: ("checkout", "desk", "holds", "sessions"),
    LIMITS_SKIPPED: ("checkout", "desk", "holds", "sessions"),
    SEATS_DAMAGED: ("auditor", "controller", "holds", "invalidator", "seatmap"),
}
