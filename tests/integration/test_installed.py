"""`pip install .`: the wheel in an environment of its own gives a command that works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from fairgate_ops.shared.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
UV = str(Path(sys.executable).with_name("uv"))
PACKED = ("layers/core/python", "ops", "infra")
BEHIND_INDEX_S = 300
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info")


def run(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run it away from the checkout, which must not answer for the installed package."""
    env = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        list(map(str, words)),
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=BEHIND_INDEX_S,
    )


def uv(*words: str | Path) -> None:
    """Skip the test where no index answers; whatever else goes wrong fails it."""
    done = run(UV, *words, cwd=ROOT)
    if "error sending request" in done.stderr:
        pytest.skip(f"no package index answers: {done.stderr.splitlines()[0]}")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def fairgate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of a fresh environment that holds the wheel and what it declares, only."""
    folder = tmp_path_factory.mktemp("installed")
    for name in PACKED:
        shutil.copytree(ROOT / name, folder / "project" / name, ignore=LEFT_OUT)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / "project" / name)
    python = folder / "venv/bin/python"
    uv("venv", "--quiet", "--python", sys.executable, folder / "venv")
    uv("build", "--quiet", "--wheel", "--out-dir", folder, folder / "project")
    uv("pip", "install", "--quiet", "--python", python, next(folder.glob("*.whl")))
    return python.with_name("fairgate")


def test_an_installed_command_says_its_version(fairgate: Path, tmp_path: Path) -> None:
    done = run(fairgate, "--version", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"fairgate {PROJECT['project']['version']}\n")


@pytest.mark.parametrize("command", ["event list", "check final"])
def test_an_installed_command_says_that_no_system_runs(
    fairgate: Path, tmp_path: Path, command: str
) -> None:
    done = run(fairgate, *command.split(), cwd=tmp_path)
    assert done.returncode == 1
    assert "No local system is running here" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_installed_package_has_every_module_that_a_command_imports(
    fairgate: Path, tmp_path: Path
) -> None:
    """Every module of `operate` is imported; `gate_check` needs a checkout, which has the edge."""
    code = (
        "import importlib.util, pkgutil, fairgate_ops.operate as top\n"
        "for m in pkgutil.walk_packages(top.__path__, top.__name__ + '.'):\n"
        "    m.name.endswith('__main__') or importlib.import_module(m.name)\n"
        "from fairgate_ops.operate.capacity.inputs import read_inputs\n"
        "from fairgate_ops.operate.capacity.plan import needs\n"
        "needs(read_inputs().for_crowd(1000))\n"
        "assert importlib.util.find_spec('fairgate_lab') is None\n"
        "import awscrt, babel, shtab, stripe, typst, tzdata, valkey\n"
    )
    done = run(fairgate.with_name("python"), "-c", code, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_declared_bounds_are_what_the_project_is_tested_with() -> None:
    pins = dict(
        re.findall(
            r"^([a-z][a-z0-9-]*(?:\[[a-z]+\])?)==(\S+)",
            "".join(path.read_text("utf-8") for path in (ROOT / "requirements").glob("*.in")),
            re.MULTILINE,
        )
    )
    declared = dict(need.partition(">=")[::2] for need in PROJECT["project"]["dependencies"])
    assert declared == {name: pins.get(name, "") for name in declared}
