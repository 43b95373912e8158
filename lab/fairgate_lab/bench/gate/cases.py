"""What the gate's benchmarks ask it: a full gate, and buyers who are and who are not admitted."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from fairgate.domain.gate import admission, proof_of_work
from fairgate.domain.gate.gate_config import Epoch, GateConfig, dump_gate
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token, postponed
from fairgate.domain.shared.auth_token import issue_auth_token

EVENT = "summer-night"
AUTH_KID = "a2"  # of the key that signs callers in
LATE_DRAW = 0.9  # a lottery number above it waits for more than two τ
_TAU_S = 300
_PLAN_S = 60  # the controller's, which plans one to two of them ahead
LIFE_S = 3600  # nothing expires while it is measured


@dataclass(frozen=True)
class Cases:
    """``value`` as the KeyValueStore holds it, and requests in CloudFront's event structure."""

    value: str
    events: dict[str, dict[str, Any]]


def make_cases(now_s: int) -> Cases:
    """Make a gate in the middle of a sale, as large as it usually gets, and two buyers at it.

    ``not yet`` gets the same place back with a later time; ``admitted`` is sent on to the origin.
    """
    gate = _gate(now_s)
    sub = _late_buyer(gate)
    place = issue_waiting_token(
        gate, EVENT, sub, request_id="bench", ip="203.0.113.7", now_ms=(now_s - 120) * 1000
    )
    place = replace(postponed(place, gate, now_s - 5), pow_bits=4, exp=now_s + LIFE_S)
    return Cases(
        value=dump_gate(gate),
        events={
            "not yet": _attempt(gate, place, now_s),
            "admitted": _attempt(gate, replace(place, h=0.0), now_s),
        },
    )


def _gate(now_s: int) -> GateConfig:
    slope = 1 / _TAU_S
    starts = [now_s - 3600, *(now_s + _PLAN_S * n - 30 for n in (-2, -1, 0, 1, 2))]
    key = [hashlib.sha256(bytes([n])).digest() for n in range(6)]
    return GateConfig(
        state="open",
        mode="a",
        curve=1.0,
        draw_key=key[0],
        token_keys={"w1": key[1], "w2": key[2]},
        token_kid="w2",  # noqa: S106 a key's name
        auth_keys={"a1": key[3], "a2": key[4]},
        edge_key=key[5],
        pow_bits=16,
        epochs=tuple(Epoch(s, round(20 + (s - starts[0]) * slope, 9), slope) for s in starts),
        backoff_min_s=5,
        backoff_max_s=60,
        token_ttl_s=LIFE_S,
        sample_queue=0.01,
        sample_admission=0.0,
        open_until_s=0,
        sale_start_s=now_s - 3600,
    )


def _late_buyer(gate: GateConfig) -> str:
    """Find a user whose lottery number keeps them waiting for as long as a benchmark runs."""
    for n in range(10_000):
        sub = f"u_{hashlib.sha256(str(n).encode()).hexdigest()[:24]}"
        lot = admission.lottery_ticket(gate, EVENT, sub, "")
        if admission.lottery_number(gate.number_key, lot) > LATE_DRAW:
            return sub
    raise AssertionError("no lottery number above the bound in 10,000")


def _attempt(gate: GateConfig, place: WaitingToken, now_s: int) -> dict[str, Any]:
    auth = issue_auth_token(place.sub, [], gate.auth_keys[AUTH_KID], AUTH_KID, now_s, LIFE_S)
    headers = {
        "host": "d111111abcdef8.cloudfront.net",
        "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        "authorization": f"Bearer {auth}",
        "x-fairgate-token": encode_waiting_token(place, gate),
        "x-fairgate-solution": proof_of_work.solve(place.ch, place.pow_bits),
    }
    return {
        "version": "1.0",
        "context": {
            "distributionDomainName": "d111111abcdef8.cloudfront.net",
            "distributionId": "EDFDVBD6EXAMPLE",
            "eventType": "viewer-request",
            "requestId": "EXAMPLEntjQpEXAMPLE_SG5Z-EXAMPLEPmPfEXAMPLEu3EqEXAMPLE==",
        },
        "viewer": {"ip": "203.0.113.7"},
        "request": {
            "method": "POST",
            "uri": f"/api/events/{EVENT}/admission",
            "querystring": {},
            "headers": {name: {"value": value} for name, value in headers.items()},
            "cookies": {},
        },
    }
