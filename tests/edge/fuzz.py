"""Fuzz the gate in njs and its Python twin: never an exception, never an admission not earned.

``make fuzz-gate INPUTS=1000000 SEED=7``; a finding prints the command that repeats it alone.
Every input is made from the seed and its number (fuzz_cases.py) and judged by fuzz_oracle.py.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairgate.domain.gate.edge_header import sign_edge_header
from tests.edge import gate_tools
from tests.edge.fuzz_cases import make_case
from tests.edge.fuzz_corpus import Case, gates
from tests.edge.fuzz_oracle import objections, origin_says
from tests.support.gate_build import gate_source

SEED = 20_270_115
ADDRESS = "203.0.113.7"  # as tests/edge/fuzz.js has it
CHUNK = 4000  # requests in one njs process: it frees nothing before it ends
UNAVAILABLE = 503
_ENDED = 401  # by the code of the problem: what ended, or by its text: who was never signed in
_STRANGERS = {
    "Unauthenticated: no-auth.": "no-auth",
    "Unauthenticated: bad-auth.": "bad-auth",
}
_VIOLATED = (403, 429)
FINDINGS_SHOWN = 10


@dataclass(frozen=True)
class Finding:
    case: Case
    what: str
    outcome: dict[str, Any]


@dataclass
class Report:
    inputs: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    genuine_admitted: int = 0
    findings: list[Finding] = field(default_factory=list)


def fuzz(seed: int, numbers: Sequence[int]) -> Report:
    """Every case of these numbers, through the gate as deployed."""
    report = Report()
    for start in range(0, len(numbers), CHUNK):
        judge(report, [make_case(seed, number) for number in numbers[start : start + CHUNK]])
    return report


def judge(report: Report, cases: Sequence[Case], gate: str | None = None) -> Report:
    """Adds what one njs process answers, with the gate as deployed or with ``gate``."""
    with tempfile.TemporaryDirectory() as folder:
        outcomes = answers(Path(folder), cases, gate)
    for case, outcome in zip(cases, outcomes, strict=True):
        _judge(report, case, outcome)
    return report


def answers(tmp: Path, cases: Sequence[Case], gate: str | None = None) -> list[dict[str, Any]]:
    """What njs makes of them."""
    gate_tools.write_gates(tmp / "kvs", gates())
    return gate_tools.run_joined(
        tmp, gate or gate_source(), "fuzz.js", [vars(case) for case in cases]
    )


def _judge(report: Report, case: Case, outcome: dict[str, Any]) -> None:
    report.inputs += 1
    report.kinds[case.kind] += 1
    verdict = verdict_of(outcome)
    report.verdicts[verdict] += 1
    found = list(wrongs(case, outcome, verdict))
    report.findings += [Finding(case, what, outcome) for what in found]
    report.genuine_admitted += verdict == "admit" and not found


def verdict_of(outcome: dict[str, Any]) -> str:
    if "thrown" in outcome:
        return "thrown"
    if "status" in outcome:
        status = int(outcome["status"])
        body = json.loads(outcome["body"])
        if status in _VIOLATED and "verdict" in body:
            return str(body["verdict"])
        return (
            _STRANGERS.get(body["detail"], str(body["code"])) if status == _ENDED else str(status)
        )
    word = outcome["word"] or ""
    return word.split(".")[2] if word.startswith("v2.") else "unsigned"


def wrongs(case: Case, outcome: dict[str, Any], verdict: str) -> Iterator[str]:
    """Every promise that this answer breaks."""
    if verdict == "thrown" or (verdict == str(UNAVAILABLE) and not case.broken):
        yield "exception"
    if verdict in ("admit", "sample-admit", "unsigned") and (reasons := objections(case)):
        yield f"admitted, although: {', '.join(reasons)}"
    if case.broken:
        return
    try:
        said, event, sub = origin_says(case)
    except Exception as error:  # noqa: BLE001 any exception at all is the finding
        yield f"python raised {error!r}"
        return
    if said != verdict:
        yield f"python says {said}, the edge {verdict}"
    elif "word" in outcome:
        genuine = sign_edge_header(gates()[event], said, event, sub, case.now_ms / 1000, ADDRESS)
        if outcome["word"] != genuine:
            yield "the edge's word is not its own"
    if case.kind == "genuine" and verdict != "admit":
        yield "a genuine request was refused"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="fuzz-gate", description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", type=int, help="repeat this one input and show it")
    asked = parser.parse_args(arguments)
    if reason := gate_tools.missing_tool():
        print(f"The gate cannot run here: {reason}.", file=sys.stderr)
        return 2
    if asked.only is not None:
        return _show(asked.seed, asked.only)
    total = Report()
    step = 10 * CHUNK
    for start in range(0, asked.inputs, step):
        report = fuzz(asked.seed, range(start, min(start + step, asked.inputs)))
        total.inputs += report.inputs
        total.kinds += report.kinds
        total.verdicts += report.verdicts
        total.genuine_admitted += report.genuine_admitted
        total.findings += report.findings
        print(f"{total.inputs} inputs, {len(total.findings)} findings", flush=True)
    print(summary(total, asked.seed))
    return 1 if total.findings else 0


def summary(report: Report, seed: int) -> str:
    lines = [f"seed {seed}: {report.inputs} inputs of {len(report.kinds)} kinds"]
    lines += [f"  {name:16}{count:>9}" for name, count in report.verdicts.most_common()]
    lines.append(f"{report.genuine_admitted} admissions, each found valid by PyJWT and hashlib")
    for finding in report.findings[:FINDINGS_SHOWN]:
        case = finding.case
        lines.append(f"FOUND {case.kind}: {finding.what}")
        lines.append(f"  python -m tests.edge.fuzz --seed {seed} --only {case.number}")
    return "\n".join(lines)


def _show(seed: int, number: int) -> int:
    case = make_case(seed, number)
    with tempfile.TemporaryDirectory() as folder:
        [outcome] = answers(Path(folder), [case])
    print(json.dumps({"case": vars(case), "outcome": outcome}, indent=2))
    found = list(wrongs(case, outcome, verdict_of(outcome)))
    print("\n".join(found) or "nothing is wrong with this one")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
