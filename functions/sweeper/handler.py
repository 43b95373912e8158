"""End each minute what a lost message left behind, free house seats, send and follow refunds."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit
from msgspec import to_builtins

from fairgate import log_lines
from fairgate import metrics as names
from fairgate.bootstrap import container
from fairgate.deadline import bounded, each
from fairgate.request_ids import called, take_up
from fairgate.service.expiry.sweep_blocks import BlockSweep
from fairgate.service.expiry.sweep_expired import ExpirySweeper
from fairgate.service.expiry.swept import Swept
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.failures import Failure, failure_of
from fairgate.service.shared.keys import REFUNDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from aws_lambda_powertools.utilities.typing import LambdaContext

logger = log_lines.logger()


@called
@bounded
def handler(_event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the result for each event; a failed event does not stop the others.

    What failed is counted instead of raised: a run that raises would not say what it did, and its
    alarm is the same. Only what comes before the first event raises.
    """
    world = container()
    sweeper = ExpirySweeper(
        world.table,
        world.clock,
        SeatReleaser(world.table, world.clock),
        Refunder(world.table, world.clock, world.payments),
        world.expiry_queue,
        context.get_remaining_time_in_millis,
    )
    blocks = BlockSweep(world.table, world.clock, context.get_remaining_time_in_millis)
    catalog = world.unswept_events.read()
    swept = [_swept(event.id, partial(sweeper.sweep, event)) for event in each(catalog.events)]
    freed = [_swept(event.id, partial(blocks.sweep, event)) for event in each(catalog.events)]
    # Last: a stalled provider takes what is left, and events leave some by handing over.
    swept.append(_swept(REFUNDS, partial(sweeper.sweep_refunds, catalog)))
    failures = [Failure(f"event {name}", "DamagedItemError", "") for name in catalog.damaged]
    failures += [failure for one in (*swept, *freed) for failure in one.failures]
    for failure in failures:
        take_up(failure.correlation_id)
        logger.error("not done", failure=to_builtins(failure))
    take_up()
    eventful = [to_builtins(one) for one in (*swept, *freed) if one.eventful]
    for one in eventful:
        logger.warning("house seats freed" if one["freed"] else "left behind", swept=one)
    _publish(swept, len(failures), len(ManualTasks(world.table, world.clock).open()))
    return {"swept": eventful, "failures": len(failures)}


def _swept(event: str, sweep: Callable[[], Swept]) -> Swept:
    try:
        return sweep()
    except Exception as error:  # noqa: BLE001 one event holds no other one up
        return Swept(event, failures=(failure_of(f"event {event}", error),))  # type: ignore[arg-type]


def _publish(swept: list[Swept], failures: int, tasks: int) -> None:
    """Say how it went; a run that does not come so far is silent, and silence is an alarm."""
    metrics = EphemeralMetrics()  # namespace and service come from the environment
    for name, value in {
        names.SWEEPER_RUNS: 1,
        names.SESSIONS_SWEPT: sum(one.expired + one.handed for one in swept),
        names.REFUNDS_MOVED: sum(one.refunded for one in swept),
        names.REFUNDS_OVERDUE: sum(one.overdue for one in swept),
        names.BACKSTOP_FAILURES: failures,
        names.MANUAL_TASKS_OPEN: tasks,
    }.items():
        metrics.add_metric(name, MetricUnit.Count, value)
    log_lines.name_figures(metrics)
    metrics.flush_metrics()
