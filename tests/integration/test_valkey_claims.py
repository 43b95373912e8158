"""What claims promise, on a real Valkey and on the stand-in of the other tests alike."""

from __future__ import annotations

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.ports.availability import CacheUnavailableError, Claim, Claimed
from fairgate_lab.engine.cache import MemoryClaims
from fairgate_lab.engine.clock import MemoryClock
from tests.support.waiting import wait_until

_numbers = itertools.count()
LONG_MS = 60_000


@pytest.fixture(scope="module")
def valkey(server):
    cache = ValkeyAvailability(server.url, timeout_s=5)
    yield cache
    cache.close()


@pytest.fixture(params=["valkey", "memory"])
def cache(request):
    return (
        request.getfixturevalue("valkey")
        if request.param == "valkey"
        else MemoryClaims(MemoryClock())
    )


@pytest.fixture
def event():
    return f"show-{next(_numbers)}"


def of(*units, section="s", beside=()):
    return Claim(tuple((section, unit) for unit in units), tuple((section, *b) for b in beside))


def test_all_or_none_are_claimed_when_one_of_them_is_another_caller_s(cache, event):
    assert cache.claim(event, [of("a", "b")], "ann", LONG_MS) == Claimed(0)
    assert cache.claim(event, [of("b", "c")], "bob", LONG_MS) == Claimed(None, ("b",))
    assert cache.claimed(event, ["s"]) == {"a", "b"}
    assert cache.claim(event, [of("c")], "cid", LONG_MS) == Claimed(0)


def test_the_first_free_choice_is_claimed_when_earlier_ones_are_not(cache, event):
    cache.claim(event, [of("a", "b")], "ann", LONG_MS)
    choices = [of("b", "c"), of("a"), of("d", section="t"), of("e")]
    assert cache.claim(event, choices, "bob", LONG_MS) == Claimed(2)
    assert cache.claimed(event, ["s", "t"]) == {"a", "b", "d"}
    assert cache.claimed(event, ["t"]) == {"d"}


def test_own_claims_are_not_in_the_way(cache, event):
    cache.claim(event, [of("a", "b")], "ann", LONG_MS)
    assert cache.claim(event, [of("b", "c")], "ann", LONG_MS) == Claimed(0)


def test_events_and_sections_are_apart(cache, event):
    cache.claim(event, [of("a")], "ann", LONG_MS)
    assert cache.claim(event + "-2", [of("a")], "bob", LONG_MS) == Claimed(0)
    assert cache.claim(event, [of("a", section="t")], "bob", LONG_MS) == Claimed(0)


def test_only_the_claimant_s_units_are_given_up(cache, event):
    cache.claim(event, [of("a", "b")], "ann", LONG_MS)
    cache.unclaim(event, [("s", "a"), ("s", "b")], "bob")
    assert cache.claimed(event, ["s"]) == {"a", "b"}
    cache.unclaim(event, [("s", "a"), ("s", "x")], "ann")
    assert cache.claimed(event, ["s"]) == {"b"}
    assert cache.claim(event, [of("a")], "bob", LONG_MS) == Claimed(0)


def test_claims_of_anybody_end_when_their_seats_become_free(cache, event):
    cache.claim(event, [of("a", "b")], "ann", LONG_MS)
    cache.end_claims(event, "s", ["a", "x"])
    assert cache.claimed(event, ["s"]) == {"b"}
    assert cache.claim(event, [of("a")], "bob", LONG_MS) == Claimed(0)


def test_a_claim_that_would_leave_a_single_seat_is_refused(cache, event):
    cache.claim(event, [of("d")], "ann", LONG_MS)
    beside_c = of("a", "b", beside=[("c", "d")])  # a b c (d): c would be alone
    assert cache.claim(event, [beside_c], "bob", LONG_MS) == Claimed(None)
    assert cache.claim(event, [of("a", "b", beside=[("c", "e")])], "bob", LONG_MS) == Claimed(0)


def test_a_seat_is_not_left_alone_when_it_is_claimed_itself(cache, event):
    cache.claim(event, [of("c", "d")], "ann", LONG_MS)
    for beside in ([("c", "d")], [("c", "")]):
        assert cache.claim(event, [of("a", "b", beside=beside)], "bob", LONG_MS) == Claimed(0)
    assert cache.claim(event, [of("x", beside=[("y", "")])], "bob", LONG_MS) == Claimed(None)


def test_a_claim_ends_by_itself(valkey, event):
    valkey.claim(event, [of("a", "b")], "ann", 500)
    assert valkey.claim(event, [of("b", "c")], "bob", LONG_MS) == Claimed(None, ("b",))
    wait_until(
        lambda: valkey.claim(event, [of("b", "c")], "bob", LONG_MS).choice is not None,
        "the end of her claim",
    )
    assert valkey.claimed(event, ["s"]) == {"b", "c"}


def test_nothing_stays_in_the_cache_when_nobody_claims_any_more(valkey, server, event):
    from valkey import Valkey

    valkey.claim(event, [of("a"), of("b", section="t")], "ann", 30)
    client = Valkey.from_url(server.url)
    wait_until(lambda: not client.keys(f"claim*{event}*"), "an empty cache", 10)
    client.close()


def test_one_of_many_gets_a_unit_when_all_ask_at_once(valkey, event):
    start = threading.Barrier(16)

    def ask(number):
        start.wait()
        return valkey.claim(event, [of("a", "b")], f"caller-{number}", LONG_MS).choice

    with ThreadPoolExecutor(16) as pool:
        assert sorted(pool.map(ask, range(16)), key=str) == [0, *[None] * 15]


def test_claims_say_that_the_cache_is_gone():
    gone = ValkeyAvailability("")
    for ask in (
        lambda: gone.claim("e", [of("a")], "t", 1),
        lambda: gone.claimed("e", ["s"]),
        lambda: gone.unclaim("e", [("s", "a")], "t"),
        lambda: gone.end_claims("e", "s", ["a"]),
    ):
        with pytest.raises(CacheUnavailableError):
            ask()


_units = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=3, unique=True)
_beside = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.sampled_from(["", *"abcdef"])), max_size=2
)
_choices = st.lists(
    st.builds(lambda u, b: of(*u, beside=b), _units, _beside), min_size=1, max_size=4
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(_choices, st.sampled_from(["ann", "bob", "cid"])), max_size=6))
def test_valkey_and_the_stand_in_answer_alike(valkey, steps):
    event, memory = f"show-{next(_numbers)}", MemoryClaims(MemoryClock())
    for choices, token in steps:
        asked = (event, choices, token, LONG_MS)
        assert valkey.claim(*asked) == memory.claim(*asked)
        assert valkey.claimed(event, ["s"]) == memory.claimed(event, ["s"])
        units = choices[0].units
        valkey.unclaim(event, units[:1], token)
        memory.unclaim(event, units[:1], token)
