"""The deployed gate in njs against every row of what the edge answers, and the shared vectors."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.edge import generate
from tests.edge.gate_tools import (
    EVENT,
    GATE,
    HERE,
    NOW_S,
    ROOT,
    gate_source,
    make_event,
    make_gate,
    missing_tool,
    run_handler,
    run_maths,
)

pytestmark = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
NAMES = sorted(p.stem for p in (GATE / "events").glob("*.json") if ".expected" not in p.name)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Each row in a process of its own: all of them share one event id."""
    found = {}
    for name in NAMES:
        event = json.loads((GATE / "events" / f"{name}.json").read_text())
        gate = expected(name)["gate"]
        tmp = tmp_path_factory.mktemp(name)
        case = {"now_ms": NOW_S * 1000, "event": event}
        found[name] = run_handler(tmp, {} if gate is None else {EVENT: gate}, [case])[0]
    return found


def expected(name: str) -> dict[str, Any]:
    return json.loads((GATE / "events" / f"{name}.expected.json").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_the_gate_answers_as_the_row_says_when_run_in_njs(
    name: str, outcomes: dict[str, dict[str, Any]]
) -> None:
    want, outcome = expected(name)["expect"], outcomes[name]
    if "forward" in want:
        assert outcome["uri"] == want["forward"]
        assert outcome["querystring"] == want["querystring"]
        assert outcome["headers"]["x-fairgate-edge"]["value"] == want["x-fairgate-edge"]
        return
    assert "x-fairgate-edge" not in outcome["headers"]
    assert outcome["statusCode"] == want["status"], outcome
    assert outcome["headers"]["cache-control"]["value"] == "no-store"
    body = json.loads(outcome["body"])
    for header, value in want.get("headers", {}).items():
        assert outcome["headers"][header]["value"] == value
    if "problem" in want:
        assert outcome["headers"]["content-type"]["value"] == "application/problem+json"
        assert {k: body[k] for k in want["problem"]} == want["problem"]
        assert body["type"] == f"urn:fairgate:problem:{body['code']}"
        assert body["request_id"]
    else:
        assert body == want["body"]


def test_every_verdict_has_a_row_when_the_contract_lists_it() -> None:
    from fairgate.domain.edge_header import VERDICTS

    rows = [expected(name)["expect"] for name in NAMES]
    seen = {row["x-fairgate-edge"].split(".")[2] for row in rows if "forward" in row}
    assert seen == set(VERDICTS)


def test_generated_files_are_current_when_generated_again() -> None:
    stale = [str(path) for path, text in generate.files().items() if path.read_text() != text]
    assert stale == []
    assert len(list((GATE / "events").glob("*.json"))) == len(generate.files()) - 1


def test_javascript_reproduces_the_vectors_when_run_in_njs(tmp_path: Path) -> None:
    vectors = json.loads((HERE / "vectors.json").read_text())["draws"]
    results = run_maths(tmp_path, [vector["given"] for vector in vectors])
    for vector, result in zip(vectors, results, strict=True):
        want = dict(vector["want"])
        assert result["u"] == want.pop("u")
        for name in ("H", "x", "p"):  # decimals on their way through a file cost an ulp
            assert result[name] == pytest.approx(want.pop(name), rel=1e-9, abs=1e-9)
        assert {name: result[name] for name in want} == want


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"context": {"requestId": "r"}},
        {"context": {"requestId": "r"}, "viewer": {}, "request": {"headers": None}},
        {**make_event("queue", {"authorization": generate.auth(make_gate())}), "viewer": None},
        make_event("queue", {"authorization": None}),  # type: ignore[dict-item]
        make_event("queue", {"authorization": 7}),  # type: ignore[dict-item]
        make_event("queue", {}, uri=None),
    ],
)
def test_the_gate_never_throws_when_the_event_is_broken(tmp_path: Path, event: Any) -> None:
    [outcome] = run_handler(
        tmp_path, {EVENT: make_gate()}, [{"now_ms": NOW_S * 1000, "event": event}]
    )
    assert "thrown" not in outcome
    assert outcome["statusCode"] in {404, 503}


def test_the_gate_keeps_its_promises_to_the_runtime_when_built() -> None:
    code = gate_source()
    assert len(code.encode()) < 10_240
    assert re.search(r"\basync function handler\(", code)
    assert code.startswith('import cf from"cloudfront";import crypto from"crypto";')
    assert "Date.now=" not in code.replace(" ", "")


@pytest.mark.parametrize(
    "line",
    [
        "for (const a of []) { a; }",
        "const { a } = {};",
        "f(...[]);",
        "function g(a = 1) { return a; }",
        "class A {}",
        "const b = {}?.c;",
        "try { f(); } catch { f(); }",
        "async function g() { f(1 + await g()); }",
        "async function g() { throw new Error(await g()); }",
        "const c = 1n;",
        "const d = new Map();",
        "const e = Math.random();",
        "const h = require('fs');",
        "setTimeout(f, 1);",
        "const i = 'a'.replaceAll('a', 'b');",
    ],
)
def test_the_build_refuses_what_the_runtime_refuses_when_it_appears(line: str) -> None:
    script = (
        "import { refusals } from './edge/gate/build.mjs';"
        f"console.log(refusals('function f() {{}}\\n' + {json.dumps(line)}).length)"
    )
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert int(done.stdout) > 0
