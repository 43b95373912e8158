"""Compare all holds and sold orders with seats and areas, every ten minutes."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit
from msgspec import to_builtins

from fairgate import log_lines
from fairgate import metrics as names
from fairgate.bootstrap import container
from fairgate.deadline import bounded, each
from fairgate.errors import FairgateError
from fairgate.ports.record import DamagedItemError
from fairgate.request_ids import called
from fairgate.service.audit.compare_inventory import (
    DOUBLES,
    LAWS,
    LOSSES,
    Compared,
    compare_inventory,
)
from fairgate.service.expiry.sweep_cursors import resting_events
from fairgate.service.shared.failures import Failure, failure_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.service.shared.records.catalog import Event

logger = log_lines.logger()
PERIOD_S = 600
ROUNDS_A_DAY = 86_400 // PERIOD_S
NAMED_MAX = 40  # of one event's violations; the figures count all


@called
@bounded
def handler(_event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Return the results. An event that cannot be compared is counted and stops no other."""
    world = container()
    catalog = world.catalog.all()
    failures = [Failure(f"event {name}", "DamagedItemError", "") for name in catalog.damaged]
    compared: list[Compared] = []
    for event in each(_of_this_round(catalog.events)):
        try:
            compared.append(compare_inventory(world.table, world.clock, event))
        except (FairgateError, DamagedItemError) as error:
            failures.append(failure_of(f"event {event.id}", error))
    for failure in failures:
        logger.error("not compared", failure=to_builtins(failure))
    steps = {law.name: law.first_step for law in LAWS}
    for one in compared:
        for found in one.broken[:NAMED_MAX]:
            logger.error("law broken", event=one.event, violation=to_builtins(found),
                         first_step=steps[found.law])  # fmt: skip
        if one.damaged:
            keys = [key.pk for key in one.damaged[:NAMED_MAX]]
            logger.error("damaged items", event=one.event, keys=keys)
    figures = {
        names.AUDITOR_RUNS: 1,
        names.DOUBLE_BOOKINGS: sum(one.count(DOUBLES) for one in compared),
        names.INVENTORY_FAULTS: sum(one.count(LOSSES) for one in compared),
        names.SEATS_DAMAGED: sum(len(one.damaged) for one in compared),
        names.AUDIT_FAILURES: len(failures),
    }
    _publish(figures)
    undecided = sum(one.undecided for one in compared)
    answer = {"events": len(compared), "undecided": undecided, "failures": len(failures)}
    return answer | figures


def _of_this_round(events: Sequence[Event]) -> Sequence[Event]:
    """Choose the events of a round: all but those at rest, which have one round a day."""
    world = container()
    resting = resting_events(world.table, events)
    number = world.clock.now_ms() // (PERIOD_S * 1000) % ROUNDS_A_DAY
    return [
        event
        for event in events
        if event.id not in resting or zlib.crc32(event.id.encode()) % ROUNDS_A_DAY == number
    ]


def _publish(figures: dict[str, int]) -> None:
    """Say how it went; a run that does not come so far is silent, and silence is an alarm."""
    metrics = EphemeralMetrics()  # namespace and service come from the environment
    for name, value in figures.items():
        metrics.add_metric(name, MetricUnit.Count, value)
    log_lines.name_figures(metrics)
    metrics.flush_metrics()
