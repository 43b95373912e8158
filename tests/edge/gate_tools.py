"""Runs the built gate in njs, at fixed times, over keys in files."""

from __future__ import annotations

import copy
import json
import os
import shutil
import struct
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec.structs import replace

from fairgate.domain.gate import proof_of_work
from fairgate.domain.gate.gate_config import GateConfig, dump_gate, gate_key
from fairgate.domain.gate.waiting_token import read_waiting_token
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate_ops.operate.gate_check import rows
from tests.support import gate_build
from tests.support.gate_build import gate_source

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
BASE = rows.read_base()  # what the rows differ from; other tests make cases of their own from it
EVENT = rows.EVENT_ID
SUB = BASE.caller["sub"]
NOW_S = BASE.now_s
ONE_TAU_S = 300


def missing_tool() -> str | None:
    """Why the gate cannot run in njs here, or None."""
    if shutil.which("njs") is None:
        return "njs is not installed"
    return gate_build.missing()


def make_gate(**changes: Any) -> GateConfig:
    """A sale that opened an hour ago with τ = 300 s; keys are fixed, so tokens are too."""
    return replace(BASE.gate, **changes)


def make_event(action: str, headers: Mapping[str, str], **changes: Any) -> dict[str, Any]:
    """A viewer request as CloudFront gives it to a function."""
    return rows.make_event(BASE, action, headers, **changes)


def write_gates(folder: Path, gates: Mapping[str, GateConfig | str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for event, gate in gates.items():
        text = gate if isinstance(gate, str) else dump_gate(gate)
        (folder / quote(gate_key(event), safe="")).write_text(text)


def run_handler(
    tmp: Path, gates: Mapping[str, GateConfig | str], cases: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """What the deployed gate answers to each ``{now_ms, event}``, in one njs process."""
    write_gates(tmp / "kvs", gates)
    return run_joined(tmp, gate_source(), "harness.js", cases)


def run_maths(tmp: Path, cases: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The draw's figures; doubles come as they are, not by way of decimals."""
    results = run_joined(tmp, gate_source(readable=True), "maths.js", cases)
    for result in results:
        for name in ("u", "H", "x", "p"):
            result[name] = struct.unpack(">d", bytes.fromhex(result[name]))[0]
    return results


def run_joined(
    tmp: Path, gate: str, entry: str, cases: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The results of the cases by ``entry`` behind ``gate``, in one njs process."""
    modules = tmp / "modules"
    modules.mkdir(parents=True, exist_ok=True)
    (tmp / "kvs").mkdir(exist_ok=True)
    shutil.copy(ROOT / "edge" / "local" / "cloudfront.js", modules / "cloudfront")
    script = tmp / entry
    script.write_text("import fs from 'fs';\n" + gate + (HERE / entry).read_text())
    given = tmp / "cases.json"
    given.write_text(json.dumps(cases))
    results_file = tmp / "results.json"
    results_file.unlink(missing_ok=True)
    command = ["njs", "-q", "-p", f"{modules}/", str(script), str(given), str(results_file)]
    env = {**os.environ, "FAIRGATE_KVS_DIR": str(tmp / "kvs")}
    done = subprocess.run(
        command, env=env, check=False, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr + done.stdout[-2000:]
    assert results_file.exists(), done.stdout[-2000:]
    results: list[dict[str, Any]] = json.loads(results_file.read_text())
    assert len(results) == len(cases)
    return results


def asks(
    action: str, gate: GateConfig, now_s: float, token: str = "", *, sub: str = SUB
) -> dict[str, Any]:
    """Return the case of a buyer who joins, or who attempts with a token and its solution."""
    auth = issue_auth_token(sub, [], gate.auth_keys["a1"], "a1", now_s, 600)
    headers = {"authorization": f"Bearer {auth}"}
    if token:
        place = read_waiting_token(token, gate)
        headers["x-fairgate-token"] = token
        headers["x-fairgate-solution"] = proof_of_work.solve(place.ch, place.pow_bits)
    return {"now_ms": round(now_s * 1000), "event": make_event(action, headers)}


def told(outcome: Mapping[str, Any]) -> dict[str, Any]:
    """Return the edge's status and body; status 0 and the verdict if it sent the request on."""
    if "body" in outcome:
        return {"status": outcome["statusCode"], **json.loads(outcome["body"])}
    return {"status": 0, "verdict": outcome["headers"]["x-fairgate-edge"]["value"].split(".")[2]}


def with_header(event: Mapping[str, Any], name: str, value: str) -> dict[str, Any]:
    changed = copy.deepcopy(dict(event))
    changed["request"]["headers"][name] = {"value": value}
    return changed
