"""The origin admits in the order of the draw at full capacity, and dates each next attempt."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import structs

from fairgate.domain.gate.admission import admission_at, lottery_number
from fairgate.domain.gate.gate_config import Epoch, GateConfig
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import (
    encode_waiting_token,
    issue_waiting_token,
    parse_waiting_token,
)
from fairgate.domain.shared.ids import UserId
from fairgate.errors import (
    DependencyUnavailableError,
    NotAdmittedError,
    TokenRedeemedError,
)
from fairgate.ports.table import Update
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.sessions.capacity_reached import has_stood
from fairgate.service.sessions.judge_admission import AdmissionRequest
from fairgate.service.sessions.open_session import SessionOpener
from fairgate.service.sessions.sign_session import OpenedSession
from fairgate.service.shared.keys import admission_threshold_key, live_partitions, session_key
from fairgate.service.shared.records.sessions import AdmissionThresholdRecord
from tests.support.world import EVENT, START_MS, World, gate

START_S = START_MS // 1000
SLOPE = 0.01
RULES = gate(epochs=(Epoch(START_S - 60, 0.0, SLOPE),), backoff_min_s=2)


class Watched:
    """A table whose calls are noted, and of which some fail."""

    def __init__(self, world: World, *failing: str) -> None:
        self._table, self._failing = world.table, failing
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            self.calls.append(name)
            if name in self._failing:
                raise DependencyUnavailableError("throttled")
            return getattr(self._table, name)(*args, **kwargs)

        return call


def place(user: str, *, rules: GateConfig = RULES, joined_s: int = START_S - 50) -> WaitingToken:
    token = issue_waiting_token(rules, EVENT, user, request_id=user, ip="-", now_ms=joined_s * 1000)
    return structs.replace(token, boff=START_S - 60, exp=START_S + 10_000)


def key(token: WaitingToken) -> float:
    return token.h + admission_at(lottery_number(RULES.number_key, token.lot), 1.0)


def ask(
    world: World, token: WaitingToken, table: Any = None, rules: GateConfig = RULES
) -> OpenedSession:
    opener = SessionOpener(table or world.table, world.clock, world.ids, world.reminders)
    text = encode_waiting_token(token, rules)
    asked = AdmissionRequest(UserId(token.sub), text, "0")
    return opener.open(world.event, rules, asked, world.secrets.sign_in())


def refused(world: World, token: WaitingToken, **how: Any) -> NotAdmittedError:
    with pytest.raises(NotAdmittedError, match="in the shop are taken") as caught:
        ask(world, token, **how)
    return caught.value


def handed(world: World, error: NotAdmittedError) -> WaitingToken:
    """The place that a refusal carries."""
    token = parse_waiting_token(str(error.fields["token"]), RULES, world.clock.ms // 1000)
    assert error.fields["boff"] == token.boff
    assert error.retry_after_s == max(1, token.boff - world.clock.ms // 1000)
    return token


def until(world: World, epoch_s: float) -> None:
    world.clock.tick(max(0.0, epoch_s - world.clock.ms / 1000))


@pytest.fixture
def by_turn(world: World) -> list[WaitingToken]:
    """Seven buyers in the order of the draw, at a capacity of one that is used."""
    world.event = msgspec.structs.replace(world.event, live_max=1)
    places = sorted((place(f"u{n}") for n in range(40)), key=key)[:8]
    world.clock.ms = round((START_S - 60 + key(places[0]) / SLOPE + 1) * 1000)
    ask(world, places[0])
    return places[1:]


def come(world: World, token: WaitingToken) -> WaitingToken:
    """Ask at the moment of admission, while capacity is reached."""
    until(world, START_S - 60 + key(token) / SLOPE + 1)
    return handed(world, refused(world, token))


def test_a_refusal_hands_the_same_place_back_with_a_moment(
    world: World, by_turn: list[WaitingToken]
) -> None:
    token = by_turn[0]
    later = come(world, token)
    assert later == structs.replace(token, boff=later.boff, exp=later.boff + 600)
    assert later.boff >= world.clock.ms // 1000 + 2


def test_the_gates_grace_is_no_head_start_when_capacity_is_reached(
    world: World, by_turn: list[WaitingToken]
) -> None:
    later = come(world, by_turn[0])
    until(world, later.boff - 0.5)
    assert handed(world, refused(world, later)).boff == later.boff
    until(world, later.boff)
    assert handed(world, refused(world, later)).boff > later.boff


def test_a_free_slot_goes_to_the_next_in_the_draw(
    world: World, by_turn: list[WaitingToken]
) -> None:
    until(world, START_S - 60 + key(by_turn[-1]) / SLOPE + 1)
    level_between(world, by_turn[0], by_turn[1])
    world.event = msgspec.structs.replace(world.event, live_max=2)
    boffs = [handed(world, refused(world, token)).boff for token in reversed(by_turn[1:])]
    assert boffs[-1] == min(boffs)
    assert boffs[-1] < boffs[0]
    assert ask(world, by_turn[0]).session


def level_between(world: World, first: WaitingToken, second: WaitingToken) -> None:
    """Let the level have come past the first, looked after this very moment."""
    level = (key(first) + key(second)) / 2
    values = {"e": level, "rise": 0.0, "pace": 0.01, "live": 1, "pending": 0.0, "arrived": 1.0}
    values |= {"risen": 0.01, "ended": 1.0, "watchedS": 60.0}
    others = {"atMs": world.clock.ms, "follows": False, "bucket": "2026", "opened": 0, "ttl": 1}
    world.table.update(Update("reservations", *admission_threshold_key(EVENT), set=values | others))


def test_a_session_notes_how_far_it_was_held_back(
    world: World, by_turn: list[WaitingToken]
) -> None:
    until(world, START_S - 60 + key(by_turn[1]) / SLOPE + 1)
    level_between(world, by_turn[0], by_turn[1])
    world.event = msgspec.structs.replace(world.event, live_max=2)
    session = ask(world, by_turn[0]).session
    item = world.item("reservations", session_key(session))
    assert item is not None
    h = SLOPE * (world.clock.ms / 1000 + 2 - (START_S - 60))
    level = (key(by_turn[0]) + key(by_turn[1])) / 2
    assert item["admission"]["d"] == pytest.approx(h - level, abs=1e-9)


def test_the_threshold_is_advanced_once_in_two_seconds(
    world: World, by_turn: list[WaitingToken]
) -> None:
    come(world, by_turn[0])
    table = Watched(world)
    refused(world, by_turn[0], table=table)
    assert table.calls[0] == "find_each"
    assert "update" not in table.calls
    assert "query" not in table.calls  # nobody is counted: the rooms say that they are full
    world.clock.tick(2)
    refused(world, by_turn[0], table=(again := Watched(world)))
    assert again.calls.count("query") == len(live_partitions(EVENT))
    assert again.calls.count("update") == 1


def test_nobody_is_refused_when_the_threshold_cannot_be_read_or_written(
    world: World, by_turn: list[WaitingToken]
) -> None:
    come(world, by_turn[1])
    world.event = msgspec.structs.replace(world.event, live_max=5)
    assert ask(world, by_turn[0], table=Watched(world, "find_each")).session
    world.clock.tick(10)
    assert ask(world, by_turn[1], table=Watched(world, "update", "find_each")).session


def test_a_damaged_threshold_refuses_nobody(world: World, by_turn: list[WaitingToken]) -> None:
    come(world, by_turn[0])
    broken = Update("reservations", *admission_threshold_key(EVENT), set={"e": "x"})
    world.table.update(broken)
    world.event = msgspec.structs.replace(world.event, live_max=2)
    assert ask(world, by_turn[0]).session


def test_the_threshold_does_not_apply_while_the_gate_stands_open(
    world: World, by_turn: list[WaitingToken]
) -> None:
    come(world, by_turn[0])
    latest = by_turn[-1]
    free = structs.replace(RULES, open_until_s=world.clock.ms // 1000 + 60)
    boff = refused(world, latest, rules=free).fields["boff"]
    assert isinstance(boff, int)
    assert 2 <= boff - world.clock.ms // 1000 <= 6
    world.event = msgspec.structs.replace(world.event, live_max=2)
    assert ask(world, latest, rules=free).session


def test_a_lost_race_for_the_threshold_changes_nothing(
    world: World, by_turn: list[WaitingToken]
) -> None:
    come(world, by_turn[0])
    before = world.table.find(AdmissionThresholdRecord, admission_threshold_key(EVENT))
    assert before is not None
    world.clock.tick(5)
    looked_ms = before.at_ms + 4_999

    class Beaten(Watched):
        def __getattr__(self, name: str) -> Any:
            if name == "update":
                later = {"atMs": looked_ms}
                world.table.update(
                    Update("reservations", *admission_threshold_key(EVENT), set=later)
                )
            return super().__getattr__(name)

    refused(world, by_turn[0], table=Beaten(world))
    after = world.table.find(AdmissionThresholdRecord, admission_threshold_key(EVENT))
    assert after is not None
    assert after == msgspec.structs.replace(before, at_ms=looked_ms)


def test_a_redeemed_token_and_a_caller_inside_cost_a_read_and_are_noticed(world: World) -> None:
    noticed: list[str] = []
    world.event = msgspec.structs.replace(world.event, live_max=5)
    token = place("ann", joined_s=START_S - 59)
    rules = structs.replace(RULES, epochs=(Epoch(START_S - 60, 0.0, 100.0),))
    table: Any = Watched(world)

    def again(n: int = 0) -> OpenedSession:
        opener = SessionOpener(
            table, world.clock, world.ids, world.reminders, noticed=noticed.append
        )
        shown = structs.replace(token, id=token.id[:-1] + f"{n:x}")
        text = encode_waiting_token(shown, rules)
        asked = AdmissionRequest(UserId("ann"), text, "0")
        return opener.open(world.event, rules, asked, world.secrets.sign_in())

    opened = again()
    table.calls.clear()
    assert again().session == opened.session
    assert table.calls == ["find_each", "find"]
    assert len(world.reminders.sent) == 2  # the first answer may have been lost with its reminder
    world.clock.tick(61)
    assert again().session == opened.session
    assert len(world.reminders.sent) == 2
    table.calls.clear()
    with pytest.raises(NotAdmittedError, match="inside already"):
        again(1)
    assert table.calls[0] == "find_each"
    assert not {"transact", "update", "query"} & {*table.calls[:1]}
    SeatReleaser(world.table, world.clock).end_session(opened.session, "cancelled", "ann")
    with pytest.raises(TokenRedeemedError):
        again()
    assert noticed == ["redeemed", "redeemed", "inside", "redeemed"]


def test_h_stood_when_an_epoch_or_an_open_gate_lay_in_between() -> None:
    paused = gate(
        epochs=(Epoch(1_000, 0.0, 0.1), Epoch(2_000, 100.0, 0.0), Epoch(2_100, 100.0, 0.1)),
        sale_start_s=1_000,
    )
    assert not has_stood(paused, 1_500, 1_999)
    assert has_stood(paused, 1_500, 2_001)
    assert has_stood(paused, 2_099, 2_200)
    assert not has_stood(paused, 2_101, 2_200)
    assert has_stood(structs.replace(paused, open_until_s=2_150), 2_101, 2_200)
    before = gate(epochs=(Epoch(500, 0.0, 0.0), Epoch(1_000, 0.0, 0.1)), sale_start_s=1_000)
    assert not has_stood(before, 600, 1_200)
