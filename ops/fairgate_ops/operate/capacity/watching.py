"""Price what options add to a stage at rest: the canary, and backups. Modelled.

US dollars, us-east-1, without free tiers, as the price pages of November 2026 say.
"""

from __future__ import annotations

from fairgate_ops.operate.capacity.cost import (
    CLOUDFRONT_REQUEST,
    FUNCTION_CALL,
    HTTP_API_REQUEST,
    LAMBDA_GB_S,
    LAMBDA_REQUEST,
    LOG_BYTES_A_CALL,
    LOG_GB,
    MEMORY_GB,
    READ_UNIT,
    STORE_READ,
    WRITE_UNIT,
)
from fairgate_ops.operate.capacity.rest import ALARM_METRIC, MINUTES_A_MONTH, FixedCost

# Of a journey: look, join, two requests for admission, hold, release, leave. Modelled.
ASKED, ANSWERED_BY_FUNCTION = 7, 5
JOURNEY_S, CANARY_GB = 3.0, 0.25  # with the wait in the queue; memory as infra/functions.py
CALL_S = 0.1
# A session opened and ended, a hold of one seat made and given back; plan.py's units.
JOURNEY_WRITES, JOURNEY_READS = 34, 20
CUSTOM_METRICS, COMPOSITES = 3, 2
CUSTOM_METRIC, COMPOSITE = 0.30, 0.50  # Amazon CloudWatch pricing: a month
# Four windows with two metrics each; silence, answers, errors and throttles.
CANARY_ALARM_METRICS = 12
SYNTHETICS_RUN = 0.0012  # Amazon CloudWatch pricing: canary runs
BACKUP_GB = 0.10  # AWS Backup pricing: DynamoDB, warm storage, a month; each backup is whole


def canary_journeys() -> float:
    """Return the dollars of a month of journeys: what they ask of the system, and the function."""
    edge = ASKED * (CLOUDFRONT_REQUEST + FUNCTION_CALL + STORE_READ)
    api = ANSWERED_BY_FUNCTION * (
        HTTP_API_REQUEST + LAMBDA_REQUEST + CALL_S * MEMORY_GB * LAMBDA_GB_S
    )
    own = 2 * LAMBDA_REQUEST + JOURNEY_S * CANARY_GB * LAMBDA_GB_S  # and its sign-in
    table = JOURNEY_WRITES * WRITE_UNIT + JOURNEY_READS * READ_UNIT
    logs = (ASKED + 1) * LOG_BYTES_A_CALL / 1e9 * LOG_GB
    return MINUTES_A_MONTH * (edge + api + own + table + logs)


def canary_watched() -> float:
    return (
        CUSTOM_METRICS * CUSTOM_METRIC
        + CANARY_ALARM_METRICS * ALARM_METRIC
        + COMPOSITES * COMPOSITE
    )


def synthetics() -> float:
    """Return what CloudWatch Synthetics would charge for as many runs, beside the same journeys."""
    return MINUTES_A_MONTH * SYNTHETICS_RUN


def backups(table_gb: float, days: int) -> float:
    """Return the dollars of a month of daily backups of tables of this size."""
    return table_gb * days * BACKUP_GB


def options_table() -> str:
    """Return docs/deploying.md's table; a test compares them."""
    journeys = f"{MINUTES_A_MONTH:,} journeys"
    rows = [
        FixedCost("`canary_event`: journeys", journeys, canary_journeys()),
        FixedCost("`canary_event`: metrics and alarms", "3, and 6 alarms", canary_watched()),
        FixedCost(
            "the same by CloudWatch Synthetics, more", f"{MINUTES_A_MONTH:,} runs", synthetics()
        ),
        FixedCost("`backup_days=35`: for each GB in the tables", "35 GB", backups(1, 35)),
        FixedCost("`alarm_https`, `slack_channel`", "", 0.0),
    ]
    lines = ["| estimated, a month | amount | dollars |", "|---|---|---|"]
    cells = [(row.what, row.amount, f"{row.dollars:.2f}") for row in rows]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in cells)])
