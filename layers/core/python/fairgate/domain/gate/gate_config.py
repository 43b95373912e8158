"""Read and write an event's value in the edge's key-value store: the rules of its gate.

Format: docs/gate.md; docs/gate-config.schema.json states the same for other tools.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from fairgate.domain.gate.draft import State, state_at
from fairgate.domain.gate.gate_value import EPOCHS_MAX, STATES, WAVED, pack, unpack, version_of
from fairgate.domain.shared.jws import b64url, from_b64url
from fairgate.errors import LimitExceededError, MalformedInputError

Mode = Literal["a", "t"]

VALUE_BYTES_MAX = 1024  # CloudFront Developer Guide, cloudfront-limits: a value has 1 KB
VERSION = 5
VERSION_BEFORE = VERSION - 1  # read as well: a deployment and a value may come in either order
_VERSIONS_NEWER = range(VERSION + 1, VERSION + 100)
KEYS_MAX = 2
TIME_MAX_S = 100_000_000_000
WAVE_MAX_S = 3600
SAMPLE_VIOLATIONS = 0.05  # the default, also in a value of the former format
_TIME_NOTED_MAX_S = 9_999_999_999
# How far back an epoch is still kept when the caller does not say what time it is: epochs are
# dated one to two minutes ahead, so five minutes before the new one is certainly in the past.
_LEAD_MAX_S = 300
ADMITTING: tuple[State, ...] = ("open", "draining")  # draining: nobody new may join
_KID = re.compile(r"[A-Za-z0-9_-]{1,16}")
_KEY_CHARS = 43


class Epoch(Struct, frozen=True):
    """An epoch: from ``start_s`` on, operational time is ``h`` and grows by ``slope`` (1/τ)
    a second.
    """

    start_s: float
    h: float
    slope: float


class Signed(Struct, frozen=True):
    """When a key began and ended to sign, in epoch seconds; 0: not yet, or not known."""

    began_s: int = 0
    ended_s: int = 0


class GateConfig(Struct, frozen=True):
    """One event's rules and keys, as the edge and the origin both read them."""

    state: State
    mode: Mode
    curve: float
    draw_key: bytes
    token_keys: Mapping[str, bytes]
    token_kid: str
    auth_keys: Mapping[str, bytes]
    edge_key: bytes
    pow_bits: int
    epochs: tuple[Epoch, ...]
    backoff_min_s: int
    backoff_max_s: int
    token_ttl_s: int
    sample_queue: float
    sample_admission: float
    open_until_s: int  # of a draft: when it is published; 0: not yet decided
    sale_start_s: int
    beacon_key: bytes = b""  # of the lottery numbers, once a beacon is mixed in
    token_signed: Mapping[str, Signed] = field(default_factory=dict)  # of keys with known times
    wave_s: int = 0  # for so long from the sale start, first attempts are spread
    sample_violations: float = SAMPLE_VIOLATIONS  # share that is reported to the desk
    version: int = VERSION  # the stored format; a change of the value keeps it

    @property
    def number_key(self) -> bytes:
        """Return the key of the lottery numbers: the draw key, or the beacon's."""
        return self.beacon_key or self.draw_key


def gate_at(gate: GateConfig, now_s: float) -> GateConfig:
    """Return the gate with the state in force at ``now_s``."""
    state = state_at(gate.state, gate.open_until_s, now_s)
    return gate if state == gate.state else replace(gate, state=state)


def gate_key(event: str) -> str:
    return "e:" + event


def page_key(event: str) -> str:
    """Name the mark of an event whose page is a file, for the edges."""
    return "p:" + event


def with_epoch(
    gate: GateConfig, start_s: float, slope: float, *, now_s: float | None = None
) -> GateConfig:
    """Bend the gate's line to ``slope`` at ``start_s``, without a step in H.

    Epochs dated at or after ``start_s`` are given up. The oldest go when there are more than six,
    but never the one in force at ``now_s`` (default: five minutes before the new one starts).

    Raises:
        LimitExceededError: more than six epochs are in force or still to come.
        MalformedInputError: ``start_s`` or ``slope`` is out of range.
    """
    now_s = start_s - _LEAD_MAX_S if now_s is None else now_s
    earlier = [epoch for epoch in gate.epochs if epoch.start_s < start_s]
    line = earlier[-1] if earlier else gate.epochs[0]
    h_start = line.h + max(0.0, start_s - line.start_s) * line.slope
    epochs = [*earlier, Epoch(start_s, h_start, slope)]
    while len(epochs) > EPOCHS_MAX and epochs[1].start_s <= now_s:
        del epochs[0]
    if len(epochs) > EPOCHS_MAX:
        raise LimitExceededError("Too many epochs are still to come.", limit=EPOCHS_MAX)
    changed = replace(gate, epochs=tuple(epochs))
    parse_gate(dump_gate(changed))
    return changed


def with_identity(gate: GateConfig, existing: GateConfig) -> GateConfig:
    """Return the gate with the draw, the keys and the format of an existing one."""
    return replace(
        gate,
        draw_key=existing.draw_key,
        beacon_key=existing.beacon_key,
        edge_key=existing.edge_key,
        token_keys=existing.token_keys,
        token_kid=existing.token_kid,
        token_signed=existing.token_signed,
        version=existing.version,
    )


def gate_document(gate: GateConfig) -> dict[str, Any]:
    """Return the gate in the form of docs/gate-config.schema.json, secret keys included."""
    document: dict[str, Any] = {
        "v": gate.version,
        "s": gate.state,
        "m": gate.mode,
        "k": _short(gate.curve),
        "d": b64url(gate.draw_key),
        "t": {kid: b64url(key) for kid, key in gate.token_keys.items()},
        "tc": gate.token_kid,
        "a": {kid: b64url(key) for kid, key in gate.auth_keys.items()},
        "g": b64url(gate.edge_key),
        "p": gate.pow_bits,
        "ep": [[_short(e.start_s), _short(e.h), _short(e.slope)] for e in gate.epochs],
        "b": [gate.backoff_min_s, gate.backoff_max_s],
        "x": gate.token_ttl_s,
        "sq": _short(gate.sample_queue),
        "sa": _short(gate.sample_admission),
        "ou": gate.open_until_s,
        "ds": gate.sale_start_s,
    }
    signed = {kid: gate.token_signed.get(kid, Signed()) for kid in gate.token_keys}
    document["ts"] = {kid: [times.began_s, times.ended_s] for kid, times in signed.items()}
    if gate.version >= WAVED:
        document |= {"w": gate.wave_s, "sv": _short(gate.sample_violations)}
    return {**document, "u": b64url(gate.beacon_key)} if gate.beacon_key else document


def dump_gate(gate: GateConfig) -> str:
    """Return the value to store.

    Raises:
        MalformedInputError: ``fields['errors']`` lists every field that is wrong, and why.
    """
    document = gate_document(gate)
    gate_of(document)
    text = pack(document)
    if len(text) > VALUE_BYTES_MAX:
        raise _malformed([f"the value has {len(text)} bytes, {VALUE_BYTES_MAX} fit"])
    return text


def parse_gate(text: str) -> GateConfig:
    """Read a value: the inverse of :func:`dump_gate`.

    Raises:
        MalformedInputError: ``fields['errors']`` lists every field that is wrong, and why.
    """
    if len(text) > VALUE_BYTES_MAX:
        raise _malformed([f"the value has {len(text)} characters, {VALUE_BYTES_MAX} fit"])
    try:
        document = unpack(text)
    except ValueError as error:
        raise _malformed(["the value does not have the layout of a gate"]) from error
    return gate_of(document)


def is_spoilt(text: str) -> bool:
    """Say whether a value is unreadable. One of a newer version is not spoilt."""
    try:
        parse_gate(text)
    except MalformedInputError:
        return version_of(text) not in _VERSIONS_NEWER
    return False


def gate_of(document: Mapping[str, Any]) -> GateConfig:
    """Read a document: the inverse of :func:`gate_document`.

    Raises:
        MalformedInputError: ``fields['errors']`` lists every field that is wrong, and why.
    """
    version = document.get("v", VERSION)
    later = {"w", "sv"} if version == VERSION_BEFORE else set()
    errors = [
        f"{name}: missing"
        for name in _CHECKS
        if name not in document and name != "u" and name not in later
    ]
    errors += [
        f"{name}: unknown field" for name in document if name not in _CHECKS or name in later
    ]
    for name, (check, wanted) in _CHECKS.items():
        if name in document and not check(document[name]):
            errors.append(f"{name}: must be {wanted}")
    if not errors:
        errors = _cross_errors(document)
    if errors:
        raise _malformed(errors)
    return GateConfig(
        state=document["s"],
        mode=document["m"],
        curve=float(document["k"]),
        draw_key=from_b64url(document["d"]),
        token_keys={kid: from_b64url(key) for kid, key in document["t"].items()},
        token_kid=document["tc"],
        auth_keys={kid: from_b64url(key) for kid, key in document["a"].items()},
        edge_key=from_b64url(document["g"]),
        pow_bits=int(document["p"]),
        epochs=tuple(Epoch(float(t), float(h), float(r)) for t, h, r in document["ep"]),
        backoff_min_s=int(document["b"][0]),
        backoff_max_s=int(document["b"][1]),
        token_ttl_s=int(document["x"]),
        sample_queue=float(document["sq"]),
        sample_admission=float(document["sa"]),
        open_until_s=int(document["ou"]),
        sale_start_s=int(document["ds"]),
        beacon_key=from_b64url(document["u"]) if "u" in document else b"",
        token_signed={
            kid: Signed(int(began), int(ended))
            for kid, (began, ended) in document["ts"].items()
            if began or ended
        },
        wave_s=int(document.get("w", 0)),
        sample_violations=float(document.get("sv", SAMPLE_VIOLATIONS)),
        version=int(document["v"]),
    )


def _cross_errors(value: Mapping[str, Any]) -> list[str]:
    """List what a schema cannot say: fields that must agree with each other."""
    errors = []
    if value["tc"] not in value["t"]:
        errors.append("tc: names no key of t")
    elif value["ts"].keys() != value["t"].keys():
        errors.append("ts: has the times of other keys than t")
    elif value["ts"][value["tc"]][1]:
        errors.append("ts: the key that signs has ended to sign")
    if value["b"][0] > value["b"][1]:
        errors.append("b: the lower bound is above the upper one")
    starts = [epoch[0] for epoch in value["ep"]]
    if any(a >= b for a, b in pairwise(starts)):
        errors.append("ep: the starts do not ascend")
    levels = [epoch[1] for epoch in value["ep"]]
    if any(a > b for a, b in pairwise(levels)):
        errors.append("ep: H goes backwards")
    return errors


def _number(low: float, high: float) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and low <= value <= high  # first: a whole number may be too large for isfinite
        and math.isfinite(value)
    )


def _whole(low: int, high: int) -> Callable[[Any], bool]:
    within = _number(low, high)
    return lambda value: within(value) and value == int(value)


def _is_key(value: Any) -> bool:
    if not isinstance(value, str) or len(value) != _KEY_CHARS:
        return False
    try:
        from_b64url(value)
    except ValueError:
        return False
    return True


def _is_kid(value: Any) -> bool:
    return isinstance(value, str) and _KID.fullmatch(value) is not None


def _is_keys(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and 1 <= len(value) <= KEYS_MAX
        and all(_is_kid(kid) and _is_key(key) for kid, key in value.items())
    )


def _is_times(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and 1 <= len(value) <= KEYS_MAX
        and all(
            _is_kid(kid)
            and isinstance(times, list)
            and len(times) == 2  # noqa: PLR2004 begun and ended
            and all(map(_whole(0, _TIME_NOTED_MAX_S), times))
            for kid, times in value.items()
        )
    )


def _is_epochs(value: Any) -> bool:
    return (
        isinstance(value, list)
        and 1 <= len(value) <= EPOCHS_MAX
        and all(
            isinstance(e, list)
            and len(e) == 3  # noqa: PLR2004 start, H, slope
            and _number(0, TIME_MAX_S)(e[0])
            and _number(0, 1e12)(e[1])
            and _number(0, 1000)(e[2])
            for e in value
        )
    )


def _is_bounds(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_whole(1, 3600), value))  # noqa: PLR2004 least and most


_Check = tuple[Callable[[Any], bool], str]
_KEYS: _Check = (_is_keys, "one or two 43-character keys by key id")
_KEY: _Check = (_is_key, "32 bytes as 43 characters of base64url")
_SHARE: _Check = (_number(0, 1), "a number from 0 to 1")
_TIME: _Check = (_whole(0, TIME_MAX_S), "whole epoch seconds")
_CHECKS: Mapping[str, _Check] = {
    "v": (_whole(VERSION_BEFORE, VERSION), f"{VERSION_BEFORE} or {VERSION}"),
    "s": (
        lambda value: isinstance(value, str) and value in STATES,
        "one of " + ", ".join(STATES),
    ),
    "m": (lambda value: isinstance(value, str) and value in ("a", "t"), "a or t"),
    "k": (_number(1, 100), "a number from 1 to 100"),
    "d": _KEY,
    "t": _KEYS,
    "tc": (_is_kid, "a key id of t"),
    "a": _KEYS,
    "g": _KEY,
    "p": (_whole(0, 32), "a whole number from 0 to 32"),
    "ep": (_is_epochs, "one to six [start, H, slope]"),
    "b": (_is_bounds, "[least, most] whole seconds from 1 to 3600"),
    "x": (_whole(1, 86_400), "whole seconds from 1 to 86400"),
    "sq": _SHARE,
    "sa": _SHARE,
    "ou": _TIME,
    "ds": _TIME,
    "ts": (_is_times, "[begun, ended] in whole epoch seconds of ten digits by key id"),
    "w": (_whole(0, WAVE_MAX_S), f"whole seconds from 0 to {WAVE_MAX_S}"),
    "sv": _SHARE,
    "u": _KEY,
}


def _short(number: float) -> float:
    """Return whole numbers without their ``.0``, because a value has at most 1 KB."""
    return int(number) if math.isfinite(number) and number == int(number) else number


def _malformed(errors: list[str]) -> MalformedInputError:
    return MalformedInputError(
        "The gate's configuration is wrong: " + "; ".join(errors), errors=errors
    )
