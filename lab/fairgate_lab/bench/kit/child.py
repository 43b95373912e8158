"""Run a function of a benchmark in a process of its own; arguments and answer are JSON.

Standard input is the arguments in one line and then what the function reads. Standard output is
what it writes to ``sys.__stdout__`` and at last its answer: what handlers print is thrown away.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate_ops.run.local.environment import base_environment, python_module
from fairgate_ops.run.local.processes import StartError, die_with_parent
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def start(
    function: Callable[..., Mapping[str, Any]],
    env: Mapping[str, str] | None = None,
    stderr: int | None = None,
    **arguments: object,
) -> subprocess.Popen[str]:
    """Call a module's function with these arguments in a fresh process."""
    process = subprocess.Popen(
        python_module(__name__, function.__module__, function.__name__),
        env=dict(env or base_environment()),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
    )
    if process.stdin is not None:
        process.stdin.write(json.dumps(arguments) + "\n")
        process.stdin.flush()
    return process


def answer_of(process: subprocess.Popen[str]) -> dict[str, Any]:
    """End its input and wait for its answer. Raises StartError where it failed."""
    out, _ = process.communicate()
    if process.returncode:
        raise StartError(f"{process.args!r} ended with {process.returncode}")
    document: dict[str, Any] = json.loads(out)
    return document


def main() -> None:
    """Call the function that the command line names."""
    module, function = sys.argv[1:]
    die_with_parent()
    with Path(os.devnull).open("w", encoding="utf-8") as sys.stdout:
        told = getattr(import_module(module), function)(**json.loads(sys.stdin.readline()))
    print(json.dumps(told), file=sys.__stdout__, flush=True)


if __name__ == "__main__":
    main()
