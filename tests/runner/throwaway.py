"""A suite that is written for one test, run by a pytest of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from fairgate_ops.shared.paths import ROOT

END_S = 300  # takes one to five; a machine with too much to do must not fail it


class Suite:
    """Modules in a folder of their own."""

    def __init__(self, folder: Path, **modules: str) -> None:
        self.folder = folder
        (folder / "pytest.ini").write_text("[pytest]\naddopts = -p xdist\n")
        for name, text in modules.items():
            (folder / f"{name}.py").write_text(text)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run Python with these words in the folder."""
        paths = [str(ROOT / part) for part in ("", "ops", "layers/core/python", "lab")]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # a quick start
        # Else pytest removes what other runs left, which takes minutes.
        own = ("--basetemp", str(self.folder / "base"))
        return subprocess.run(
            [sys.executable, *words, *own],
            cwd=self.folder,
            env=env,
            capture_output=True,
            text=True,
            timeout=END_S,
            check=False,
        )
