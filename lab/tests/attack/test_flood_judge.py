"""The judge of a flood: each bound holds at its edge and is broken one beyond it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from fairgate_lab.attack.flood_judge import (
    HOLDS_MIN,
    REACHES,
    Flood,
    Window,
    lines,
    p99,
    reach_max,
)
from fairgate_ops.run.crowd.buyer import Outcome
from fairgate_ops.run.crowd.reply import Kind

SAMPLE = 0.05
REQUESTS = 10_000
ALLOWED = 587  # 500 and four times the 21.8 by which a draw of 10,000 strays


def window(kind: str, reached: int = 0, *, holds_s: Sequence[float] = (1.0,) * HOLDS_MIN) -> Window:
    return Window(
        kind=kind,
        seconds=30,
        answers={401: REQUESTS},
        errors=0,
        reached={401: reached} if reached else {},
        holds_s=holds_s,
        static_requests=REQUESTS,
        static_holds_s=(1.0,) * HOLDS_MIN,
    )


def outcome(kind: Kind = "ticket", code: str = "ticketed") -> Outcome:
    return Outcome("honest-1-0", kind, code, "why")


def flood(*windows: Window, outcomes: Sequence[Outcome] = (outcome(),)) -> Flood:
    return Flood(SAMPLE, windows, outcomes)


def test_nothing_is_broken_when_every_kind_stays_within_its_bound() -> None:
    every = [window(kind, reach_max(kind, REQUESTS, SAMPLE) or 0) for kind in REACHES]
    assert flood(*every).broken == []


@pytest.mark.parametrize("kind", ["anonymous", "malformed"])
def test_one_call_is_too_many_when_the_edge_asks_nobody(kind: str) -> None:
    (broken,) = flood(window(kind, 1)).broken
    assert broken == f"{kind}: 1 of 10,000 requests reached an origin, at most 0 may"


@pytest.mark.parametrize("kind", ["bad-token", "early"])
def test_a_sample_is_broken_when_it_is_larger_than_chance_makes_it(kind: str) -> None:
    assert reach_max(kind, REQUESTS, SAMPLE) == ALLOWED
    assert flood(window(kind, ALLOWED)).broken == []
    (broken,) = flood(window(kind, ALLOWED + 1)).broken
    assert "reached an origin, at most 587 may" in broken


@pytest.mark.parametrize("kind", ["bad-token", "early"])
def test_a_gate_that_samples_nothing_may_hand_nothing_on(kind: str) -> None:
    (broken,) = Flood(0.0, [window(kind, 1)], [outcome()]).broken
    assert "at most 0 may" in broken


@pytest.mark.parametrize("kind", ["redeemed", "inside"])
def test_what_only_the_origin_knows_may_reach_it_and_is_refused(kind: str) -> None:
    assert flood(window(kind, REQUESTS)).broken == []


@pytest.mark.parametrize("kind", REACHES)
def test_a_session_that_a_flood_opened_is_said(kind: str) -> None:
    opened = replace(window(kind), answers={201: 1, 401: REQUESTS})
    assert f"{kind}: 1 requests opened a session" in flood(opened).broken


@pytest.mark.parametrize("kind", REACHES)
def test_a_flood_without_an_answer_shows_nothing(kind: str) -> None:
    assert flood(replace(window(kind), answers={})).broken == [
        f"{kind}: no request was answered, so nothing was shown"
    ]


@pytest.mark.parametrize("kind", ["ticket", "refusal", "message"])
def test_a_buyer_with_a_ticket_or_a_clear_answer_is_no_defect(kind: Kind) -> None:
    assert flood(outcomes=[outcome(kind, "sale-over")]).broken == []


def test_a_buyer_without_a_clear_answer_is_said() -> None:
    (broken,) = flood(outcomes=[outcome(), outcome("broken", "network")]).broken
    assert broken == "buyer honest-1-0 ended with network: why"


def test_no_buyer_at_all_shows_nothing() -> None:
    assert flood(outcomes=[]).broken == ["no honest buyer came to an end, so nothing was shown"]


def test_slow_holds_are_said_beyond_half_as_long_again() -> None:
    fair = (1.0,) * (HOLDS_MIN - 2)
    assert flood(window("early", holds_s=(*fair, 1.5, 9.0))).broken == []
    (broken,) = flood(window("early", holds_s=(*fair, 1.51, 9.0))).broken
    assert "p99 of a hold is 1.51 s under the flood, 1.51 times the 1.00 s" in broken


def test_holds_are_judged_over_all_kinds_together() -> None:
    slow = window("early", holds_s=(9.0,) * HOLDS_MIN)
    many = replace(window("anonymous"), holds_s=(1.0,) * HOLDS_MIN * 200)
    assert len(flood(slow).broken) == 1
    assert flood(slow, many).broken == []


def test_too_few_holds_are_not_judged_and_that_is_said() -> None:
    few = flood(window("early", holds_s=(9.0,) * (HOLDS_MIN - 1)))
    assert few.broken == []
    assert any(line.startswith("NOT JUDGED") for line in lines(few))
    assert not any(line.startswith("NOT JUDGED") for line in lines(flood(window("early"))))


def test_a_broken_law_of_the_sale_is_said() -> None:
    assert Flood(SAMPLE, [], [outcome()], ["sold-twice: A-1"]).broken == [
        "a law of the sale: sold-twice: A-1"
    ]


def test_the_table_shows_each_kind_and_what_is_broken() -> None:
    text = "\n".join(lines(flood(window("anonymous", 3), window("redeemed", 4))))
    assert "anonymous" in text
    assert "BROKEN  anonymous: 3 of 10,000 requests reached an origin" in text
    assert "401: 10,000" in text


def test_the_ninety_ninth_of_a_hundred_is_the_nearest_rank() -> None:
    assert p99([float(n) for n in range(1, 101)]) == 99.0
    assert p99([]) == 0.0


def test_requests_that_were_under_way_at_the_end_count_as_sent() -> None:
    few = replace(window("early"), answers={429: 10}, under_way=32, reached={429: 12})
    assert Flood(1.0, [few], [outcome()]).broken == []
    (broken,) = Flood(1.0, [replace(few, under_way=1)], [outcome()]).broken
    assert "12 of 11 requests reached an origin, at most 11 may" in broken
