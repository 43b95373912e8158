"""Compare each hour the payment provider's books with the orders."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from fairgate import metrics as names
from fairgate.bootstrap import container
from fairgate.deadline import bounded
from fairgate.service.orders.reconcile_payments import Reconciled, Reconciler
from fairgate.service.orders.refunds import Refunder
from fairgate.service.orders.settle_payment import PaymentSettler

logger = Logger()


@bounded
def handler(_event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Return what was compared.

    A failure raises, so that Lambda calls again and the error is counted.
    """
    world = container()
    reconciler = Reconciler(
        world.table,
        world.clock,
        PaymentSettler(world.table, world.clock, world.payments),
        Refunder(world.table, world.clock, world.payments),
    )
    compared = reconciler.run([event.id for event in world.catalog.events()])
    for difference in compared.differences:
        say = logger.error if difference.kind in ("raised", "failed") else logger.warning
        say("payment difference", difference=asdict(difference))
    _publish(compared)
    return {
        "since": compared.since,
        "until": compared.until,
        "captures": compared.captures,
        "repaired": compared.repaired,
        "raised": compared.count("raised", "failed"),
    }


def _publish(compared: Reconciled) -> None:
    metrics = EphemeralMetrics()  # namespace and service come from the environment
    metrics.add_metric(names.PAYMENTS_REPAIRED, MetricUnit.Count, compared.repaired)
    raised = compared.count("raised", "failed")
    metrics.add_metric(names.PAYMENTS_RAISED, MetricUnit.Count, raised)
    metrics.flush_metrics()
