"""Say on schedule when an event is sold out; plan the next epoch where that is automatic.

What the edges' store lacks of what is written is brought there, and what the pages' files lack.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit
from msgspec import to_builtins

from fairgate import log_lines
from fairgate import metrics as names
from fairgate.adapters.aws.keyvaluestore import wait_with_jitter
from fairgate.bootstrap import Container, container
from fairgate.deadline import bounded, each, left_s
from fairgate.domain.gate.gate_config import ADMITTING, GateConfig
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import FairgateError
from fairgate.request_ids import called
from fairgate.service.availability.watch_seats import SeatWatch
from fairgate.service.gate.compare_store import StoreKeeper, is_watched, must_be_kept
from fairgate.service.gate.control_gate import GateControl
from fairgate.service.gate.log_plans import end_sale, log_plan
from fairgate.service.gate.look_at_room import RoomFigures, look_at_room
from fairgate.service.gate.plan_admission import AdmissionPlanner
from fairgate.service.sessions.admission_threshold import reached
from fairgate.service.shared.live_count import count_sessions
from fairgate.service.shared.records.catalog import Event
from fairgate.service.watch.make_figures import FigureMaker, is_shown

if TYPE_CHECKING:
    from fairgate.service.catalog.read_catalog import Catalog

LOOK_LEFT_S = 1.0  # that a run has for an event's figures, or leaves them as they are
HOUR_CHARS = len("2026-01-01T00")  # of a time in RFC 3339
PAGES_LEFT_S = 2.0  # that it has for another page, or leaves it for the next minute

logger = log_lines.logger()


@called
@bounded
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Return the result for each event; a failed event is counted and does not stop the others.

    The first run of each minute also counts waiting rooms and sessions, for the dashboard.
    """
    world = container()
    control = GateControl(world.gate_values, world.clock, wait=wait_with_jitter)
    keeper = StoreKeeper(world.table, world.clock, world.gate_values)
    planner = AdmissionPlanner(
        *(world.table, world.clock, control),
        threshold_of=partial(reached, world.table),
        admissions_per_s=world.settings.event_admissions_per_s,
    )
    watch = SeatWatch(world.table, world.clock)
    planned: list[dict[str, Any]] = []
    rooms: list[RoomFigures] = []
    failures = 0
    catalog = world.current_events.read()
    for sale in each([sale for sale in catalog.events if is_watched(sale)]):
        try:
            outcome = _new_state(world, control, watch, sale)
            done = {"event": sale.id, "outcome": outcome}
            if not outcome:
                plan = planner.plan(sale, _places_left(sale, watch, world.clock.now_ms()))
                done = to_builtins(plan)
                log_plan(world.table, world.clock, control, plan)
            if not event.get("beat"):
                rooms += _room(world, sale, control.read(sale.id))
        except Exception as error:  # whatever it is, the other events are not its victims
            code = error.code if isinstance(error, FairgateError) else "internal"
            logger.exception("not planned", sale=sale.id, code=code)
            done = {"event": sale.id, "outcome": code}
            failures += 1
        else:
            logger.info("planned", plan=done)
        planned.append(done)
    failures += _keep(keeper, catalog.events)
    for damaged in catalog.damaged:
        logger.error("damaged event", sale=damaged)
    for damaged, units in watch.damaged.items():
        if units:
            logger.error("damaged seats", sale=damaged, units=units)
    _publish(failures, len(catalog.damaged), watch.damaged.total(), rooms)
    _look(world, catalog.events)
    _write_pages(world, catalog, looks=not event.get("beat"))
    return {"planned": planned, "failures": failures}


def _new_state(world: Container, control: GateControl, watch: SeatWatch, sale: Event) -> str:
    """End the sale, say that it is sold out or open it again; return which, "" for nothing."""
    now_ms = world.clock.now_ms()
    if sale.state not in ("closed", "draft") and sale.ended(now_ms):
        end_sale(world.table, world.clock, control, sale.id)
        return "ended"
    if _sold_out(sale, watch, now_ms):
        watch.said_sold_out(sale)
        control.sold_out(sale.id)
        return "sold out"
    if sale.state == "soldout" and watch.came_back(sale):
        control.resume(sale.id)
        watch.said_sold_out(sale, still=False)
        return "open again"
    return ""


def _keep(keeper: StoreKeeper, sales: Sequence[Event]) -> int:
    """Bring to the edges' store what it lacks, and compare the rest; return how much failed."""
    tasks = [(sale.id, partial(keeper.bring, sale)) for sale in sales if is_watched(sale)]
    failures = 0
    for name, task in each([*tasks, ("", partial(keeper.compare, sales))]):
        try:
            for repair in task():
                logger.warning("gate's value kept", repair=to_builtins(repair))
                must_be_kept(repair)
        except Exception as error:  # the next run tries again
            code = error.code if isinstance(error, FairgateError) else "internal"
            logger.exception("gate's value not kept", sale=name, code=code)
            failures += 1
    return failures


def _look(world: Container, sales: Sequence[Event]) -> None:
    """Make the figures that operators watch, last, because no admission depends on them."""
    maker, now_s = FigureMaker(world.table, world.clock), world.clock.now_ms() / 1000
    for sale in each([sale for sale in sales if is_watched(sale) or is_shown(sale, now_s)]):
        if left_s() < LOOK_LEFT_S:
            logger.warning("figures not made: no time left", sale=sale.id)
            continue
        try:
            maker.make(sale)
        except Exception:  # what is watched says how old it is
            logger.exception("figures not made", sale=sale.id)


@cache
def _written(_world: Container) -> list[tuple[str, int, str]]:
    """Remember the events, each with version and state, for which the pages were written last."""
    return []


def _write_pages(world: Container, catalog: Catalog, *, looks: bool) -> None:
    """Write what previews and search engines read, last of all: it may wait for a minute.

    Args:
        looks: also where no event has changed: the pages may be those of a new release.
    """
    seen = [(sale.id, sale.version, sale.state) for sale in catalog.events]
    if world.site is None or not (looks or seen != _written(world)):
        return
    # Not needed before the first admission is planned.
    from fairgate.http.views.events_file import events_file
    from fairgate.service.catalog.write_pages import PageWriter

    settings, now = world.settings, rfc3339(world.clock.now_ms())
    writer = PageWriter(
        *(world.site, world.gate_values.mark_page, settings.kvs_arn, settings.public_url),
        hour=now[:HOUR_CHARS],
        listing=partial(events_file, now),
    )
    try:
        failures = writer.write(catalog, world.catalog.all, lambda: left_s() >= PAGES_LEFT_S)
    except Exception:  # the files that are there go on being served
        logger.exception("pages not written")
        return
    _written(world)[:] = seen
    for failure in failures:
        logger.error("page not written", failure=to_builtins(failure))


def _room(world: Container, sale: Event, gate: GateConfig) -> list[RoomFigures]:
    now_ms = world.clock.now_ms()
    if not _on_sale(sale, now_ms):
        return []
    live = count_sessions(world.table, sale.id, rfc3339(now_ms)).live
    return [look_at_room(world.table, sale, gate, now_ms / 1000, live)]


def _publish(failures: int, damaged: int, seats_damaged: int, rooms: Sequence[RoomFigures]) -> None:
    metrics = EphemeralMetrics()  # namespace and service come from the environment
    metrics.add_metric(names.CONTROLLER_RUNS, MetricUnit.Count, 1)
    metrics.add_metric(names.CONTROLLER_FAILURES, MetricUnit.Count, failures)
    metrics.add_metric(names.EVENTS_DAMAGED, MetricUnit.Count, damaged)
    if seats_damaged:
        metrics.add_metric(names.SEATS_DAMAGED, MetricUnit.Count, seats_damaged)
    for room in rooms:  # several values of one metric: alarms read the largest and the sum
        metrics.add_metric(names.SESSIONS_LIVE, MetricUnit.Count, room.live)
        metrics.add_metric(names.SESSIONS_TARGET, MetricUnit.Count, room.live_max)
        if room.waiting is not None:
            metrics.add_metric(names.QUEUE_WAITING, MetricUnit.Count, room.waiting)
        if room.wait_s is not None:
            metrics.add_metric(names.WAIT_EXPECTED, MetricUnit.Seconds, room.wait_s)
    log_lines.name_figures(metrics)
    metrics.flush_metrics()


def _sold_out(sale: Event, watch: SeatWatch, now_ms: int) -> bool:
    """Return whether the gate admits and has nothing left; nothing sells before the sale start."""
    return _on_sale(sale, now_ms) and watch.all_gone(sale)


def _places_left(sale: Event, watch: SeatWatch, now_ms: int) -> int | None:
    """Count what is left where the pace depends on it."""
    stocked = bool(sale.sections or sale.areas)
    if sale.control != "auto" or not stocked or not _on_sale(sale, now_ms):
        return None
    return watch.places_left(sale)


def _on_sale(sale: Event, now_ms: int) -> bool:
    return sale.state in ADMITTING and sale.sale_starts_at <= rfc3339(now_ms)
