"""The draw over many tickets: uniform, and blind to who asks, in which order, and when.

The keys are SHA-256 of the phrases below, written down before any figure was seen, so the tests
either always pass or always fail. Uniformity is tested at 1 %. The intervals of the correlations
hold together at 1 %: each of the COMPARISONS has its share of it (Bonferroni).
"""

from __future__ import annotations

import hashlib
import math
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from fairgate.domain.gate.admission import lottery_number, lottery_ticket
from fairgate.domain.gate.gate_config import Mode
from tests.edge.gate_tools import EVENT, NOW_S, make_gate
from tests.support.lengths import at_length

Figures = NDArray[np.float64]
Order = Literal["sequential", "reversed", "by-hash", "by-time", "by-length"]
ORDERS: tuple[Order, ...] = ("sequential", "reversed", "by-hash", "by-time", "by-length")
MODES: tuple[Mode, ...] = ("a", "t")
TICKETS = at_length(250_000, 1_000_000)
BINS = 1_000
CHUNKS = 100
ALPHA = 0.01
# An interval is as wide as one over the root of the tickets: one per cent for a million.
SHARP = 10 / math.sqrt(TICKETS)
COMPARISONS = len(MODES) * (len(ORDERS) * 2 + 1) + 1
PHRASES = {"a": b"fairgate: draw by account", "t": b"fairgate: draw by token"}


def name_of(n: int) -> str:
    """User ids that only count up, of three usual lengths."""
    return (f"user-{n}", f"auth0|{n:024x}", f"{n}@example.org")[n % 3]


@pytest.fixture(scope="module")
def moments_ms() -> NDArray[np.int64]:
    """When each ticket is asked for: a rush that thins out, in an order of its own."""
    chance = np.random.default_rng(20_270_115)
    return NOW_S * 1000 + chance.exponential(60_000, TICKETS).astype(np.int64)


@pytest.fixture(scope="module")
def names() -> list[str]:
    return [name_of(n) for n in range(TICKETS)]


def draw(mode: Mode, names: list[str], ids: list[str]) -> Figures:
    """u of every ticket, by the functions that decide in production."""
    gate = make_gate(mode=mode, draw_key=hashlib.sha256(PHRASES[mode]).digest())
    key = gate.number_key
    numbers = (
        lottery_number(key, lottery_ticket(gate, EVENT, name, token))
        for name, token in zip(names, ids, strict=True)
    )
    return np.fromiter(numbers, np.float64, TICKETS)


def token_id(n: int, ms: int) -> str:
    """As the gate shapes one, but counting where it has an HMAC: the draw must not need that."""
    time = f"{ms:012x}"
    return f"{time[:8]}-{time[8:]}-7000-8000-{n:012x}"


@pytest.fixture(scope="module")
def drawn(names: list[str], moments_ms: NDArray[np.int64]) -> dict[Mode, Figures]:
    ids = [token_id(n, ms) for n, ms in enumerate(moments_ms.tolist())]
    return {mode: draw(mode, names, ids) for mode in MODES}


@pytest.fixture(scope="module")
def orders(names: list[str], moments_ms: NDArray[np.int64]) -> dict[Order, Figures]:
    """What the draw must know nothing of."""
    count = np.arange(TICKETS, dtype=np.float64)
    digests = (hashlib.sha256(name.encode()).digest() for name in names)
    by_hash = np.fromiter((int.from_bytes(d[:6], "big") for d in digests), np.float64)
    return {
        "sequential": count,
        "reversed": count[::-1].copy(),
        "by-hash": by_hash,
        "by-time": moments_ms.astype(np.float64),
        "by-length": np.fromiter(map(len, names), np.float64),
    }


@cache
def stats() -> Any:
    """Import SciPy's, where a test asks: no other process waits for it (tests/tidy/test_quick)."""
    from scipy import stats as imported

    return imported


def chi_square(u: Figures) -> float:
    """p of BINS equal classes."""
    seen, _ = np.histogram(u, bins=BINS, range=(0.0, 1.0))
    return float(stats().chisquare(seen).pvalue)


def kolmogorov_smirnov(u: Figures) -> float:
    return float(stats().kstest(u, "uniform").pvalue)


def uniform(u: Figures) -> bool:
    return min(chi_square(u), kolmogorov_smirnov(u)) >= ALPHA


def ranked(figures: Figures) -> Figures:
    ranks: Figures = stats().rankdata(figures)
    return ranks


def interval(a: Figures, b: Figures) -> tuple[float, float]:
    """Where the correlation lies (Fisher's z): Pearson's, or Spearman's of ranked figures."""
    result = stats().pearsonr(a, b)
    low, high = result.confidence_interval(confidence_level=1 - ALPHA / COMPARISONS)
    return float(low), float(high)


def unrelated(a: Figures, b: Figures) -> bool:
    low, high = interval(a, b)
    return low <= 0.0 <= high


@pytest.mark.parametrize("mode", MODES)
def test_tickets_are_uniform(mode: Mode, drawn: dict[Mode, Figures]) -> None:
    u = drawn[mode]
    assert u.min() >= 0.0
    assert u.max() < 1.0
    assert chi_square(u) >= ALPHA
    assert kolmogorov_smirnov(u) >= ALPHA
    assert len(np.unique(u)) == TICKETS  # nobody shares a ticket


@pytest.mark.parametrize("mode", MODES)
def test_a_hundred_smaller_draws_are_as_uneven_as_chance_is(
    mode: Mode, drawn: dict[Mode, Figures]
) -> None:
    """Too even would be as wrong: the p of many draws are themselves uniform."""
    found = [kolmogorov_smirnov(part) for part in np.split(drawn[mode], CHUNKS)]
    assert kolmogorov_smirnov(np.array(found)) >= ALPHA


@pytest.mark.parametrize("mode", MODES)
def test_the_draw_knows_no_order(
    mode: Mode, drawn: dict[Mode, Figures], orders: dict[Order, Figures]
) -> None:
    u = drawn[mode]
    places = ranked(u)
    for order, figures in orders.items():
        for low, high in (interval(u, figures), interval(places, ranked(figures))):
            assert low <= 0.0 <= high, order
            assert high - low < SHARP  # that much of order would show


@pytest.mark.parametrize("mode", MODES)
def test_neighbours_draw_apart(mode: Mode, drawn: dict[Mode, Figures]) -> None:
    u = drawn[mode]
    assert unrelated(u[:-1], u[1:])


def test_the_two_modes_draw_apart(drawn: dict[Mode, Figures]) -> None:
    assert unrelated(drawn["a"], drawn["t"])


# Negative controls, on a fifth of the tickets: each of these draws has been written by somebody.

FEWER = 200_000


def first_byte_only(u: Figures) -> Figures:
    return np.floor(u * 256) / 256


def remainder(u: Figures) -> Figures:
    """A 16-bit number modulo 1,000: the first 536 classes come up 66 times where others do 65."""
    return (np.floor(u * 65_536) % 1000 + 0.5) / 1000


def slightly_lucky(u: Figures) -> Figures:
    return u**1.02


def without_a_sliver(u: Figures) -> Figures:
    """0.2 % of the numbers never come up."""
    return u * 0.998


@pytest.mark.parametrize("bias", [first_byte_only, remainder, slightly_lucky, without_a_sliver])
def test_a_biased_draw_is_noticed(
    bias: Callable[[Figures], Figures], drawn: dict[Mode, Figures]
) -> None:
    assert not uniform(bias(drawn["a"][:FEWER]))


@pytest.mark.parametrize("order", ORDERS)
def test_two_per_cent_of_order_are_noticed(
    order: Order, drawn: dict[Mode, Figures], orders: dict[Order, Figures]
) -> None:
    places = ranked(orders[order][:FEWER]) / FEWER
    assert not unrelated(0.98 * drawn["a"][:FEWER] + 0.02 * places, places)


def test_a_checksum_of_the_name_is_noticed() -> None:
    """Even enough to look at, but whoever counts up draws in steps."""
    names = (name_of(n).encode() for n in range(0, FEWER, 3))
    u = np.fromiter((zlib.crc32(name) / 2**32 for name in names), np.float64)
    assert not unrelated(u[:-1], u[1:])
