"""An event's figures are one item, made every ten seconds and read rarely."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import msgspec
import pytest

from fairgate import deadline
from fairgate.domain.gate.gate_config import Epoch, dump_gate, gate_key
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.domain.shared.session import live_bucket
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.http import paths
from fairgate.ports.table import Update
from fairgate.service.gate.log_plans import CONTROLLER
from fairgate.service.gate.operator_log import OperatorLog
from fairgate.service.house.block_seats import SeatBlocker, Terms
from fairgate.service.house.free_seats import Places
from fairgate.service.shared.keys import (
    area_key,
    controller_memory_key,
    figures_key,
    figures_memory_key,
    live_key,
    sampled_key,
    seat_key,
    tally_key,
)
from fairgate.service.shared.records.catalog import AreaFacts
from fairgate.service.shared.records.gate import FiguresRecord
from fairgate.service.shared.records.sessions import LiveCounter
from fairgate.service.watch import make_figures
from fairgate.service.watch.figures import PARTS
from fairgate.service.watch.make_figures import FigureMaker
from fairgate.service.watch.read_figures import KEPT_MS, FigureReader
from functions.operator import handler as operator
from tests.support.world import EVENT, START_MS, World, gate

MINUTE = len("2026-01-01T00:00")


class Watched:
    """A table that counts what is asked of it, and fails for the kinds that are named."""

    def __init__(self, table: Any, failing: tuple[str, ...] = ()) -> None:
        self._table, self.failing, self.asked = table, failing, 0
        self.queried: list[tuple[str, str]] = []  # kind and partition

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._table, name)

        def counted(*what: Any, **how: Any) -> Any:
            self.asked += 1
            if name.startswith("query"):
                self.queried.append((what[0].__name__, what[1]))
            if getattr(what[0], "__name__", "") in self.failing:
                raise DependencyUnavailableError("The table is throttled.")
            return call(*what, **how)

        return counted


@pytest.fixture
def sale(world: World) -> World:
    """A capped sale, counted, a minute after its start; one account in ten is sampled."""
    start_s = START_MS / 1000
    epochs = (Epoch(start_s - 3600, 0.0, 0.0), Epoch(start_s - 60, 0.0, 1 / 600))
    world.edge_config.values[gate_key(EVENT)] = dump_gate(gate(epochs=epochs, sample_queue=0.1))
    world.event = msgspec.structs.replace(world.event, live_max=100, counted=True)
    world.put(world.event)
    return world


def make(world: World, table: Any = None) -> Any:
    return FigureMaker(table or world.table, world.clock).make(world.event)


def ask(
    world: World,
    monkeypatch: Any,
    groups: list[str] | None,
    event: str = EVENT,
    route: str = paths.OPERATOR_EVENT,
) -> Any:
    monkeypatch.setattr(operator, "container", lambda: world.container)
    key = world.secrets.current.auth["1"]
    token = issue_auth_token("olga", groups or [], key, "1", world.clock.ms // 1000, 600)
    path = route.format(event=event)
    answer = operator.handler(
        {
            "version": "2.0",
            "routeKey": f"GET {route}",
            "rawPath": path,
            "rawQueryString": "",
            "headers": {} if groups is None else {"authorization": f"Bearer {token}"},
            "requestContext": {
                "http": {"method": "GET", "path": path},
                "requestId": "r1",
                "stage": "$default",
            },
            "isBase64Encoded": False,
        },
        object(),
    )
    return answer["statusCode"], json.loads(answer["body"])


@pytest.mark.parametrize("key", [figures_memory_key(EVENT), controller_memory_key(EVENT)])
def test_a_damaged_memory_stops_no_figures(sale: World, key: tuple[str, str]) -> None:
    make(sale)
    damage = {"document": 5, "spentS": "x", "ttl": "soon"}
    sale.table.update(Update("reservations", *key, set=damage))
    figures = make(sale)
    assert not any(getattr(figures, part).error for part in PARTS)


def test_blocked_seats_and_places_are_neither_free_nor_held(sale: World) -> None:
    wanted = Places(sale.seat_ids[:2], {"floor": 3})
    SeatBlocker(sale.table, sale.clock).block(sale.event, wanted, Terms("sponsor", "olga"))
    seats = make(sale).seats
    assert (seats.total, seats.sold, seats.held, seats.free, seats.blocked) == (22, 0, 0, 17, 5)


def test_figures_match_the_tables(sale: World) -> None:
    minute = rfc3339(START_MS - 30_000)[:MINUTE]
    crowd = Update(
        "reservations",
        *sampled_key(EVENT, minute, "ann"),
        set={"h": 0.0, "ttl": 1},
        add={"count": 9},
    )
    sale.table.update(crowd)
    bucket = live_bucket(rfc3339(START_MS + 600_000), "ses_0")
    sale.put(LiveCounter(*live_key(EVENT, bucket), live=42, opened=50))
    seat = seat_key(EVENT, sale.seat_ids[0])
    sale.table.update(Update("seats", *seat, set={"availability": "blocked"}))
    OperatorLog.of(sale.table, sale.clock, EVENT, gate()).append(
        "anna", "tau set", "done", {"tau_s": 600}, gate()
    )
    figures = make(sale)
    assert (figures.gate.phase, figures.gate.tau_s) == ("admitting", pytest.approx(600))
    assert (figures.gate.set_by, figures.gate.set_act) == ("anna", "tau set")
    assert (figures.room.live, figures.room.live_max, figures.room.joined) == (42, 100, 90)
    assert figures.room.waiting == pytest.approx(90 * 2.718281828 ** (-60 / 600), abs=1)
    assert 20 < figures.room.waiting_error < 80  # of nine who were counted
    assert figures.room.admitted_per_s == pytest.approx(50 / figures.room.admitted_over_s)
    seats = figures.seats
    assert (seats.total, seats.sold, seats.held, seats.free, seats.blocked) == (22, 0, 0, 21, 1)
    assert figures.sale.paid == figures.sale.revenue_minor == 0
    assert figures.sale.webhook_lag_s is None
    assert figures.edges.heard
    assert figures.keys.signing == "1"
    assert figures.acts.acts[0].who == "anna"


def test_an_events_figures_tell_no_key(sale: World) -> None:
    text = msgspec.json.encode(make(sale)).decode()
    for key in (b"k" * 8, b"a" * 8, b"g" * 8, b"d" * 8):
        assert key.decode() not in text
        assert key.hex() not in text


@pytest.mark.parametrize(
    ("failing", "parts"),
    [
        (("LiveCounter",), {"room", "gate"}),
        (("SeatInIndex",), {"seats"}),
        (("SalesTally",), {"sale", "desk", "seats"}),
        (("GateValueRecord",), {"gate", "room", "edges", "keys"}),
        (("LogRecord",), {"acts"}),
    ],
)
def test_a_source_that_fails_leaves_the_others_and_what_was_known(
    sale: World, failing: tuple[str, ...], parts: set[str]
) -> None:
    before = make(sale)
    sale.clock.tick(10)
    figures = make(sale, Watched(sale.table, failing))
    assert {name for name in PARTS if getattr(figures, name).error} == parts
    for name in PARTS:
        old, new = getattr(before, name), getattr(figures, name)
        if name in parts:
            assert new == msgspec.structs.replace(old, error="The table is throttled.")
        else:
            assert new.at > old.at


def test_shared_answers_are_read_once(sale: World) -> None:
    floor = {"floor": AreaFacts(capacity=9, shards=1, tier="t")}
    sale.event = msgspec.structs.replace(sale.event, areas=floor)
    watched = Watched(sale.table)
    figures = make(sale, watched)
    assert [part for part in PARTS if getattr(figures, part).error] == []
    kinds = {kind for kind, _ in watched.queried}
    assert {"LiveCounter", "SalesTally", "SeatInIndex", "SampledMinute"} <= kinds
    twice = [asked for asked, count in Counter(watched.queried).items() if count > 1]
    assert twice == []


class Stalled(Watched):
    """A table of which the named kinds never answer: each call waits until nothing is left.

    Args:
        late: this kind answers at that moment.
    """

    def __init__(
        self, table: Any, monkeypatch: Any, *stalled: str, late: str | None = None
    ) -> None:
        super().__init__(table)
        self._stalled, self._late, self._now_s = stalled, late, 0.0
        monkeypatch.setattr(deadline, "monotonic", lambda: self._now_s)

    def __getattr__(self, name: str) -> Any:
        call = super().__getattr__(name)

        def waits(*what: Any, **how: Any) -> Any:
            deadline.take(1.0)
            if getattr(what[0], "__name__", "") in self._stalled:
                self._now_s += deadline.left_s()
                raise deadline.out_of_time()
            if getattr(what[0], "__name__", "") == self._late:
                self._now_s += deadline.left_s()
            return call(*what, **how)

        return waits


@pytest.mark.parametrize(
    ("stalled", "parts"),
    [
        ("SalesTally", {"sale", "desk", "seats"}),
        ("LiveCounter", {"room", "gate"}),
        ("GateValueRecord", {"gate", "room", "edges", "keys"}),
        ("LogRecord", {"acts"}),
        ("SeatInIndex", {"seats"}),
    ],
)
def test_a_source_that_stalls_is_waited_for_once_and_the_others_are_kept(
    sale: World, monkeypatch: Any, stalled: str, parts: set[str]
) -> None:
    make(sale)
    sale.clock.tick(10)
    table = Stalled(sale.table, monkeypatch, stalled)
    with deadline.within(4.0):
        make(sale, table)
    figures = FigureReader(sale.table, sale.clock).read(EVENT)
    assert figures.at == rfc3339(START_MS + 10_000)
    assert {name for name in PARTS if getattr(figures, name).error} == parts


def test_time_is_left_to_write_what_was_made_when_the_last_sources_stall(
    sale: World, monkeypatch: Any
) -> None:
    make(sale)
    sale.clock.tick(10)
    table = Stalled(sale.table, monkeypatch, "SalesTally", "LiveCounter", "StoreComparison")
    with deadline.within(4.0):
        make(sale, table)
    figures = FigureReader(sale.table, sale.clock).read(EVENT)
    assert figures.at == rfc3339(START_MS + 10_000)
    assert figures.edges.error == deadline.out_of_time().detail


def test_a_part_that_takes_its_whole_time_takes_none_of_what_others_need(
    sale: World, monkeypatch: Any
) -> None:
    floor(sale, 4)
    with deadline.within(8.0):
        figures = make(sale, Stalled(sale.table, monkeypatch, late="AreaShard"))
    assert {name for name in PARTS if getattr(figures, name).error} == set()


def floor(world: World, remaining: int, **changes: Any) -> None:
    """Sell ten places of one area and no seats; of its counter so many are left."""
    floor = {"floor": AreaFacts(capacity=10, shards=1, tier="t")}
    world.event = msgspec.structs.replace(world.event, sections=[], areas=floor, **changes)
    key = area_key(EVENT, "floor", 0)
    world.table.update(Update("seats", *key, set={"remaining": remaining}))


def test_places_that_were_sold_before_sales_were_counted_are_not_held(sale: World) -> None:
    floor(sale, 4, counted=False)
    seats = make(sale).seats
    assert (seats.total, seats.sold, seats.held, seats.free) == (10, None, None, 4)


def test_places_of_a_counter_that_is_damaged_are_not_held(sale: World) -> None:
    floor(sale, 4)
    key = area_key(EVENT, "floor", 0)
    sale.table.update(Update("seats", *key, set={"remaining": "four"}))
    seats = make(sale).seats
    assert (seats.total, seats.sold, seats.held, seats.free) == (10, 0, 0, 0)


def test_sales_of_which_a_counter_is_damaged_are_as_they_were(sale: World) -> None:
    key = tally_key(EVENT, "ord_1")
    sale.table.update(Update("reservations", *key, add={"paid": 7, "revenueMinor": 9}))
    before = make(sale).sale
    sale.table.update(Update("reservations", *key, set={"owed": "one"}))
    sale.clock.tick(10)
    now = make(sale).sale
    assert (now.at, now.paid, now.revenue_minor) == (before.at, 7, 9)
    assert "SalesTally is damaged" in now.error


def test_a_part_that_was_never_read_is_unknown(sale: World) -> None:
    figures = make(sale, Watched(sale.table, ("LiveCounter", "SalesTally")))
    assert (figures.room.at, figures.room.live, figures.room.waiting) == (None, None, None)
    assert (figures.sale.paid, figures.sale.refunds_due) == (None, None)


def test_sales_of_an_event_that_were_not_counted_are_unknown(sale: World) -> None:
    sale.event = msgspec.structs.replace(sale.event, counted=False)
    figures = make(sale)
    assert figures.sale.paid is None
    assert "did not count" in figures.sale.error
    assert figures.room.live == 0


def test_one_defect_blanks_no_other_part(sale: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(make_figures, "room_part", broken)
    figures = make(sale)
    assert "ZeroDivisionError" in figures.room.error
    assert figures.gate.at is not None


def test_damaged_figures_are_replaced(sale: World) -> None:
    sale.put(FiguresRecord(*figures_key(EVENT), at_ms=1, document='{"event": 3', ttl=1))
    reader = FigureReader(sale.table, sale.clock)
    with pytest.raises(Exception, match="no figures yet"):
        reader.read(EVENT)
    assert make(sale).gate.at is not None


def test_many_who_watch_cost_one_read_in_two_seconds(
    sale: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(sale)
    table = Watched(sale.table)
    sale.container.__dict__["table"] = table
    for _ in range(10):
        asked = table.asked
        for _watcher in range(50):
            assert ask(sale, monkeypatch, ["operators"])[0] == 200
            sale.clock.ms += KEPT_MS // 100
        assert table.asked - asked == 1
        sale.clock.ms += KEPT_MS


def test_many_who_ask_for_a_missing_event_cost_one_read(
    sale: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Watched(sale.table)
    sale.container.__dict__["table"] = table
    for _watcher in range(50):
        assert ask(sale, monkeypatch, ["operators"], "nothing")[0] == 404
    assert table.asked == 1


def test_figures_are_shown_with_their_age_when_the_caller_is_an_operator(
    sale: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(sale)
    sale.clock.tick(7)
    status, body = ask(sale, monkeypatch, ["operators"])
    assert status == 200
    assert body["gate"]["control"] == "manual"
    assert (body["at"], body["now"]) == (rfc3339(START_MS), rfc3339(START_MS + 7_000))


@pytest.mark.parametrize(
    "route", [paths.OPERATOR_EVENT, paths.OPERATOR_HISTORY, paths.OPERATOR_SECTIONS]
)
@pytest.mark.parametrize(
    ("groups", "status"),
    [
        (None, 401),
        ([], 403),
        (["buyers"], 403),
        (["fairgate-door"], 403),
        (["fairgate-viewer"], 200),
    ],
)
def test_figures_are_refused_when_the_caller_is_no_operator(
    sale: World,
    monkeypatch: pytest.MonkeyPatch,
    groups: list[str] | None,
    status: int,
    route: str,
) -> None:
    make(sale)
    assert ask(sale, monkeypatch, groups, route=route)[0] == status


def test_plans_of_the_controller_do_not_hide_operators_acts(sale: World) -> None:
    log = OperatorLog.of(sale.table, sale.clock, EVENT, gate())
    log.append("anna", "tau set", "done", {"tau_s": 600}, gate())
    for tau_s in range(3):
        log.append(CONTROLLER, "plan", "done", {"tau_s": tau_s})
    make(sale)
    log.append("ben", "pause", "asked", {})
    for tau_s in range(3, 9):
        log.append(CONTROLLER, "plan", "done", {"tau_s": tau_s})
        acts = make(sale).acts
    assert [(act.number, act.who) for act in acts.acts] == [
        (11, CONTROLLER),
        (5, "ben"),
        (4, CONTROLLER),
        (1, "anna"),
    ]
    assert (acts.pace.who, acts.pace.detail) == (CONTROLLER, {"tau_s": 8})


def test_only_new_entries_of_the_log_are_read(sale: World) -> None:
    log = OperatorLog.of(sale.table, sale.clock, EVENT, gate())
    for number in range(9):
        log.append("anna", "tau set", "done", {"tau_s": number}, gate())
    before = make(sale).acts
    read: list[int] = []
    table = Watched(sale.table)
    inner = table.__getattr__("query")

    class Counted:
        def __getattr__(self, name: str) -> Any:
            return getattr(sale.table, name)

        def query(self, *what: Any, **how: Any) -> Any:
            found = inner(*what, **how)
            if what[0].__name__ == "LogRecord":
                read.append(len(found))
            return found

    assert make(sale, Counted()).acts.acts == before.acts
    assert read == [1]
