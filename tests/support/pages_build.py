"""The pages as they are served, bundled once for these sources for all tests."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from tests.support.gate_build import KEPT, ROOT, digest_of

WEB = ROOT / "edge" / "web"
CONSOLE = ROOT / "edge" / "console"
PREACT = ROOT / "node_modules" / "preact"
ESBUILD = ROOT / "node_modules" / "esbuild"
FLUENT = ROOT / "node_modules" / "@fluent" / "bundle"


def missing() -> str | None:
    """Why they cannot be built here, or None."""
    if shutil.which("node") is None:
        return "node is not installed"
    if not (ESBUILD.is_dir() and FLUENT.is_dir()):
        return "npm packages are not installed (npm ci)"
    return None


@cache
def pages() -> Path:
    """Return the folder with ``index.html`` and ``assets/``."""
    read = (
        digest_of(WEB, "*", ESBUILD, FLUENT),
        digest_of(CONSOLE, "*", PREACT),
        digest_of(ROOT / "docs", "gala.json"),  # the console's example
    )
    kept = KEPT / f"web-{'-'.join(read)}"
    if not kept.is_dir():
        part = KEPT / f"{kept.name}.{os.getpid()}"
        build(part)
        try:
            part.rename(kept)  # all or nothing: another test may read it at the same moment
        except OSError:
            shutil.rmtree(part)  # which was first
    return kept


def build(target: Path, source: Path = WEB) -> None:
    """Bundle the pages of ``source`` into ``target``."""
    command = ["node", str(WEB / "build.mjs"), str(target), str(source)]
    subprocess.run(command, check=True, capture_output=True)
