"""Compare each hour the payment provider's books with the orders; enter its fees and payouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit
from msgspec import to_builtins

from fairgate import log_lines
from fairgate import metrics as names
from fairgate.bootstrap import container
from fairgate.deadline import bounded
from fairgate.request_ids import called, take_up
from fairgate.service.books.find_sold import SaleWindow
from fairgate.service.books.import_movements import MovementImporter, first_of
from fairgate.service.books.reconcile_payments import Reconciler
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.expiry.sweep_cursors import resting_events
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.failures import Failure

if TYPE_CHECKING:
    from fairgate.service.books.books import Reconciled

logger = log_lines.logger()


@called
@bounded
def handler(_event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Return the results. A failure is counted and not raised, as in the sweeper."""
    world = container()
    reconciler = Reconciler(
        world.table,
        world.clock,
        PaymentSettler(world.table, world.clock, world.payments),
        Refunder(world.table, world.clock, world.payments),
        world.ticket_queue,
    )
    importer = MovementImporter(world.table, world.clock, world.payments)
    events = world.catalog.all()
    compared = reconciler.run(
        events.ids,
        resting=resting_events(world.table, events.events),
        windows={event.id: SaleWindow.of(event) for event in events.events},
    )
    failures = [Failure(f"event {name}", "DamagedItemError", "") for name in events.damaged]
    failures += compared.failures
    movements = 0
    if compared.complete:  # the provider answers: its fees and payouts, with the time that is left
        imported = importer.run(first_of(events.events, world.clock.now_ms()))
        failures += imported.failures
        movements = imported.new
    for failure in failures:
        take_up(failure.correlation_id)
        logger.error("not done", failure=to_builtins(failure))
    for difference in compared.differences:
        take_up(difference.correlation_id)
        say = logger.error if difference.kind in ("raised", "failed") else logger.warning
        say("payment difference", difference=to_builtins(difference))
    take_up()
    _publish(compared, len(failures))
    return {
        "since": compared.since,
        "until": compared.until,
        "captures": compared.captures,
        "movements": movements,
        "repaired": compared.repaired,
        "raised": compared.count("raised", "failed"),
        "failures": len(failures),
    }


def _publish(compared: Reconciled, failures: int) -> None:
    """Say how it went; a run that does not come so far is silent, and silence is an alarm."""
    metrics = EphemeralMetrics()  # namespace and service come from the environment
    for name, value in {
        names.RECONCILE_RUNS: 1,
        names.PAYMENTS_REPAIRED: compared.repaired,
        names.PAYMENTS_RAISED: compared.raised,
        names.RECONCILE_FAILURES: failures,
    }.items():
        metrics.add_metric(name, MetricUnit.Count, value)
    log_lines.name_figures(metrics)
    metrics.flush_metrics()
