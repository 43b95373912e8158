"""The checkers themselves: each accepts what may be, and refuses what may not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from fairgate.service.shared.records.orders import OrderUnit, TicketEntry
from fairgate_lab.simulate.sale import __main__ as command
from fairgate_lab.simulate.sale import laws
from fairgate_lab.simulate.sale.history import NEVER, Operation
from fairgate_lab.simulate.sale.linearize import STATES_MAX, Sold, concerning, explain
from fairgate_lab.simulate.sale.passing import place_of
from fairgate_lab.simulate.sale.run import Result, Undecided
from fairgate_lab.simulate.sale.scheduler import Scheduler
from fairgate_lab.simulate.sale.transitions import wrong_with

SEAT = "A-1-1"


class Story:
    """Operations one after another, unless said otherwise."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.moment = 0

    def did(self, kind: Any, session: str, outcome: Any = "ok", **more: Any) -> Story:
        self.moment += 2
        times = {"begin": self.moment, "begin_ms": self.moment, "heard_ms": self.moment + 1}
        if outcome != "unknown":
            times |= {"end": self.moment + 1, "end_ms": self.moment + 1}
        known = {"seats": (SEAT,), "outcome": outcome} | times | more
        self.operations.append(Operation(kind, session, **known))
        return self

    def holds(self, session: str, until_ms: int, outcome: Any = "ok", **more: Any) -> Story:
        key = f"k-{session}-{self.moment}"
        return self.did("hold", session, outcome, **{"key": key, "until_ms": until_ms} | more)

    def ends_as(self, state: str, session: str = "") -> Story:
        return self.did("read", session, said=state)

    def is_possible(self, skew_ms: int = 0) -> bool:
        orders = {"o": Sold("a", (SEAT,)), "p": Sold("b", (SEAT,))}
        verdict = explain(concerning(self.operations, SEAT, orders), skew_ms)
        assert verdict != "undecided"
        return verdict == "linearizable"


LONG = 10_000


@pytest.mark.parametrize(
    ("story", "possible"),
    [
        (Story().holds("a", LONG).ends_as("locked", "a"), True),
        (Story().holds("a", LONG).holds("b", LONG).ends_as("locked", "b"), False),
        (Story().holds("a", LONG).holds("b", LONG, "refused", gone=(SEAT,)), True),
        (Story().holds("b", LONG, "refused", gone=(SEAT,)), False),
        (Story().holds("a", 3).holds("b", LONG).ends_as("locked", "b"), True),
        (Story().holds("a", LONG).did("end", "a").holds("b", LONG), True),
        (Story().holds("a", LONG).did("end", "b").holds("b", LONG), False),
        (Story().holds("a", LONG).did("expire", "a", "unknown").ends_as("free"), False),
        (Story().holds("a", 4).did("expire", "a", "unknown").ends_as("free"), True),
        (Story().holds("a", LONG, "unknown").ends_as("locked", "a"), True),
        (Story().holds("a", LONG, "unknown").holds("b", LONG).ends_as("locked", "b"), True),
        (Story().holds("a", LONG, "unknown").ends_as("sold", "a"), False),
        (Story().holds("a", LONG).did("settle", "", order="o").ends_as("sold", "a"), True),
        (Story().did("settle", "", order="o"), False),
        (
            Story().holds("a", 3).holds("b", LONG).did("settle", "", order="o"),
            False,
        ),
        (
            Story()
            .holds("a", LONG)
            .did("settle", "", order="o")
            .did("cancel", "", order="o")
            .did("cancel", "", order="o")
            .ends_as("free"),
            True,
        ),
        (Story().holds("a", LONG).did("cancel", "", order="o"), False),
        (Story().did("block", "k", due_ms=LONG).ends_as("blocked", "k"), True),
        (Story().did("block", "k", due_ms=LONG).holds("a", LONG), False),
        (Story().did("block", "k", due_ms=LONG).holds("a", LONG, "refused", gone=(SEAT,)), True),
        (Story().holds("a", LONG).did("block", "k", due_ms=LONG), False),
        (Story().did("block", "k", due_ms=LONG).did("block", "m", due_ms=LONG), False),
        (Story().did("block", "k", due_ms=LONG).did("free", "k").holds("a", LONG), True),
        (Story().did("block", "k", due_ms=LONG).did("free", "m").holds("a", LONG), False),
        (Story().did("block", "k", due_ms=4).did("expire", "", "unknown").holds("a", LONG), True),
        (Story().did("block", "k", due_ms=9).did("expire", "", "unknown").holds("a", LONG), False),
        (Story().holds("a", 2).did("checkout", "a", until_ms=LONG), False),
        (Story().holds("a", LONG).did("checkout", "a", until_ms=LONG).holds("b", LONG), False),
    ],
)
def test_a_history_is_explained_only_when_one_seat_could_have_had_it(
    story: Story, possible: bool
) -> None:
    assert story.is_possible() is possible


def test_a_place_is_cancelled_with_its_seat_when_its_page_was_lost() -> None:
    """Without the seat, the history has no operation that made it free."""
    units = (
        OrderUnit(kind="area", tier="t", label="Floor", area="floor", quantity=2),
        OrderUnit(kind="seat", tier="t", label="A 1", seat=SEAT, section="A"),
    )
    tickets = [TicketEntry(ticket=f"tkt_{n}", unit=4 + n, label="", code="") for n in range(3)]
    order: Any = SimpleNamespace(units=units, tickets=tickets)
    assert place_of(order, tickets[2], []) == {"seat": SEAT, "tickets": ["tkt_2"]}
    assert place_of(order, tickets[1], []) == {"seat": None, "tickets": ["tkt_1"]}
    offered = {"seat": "table", "tickets": ["tkt_1", "tkt_2"]}
    assert place_of(order, tickets[2], [offered]) == offered


def test_times_hold_within_the_difference_of_the_clocks() -> None:
    story = Story().holds("a", 100).holds("b", LONG)
    assert not story.is_possible(skew_ms=0)
    assert story.is_possible(skew_ms=200)


def test_calls_at_the_same_time_may_have_come_in_either_order() -> None:
    story = Story().did("end", "a").holds("a", LONG).holds("b", LONG)
    first, *_ = story.operations
    assert not story.is_possible()
    first.end = first.end_ms = NEVER  # it was still under way when b held
    assert story.is_possible()


def unheard_holds(count: int) -> list[Operation]:
    """Holds without an answer, then a sale that nobody's hold explains."""
    story = Story()
    for number in range(count):
        story.holds(f"s{number}", 2 * number, "unknown")
    return story.ends_as("sold", "a").operations


def test_a_history_is_undecided_when_it_is_too_large_for_the_bound() -> None:
    history = unheard_holds(8)
    assert explain(history, 0) == "impossible"
    assert explain(history, 0, states_max=5) == "undecided"


def test_a_history_is_decided_when_its_explanation_comes_before_the_bound() -> None:
    history = unheard_holds(8)[:-1]
    assert explain(history, 0, states_max=50) == "linearizable"


@pytest.mark.parametrize(
    ("judged", "undecided", "too_many"),
    [(5, 1, False), (5, 2, True), (1_500, 2, False), (1_500, 7, False), (1_500, 8, True)],
)
def test_a_run_fails_when_more_than_the_share_is_undecided(
    judged: int, undecided: int, too_many: bool
) -> None:
    assert Undecided(judged, undecided).too_many is too_many


@pytest.mark.parametrize(("undecided", "code"), [(1, 0), (8, 1)])
def test_the_command_says_the_share_and_fails_when_it_is_too_large(
    undecided: int,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run_many(*_: object, **__: object) -> Iterator[Result]:
        yield Result(0, (), 1, 0, 1, judged=1_000, undecided=undecided)

    monkeypatch.setattr(command, "run_many", run_many)
    assert command.main(["--seeds", "1"]) == code
    said = capsys.readouterr().out
    assert f"{undecided} of 1,000 histories undecided" in said
    assert ("too many" in said) is bool(code)


@pytest.mark.parametrize(("states_max", "code"), [(STATES_MAX, 0), (0, 1)])
def test_a_sale_whose_searches_are_given_up_fails(
    states_max: int,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The whole way, from the search to the exit code."""
    monkeypatch.setattr(laws, "explain", partial(explain, states_max=states_max))
    assert command.main(["--seed", "3", "--no-cache"]) == code
    assert ("too many" in capsys.readouterr().out) is bool(code)


RESERVED = {"PK": "e#1", "SK": "META", "availability": "reserved", "sessionId": "a", "version": 3}
LOCKED = RESERVED | {"availability": "locked", "expiresAt": "2999"}
ORDER = {
    "PK": "s",
    "SK": "O#1",
    "state": "pending",
    "expiresAt": "2999",
    "units": [],
    "lines": [],
    "totalMinor": 1,
    "userId": "ann",
}
REFUND = {
    "PK": "s",
    "SK": "F#1#p",
    "orderId": "1",
    "state": "failed",
    "sentAt": "1",
    "refundId": "r",
}
BACK = ORDER | {"state": "refunded", "refundedAt": "1"}
SESSION = {"PK": "s", "SK": "S#s", "state": "checkout", "expiresAt": "2999", "resCount": 1}


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (LOCKED, RESERVED | {"version": 4}, ""),
        (LOCKED, RESERVED, "version"),
        (LOCKED, RESERVED | {"version": 4, "sessionId": "b"}, "sold to b"),
        (RESERVED, LOCKED | {"version": 4}, "reserved → locked"),
        (LOCKED, LOCKED | {"version": 4, "sessionId": "b"}, "while its lock ran"),
        (LOCKED, LOCKED | {"version": 4, "expiresAt": "3000"}, ""),
        (ORDER, ORDER | {"state": "paid", "paymentId": "p", "version": 1}, ""),
        (ORDER, ORDER | {"state": "paid", "paymentId": "p"}, "version"),
        (ORDER, ORDER | {"state": "ticketed"}, "pending → ticketed"),
        (ORDER, ORDER | {"expiresAt": "3000", "payFrom": "2998", "version": 1}, ""),
        (ORDER, ORDER | {"expiresAt": "2998", "version": 1}, "ends sooner"),
        (BACK, BACK | {"expiresAt": "3000", "version": 1}, "expiresAt changed while refunded"),
        (ORDER, ORDER | {"totalMinor": 2}, "totalMinor changed"),
        (ORDER | {"paymentId": "p"}, ORDER | {"paymentId": "q"}, "paymentId changed"),
        (ORDER, ORDER | {"email": "b@x.example", "version": 1}, ""),
        (ORDER, ORDER | {"email": "b@x.example", "paidAt": "1"}, "paidAt changed with the address"),
        (ORDER | {"erasedAt": "1"}, ORDER | {"email": "b@x.example"}, "has an address again"),
        (ORDER, ORDER | {"mailedAt": "2026"}, "mailed while pending"),
        (BACK, BACK | {"state": "cancelled", "refundedAt": "", "version": 1}, ""),
        (BACK | {"state": "cancelled"}, BACK | {"refundedAt": "2", "version": 1}, ""),
        (BACK, BACK | {"refundedAt": "2"}, "refundedAt changed"),
        (REFUND, REFUND | {"state": "succeeded", "sentAt": "2", "refundId": "other"}, ""),
        (REFUND, REFUND | {"state": "succeeded"}, "failed → succeeded"),
        (REFUND, REFUND | {"sentAt": "2"}, "sent a second time"),
        (REFUND | {"state": "succeeded"}, REFUND | {"sentAt": "2"}, "sent a second time"),
        (REFUND, REFUND | {"attempt": 1}, ""),
        (REFUND | {"attempt": 2}, REFUND | {"attempt": 1}, "its number goes from 2 to 1"),
        (REFUND, REFUND | {"attempt": 2}, "its number goes from 0 to 2"),
        (SESSION, SESSION | {"state": "finalised"}, ""),
        (SESSION, SESSION | {"state": "reservation"}, "checkout → reservation"),
        (SESSION, SESSION | {"GSI1SK": "1#ord#00ff"}, ""),
        (SESSION, SESSION | {"resCount": 2}, "changed while checkout"),
        (SESSION, SESSION | {"expiresAt": "3000", "liveBucket": "2"}, ""),
        (
            SESSION | {"state": "finalised"},
            SESSION | {"state": "finalised", "expiresAt": "3000"},
            "changed while finalised",
        ),
        (SESSION, None, "is gone"),
    ],
)
def test_a_change_is_wrong_only_when_it_may_not_follow(old: Any, new: Any, what: str) -> None:
    found = wrong_with(old, new, now_ms=0, skew_ms=0)
    assert (what in " ".join(found)) if what else found == []


def scheduler_of(seed: int, **options: Any) -> Scheduler:
    return Scheduler(random.Random(seed), 0, **options)  # noqa: S311 a schedule, not a secret


def test_the_same_seed_makes_the_same_interleaving() -> None:
    def told(seed: int) -> list[str]:
        lines: list[str] = []
        scheduler = scheduler_of(seed)
        scheduler.trace = lines.append

        def work() -> None:
            for _ in range(5):
                scheduler.pause("works")

        for name in "abc":
            scheduler.spawn(name, work)
        scheduler.run()
        return lines

    assert told(1) == told(1)
    assert told(1) != told(2)


def test_time_jumps_when_everybody_waits() -> None:
    scheduler = scheduler_of(1)
    scheduler.spawn("late", lambda: None, after_ms=3_600_000)
    scheduler.run()
    assert scheduler.now_ms == 3_600_000


def test_a_task_that_dies_fails_the_run_and_the_others_end() -> None:
    scheduler = scheduler_of(1)

    def dies() -> None:
        raise ValueError("a defect")

    def waits() -> None:
        while True:
            scheduler.sleep(1_000)

    scheduler.spawn("bad", dies)
    scheduler.spawn("good", waits)
    scheduler.run()
    assert len(scheduler.failures) == 1
    assert "a defect" in scheduler.failures[0]


def test_a_run_without_end_is_ended() -> None:
    scheduler = scheduler_of(1, steps_max=50)

    def forever() -> None:
        while True:
            scheduler.pause("again")

    scheduler.spawn("it", forever)
    scheduler.run()
    assert "no end after 50 steps" in scheduler.failures[0]
