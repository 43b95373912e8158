"""Simulated buyers from several processes or machines, by Locust, and the checker after them.

Ends with 1 when a buyer was wrongly answered, a worker was lost, nobody bought anything, or a law
of the sale is broken; with 2 when the target may not be put under load.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from fairgate_ops.run.crowd.load_target import LoadTarget, RefusedTargetError
from fairgate_ops.run.laws.check import check
from fairgate_ops.run.local.environment import base_environment
from fairgate_ops.run.local.local_config import LocalConfig
from fairgate_ops.run.local.processes import (
    Child,
    StartError,
    accepts,
    free_port,
    last_lines,
    start_child,
    wait_until,
)
from fairgate_ops.run.local.resources import dead_letters
from fairgate_ops.shared.endings import ends_with
from fairgate_ops.shared.paths import ROOT

LOCUST_FILE = ROOT / "ops/fairgate_ops/run/crowd/locust_buyers.py"
LOOPBACK = "127.0.0.1"
SETTLE_S = 60.0
WORKERS_COME_S = 60
LAST_PURCHASE_S = 150  # from admission to a ticket, at the worst
BORN_PER_S = 50
BUYER, TICKET, BROKEN = "buyer", "ticket ", "broken "  # as locust_buyers names its rows


def locust_python(root: Path = ROOT) -> Path | None:
    """The interpreter of ``.venv-load``, or None where Locust has not been installed."""
    python = root / ".venv-load" / "bin" / "python"
    return python if python.is_file() else None


@dataclass(frozen=True)
class Load:
    """What is sent.

    Attributes:
        workers: processes of this machine; elsewhere: those that come from other machines.
        listen: where the master awaits workers, at ``port`` or else at a free one.
    """

    target: LoadTarget
    event: str
    buyers: int = 200
    seconds: float = 60.0
    workers: int = 2
    elsewhere: int = 0
    listen: str = LOOPBACK
    port: int = 0
    seed: int = 1
    think_s: float = 2.0

    @property
    def patience_s(self) -> float:
        return self.seconds + 60

    @property
    def workers_come_s(self) -> int:
        """Other machines have to be started first."""
        return WORKERS_COME_S * (10 if self.elsewhere else 1)


@dataclass(frozen=True)
class Sent:
    """How buyers ended, by kind and code, and what went wrong with the load itself."""

    ends: Mapping[str, int]
    faults: Sequence[str]

    @property
    def passed(self) -> bool:
        return not self.faults

    def lines(self) -> Iterator[str]:
        yield f"{sum(self.ends.values()):,} buyers"
        for end, count in sorted(self.ends.items(), key=lambda pair: -pair[1]):
            yield f"  {count:>6,}  {end}"
        yield from (f"BROKEN  {fault}" for fault in self.faults)


def send(load: Load, logs_dir: Path) -> Sent:
    """Run master and workers until the last buyer has ended.

    Raises:
        RefusedTargetError: the target may not be put under load; nothing was started.
        StartError: Locust is not installed, or did not start.
    """
    load.target.permit()
    python = locust_python()
    if python is None:
        raise StartError("Locust is not installed: `make load` installs it into .venv-load.")
    port, figures = load.port or free_port(), logs_dir / "figures"
    with ExitStack() as stack:
        master = _started(
            "load-master", [str(python), *master_words(load, port, str(figures))], logs_dir
        )
        stack.callback(master.stop)
        wait_until(lambda: accepts(port), "Locust's master", child=master, within_s=60)
        workers = []
        for number in range(1, load.workers + 1):
            command = [str(python), *worker_words(LOOPBACK, port)]
            # Buyers run in asyncio: the workers' library is left as it is, and the master's is not.
            plain = {"LOCUST_SKIP_MONKEY_PATCH": "1"}
            workers.append(_started(f"load-worker-{number}", command, logs_dir, **plain))
            stack.callback(workers[-1].stop)
        within_s = load.seconds + load.patience_s + LAST_PURCHASE_S + load.workers_come_s
        _await_end(master, within_s)
        # Those that still run did their work: Locust's workers rest after a stop, and are ended.
        lost = [worker for worker in workers if not worker.running]
        return judged(master, lost, Path(f"{figures}.json"))


def judged(master: Child, ended: Sequence[Child], figures: Path) -> Sent:
    """Say how it went by the figures, and by how the processes ended that did so by themselves."""
    rows = json.loads(figures.read_text("utf-8")) if figures.is_file() else []
    ends = ends_in(rows)
    faults = faults_in(ends)
    faults += [
        f"{child.name} ended with {child.process.returncode}"
        for child in (master, *ended)
        if child.process.returncode
    ]
    if faults:
        faults.append(f"the end of {master.log}:\n{last_lines(master.log, 30)}")
    return Sent(ends, faults)


def faults_in(ends: Mapping[str, int]) -> list[str]:
    """Say which ends are wrong, and whether nobody bought anything."""
    faults = [f"{count:,} {end}" for end, count in ends.items() if end.startswith(BROKEN)]
    if not any(end.startswith(TICKET) for end in ends):
        faults.append("nobody came to a ticket")
    return faults


def ends_in(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How often each end came, from Locust's figures."""
    return {str(row["name"]): int(row["num_requests"]) for row in rows if row["method"] == BUYER}


def _started(name: str, command: Sequence[str], logs_dir: Path, **more: str) -> Child:
    env = base_environment() | {"HOME": str(logs_dir), **more}
    return start_child(name, command, logs_dir=logs_dir, env=env, cwd=ROOT)


def _await_end(child: Child, within_s: float) -> None:
    wait_until(
        lambda: not child.running, f"the end of {child.name}", within_s=within_s, every_s=0.2
    )


def master_words(load: Load, port: int, figures: str, file: str = str(LOCUST_FILE)) -> list[str]:
    """Return what follows ``python`` for Locust's master."""
    options = {
        "--host": load.target.base_url,
        "--event": load.event,
        "--go": load.target.go,
        "--seed": load.seed,
        "--patience-s": load.patience_s,
        "--think-s": load.think_s,
        "--users": load.buyers,
        "--spawn-rate": BORN_PER_S,
        "--seconds": load.seconds,
        "--stop-timeout": f"{load.patience_s + LAST_PURCHASE_S:.0f}",
        "--expect-workers": load.workers + load.elsewhere,
        "--expect-workers-max-wait": load.workers_come_s,
        "--master-bind-host": load.listen,
        "--master-bind-port": port,
        "--json-file": figures,
        "--exit-code-on-error": 1,
    }
    told = [f"{name}={value}" for name, value in options.items() if value != ""]
    return ["-m", "locust", "-f", file, "--master", "--headless", *told]


def worker_words(host: str, port: int, file: str = str(LOCUST_FILE)) -> list[str]:
    """Return what follows ``python`` for one of its workers."""
    master = (f"--master-host={host}", f"--master-port={port}")
    return ["-m", "locust", "-f", file, "--worker", *master]


def load_and_check(load: Load, config: LocalConfig | None, logs_dir: Path) -> int:
    """Send it, print how it went, and check the sale where that is of this machine."""
    sent = send(load, logs_dir)
    print("\n".join(sent.lines()))
    if config is None:
        print("The sale itself is not checked yet: `make check STAGE=…` does, once it is settled.")
        return 0 if sent.passed else 1
    report = check(config, within_s=SETTLE_S)
    dead = dead_letters(config["dynamodb_endpoint"], config["queues"])
    undelivered = [f"BROKEN  {count} messages of {queue}" for queue, count in dead.items() if count]
    print("\n".join([*report.lines(), *undelivered]))
    return 0 if sent.passed and not report.violations and not undelivered else 1


def whole(text: str, least: int) -> int:
    """Raises ArgumentTypeError for what is no whole number, or less: Locust would wait for it."""
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} on")
    return int(text)


@ends_with(StartError)
def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--run-dir", type=Path, default=Path(".run"), help="of `make up`")
    parser.add_argument("--url", default="", help="a rehearsal stage's address instead")
    parser.add_argument("--go", default="", help="its host once more: you answer for the load")
    parser.add_argument("--event", default="demo")
    parser.add_argument("--buyers", type=partial(whole, least=1), default=200, help="at once")
    parser.add_argument("--seconds", type=partial(whole, least=1), default=60)
    some = partial(whole, least=0)
    parser.add_argument("--workers", type=some, default=2, help="processes of this machine")
    parser.add_argument("--elsewhere", type=some, default=0, help="workers of other machines")
    parser.add_argument("--listen", default=LOOPBACK, help="where the master awaits those")
    parser.add_argument("--port", type=int, default=0, help="of the master; default: a free one")
    parser.add_argument("--seed", type=int, default=os.getpid(), help="default: another each time")
    options = parser.parse_args(arguments)
    if not options.workers + options.elsewhere:
        parser.error("somebody has to work: --workers here, or --elsewhere")
    config = None
    try:
        if not options.url:
            config = LocalConfig.read(options.run_dir)
        load = Load(
            LoadTarget(options.url or str(config and config["public_url"]), options.go),
            options.event,
            buyers=options.buyers,
            seconds=options.seconds,
            workers=options.workers,
            elsewhere=options.elsewhere,
            listen=options.listen,
            port=options.port,
            seed=options.seed,
        )
        with tempfile.TemporaryDirectory(prefix="fairgate-load-") as logs_dir:
            return load_and_check(load, config, Path(logs_dir))
    except FileNotFoundError:
        print(f"No system runs from {options.run_dir}: start one with `make up`.", file=sys.stderr)
    except RefusedTargetError as error:
        print(error, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
