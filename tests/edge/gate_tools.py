"""Runs the built gate in njs, at fixed times, over keys in files."""

from __future__ import annotations

import copy
import json
import os
import shutil
import struct
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fairgate.domain.gate.gate_config import Epoch, GateConfig, dump_gate, gate_key
from fairgate.domain.gate.gate_value import FIGURES_AT, OLDER_AT
from fairgate.domain.shared.jws import b64url, from_b64url

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
GATE = ROOT / "edge" / "gate"
EVENT = "summer-night"
SUB = "ada"
NOW_S = 1_800_000_000
ONE_TAU_S = 300


def missing_tool() -> str | None:
    """Why the gate cannot run in njs here, or None."""
    if shutil.which("njs") is None:
        return "njs is not installed"
    if shutil.which("node") is None:
        return "node is not installed"
    if not (ROOT / "node_modules" / "terser").is_dir():
        return "npm packages are not installed (npm ci)"
    return None


def make_gate(**changes: Any) -> GateConfig:
    """A sale that opened an hour ago with τ = 300 s; keys are fixed, so tokens are too."""
    gate = GateConfig(
        state="open",
        mode="a",
        curve=1.0,
        draw_key=bytes(range(32)),
        token_keys={"w1": bytes(range(32, 64))},
        token_kid="w1",
        auth_keys={"a1": bytes(range(64, 96))},
        edge_key=bytes(range(96, 128)),
        pow_bits=4,
        epochs=(Epoch(NOW_S - 3600, 0.0, 1 / ONE_TAU_S),),
        backoff_min_s=5,
        backoff_max_s=60,
        token_ttl_s=600,
        sample_queue=0.0,
        sample_admission=0.0,
        open_until_s=0,
        doors_s=NOW_S - 3600,
    )
    return replace(gate, **changes)


def with_figure(value: str, place: int, figure: float) -> str:
    """The value with another of its binary figures, whatever it means."""
    figures = bytearray(from_b64url(value[FIGURES_AT:OLDER_AT]))
    struct.pack_into("<d", figures, 8 * place, figure)
    return value[:FIGURES_AT] + b64url(bytes(figures)) + value[OLDER_AT:]


def make_event(action: str, headers: Mapping[str, str], **changes: Any) -> dict[str, Any]:
    """A viewer request as CloudFront gives it to a function."""
    request = {
        "method": "POST",
        "uri": f"/api/events/{EVENT}/{action}",
        "querystring": {},
        "headers": {name: {"value": value} for name, value in headers.items()},
        "cookies": {},
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
        "request": request | changes,
    }


def write_gates(folder: Path, gates: Mapping[str, GateConfig | str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for event, gate in gates.items():
        text = gate if isinstance(gate, str) else dump_gate(gate)
        (folder / quote(gate_key(event), safe="")).write_text(text)


@cache
def gate_source(*, readable: bool = False) -> str:
    """The gate as deployed, or joined only."""
    script = "import * as b from './edge/gate/build.mjs';process.stdout.write("
    script += "b.joined())" if readable else "await b.built())"
    command = ["node", "--input-type=module", "-e", script]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


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


def with_header(event: Mapping[str, Any], name: str, value: str) -> dict[str, Any]:
    changed = copy.deepcopy(dict(event))
    changed["request"]["headers"][name] = {"value": value}
    return changed
