"""Compile what functions import, for the Python that Lambda runs: there, nothing can be written.

``/opt`` and ``/var/task`` are read-only, so each new environment would compile every module that
it imports, and throw the result away. Unchecked hashes, because a layer's files get new times
wherever they are unpacked. Source: PEP 552.

It imports nothing of the CDK. The same files give the same bytes on any machine: one process with
a fixed hash seed compiles all files in order, and each names the path that it will have in Lambda.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

VERSION = "3.13"
# Every 3.13 writes and reads it: it is settled with the first release candidate.
# Source: CPython 3.13, importlib.util.MAGIC_NUMBER, which is made of 3571.
MAGIC = (3571).to_bytes(2, "little") + b"\r\n"
LAYER, FUNCTION = "/opt", "/var/task"  # where Lambda shows a layer, and a function's own code
MISSING = (
    f"There is no Python {VERSION} here, so functions go without bytecode and start in twice the"
    f" time. Install it, for example by `uv python install {VERSION}`, then build again."
)

_VERSION_OF = "import importlib.util, sys; sys.stdout.buffer.write(importlib.util.MAGIC_NUMBER)"
_COMPILE = """
import json, py_compile, sys
broken = []
for file, name in json.load(sys.stdin):
    try:
        py_compile.compile(
            file, dfile=name, doraise=True, optimize=0,
            invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
        )
    except (py_compile.PyCompileError, ValueError) as error:
        broken.append(f"{name}: {error}")
json.dump(broken, sys.stdout)
"""


class BytecodeError(Exception):
    """A module does not compile, or was compiled for another Python."""


@cache
def interpreter() -> Path | None:
    """Find a Python that writes Lambda's bytecode; None where there is none."""
    return next((path for path in _candidates() if _magic_of(path) == MAGIC), None)


def compile_trees(mounts: Mapping[Path, str], python: Path, *, broken_allowed: bool = False) -> int:
    """Write ``__pycache__`` beside every module below the folders; return how many.

    Args:
        mounts: each folder, and what stands for it in Lambda.
        broken_allowed: a package may bring files that are no Python of this version, such as
            templates; they are imported by nobody and stay as they are.

    Raises:
        BytecodeError: a module does not compile, or ``python`` is another version than Lambda's.
    """
    files = [
        (str(path), f"{mounted}/{path.relative_to(root).as_posix()}")
        for root, mounted in mounts.items()
        for path in sorted(root.rglob("*.py"))
    ]
    done = subprocess.run(  # noqa: S603 our own script
        [str(python), "-I", "-S", "-c", _COMPILE],
        input=json.dumps(files),
        env={"PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BytecodeError(f"{python} could not compile: {done.stderr.strip()}")
    broken = json.loads(done.stdout)
    if broken and not broken_allowed:
        raise BytecodeError("\n".join(broken))
    for root in mounts:
        check(root)
    return len(files) - len(broken)


def check(root: Path) -> None:
    """Raise BytecodeError for bytecode that Lambda's Python would not take as it is."""
    for path in sorted(root.rglob("*.pyc")):
        with path.open("rb") as file:
            magic, flags = file.read(4), file.read(4)
        if magic != MAGIC:
            raise BytecodeError(f"{path} is made for another Python than {VERSION}")
        if flags != b"\x01\0\0\0":  # by hash, unchecked
            raise BytecodeError(f"{path} would be compared with its source, and made again")


def _candidates() -> Iterable[Path]:
    yield Path(sys.executable)
    command = shutil.which(f"python{VERSION}")
    if command:
        yield Path(command)
    # Those of pyenv and uv, which need not be on the path.
    roots = [Path.home() / ".pyenv/versions", Path.home() / ".local/share/uv/python"]
    if command and Path(command).parent.name == "shims":
        roots.append(Path(command).parents[1] / "versions")
    for root in roots:
        yield from sorted(root.glob(f"*{VERSION}*/bin/python{VERSION}"))


def _magic_of(python: Path) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603 one of _candidates
            [str(python), "-I", "-S", "-c", _VERSION_OF],
            capture_output=True,
            check=False,
            timeout=20,
        )
    except (OSError, subprocess.TimeoutExpired):
        return b""
    return done.stdout if done.returncode == 0 else b""
