"""What the gate answers, kind by kind, beside one HMAC and AWS's own sample in the same njs run.

The sample is ``kvs-jwt-verify``, written again in ``edge/local/bench/sample.js``: what a function
costs that verifies a sign-in and does nothing else. Its token is as the sample's own
script makes one.
"""

from __future__ import annotations

import copy
import statistics
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from fairgate.domain.gate.gate_config import dump_gate, parse_gate
from fairgate.domain.shared.jws import b64url, mac
from fairgate_lab.bench.gate.cases import AUTH_KID, LIFE_S, Cases, make_cases
from fairgate_lab.bench.gate.njs import BATCH, SCRIPTS, Run, run_engine
from fairgate_lab.bench.kit.benchmark import Part
from fairgate_lab.bench.kit.measure import BenchError, Range, ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

FIRST, REPEATED, ADMITTED, JOINING = "first attempt", "repeated attempt", "admitted", "joining"
ANONYMOUS, MALFORMED, FORGED = "anonymous", "malformed", "forged place"
SAMPLE, SAMPLE_ANONYMOUS = "the sample", "the sample, anonymous"
HMAC_CHARS = 300
_HMAC = "hmac"
_WORDS = {ANONYMOUS: "no-auth", MALFORMED: "bad-auth", FORGED: "bad-token", ADMITTED: "admit"}
# What is answered here; anything else is sent on with the gate's word of what it is.
_STATUSES = {
    FIRST: 202,
    REPEATED: 202,
    JOINING: 200,
    ANONYMOUS: 401,
    MALFORMED: 401,
    FORGED: 403,
    SAMPLE_ANONYMOUS: 401,
}


# What a kind may cost at most: so many of the unit.
GOALS = {
    FIRST: (1.6, SAMPLE),
    REPEATED: (1.0, SAMPLE),
    ADMITTED: (1.6, SAMPLE),
    JOINING: (13.0, _HMAC),
    ANONYMOUS: (2.5, _HMAC),
    MALFORMED: (2.5, _HMAC),
}


@dataclass(frozen=True)
class KindFigures:
    """One kind of request. Times are the processes' medians, by round."""

    kind: str
    us: float
    hmacs: Range
    samples: Range
    reads: int

    def row(self) -> Sequence[object]:
        """Show it, with its goal and whether that is met."""
        most, unit = GOALS.get(self.kind, (0.0, ""))
        goal = {SAMPLE: f"{most:.1f} samples", _HMAC: f"{most:.1f} HMACs"}.get(unit, "")
        measured = self.samples if unit == SAMPLE else self.hmacs
        met = ("yes" if measured.median <= most else "no") if goal else ""
        ranges = (self.hmacs.shown(), self.samples.shown(2))
        return (self.kind, f"{self.us:.1f}", *ranges, self.reads, goal, met)


def measure(gate: str, *, processes: int, rounds: int) -> tuple[Part, list[KindFigures]]:
    """Ask each kind by turns, in so many fresh engines.

    Returns: their table, and its figures.

    Raises:
        BenchError: njs refused the gate, or an answer is not what its kind gets.
    """
    with tempfile.TemporaryDirectory(prefix="fairgate-bench-") as name:
        folder = Path(name)
        script = "".join(
            (
                "import fs from 'fs';\nimport sample from 'sample';\n",
                gate,
                (SCRIPTS / "beside.js").read_text("utf-8"),
            )
        )
        given = _given(make_cases(int(time.time())), rounds)
        runs = [run_engine(folder, script, given) for _ in range(max(1, processes))]
    _check(runs[0][0]["answers"])
    figures = [_figures(kind, runs) for kind in given["kinds"]]
    hmac_us = statistics.median(statistics.median(each[_HMAC, "call"]) for _, each in runs)
    title = (
        f"Beside one HMAC over {HMAC_CHARS} bytes ({hmac_us:.1f} µs) and AWS's sample "
        "kvs-jwt-verify, by turns in the same processes."
    )
    head = ("request", "µs", "HMACs (range)", "samples (range)", "reads", "goal", "met")
    return Part(title, head, [figure.row() for figure in figures]), figures


def _given(cases: Cases, rounds: int) -> dict[str, Any]:
    gate = parse_gate(cases.value)
    first = cases.events["not yet"]
    secret = b64url(gate.auth_keys[AUTH_KID])
    hasty = replace(gate, backoff_min_s=1, backoff_max_s=1)
    kinds: dict[str, dict[str, Any]] = {
        FIRST: first,
        REPEATED: first,  # the script puts in the token that it gets
        ADMITTED: cases.events["admitted"],
        JOINING: _changed(first, _joins),
        ANONYMOUS: _changed(first, _unsigned),
        MALFORMED: _changed(first, _malformed),
        FORGED: _changed(first, _forged),
        SAMPLE: _changed(first, partial(_signed_link, gate.auth_keys[AUTH_KID])),
        SAMPLE_ANONYMOUS: first,
    }
    return {
        "value": cases.value,
        "hasty": dump_gate(hasty),
        "secret": secret,
        "hmac": {"key": secret, "text": "x" * HMAC_CHARS},
        "repeated": REPEATED,
        "kinds": {
            kind: {
                "event": copy.deepcopy(event),
                "by": "sample" if kind in (SAMPLE, SAMPLE_ANONYMOUS) else "gate",
            }
            for kind, event in kinds.items()
        },
        "rounds": rounds,
        "batch": BATCH,
    }


def _changed(event: Mapping[str, Any], change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    changed: dict[str, Any] = copy.deepcopy(dict(event))
    change(changed["request"])
    return changed


def _joins(request: dict[str, Any]) -> None:
    request["uri"] = request["uri"].replace("/admission", "/queue")
    for name in ("x-fairgate-token", "x-fairgate-solution"):
        del request["headers"][name]


def _unsigned(request: dict[str, Any]) -> None:
    del request["headers"]["authorization"]


def _malformed(request: dict[str, Any]) -> None:
    request["headers"]["authorization"]["value"] = "Bearer malformed"
    request["headers"]["x-fairgate-token"]["value"] = "malformed"


def _forged(request: dict[str, Any]) -> None:
    entry = request["headers"]["x-fairgate-token"]
    entry["value"] = entry["value"][:-43] + "A" * 43


def _signed_link(key: bytes, request: dict[str, Any]) -> None:
    exp = int(time.time()) + LIFE_S
    header = '{\n  "alg": "HS256",\n  "typ": "JWT"\n}'
    claims = (
        '{\n  "sub": "1234567890",\n  "name": "John Doe",\n  "iat": 1516239022, \n'
        f'  "nbf" : 161623932,\n  "exp" :{exp} \n}}'
    )
    covered = ".".join(b64url(part.encode()) for part in (header, claims))
    request["querystring"] = {"jwt": {"value": f"{covered}.{b64url(mac(key, covered))}"}}


def _check(answers: Mapping[str, Any]) -> None:
    """Refuse to measure what did not happen."""
    for kind, answer in answers.items():
        if not _expected(kind, answer):
            raise BenchError(f"'{kind}' was not answered as it must be: {answer}")


def _expected(kind: str, answer: Mapping[str, Any]) -> bool:
    status = answer.get("statusCode")
    if kind == SAMPLE:  # the request itself, without its token
        return status is None and "jwt" not in answer["querystring"]
    if status is not None:
        return bool(status == _STATUSES.get(kind))
    word = answer["headers"].get("x-fairgate-edge", {}).get("value", "")
    return kind in _WORDS and f".{_WORDS[kind]}." in word


def _figures(kind: str, runs: list[Run]) -> KindFigures:
    sections = [sections for _, sections in runs]

    def beside(base: str) -> Range:
        # Each section beside that of the same round: a machine's speed changes in between.
        return Range.of(ratio(each[kind, "call"], each[base, "call"]).median for each in sections)

    return KindFigures(
        kind=kind,
        us=statistics.median(statistics.median(each[kind, "call"]) for each in sections),
        hmacs=beside(_HMAC),
        samples=beside(SAMPLE),
        reads=runs[0][0]["reads"][kind],
    )
