"""``make deploy-local``: every stack deployed into an emulator, with a sale, until Ctrl-C."""

from __future__ import annotations

import argparse
import shlex
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate_lab.emulator.engine import caller_environment
from fairgate_lab.emulator.system import STAGE, EmulatedSystem
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.shared.endings import heed_signals

if TYPE_CHECKING:
    from collections.abc import Sequence

EVENT = "demo"
SEATS = 600
SALE_START_IN_S = 35  # the gate takes a new event half a minute ahead, as on AWS
TAU_S = 3
WATCHED_EVERY_S = 1.0
# Whatever a shell knows of AWS: a profile, a role, an address of a single service.
_FORGET = "unset $(env | sed -n 's/^\\(AWS_[A-Za-z0-9_]*\\)=.*/\\1/p')\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--run-dir", type=Path, default=Path(".run-emulated"))
    options = parser.parse_args(arguments)
    heed_signals()
    try:
        _run(options.run_dir, options.port)
    except StartError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Nothing runs any more.")
    return 0


def _run(run_dir: Path, port: int) -> None:
    print(
        "Deploying Fairgate into an emulator; it takes about a minute, on a busy machine some …",
        flush=True,
    )
    with EmulatedSystem(run_dir, port, say=lambda text: print(f"  {text}", flush=True)) as system:
        sale_start = ("--sale-starts-in", str(SALE_START_IN_S), "--tau", str(TAU_S))
        system.create_event(EVENT, demo_venue(SEATS), *sale_start)
        shell = _write_shell(system)
        lines = [
            "",
            f"  Open     {system.base_url}/   sale starts in {SALE_START_IN_S} s",
            f"  AWS      {system.endpoint}   (any AWS tool, after: . {shell})",
            f"  Operate  likewise: .venv/bin/fairgate --target aws --stage {STAGE} tau get {EVENT}",
            f"  Logs     {system.place.logs}/",
            "  Stop     Ctrl-C",
            "",
        ]
        print("\n".join(lines), flush=True)
        pause = threading.Event()
        while not pause.wait(WATCHED_EVERY_S):
            system.watch()


def _write_shell(system: EmulatedSystem) -> Path:
    """Write what a shell has to be told to speak to the emulator and to nothing else."""
    path = system.place.run_dir / "environment"
    variables = caller_environment(system.endpoint, {})
    told = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in variables.items())
    path.write_text(_FORGET + told, "utf-8")
    return path


if __name__ == "__main__":
    sys.exit(main())
