"""The gate as it is deployed, built once for these sources for all tests."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GATE = ROOT / "edge" / "gate"
TERSER = ROOT / "node_modules" / "terser"
KEPT = ROOT / "build" / "tests"


def missing() -> str | None:
    """Why it cannot be built here, or None."""
    if shutil.which("node") is None:
        return "node is not installed"
    if not TERSER.is_dir():
        return "npm packages are not installed (npm ci)"
    return None


@cache
def gate_source(*, readable: bool = False) -> str:
    """Return the gate as deployed, or joined only."""
    kept = KEPT / f"{'joined' if readable else 'gate'}-{digest_of(GATE, '*.*js', TERSER)}.js"
    if not kept.is_file():
        _write(kept, _said("b.joined()" if readable else "await b.built()"))
    return kept.read_text("utf-8")


def _said(what: str) -> str:
    script = f"import * as b from './edge/gate/build.mjs';process.stdout.write({what})"
    command = ["node", "--input-type=module", "-e", script]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def digest_of(folder: Path, pattern: str, *packages: Path) -> str:
    """Stands for all that a build reads: its sources, itself and the packages as installed."""
    read = hashlib.sha256()
    for path in [
        *sorted(p for p in folder.rglob(pattern) if p.is_file()),
        *(package / "package.json" for package in packages),
    ]:
        text = path.read_bytes()
        read.update(f"{path.relative_to(ROOT)} {len(text)}\n".encode() + text)
    return read.hexdigest()[:16]


def _write(path: Path, text: str) -> None:
    """Write all or nothing: another test may read the file at the same moment."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_text(text, "utf-8")
    part.replace(path)
