"""Hostile requests that bring a slip: honest ones, and every way to bring one that is not.

The place behind them waits (its turn has not come), so that a slip that counts says "not yet", and
the solution is often left out, so that one that does not count is told from one that does.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from msgspec import structs

from fairgate.domain.gate import admission
from fairgate.domain.gate.slip import write_slip
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import encode_waiting_token
from fairgate.domain.shared.auth_token import issue_auth_token
from tests.edge.fuzz_corpus import BASE64, Base, Case, bases, damaged, gates, made, sent
from tests.edge.gate_tools import NOW_S

Chance = random.Random
SEAL_CHARS = 24
AUTH_EXP_S = NOW_S - 60 + 7200  # of the sign-in of every base
WIDE = ("é", "ſ", "\u20ac", "\U0001f3ab")  # of two to four bytes, for a seal of 24 characters


@dataclass(frozen=True)
class Slipped:
    """Somebody whose turn is far away, and the slip that the gate gave them."""

    base: Base
    slip: str


def waits(base: Base, *, boff: int = NOW_S - 10, **changes: Any) -> Slipped:
    """The same buyer as if they had just joined, with a slip for ``boff``."""
    gate = gates()[base.event]
    h = admission.on_grid(admission.operational_time(gate.epochs, NOW_S + 10**6))
    set_to = {"h": h, "boff": boff, "exp": boff + gate.token_ttl_s} | changes
    place = structs.replace(base.place, **set_to)
    return with_slip(replace(base, place=place, token=encode_waiting_token(place, gate)))


def with_slip(base: Base, place: WaitingToken | None = None, exp_s: int = AUTH_EXP_S) -> Slipped:
    gate = gates()[base.event]
    return Slipped(base, write_slip(gate, place or base.place, base.token, base.auth, exp_s))


def attempt(chance: Chance, slipped: Slipped, **changes: Any) -> Case:
    """With the solution, or without it."""
    unsolved = {} if chance.random() < 0.3 else {"nonce": ""}
    headers = sent(slipped.base, slip=slipped.slip, **unsolved) | sent_only(slipped.base, changes)
    return made(slipped.base, headers)


def sent_only(base: Base, changes: dict[str, Any]) -> dict[str, Any]:
    """The headers that ``changes`` name."""
    before, after = sent(base), sent(base, **changes)
    return {name: after[name] for name in after if after[name] != before.get(name)}


def slip_honest(chance: Chance, base: Base) -> Case:
    """Of one who waits, or of one whose turn has come: that is decided without it."""
    slipped = chance.choice([waits(base), with_slip(base)])
    return replace(attempt(chance, slipped), now_ms=NOW_S * 1000 + chance.choice([0, 1, 999]))


def slip_stale(chance: Chance, base: Base) -> Case:
    """Too early, used up, from before the place's last re-signing, or of a sign-in that ended."""
    what = chance.randrange(4)
    if what == 0:
        slipped = waits(base, boff=NOW_S + chance.choice([1, 2, 3, 4, 60, 10**6]))
        held = structs.replace(slipped.base.place, boff=NOW_S - 10)
        token = encode_waiting_token(held, gates()[base.event])
        return attempt(chance, with_slip(replace(slipped.base, token=token), slipped.base.place))
    if what == 1:
        later_s = chance.choice([239, 240, 241, 289, 290, 291, 299, 300, 589, 590, 591, 7140])
        return replace(attempt(chance, waits(base)), now_ms=(NOW_S + later_s) * 1000)
    if what == 2:
        return attempt(chance, Slipped(waits(base).base, waits(base, boff=NOW_S - 60).slip))
    exp_s = NOW_S + chance.choice([-60, -1, 0, 1, 5, 60])
    auth = issue_auth_token(
        base.user, [], gates()[base.event].auth_keys["a1"], "a1", NOW_S - 90, exp_s - NOW_S + 90
    )
    return attempt(chance, with_slip(replace(waits(base).base, auth=auth), None, exp_s))


def slip_of_another(chance: Chance, base: Base) -> Case:
    """Genuine, but of another account, event, place or sign-in; or sealed with another key."""
    own, other = waits(base), waits(chance.choice(bases()))
    gate = gates()[base.event]
    what = chance.randrange(4)
    if what == 0:
        return attempt(chance, Slipped(own.base, other.slip))
    if what == 1:
        twin = waits(base, id="0" * 8 + base.place.id[8:], h=0.0)
        return attempt(chance, Slipped(chance.choice([own.base, base]), twin.slip))
    if what == 2:
        auth = issue_auth_token(base.user, [], gate.auth_keys["a2"], "a2", NOW_S - 60, 7200)
        return attempt(chance, Slipped(replace(own.base, auth=auth), own.slip))
    keys = [
        gate.edge_key, gate.draw_key, *gate.auth_keys.values(), *gate.token_keys.values(),
        *gates()[other.base.event].token_keys.values(), bytes(32),
    ]  # fmt: skip
    sealed = structs.replace(
        gate, token_keys={**gate.token_keys, gate.token_kid: chance.choice(keys)}
    )
    slip = write_slip(sealed, own.base.place, own.base.token, own.base.auth, AUTH_EXP_S)
    return attempt(chance, Slipped(own.base, slip))


def slip_altered(chance: Chance, base: Base) -> Case:
    """One character another, one more or less, or damaged as any text."""
    own = waits(base)
    at = chance.randrange(len(own.slip))
    texts = [
        own.slip[:at] + chance.choice("0123456789") + own.slip[at + 1 :],
        own.slip[:at] + chance.choice(BASE64) + own.slip[at + 1 :],
        own.slip[:at] + own.slip[at + 1 :],
        own.slip[:at] + chance.choice(BASE64) + own.slip[at:],
        own.slip[:at],
        own.slip[at:],
        own.slip + own.base.token[-SEAL_CHARS:],
        own.slip + "A" * chance.choice([1, 24, 5000]),
        damaged(chance, own.slip),
    ]
    return attempt(chance, Slipped(own.base, chance.choice(texts)))


def slip_of_wide_characters(chance: Chance, base: Base) -> Case:
    """A seal of as many characters as a genuine one, and of more bytes."""
    own = waits(base, boff=NOW_S + chance.choice([-10, 60]))
    early = f"{NOW_S - 10}{NOW_S + 300}"
    says = chance.choice([own.slip[:-SEAL_CHARS], early + own.slip[20:-SEAL_CHARS], "é" * 76])
    seals = [
        chance.choice(WIDE) * SEAL_CHARS,
        "".join(chance.choice(WIDE) for _ in range(SEAL_CHARS)),
        "é" * 12 + own.slip[-12:],
        own.slip[-23:] + "é",
    ]
    return attempt(chance, Slipped(own.base, says + chance.choice(seals)))


def slip_with_another_token(chance: Chance, base: Base) -> Case:
    """Beside what it belongs to only in part: the signature's end stays, or a part of the rest."""
    own = waits(base)
    token, auth, other = own.base.token, own.base.auth, chance.choice(bases())
    at = chance.randrange(len(token) - 43)
    changes = chance.choice(
        [
            {"token": token[:at] + chance.choice(BASE64) + token[at + 1 :]},
            {"token": other.token[:-SEAL_CHARS] + token[-SEAL_CHARS:]},
            {"token": token[-SEAL_CHARS:]},
            {"token": "eyJ" + "A" * 400 + token[-SEAL_CHARS:]},
            {"token": damaged(chance, token)},
            {"auth": f"Bearer {other.auth[:-SEAL_CHARS]}{auth[-SEAL_CHARS:]}"},
            {"auth": f"bearer {auth[:60]}{auth[-SEAL_CHARS:]}"},
            {"auth": f"Bearer {auth[-SEAL_CHARS:]}"},
            {"auth": f"Bearer {damaged(chance, auth)}"},
            {"token": auth, "auth": f"Bearer {token}"},
        ]
    )
    return attempt(chance, own, **changes)


def slip_doubled(chance: Chance, base: Base) -> Case:
    """Sent twice: one entry whose value is the first, with all of them beside it."""
    own, other = waits(base), waits(chance.choice(bases()))
    values = [own.slip, chance.choice([other.slip, "", "x", own.slip])]
    chance.shuffle(values)
    entry = {"value": values[0], "multiValue": [{"value": value} for value in values]}
    joined = chance.choice([",", ", "]).join(values)
    case = attempt(chance, own)
    return replace(case, headers=case.headers | {"x-fairgate-slip": chance.choice([entry, joined])})


SLIPS: dict[str, Callable[[Chance, Base], Case]] = {
    kind.__name__.replace("_", "-"): kind
    for kind in (
        slip_honest, slip_stale, slip_of_another, slip_altered, slip_of_wide_characters,
        slip_with_another_token, slip_doubled,
    )
}  # fmt: skip
