"""Every figure of a watched sale, beside the tables of that moment, while all goes wrong."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from fairgate.domain.orders.order import OrderState
from fairgate.domain.shared.session import LIVE_STATES, live_from
from fairgate.domain.shared.times import epoch_ms
from fairgate.ports.record import PK
from fairgate.service.audit.law import Violation
from fairgate.service.audit.snapshot import Snapshot
from fairgate.service.watch.figures import PARTS, Figures
from fairgate.service.watch.make_figures import FigureMaker
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.simulate.sale import laws
from fairgate_lab.simulate.sale.run import run_seed
from fairgate_lab.simulate.sale.sale import Sale
from tests.support.lengths import at_length

SEEDS = at_length(range(31_000, 31_006), range(31_000, 31_060))
NEVER_SOLD: tuple[OrderState, ...] = ("expired", "failed", "refund_due")


def expected(seen: Snapshot, event: str) -> dict[str, Any]:
    """Count anew, from the items of one moment, what the figures say of an event."""
    orders = [order for order in seen.orders if order["eventId"] == event]
    paid = [order for order in orders if order.get("paidAt")]
    sold = [order for order in paid if not order.get("cancelledAt")]
    owed = [item for item in seen.of("owed refund") if item["eventId"] == event]
    sent = [item for item in owed if item.get("state") in ("pending", "succeeded")]
    decisions = [
        item["level"] for item in seen.of("desk decision") if item[PK].startswith(f"D#{event}#")
    ]
    figures = {
        "sale.paid": len(paid),
        "sale.tickets": sum(u.get("quantity") or 1 for order in sold for u in order["units"]),
        "sale.revenue_minor": sum(o["totalMinor"] - o.get("backMinor", 0) for o in sold),
        "sale.failed": sum(o["state"] != "pending" for o in orders) - len(paid),
        "sale.refunds_due": len(owed) - len(sent),
        "sale.refunds_sent": len(sent),
        "sale.refunds_due_minor": sum(i["amountMinor"] for i in owed)
        - sum(i["amountMinor"] for i in sent),
        "sale.ended_unpaid": sum(
            s["state"] in ("cancelled", "expired") for s in seen.sessions if s["eventId"] == event
        ),
        "desk.flagged": decisions.count(1),
        "desk.locked": decisions.count(2),
    }
    return figures | _seats(seen, event, sold)


def _seats(seen: Snapshot, event: str, sold: list[Any]) -> dict[str, Any]:
    states = Counter(
        "free"
        if s["availability"] == "locked" and s["expiresAt"] <= seen.now
        else s["availability"]
        for s in seen.seats
        if s["eventId"] == event
    )
    counters = [shard for shard in seen.of("area shard") if shard["eventId"] == event]
    capacity = sum(shard["capacity"] for shard in counters)
    left = sum(shard["remaining"] for shard in counters)
    kept = sum(shard.get("blocked", 0) for shard in counters)
    units = [unit for order in sold for unit in order["units"] if unit["kind"] == "area"]
    bought = sum(unit.get("quantity") or 1 for unit in units)
    return {
        "seats.total": states.total() + capacity,
        "seats.sold": states["reserved"] + bought,
        "seats.held": states["locked"] + capacity - left - kept - bought,
        "seats.free": states["available"] + states["free"] + left,
        "seats.blocked": states["blocked"] + kept,
    }


def compared(sale: Sale) -> list[Violation]:
    """Make the figures of every event at this very moment, and compare each with the tables."""
    sale.engine.catch_up()  # the index; how late that is, is no figure's business
    seen = laws.snapshot(sale)
    found: list[Violation] = []
    for event in sale.events.values():
        figures = FigureMaker(sale.table(), MemoryClock(epoch_ms(seen.now))).make(event)
        assert [getattr(figures, part).error for part in PARTS if part not in NOT_HERE] == [""] * (
            len(PARTS) - len(NOT_HERE)
        )
        for name, true in expected(seen, event.id).items():
            part, _, figure = name.partition(".")
            told = getattr(getattr(figures, part), figure)
            if told != true:
                found.append(Violation("watched", f"{event.id} {name}", f"{told}, not {true}"))
        found += _live(seen, event.id, figures)
    return found


NOT_HERE = ("gate", "room", "edges", "keys")  # where the simulated sale has no gate's value


def _live(seen: Snapshot, event: str, figures: Figures) -> list[Violation]:
    """Sessions count by the minute in which they end: of this one some may be over."""
    live = figures.room.live
    if live is None:
        return []
    mine = [s for s in seen.sessions if s["eventId"] == event]
    later = sum(
        s["state"] in LIVE_STATES and live_from(s["liveBucket"]) > live_from(seen.now) for s in mine
    )
    this_minute = sum(live_from(s["liveBucket"]) == live_from(seen.now) for s in mine)
    if later <= live <= later + this_minute:
        return []
    return [
        Violation("watched", f"{event} room.live", f"{live}, not {later} to {this_minute} more")
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_figure_is_what_the_tables_say_at_that_moment(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged, looked = laws.meanwhile, Counter[str]()

    def meanwhile(sale: Sale) -> list[Violation]:
        looked["times"] += 1
        return [*judged(sale), *compared(sale)]

    monkeypatch.setattr(laws, "meanwhile", meanwhile)
    result = run_seed(seed)
    assert result.failures == ()
    assert looked["times"]  # a short sale is looked at once
