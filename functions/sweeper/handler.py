"""End each minute what a lost message left behind, and send refunds that are overdue."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from fairgate import metrics as names
from fairgate.bootstrap import container
from fairgate.deadline import bounded
from fairgate.errors import FairgateError
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.orders.refunds import Refunder
from fairgate.service.orders.sweep_expired import ExpirySweeper, Swept

logger = Logger()


@bounded
def handler(_event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Return what was found for each event; one that fails does not stop the others."""
    world = container()
    releaser = SeatReleaser(world.table, world.clock)
    refunder = Refunder(world.table, world.clock, world.payments)
    sweeper = ExpirySweeper(world.table, world.clock, releaser, refunder)
    swept: list[Swept] = []
    for event in world.catalog.events():
        try:
            swept.append(sweeper.sweep(event))
        except FairgateError as error:
            logger.exception("not swept", sale=event.id, code=error.code)
    eventful = [one for one in swept if one.expired or one.refunded or one.overdue or one.postponed]
    for one in eventful:
        logger.warning("left behind", swept=asdict(one))
    _publish(swept)
    return {"swept": [asdict(one) for one in eventful]}


def _publish(swept: list[Swept]) -> None:
    metrics = EphemeralMetrics()  # namespace and service come from the environment
    expired = sum(one.expired for one in swept)
    metrics.add_metric(names.SESSIONS_SWEPT, MetricUnit.Count, expired)
    overdue = sum(one.overdue for one in swept)
    metrics.add_metric(names.REFUNDS_OVERDUE, MetricUnit.Count, overdue)
    metrics.flush_metrics()
