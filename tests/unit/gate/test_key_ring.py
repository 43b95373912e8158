"""What may become of a ring of keys, and not a second sooner."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fairgate.domain.gate.gate_config import Signed
from fairgate.domain.gate.key_ring import SPREAD_S, KeyRing, made_at_s, new_kid
from fairgate.domain.shared.jws import ISSUED_AHEAD_S
from fairgate.errors import FairgateError, TooEarlyError, WrongStateError

NOW_S = 1_800_000_000
LIFE_S = 600
OLD, NEW = "t1799990000", f"t{NOW_S}"
ALONE = KeyRing(OLD, "", {OLD: Signed(NOW_S - 10_000)}, LIFE_S)
ADDED = replace(ALONE, other=NEW)
SWITCHED = KeyRing(NEW, OLD, {OLD: Signed(NOW_S - 10_000, NOW_S), NEW: Signed(NOW_S)}, LIFE_S)
GONE_S = NOW_S + SPREAD_S + ISSUED_AHEAD_S + LIFE_S  # the last second of the last honest token


def test_a_key_id_tells_its_age() -> None:
    assert made_at_s(new_kid("t", NOW_S)) == NOW_S
    assert made_at_s(new_kid("t", NOW_S, f"t{NOW_S}")) == NOW_S + 1
    assert made_at_s("1") == made_at_s("a0f3c9d2") == 0


def test_the_last_honest_token_is_dead_when_the_old_key_may_be_retired() -> None:
    """Signed by the edge that heard of the switch last, with a clock that is ahead."""
    exp = NOW_S + SPREAD_S + ISSUED_AHEAD_S + LIFE_S
    for check in (SWITCHED.check_retire, SWITCHED.check_add):
        with pytest.raises(TooEarlyError) as caught:
            check(exp - 1)
        assert caught.value.retry_after_s == 1
        check(exp)


def test_nothing_counts_from_a_key_s_making_when_it_waited_long_to_sign() -> None:
    late = replace(SWITCHED, signed={OLD: Signed(1, NOW_S + 3600), NEW: Signed(NOW_S + 3600)})
    with pytest.raises(TooEarlyError):
        late.check_retire(GONE_S + 3599)
    late.check_retire(GONE_S + 3600)


def test_a_new_key_waits_for_the_last_edge() -> None:
    for ring, from_s in (
        (ADDED, NOW_S + SPREAD_S),
        (replace(ADDED, spread_from_s=NOW_S + 50), NOW_S + 50 + SPREAD_S),
    ):
        with pytest.raises(TooEarlyError):
            ring.check_switch(from_s - 1)
        ring.check_switch(from_s)


@pytest.mark.parametrize("ring", [ALONE, SWITCHED])
def test_no_key_is_switched_to_when_none_waits(ring: KeyRing) -> None:
    with pytest.raises(WrongStateError):
        ring.check_switch(GONE_S)


def test_the_switch_notes_when_one_ended_and_the_other_began() -> None:
    assert ADDED.switched(NOW_S) == SWITCHED.signed


@pytest.mark.parametrize(
    ("ring", "now_s", "every_s", "step"),
    [
        (ALONE, NOW_S, 0, "add"),
        (ALONE, NOW_S, 10_000, "add"),
        (ALONE, NOW_S, 10_001, None),
        (replace(ALONE, signed={}), NOW_S, 10_001, "add"),
        (ADDED, NOW_S, 0, "switch"),
        (ADDED, NOW_S, 86_400, "switch"),
        (SWITCHED, GONE_S - 1, 0, "retire"),
        (SWITCHED, GONE_S - 1, 60, None),
        (SWITCHED, GONE_S, 60, "retire"),
        (SWITCHED, GONE_S, 86_400, "retire"),
    ],
)
def test_a_timer_is_told_the_one_step_that_is_due(
    ring: KeyRing, now_s: int, every_s: int, step: str | None
) -> None:
    assert ring.next_step(now_s, every_s) == step


def test_a_step_that_a_timer_is_told_is_never_refused() -> None:
    for now_s in range(NOW_S, GONE_S + 300, 7):
        if SWITCHED.next_step(now_s, 60) == "retire":
            SWITCHED.check_retire(now_s)
        else:
            with pytest.raises(FairgateError):
                SWITCHED.check_retire(now_s)
