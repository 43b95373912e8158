"""What of this repository goes to Lambda: the package that functions reach, and their own code.

Copied at each synthesis, never before: what is deployed is what the sources are now.
It imports nothing of the CDK.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fairgate.version import version
from infra import bytecode
from infra.reached import reached_files, unreached_files

# The command's own code: a function that does what the command does carries what it reaches.
TOOLS = Path(__file__).resolve().parents[1] / "ops"
# Rates and prices by which a sale's cost is modelled; what is reached imports nothing of the CDK.
INFRA = Path(__file__).resolve().parent
# What modules that are carried read beside themselves, by the module.
READ_BESIDE = {
    "fairgate_ops/operate/capacity/inputs.py": TOOLS / "fairgate_ops/operate/capacity/inputs.json",
    "fairgate_ops/operate/forecast/assumptions.py": (
        TOOLS / "fairgate_ops/operate/forecast/assumptions.toml"
    ),
    "fairgate_ops/operate/watch/alarm_book.py": TOOLS.parent / "docs/alarms.md",
}
# What running it here leaves behind.
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", "*.egg-info")


@dataclass(frozen=True)
class Shipped:
    """Copies of what functions need.

    Attributes:
        core: the layer with the project's own package.
        functions: holds one folder for each function.
        compiled: whether bytecode lies next to the modules.
    """

    core: Path
    functions: Path
    compiled: bool


@cache
def shipped(functions_dir: Path, core_dir: Path) -> Shipped:
    """Ship into a folder that is gone when this process ends: the CDK takes its own copies."""
    folder = tempfile.mkdtemp(prefix="fairgate-shipped-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return ship(functions_dir, core_dir, Path(folder))


def ship(functions_dir: Path, core_dir: Path, folder: Path) -> Shipped:
    """Copy what functions need, and compile it where Lambda's Python is at hand.

    Raises:
        BytecodeError: a module does not compile.
        DynamicImportError: a function imports by a computed name.
    """
    core, functions = folder / "core", folder / "functions"
    shutil.copytree(core_dir, core, ignore=_LEFT_OUT)
    for name in unreached_files(functions_dir, core_dir / "python", TOOLS, INFRA):
        (core / "python" / name).unlink()
    _remove_empty(core)
    _write_version(core / "python/fairgate/version.py")
    shutil.copytree(functions_dir, functions, ignore=_LEFT_OUT)
    for function in sorted(functions_dir.iterdir()):
        _carry(function, core_dir / "python", functions / function.name)
    python = bytecode.interpreter()
    if python:
        each = sorted(path for path in functions.iterdir() if path.is_dir())
        mounts = {core: bytecode.LAYER, **dict.fromkeys(each, bytecode.FUNCTION)}
        bytecode.compile_trees(mounts, python)
    return Shipped(core, functions, python is not None)


def _carry(function: Path, core: Path, into: Path) -> None:
    """Copy the modules that a function reaches outside the layer, and what these read."""
    for root, above in ((TOOLS, TOOLS), (INFRA, INFRA.parent)):
        for name in reached_files(function, root, TOOLS, INFRA, core):
            carried = into / name
            carried.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(above / name, carried)
            if name in READ_BESIDE:
                shutil.copy(READ_BESIDE[name], carried.parent)


def _write_version(module: Path) -> None:
    """Write the version into the copy, which has no pyproject.toml beside it."""
    text, blank = module.read_text("utf-8"), '_SHIPPED = ""\n'
    if blank not in text:
        raise ValueError(f"{module} has no place for the version")
    module.write_text(text.replace(blank, f'_SHIPPED = "{version()}"\n'), "utf-8")


def _remove_empty(root: Path) -> None:
    for folder in sorted((p for p in root.rglob("*") if p.is_dir()), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()
