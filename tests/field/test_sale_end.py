"""A sale ends by itself, and cancelling and passing on end when the performance starts."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs

from fairgate.domain.gate.gate_config import dump_gate, gate_key
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import MalformedInputError, SaleOverError, WrongStateError
from fairgate.http.views.events import event_view
from fairgate.ports.table import Update
from fairgate.service.catalog.edit_event import edit_event
from fairgate.service.catalog.read_catalog import CatalogReader
from fairgate.service.gate.operator_log import OperatorLog
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.refunds.cancel_terms import cancel_offer
from fairgate.service.tickets.pass_terms import pass_terms
from fairgate_ops.operate.doctor import event as checks
from functions.controller import handler as controller
from tests.support.sale import EVENT, Sale
from tests.support.world import EVENT as SHOW
from tests.support.world import START_MS, World, gate
from tests.unit.sessions.test_open_session import open_it, token_for
from tests.unit.tickets.test_passing_on import Hands, reason

pytestmark = pytest.mark.table_in_memory

IN_A_MINUTE = rfc3339(START_MS + 60_000)
TONIGHT = rfc3339(START_MS + 4 * 3_600_000)
LATER = rfc3339(START_MS + 6 * 3_600_000)


def set_event(world: World, **changes: Any) -> None:
    world.table.update(Update("catalog", "EVENT", SHOW, set=changes))


def run(world: World, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(controller, "container", lambda: world.container)
    return controller.handler({"beat": 1}, None)["planned"]


@pytest.mark.parametrize("end", [{"sale_ends_at": IN_A_MINUTE}, {"starts_at": IN_A_MINUTE}])
def test_nobody_is_let_in_after_the_end(world: World, end: dict[str, str]) -> None:
    event = structs.replace(world.event, **end)
    opened = open_it(world, gate(), token_for(gate()), event=event)
    world.clock.tick(60)
    with pytest.raises(SaleOverError) as refused:
        open_it(world, gate(), token_for(gate(), n=2), event=event)
    assert refused.value.fields["state"] == "closed"
    assert opened.expires_at > IN_A_MINUTE  # who is inside stays inside
    assert event_view(event).sale_ends_at == IN_A_MINUTE


def test_a_set_end_goes_before_the_start_of_the_performance(world: World) -> None:
    event = structs.replace(world.event, starts_at=IN_A_MINUTE, sale_ends_at=TONIGHT)
    world.clock.tick(3_600)
    assert not event.ended(world.clock.ms)
    assert not structs.replace(event, starts_at="", sale_ends_at="").ended(world.clock.ms)


def test_the_controller_closes_the_gate_once_logs_it_and_leaves_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.edge_config.values[gate_key(SHOW)] = dump_gate(gate())
    set_event(world, saleEndsAt=IN_A_MINUTE)
    assert run(world, monkeypatch)[0]["outcome"] != "ended"
    world.clock.tick(61)
    set_event(world, state="draft")  # nobody can have joined it, and it may get another date
    assert run(world, monkeypatch)[0]["outcome"] != "ended"
    set_event(world, state="open")
    assert run(world, monkeypatch)[0]["outcome"] == "ended"
    shut = world.container.gate.gate(SHOW)
    assert shut.state == "closed"
    log = OperatorLog.of(world.table, world.clock, SHOW, shut).read()
    assert [(one.who, one.act, one.detail) for one in log] == [
        ("the controller", "close", {"as": "ended"})
    ]
    world.clock.tick(61)
    assert run(world, monkeypatch) == []


def bought(world: World, *, until: str, starts_at: str) -> Hands:
    """Return two tickets that were bought when the performance was to start then."""
    world.event = structs.replace(world.event, starts_at=starts_at)
    world.put(world.event)
    return Hands(world, until=until, cancel_until=until)


@pytest.mark.parametrize(
    ("until", "sold", "now", "ends"),
    [
        (LATER, TONIGHT, TONIGHT, LATER),  # allowed in words
        (TONIGHT, TONIGHT, TONIGHT, TONIGHT),
        (TONIGHT, TONIGHT, IN_A_MINUTE, IN_A_MINUTE),  # the performance begins earlier
        (LATER, TONIGHT, IN_A_MINUTE, LATER),
        (IN_A_MINUTE, TONIGHT, LATER, IN_A_MINUTE),
        (LATER, "", TONIGHT, TONIGHT),  # of an older version, or no start was known
        (LATER, TONIGHT, "", LATER),
    ],
)
def test_cancelling_and_passing_on_end_at_the_start_unless_allowed_in_words(
    world: World, until: str, sold: str, now: str, ends: str
) -> None:
    hands = bought(world, until=until, starts_at=sold)
    world.event = structs.replace(world.event, starts_at=now)
    world.put(world.event)
    order = hands.now
    offer = cancel_offer(order, world.event)
    assert offer is not None
    assert offer.until == ends
    offered = hands.offer()
    assert offered.offer.until <= ends
    world.clock.ms = START_MS + (21_599_999 if ends == LATER else 0)
    world.clock.tick(1 if ends == LATER else (60 if ends == IN_A_MINUTE else 4 * 3_600))
    canceller = OrderCanceller(world.table, world.clock, world.payments)
    for late in (
        lambda: canceller.cancel(world.event, order),
        lambda: hands.offer(ticket=order.tickets[1].ticket),
        lambda: hands.accept(offered),
    ):
        with pytest.raises(WrongStateError) as refused:
            late()
        assert reason(refused) == "too-late"


def test_an_open_offer_ends_when_the_start_moves_before_it(world: World) -> None:
    hands = bought(world, until=TONIGHT, starts_at=TONIGHT)
    offered = hands.offer()
    world.event = structs.replace(world.event, starts_at=IN_A_MINUTE)
    world.put(world.event)
    world.clock.tick(61)
    with pytest.raises(WrongStateError) as refused:
        hands.accept(offered)
    assert reason(refused) == "too-late"


def test_an_offer_that_was_allowed_after_the_start_lives_on_when_it_moves(world: World) -> None:
    """It was made long before the start that the order was bought with."""
    [soon, in_three_days, in_four_days] = (
        rfc3339(START_MS + hours * 3_600_000) for hours in (1, 72, 96)
    )
    hands = bought(world, until=in_four_days, starts_at=in_three_days)
    offered = hands.offer()
    world.event = structs.replace(world.event, starts_at=soon)
    world.put(world.event)
    world.clock.tick(2 * 3_600)
    assert hands.offer() == offered
    assert hands.accept(offered).ticket


def test_an_open_offer_shows_the_end_that_an_earlier_start_gives_it(world: World) -> None:
    hands = bought(world, until=TONIGHT, starts_at=TONIGHT)
    assert hands.offer().offer.until == TONIGHT
    world.event = structs.replace(world.event, starts_at=IN_A_MINUTE)
    world.put(world.event)
    ends = [hands.offer().offer.until]
    for now_ms, state in ((START_MS, "offered"), (START_MS + 60_000, "good")):
        terms = pass_terms(hands.now, world.event, hands.now.user_id, now_ms)
        assert terms is not None
        assert terms.tickets[0].state == state
        ends += [one.until for one in terms.tickets if one.state == "offered"]
    assert ends == [IN_A_MINUTE] * 2


@pytest.mark.parametrize("after_start", [False, True], ids=["refused", "allowed in words"])
def test_a_start_that_has_passed_is_taken_away_in_words_alone(
    world: World, *, after_start: bool
) -> None:
    """Else an offer whose time was over would be open again, and a sale that had ended."""
    hands = bought(world, until=TONIGHT, starts_at=TONIGHT)
    offered = hands.offer()
    set_event(world, startsAt=IN_A_MINUTE)
    gone = {"starts_at": ""}
    edit_event(world.table, world.clock, SHOW, gone, dry_run=True)  # it has not passed yet
    world.clock.tick(60)
    if after_start:
        edit_event(world.table, world.clock, SHOW, gone, after_start=after_start)
        assert hands.accept(offered).ticket
        return
    with pytest.raises(MalformedInputError, match="give the new time, or --after-start"):
        edit_event(world.table, world.clock, SHOW, gone, after_start=after_start)
    with pytest.raises(WrongStateError) as refused:
        hands.accept(offered)
    assert reason(refused) == "too-late"


@pytest.fixture
def sale(world: World, tmp_path: Path) -> Sale:
    return Sale(world, tmp_path)


NIGHT = "--starts-at 2031-06-01T20:00 --time-zone Europe/Berlin"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (f"{NIGHT} --cancel-until 2031-06-01T20:01", "--cancel-until: is after the performance"),
        (f"{NIGHT} --transfer-until 2031-06-02T00:00", "--after-start allows it"),
        ("--sale-ends-at 2001-01-01T00:00:00Z", "--sale-ends-at: must be after the sale starts"),
        ("--sale-ends-at soon", "must be a date with a time"),
    ],
)
def test_a_wrong_end_is_refused(
    sale: Sale, capsys: pytest.CaptureFixture[str], words: str, why: str
) -> None:
    sale.create()
    capsys.readouterr()
    assert sale.run(f"event edit {EVENT} {words}") == 1
    assert why in capsys.readouterr().err
    assert "startsAt" not in sale.item


def test_an_earlier_start_moves_what_depends_on_it_and_shows_it(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    until = ("--cancel-until", "2031-06-01T20:00", "--transfer-until", "2031-06-03T20:00")
    sale.create(*NIGHT.split(), *until, "--after-start")
    capsys.readouterr()
    assert sale.run(f"event edit {EVENT} --starts-at 2031-05-31T20:00 --yes") == 0
    said = capsys.readouterr().out
    assert (
        "cancel-until: 2031-06-01T18:00:00Z (20:00:00 CEST) → 2031-05-31T18:00:00Z (20:00" in said
    )
    assert "buyers may cancel until 2031-05-31" in said
    assert "The sale ends when the performance starts" in said
    assert sale.item["cancelUntil"] == sale.item["startsAt"] == "2031-05-31T18:00:00.000Z"
    assert sale.item["transferUntil"] == "2031-06-03T18:00:00.000Z"  # allowed in words
    sale.clock.tick(10)
    assert sale.run(f"event edit {EVENT} --sale-ends-at 2031-05-31T12:00 --yes") == 0
    sale.clock.tick(10)
    assert "sale-ends-at: nothing → 2031-05-31T10:00:00Z (12:00:00 CEST)" in capsys.readouterr().out
    assert sale.run(f"event edit {EVENT} --sale-ends-at at-start --yes") == 0
    assert "saleEndsAt" not in sale.item or sale.item["saleEndsAt"] == ""


def test_lists_and_the_check_say_that_it_has_ended_or_never_will(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create()

    def said() -> dict[str, Any]:
        catalog = CatalogReader(sale.table, sale.clock)
        here = SimpleNamespace(world=SimpleNamespace(clock=sale.clock))
        site: Any = SimpleNamespace(only=EVENT, every_event=catalog.all().listed, target=here)
        return {one.subject: one for one in checks.event(site)}

    assert "sale end" in said()
    sale.clock.tick(10)
    assert sale.run(f"event edit {EVENT} {NIGHT} --yes") == 0
    assert "sale end" not in said()
    sale.clock.ms = 1_940_000_000_000  # in June 2031
    assert "ended" in said()["event"].text
    capsys.readouterr()
    assert sale.run("event list --json") == 0
    assert json.loads(capsys.readouterr().out)["events"][0]["ended"] is True


def test_the_end_of_a_closed_sale_cannot_be_moved_in_vain(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create(*NIGHT.split())
    assert sale.run(f"event close {EVENT} --yes") == 0
    sale.clock.tick(10)
    capsys.readouterr()
    assert sale.run(f"event edit {EVENT} --sale-ends-at 2031-06-02T20:00 --yes") == 1
    assert "A closed sale stays closed" in capsys.readouterr().err
    assert sale.run(f"event edit {EVENT} --starts-at 2031-06-03T20:00 --yes") == 0
    assert "The sale ends" not in capsys.readouterr().out
