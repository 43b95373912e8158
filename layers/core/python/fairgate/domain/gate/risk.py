"""Judge the counts of the risk desk: points, rules, and the texts about them.

A user is counted by id, an address and its network by keyed hashes, so that no table and no log
holds an address. Counts slide over ten minutes. Challenge level 1 asks for a harder challenge,
challenge level 2 locks an account out for a while. Many people share an address or a network, so
every rule needs cases of the account's own, and only these can lock it out.

The edge answers violations itself and forwards a share of them, so a case stands for 1/share of
its kind. A single case may have an innocent cause: a wrong clock, a second tab, a shared computer.
So an account with fewer than three cases in the window is never flagged, and one with fewer than
six is never locked out.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from fairgate.domain.shared.jws import b64url

WINDOW_S = 600
FLAGGED_S = 1_800  # at challenge level 1, also after a lock-out
LOCKED_S = 600
# A person may lock an account out until then, at most.
KEPT_S_MAX = 86_400
BY_HAND = "by hand"  # the rule of such a lock-out
EXTRA_POW_BITS = 4  # sixteen times the work
PARDON_S = 2 * WINDOW_S  # until no earlier case counts any more

Subject = Literal["user", "address", "network"]
Counts = Mapping[str, float]  # verdict → cases in the window
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# The points of a case. Frequent mistakes of honest buyers have none: an expired sign-in, a token
# that expired while a laptop slept, the buyer's own token of another event.
POINTS: Counts = {
    "early": 1,
    "no-solution": 2,
    "bad-solution": 2,
    "bad-token": 4,
    "other-event": 4,
    "other-user": 8,
    "redeemed": 2,
    "inside": 2,
}
# Cases that the origin sees, every one. The first two have no points: they come from a lost answer,
# a second tab or a second device.
REPEATS = frozenset({"redeemed", "inside"})
FREE_REPEATS = 2
_NETWORK_BITS = {4: 24, 6: 48}
_ADDRESS_BITS = {4: 32, 6: 64}  # a household has a /64 of IPv6
_HASH_BYTES = 16


# How often an account's own cases must have been seen. If one in twenty is forwarded, an account
# with five early attempts, the most that its rule allows, is seen three times with 0.1 % chance.
SEEN_TO_FLAG = 3
SEEN_TO_LOCK = 6
OWN_POINTS = 3  # half of what the account's own rule asks for, and no less


class Rule(Struct, frozen=True):
    """A rule: so many points of a subject within the window lead to this challenge level.

    Attributes:
        seen: how often the account itself must have been seen.
        own_points: the least points of the account's own cases, for a subject that others share.
        labelled: how many of its cases must have come from an address that the firewall named.
    """

    name: str
    subject: Subject
    points: float
    level: Literal[1, 2]
    seen: int = SEEN_TO_FLAG
    own_points: float = 0
    labelled: float = 0


# The figures: an honest page causes none of these cases, one with a wrong clock a few.
RULES = (
    Rule("account-persists", "user", 24, 2, seen=SEEN_TO_LOCK),
    Rule("account", "user", 6, 1),
    Rule("address", "address", 60, 1, own_points=OWN_POINTS),
    Rule("network", "network", 600, 1, own_points=OWN_POINTS),
    # Honest buyers use anonymous networks too. Such an address, like a shared one, halves the
    # points that the account's own cases may have; without own cases it counts for nothing.
    Rule("anonymous", "user", OWN_POINTS, 1, labelled=SEEN_TO_FLAG),
)

_NOTICED = {
    "early": "asked before the time that was given",
    "no-solution": "asked without solving the challenge",
    "bad-solution": "sent a wrong solution of the challenge",
    "bad-token": "sent a waiting token that was never issued",
    "other-event": "used the waiting token of another event",
    "other-user": "used somebody else's waiting token",
    "redeemed": "used a waiting token again that had opened its session",
    "inside": "asked to come in while it was inside already",
}
_SHARED = {
    "address": "this internet address",
    "network": "this part of the network",
}
ADVICE = (
    "Keep one window of the waiting room open, do not refresh it, and use no scripts: the page"
    " asks by itself at the right time, and asking more often never helps."
)


class Tally(Struct, frozen=True):
    """The counts of a subject in ten minutes.

    Attributes:
        cases: verdict → cases, each counted as 1/share.
        sampled: how many were forwarded.
        labelled: how many of these came from an address that the firewall calls anonymous.
    """

    cases: Counts = field(default_factory=dict)
    sampled: float = 0
    labelled: float = 0

    @property
    def points(self) -> float:
        return sum(_points(verdict, count) for verdict, count in self.cases.items())

    @property
    def seen(self) -> float:
        """Return how many cases with points were really seen."""
        return self.sampled + sum(_beyond_free(self.cases.get(verdict, 0)) for verdict in REPEATS)

    @property
    def is_estimate(self) -> bool:
        """Say whether cases stand for others that were not forwarded."""
        forwarded = sum(self.cases.get(verdict, 0) for verdict in POINTS if verdict not in REPEATS)
        return forwarded > self.sampled + 0.5  # both are sums of parts


class Assessment(Struct, frozen=True):
    """A decision: the rule that applies, the reason, and the text for the buyer."""

    level: Literal[1, 2]
    rule: str
    points: float
    noticed: str


def subjects(key: bytes, user: str, address: str) -> dict[Subject, str]:
    """List the subjects that a case is counted for; unknown ones are left out.

    Args:
        key: the event's edge key, so that hashes of two events cannot be linked.
        user: "" if the caller is not authenticated.
        address: of the viewer; anything but an IP address counts as unknown.
    """
    names: dict[Subject, str] = {"user": account(user)} if user else {}
    if ip := _parsed(address):
        names["address"] = _hashed(key, "address", ip, _ADDRESS_BITS)
        names["network"] = _hashed(key, "network", ip, _NETWORK_BITS)
    return names


def account(user: str) -> str:
    """Name a user as ``subjects`` does."""
    return f"u#{user}"


def hashed_address(key: bytes, address: str) -> str:
    """Name an address as ``subjects`` does, without its network; "" if it is unknown."""
    ip = _parsed(address)
    return _hashed(key, "address", ip, _ADDRESS_BITS) if ip else ""


def _parsed(address: str) -> _Address | None:
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip


def _hashed(key: bytes, subject: Subject, ip: _Address, bits: Mapping[int, int]) -> str:
    """Hash the network of so many bits. ``ip_network`` writes the same, in 5 to 15 µs more."""
    dropped = ip.max_prefixlen - bits[ip.version]
    first = type(ip)(int(ip) >> dropped << dropped)
    text = f"desk|{subject}|{first}/{bits[ip.version]}"
    digest = hmac.digest(key, text.encode(), hashlib.sha256)[:_HASH_BYTES]
    return f"{subject[0]}#{b64url(digest)}"


def windows(now_s: int) -> tuple[int, int]:
    """Return the starts of the running window and of the one before it."""
    start_s = now_s - now_s % WINDOW_S
    return start_s, start_s - WINDOW_S


def sliding(running: Tally, before: Tally, now_s: int) -> Tally:
    """Count the cases of the last ten minutes; the former window counts as evenly spread."""
    share = 1 - now_s % WINDOW_S / WINDOW_S
    names = {*running.cases, *before.cases}
    return Tally(
        {name: running.cases.get(name, 0) + share * before.cases.get(name, 0) for name in names},
        running.sampled + share * before.sampled,
        running.labelled + share * before.labelled,
    )


def assess(tallies: Mapping[Subject, Tally]) -> Assessment | None:
    """Return the strictest rule that applies to the account, or None."""
    own = tallies.get("user", Tally())
    for rule in RULES:
        points = tallies.get(rule.subject, Tally()).points
        own_part = own.seen >= rule.seen and own.points >= rule.own_points
        if points >= rule.points and own_part and own.labelled >= rule.labelled:
            return Assessment(rule.level, rule.name, round(points, 1), _sentence(rule, own))
    return None


def _points(verdict: str, count: float) -> float:
    counted = _beyond_free(count) if verdict in REPEATS else count
    return POINTS.get(verdict, 0) * counted


def _beyond_free(repeats: float) -> float:
    return max(0.0, repeats - FREE_REPEATS)


def _sentence(rule: Rule, own: Tally) -> str:
    """Return what the account did: the kind with most points, and where others did the same."""
    verdict = max(own.cases, key=lambda name: _points(name, own.cases[name]))
    times = max(1, round(own.cases[verdict]))
    often = "once" if times == 1 else f"{times:,} times"
    if own.is_estimate and verdict not in REPEATS:
        often = f"about {often}"
    text = f"In the last ten minutes this account {_NOTICED[verdict]} {often}"
    if rule.labelled:
        return f"{text}, from an address of an anonymous network."
    if rule.subject == "user":
        return f"{text}."
    return f"{text}, and many requests of this kind came from {_SHARED[rule.subject]}."
