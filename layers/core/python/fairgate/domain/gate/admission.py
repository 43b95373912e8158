"""Decide who is admitted: operational time, lottery numbers, the rule and the retry delay.

``edge/gate/src/draw.js`` is the same maths at the edge; tests/edge/vectors.json and a property
test hold the two together. Format: docs/gate.md.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from fairgate.domain.gate.gate_config import ADMITTING
from fairgate.domain.shared import jws

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.domain.gate.gate_config import Epoch, GateConfig
    from fairgate.domain.gate.waiting_claims import WaitingToken

EARLY_GRACE_S = 2  # an attempt this much before ``boff`` is still on time: clocks differ
ESTIMATE_LADDER_S = (0, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400)
EPOCH_S = 60  # the least that an estimate takes an epoch to last: the controller's
NINE_IN_TEN = 2.302585  # ln 10: P(x) is 0.9 if x^k is this
_BACKOFF_FRACTION = 0.5
_RENEWED_AFTER = 0.5  # of a token's life, before the sale starts
_JITTER = 0.2
_LOTTERY_BYTES = 16


class Estimate(Struct, frozen=True):
    """A bucket that the wait falls into; ``hi_s`` is None beyond the ladder."""

    lo_s: int
    hi_s: int | None

    def as_json(self) -> dict[str, int | None]:
        return {"lo_s": self.lo_s, "hi_s": self.hi_s}


class Decision(Struct, frozen=True):
    """The rule's decision about one token at one moment, with the figures that it used."""

    admitted: bool
    u: float
    x: float
    probability: float
    boff_s: int
    estimate: Estimate | None


def decide(gate: GateConfig, token: WaitingToken, now_s: float) -> Decision:
    """Admit ⇔ u < P(x); otherwise say when to come back. The same answer as the edge gives.

    While first attempts are spread at the sale start, no token is admitted before its own moment.
    """
    u = lottery_number(gate.number_key, token.lot)
    x = max(0.0, operational_time(gate.epochs, now_s) - token.h)
    p = admission_probability(x, gate.curve)
    free = gate.open_until_s > now_s
    return Decision(
        admitted=gate.state in ADMITTING and (free or (u < p and _is_called(gate, token, now_s))),
        u=u,
        x=x,
        probability=p,
        boff_s=backoff(gate, token.id, token.lot, u, x, now_s),
        estimate=estimate(gate, u, x, now_s),
    )


def operational_time(epochs: Sequence[Epoch], t_s: float) -> float:
    """Return H(t) of the last epoch that has started; before the first, its own H."""
    line = _line(epochs, t_s)
    return line.h + (t_s - line.start_s) * line.slope if t_s > line.start_s else line.h


def earned_since(epochs: Sequence[Epoch], token: WaitingToken) -> float:
    """Return where a token's waiting began: its ``h``, but not before H at its issue.

    An edge that did not know of a change yet may have written less. A token that is older than the
    first known epoch keeps its ``h``.
    """
    if token.iat < epochs[0].start_s:
        return token.h
    return max(token.h, operational_time(epochs, token.iat))


def billionths(h: float) -> int:
    """Convert ``h`` to what tokens carry: a whole number is the same wherever it is read."""
    return math.floor(h * 1e9 + 0.5)


def on_grid(h: float) -> float:
    """Return ``h`` as it is after a token has carried it."""
    return billionths(h) / 1e9


def slope(epochs: Sequence[Epoch], t_s: float) -> float:
    """Return 1/τ at ``t_s``; 0 before the first epoch and while nobody is admitted."""
    line = _line(epochs, t_s)
    return line.slope if t_s >= line.start_s else 0.0


def lottery_ticket(gate: GateConfig, event: str, sub: str, token_id: str) -> bytes:
    """Draw 16 bytes; in mode ``a`` the same for every token of this user."""
    return ticket_of(gate.draw_key, gate.mode, event, sub, token_id)


def ticket_of(draw_key: bytes, mode: str, event: str, sub: str, token_id: str) -> bytes:
    """Draw the same from a revealed key."""
    text = f"lot|{event}|{sub}" if mode == "a" else f"lot|{event}|{sub}|{token_id}"
    return jws.mac(draw_key, text)[:_LOTTERY_BYTES]


def lottery_number(number_key: bytes, lot: bytes) -> float:
    """Return u in [0, 1): anyone can recompute it once the draw key is published."""
    return int.from_bytes(jws.mac(number_key, jws.b64url(lot))[:8], "big") / 2**64


def admission_probability(x: float, k: float) -> float:
    """Return P = 1 − exp(−x^k): the share of the buyers of this age who are admitted."""
    return 1.0 - math.exp(-_power(x, k))


def admission_at(u: float, k: float) -> float:
    """Return x* at which P reaches u; infinite for the one u in 2^53 that rounds to 1."""
    return _power(-math.log(1.0 - u), 1.0 / k) if u < 1.0 else math.inf


def sampled_account(gate: GateConfig, event: str, sub: str) -> bool:
    """Return whether the account belongs to the sample of the crowd, however often it asks.

    A part of the digest that no token shows decides, so a buyer can neither read nor choose it.
    Cost: one HMAC.
    """
    digest = jws.mac(gate.draw_key, f"lot|{event}|{sub}")
    share = int.from_bytes(digest[_LOTTERY_BYTES : _LOTTERY_BYTES + 4], "big") / 2**32
    return share < gate.sample_queue


def wave_width_s(gate: GateConfig) -> float:
    """Return for how many seconds after the sale start first attempts are spread."""
    return max(gate.wave_s, _JITTER * gate.backoff_max_s)


def earliest_s(gate: GateConfig, lot: bytes) -> int:
    """Return the epoch second of a token's first attempt after the sale starts.

    It comes from the ticket, so in mode a no second token of the account has another.
    """
    share = int.from_bytes(lot[:4], "big") / 2**32
    return gate.sale_start_s + math.ceil(wave_width_s(gate) * share)


def first_look_s(gate: GateConfig, lot: bytes, now_s: float) -> int:
    """Return the earliest epoch second at which this ticket may come; 0 after the wave."""
    over_s = gate.sale_start_s + wave_width_s(gate)
    return earliest_s(gate, lot) if math.floor(now_s) < over_s else 0


def backoff(gate: GateConfig, token_id: str, lot: bytes, u: float, x: float, now_s: float) -> int:
    """Return the epoch second of the next attempt.

    Attempts are rare long before the admission and close just before it. A jitter keeps a crowd
    from coming back at once. Before the sale starts, the next attempt is at the place's moment in
    the wave at the sale start, but at most half a token's life from now: the buyer renews the
    token, and nobody holds one for weeks. While the wave lasts nobody comes before that moment, so
    a latecomer does not overtake.

    In mode a the last attempt is dated at the moment of admission itself, so that nobody finds it
    sooner by asking more often or with more tokens.
    """
    now = math.floor(now_s)
    jitter = _JITTER * _spread(token_id, now)
    first = first_look_s(gate, lot, now)
    if now < gate.sale_start_s:
        return min(first, now + math.ceil(_RENEWED_AFTER * gate.token_ttl_s * (1.0 + jitter)))
    remaining = _remaining_s(gate, u, x, now_s)
    if gate.mode == "a" and remaining <= min(near_s(gate.backoff_min_s), gate.backoff_max_s):
        return max(first, math.ceil(now_s + max(remaining, gate.backoff_min_s)))
    wait = min(max(_BACKOFF_FRACTION * remaining, gate.backoff_min_s), gate.backoff_max_s)
    return max(first, now + math.ceil(wait * (1.0 + jitter)))


def life_max_s(gate: GateConfig) -> int:
    """Return how long a token that is signed now can verify, for any draw and sale start."""
    away_s = max(gate.backoff_max_s, _RENEWED_AFTER * gate.token_ttl_s) * (1.0 + _JITTER)
    return math.ceil(max(away_s, gate.wave_s)) + 1 + gate.token_ttl_s


def near_s(backoff_min_s: int) -> float:
    """Return how near the moment of admission has to be for the next attempt to wait for it.

    If it is further away, the fraction, its jitter and the whole second leave at least
    ``backoff_min_s`` until it.
    """
    return (backoff_min_s + 1) / (1.0 - _BACKOFF_FRACTION * (1.0 + _JITTER))


def estimate(gate: GateConfig, u: float, x: float, now_s: float) -> Estimate | None:
    """Return the wait's bucket; None while operational time stands still.

    It includes the poll that finds the moment of admission: better too long than too short.
    """
    if gate.state == "paused" or slope(gate.epochs, now_s) == 0.0:
        return None
    wait = _promised_s(gate, _remaining_s(gate, u, x, now_s), now_s) + gate.backoff_min_s
    ladder = ESTIMATE_LADDER_S
    passed = sum(1 for step in ladder if step <= wait)
    return Estimate(ladder[passed - 1], ladder[passed] if passed < len(ladder) else None)


def state_shown(gate: GateConfig, now_s: float) -> Literal["prequeue", "waiting", "paused"]:
    """Return the ``state`` of an answer to a waiting buyer."""
    if gate.state == "paused":
        return "paused"
    return "prequeue" if math.floor(now_s) < gate.sale_start_s else "waiting"


def _is_called(gate: GateConfig, token: WaitingToken, now_s: float) -> bool:
    """Return whether the token's first moment has come.

    A token that was not renewed before the sale start names an earlier ``boff``. Without this
    check, a buyer who keeps such a token would overtake the others.
    """
    return now_s >= first_look_s(gate, token.lot, now_s) - EARLY_GRACE_S


def _remaining_s(gate: GateConfig, u: float, x: float, now_s: float) -> float:
    """Return seconds until x*, at the slope of now. In mode t the ticket's x* stays secret."""
    rate = 0.0 if gate.state == "paused" else slope(gate.epochs, now_s)
    if rate == 0.0:
        return math.inf
    moment = admission_at(u, gate.curve) if gate.mode == "a" else 1.0
    return max(0.0, moment - x) / rate


def _promised_s(gate: GateConfig, remaining: float, now_s: float) -> float:
    """Return the wait that most will not exceed; at least what remains at the present slope.

    In mode t a buyer is not told the moment of admission, but the time by which nine in ten are
    admitted. With k > 1 a constant inflow needs a falling slope, because a slope admits ever more
    as H grows, like H^(k−1). So the estimate assumes that this epoch reaches the wanted rate by its
    end, and that it lasts a minute, or as long again as it has lasted.
    """
    line = _line(gate.epochs, now_s)
    if gate.mode == "t":
        remaining += (_power(NINE_IN_TEN, 1.0 / gate.curve) - 1.0) / line.slope
    h = operational_time(gate.epochs, now_s)
    growth = (h + remaining * line.slope) / (h + max(EPOCH_S, now_s - line.start_s) * line.slope)
    return remaining * _power(growth, gate.curve - 1.0) if growth > 1.0 else remaining


def _line(epochs: Sequence[Epoch], t_s: float) -> Epoch:
    started = [epoch for epoch in epochs if epoch.start_s <= t_s]
    return started[-1] if started else epochs[0]


def _spread(token_id: str, now: int) -> float:
    """Return a number in [0, 1) from the token's id and the time.

    Whole-number steps below 2^53, so JavaScript computes exactly the same.
    """
    return ((int(token_id[-8:], 16) + (now % 65536) * 2654435761) % 2**32) / 2**32


def _power(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return math.inf
