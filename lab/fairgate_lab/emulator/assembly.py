"""Synthesise the stacks for the emulator: the same templates, with layers for this machine."""

from __future__ import annotations

import fcntl
import json
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from fairgate_lab.emulator.patient import run_patiently
from fairgate_ops.build import fonts
from fairgate_ops.build.layers import LAYERS, PLATFORM, build
from fairgate_ops.run.local.environment import base_environment
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.shared.paths import ROOT


def host_layers(source: Path = ROOT) -> Path:
    """The third-party layers of a checkout, as wheels for this machine; built once for each."""
    home = source / "build" / "emulator"
    home.mkdir(parents=True, exist_ok=True)
    with (home / "lock").open("w") as lock:  # else two that begin at once take each other's files
        fcntl.flock(lock, fcntl.LOCK_EX)
        requirements = home / "requirements"
        if not requirements.is_symlink():
            requirements.symlink_to(source / "requirements", target_is_directory=True)
        names = [name for name in LAYERS if (requirements / f"{name}.txt").is_file()]
        build(home, _for_this_machine, names=names, build_fonts=lambda _home: fonts.build(ROOT))
    return home / "build" / "layers"


def _for_this_machine(command: Sequence[str]) -> None:
    ours = PLATFORM.replace("aarch64", platform.machine())
    given = [ours if part == PLATFORM else part for part in command]
    done = run_patiently(given, "a layer for this machine")
    if done.returncode:
        raise StartError(f"A layer for {ours} could not be installed:\n{done.stderr[-2000:]}")


def contexts(stage: str, layers: Path, more: Mapping[str, str]) -> dict[str, str]:
    return {"stage": stage, "payments_provider": "sandbox", "layers": str(layers), **more}


def synthesise(
    folder: Path,
    context: Mapping[str, str],
    say: Callable[[str], None] = lambda _text: None,
    source: Path = ROOT,
) -> Path:
    """Write the cloud assembly of a checkout. Raises StartError with what the CDK says."""
    flags = json.loads((source / "cdk.json").read_text())["context"]  # the CDK's command adds them
    environment = base_environment() | {
        "CDK_OUTDIR": str(folder),
        "CDK_CONTEXT_JSON": json.dumps(flags | dict(context)),
        # Its own rules take most of the time; tests/infra and `make synth` have them looked at.
        "CDK_VALIDATION": "false",
    }
    command = [sys.executable, str(source / "app.py")]
    done = run_patiently(command, "the templates", env=environment, cwd=source, say=say)
    if done.returncode:
        raise StartError(f"The stacks do not synthesise:\n{done.stderr[-4000:]}")
    return folder
