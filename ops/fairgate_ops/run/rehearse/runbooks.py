"""``python -m fairgate_ops.run.rehearse.runbooks``: runbooks of docs/disaster.md, rehearsed.

Each breaks something of the local system that `make up` runs, does what its runbook says, and looks
whether all is well again. It touches nothing but that system.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.domain.gate.gate_config import gate_key
from fairgate.errors import FairgateError
from fairgate_ops.operate.target import RUN_FILE, Target, target_of
from fairgate_ops.run.rehearse.typed_command import typed

if TYPE_CHECKING:
    from collections.abc import Sequence

ANSWER_S = 10
RESTORED_S = 150.0  # the controller compares store and catalogue each minute or two
GIVEN_UP_S = 20.0
_LOOK_S = 2.0
_LOOK_IN_MINUTES_S = 5.0
POISON = "no message of ours"


class RehearsalError(Exception):
    """The runbook did not do what it promises."""


@dataclass(frozen=True)
class Stage:
    """A running system, and an event on sale in it."""

    run_file: Path
    event: str

    def target(self) -> Target:
        return target_of(argparse.Namespace(target="local", run_file=str(self.run_file)))

    def config(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.run_file.read_text("utf-8"))
        return document

    def fairgate(self, *words: str) -> dict[str, Any]:
        """Type a command as the runbook does; its answer. Raises RehearsalError when refused."""
        done = typed([*words, "--json"], self.run_file)
        if done.returncode:
            raise RehearsalError(f"fairgate {' '.join(words)}: {done.stdout}{done.stderr}")
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer


def cache_loss(stage: Stage) -> None:
    from valkey import Valkey

    with closing(Valkey.from_url(stage.config()["valkey_url"])) as cache:
        cache.flushall()
        _must(bool(_counts(stage)["sections"]), "the map is not answered without the cache")
        rebuilt = stage.fairgate("cache", "rebuild", stage.event)
        _must(not rebuilt["failed"], "sections were not filled")
        _must(any(cache.scan_iter("*")), "the cache is empty after its rebuild")
    _must(len(_counts(stage)["sections"]) == rebuilt["sections"], "sections are missing")


def wrong_value(stage: Stage) -> None:
    """Spoil what edges have; the controller brings what is written."""
    target, key = stage.target(), gate_key(stage.event)
    store = target.world.edge_config
    _, etag = store.read(key)
    store.write(key, "no gate at all", etag)
    shown = stage.fairgate("tau", "get", stage.event)
    _must(shown["at_edges"] is False, "nobody noticed the wrong value")
    _awaited(
        lambda: stage.fairgate("tau", "get", stage.event)["at_edges"] is True,
        RESTORED_S,
        "the store was not put right",
        every_s=_LOOK_IN_MINUTES_S,
    )


def wrong_tau(stage: Stage) -> None:
    before = stage.fairgate("tau", "get", stage.event)["tau_s"]
    _must(bool(before), "nobody is let in")
    stage.fairgate("tau", "set", stage.event, str(before * 10), "--yes", "--reason", "a rehearsal")
    stage.fairgate("tau", "set", stage.event, str(before), "--yes", "--reason", "put right")
    time.sleep(_LOOK_S)
    now = stage.fairgate("tau", "get", stage.event)["tau_s"]
    _must(abs(now - before) <= before / 1000, f"τ is {now}, and was {before}")


def leaked_key(stage: Stage) -> None:
    """Takes the two minutes that a rotation waits."""
    before = stage.target().control().read(stage.event).token_kid
    stage.fairgate("keys", "rotate", stage.event)
    after = stage.target().control().read(stage.event)
    _must(after.token_kid != before, "the old key still signs")
    _must(before in after.token_keys, "waiting buyers have lost their place")


def poisoned_queue(stage: Stage) -> None:
    """What was given up is seen, sent again, and given up again or taken; nothing else waits."""
    target = stage.target()
    target.sqs().send_message(QueueUrl=target.queues()["mails"].dead, MessageBody=POISON)

    def given_up() -> int:
        return int(stage.fairgate("queue", "list")["queues"]["mails"]["given_up"])

    _awaited(lambda: given_up() > 0, GIVEN_UP_S, "the message is not among the dead letters")
    moved = stage.fairgate("queue", "redrive", "mails")["moved"]
    _must(moved > 0, "nothing was sent again")


REHEARSALS: dict[str, Callable[[Stage], None]] = {
    "cache-loss": cache_loss,
    "wrong-value": wrong_value,
    "wrong-tau": wrong_tau,
    "leaked-key": leaked_key,
    "poisoned-queue": poisoned_queue,
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="fairgate_ops.run.rehearse.runbooks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(REHEARSALS)}")
    parser.add_argument("--run-file", type=Path, default=RUN_FILE)
    parser.add_argument("--event", default="demo")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(REHEARSALS):
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    stage, failed = Stage(options.run_file.resolve(), options.event), 0
    try:
        stage.target()
    except FairgateError as error:
        print(f"Nothing was rehearsed: {error.detail}", file=sys.stderr)
        return 1
    for name in options.names or REHEARSALS:
        started_s = time.monotonic()
        try:
            REHEARSALS[name](stage)
        except FairgateError as error:
            failed += 1
            print(f"{name}: BROKEN, {error.detail}")
        except Exception as error:  # noqa: BLE001 whatever broke it is what a rehearsal is to say
            failed += 1
            print(f"{name}: BROKEN, {error if str(error) else repr(error)}")
        else:
            print(f"{name}: well again after {time.monotonic() - started_s:.0f} s")
    return 1 if failed else 0


def _counts(stage: Stage) -> dict[str, Any]:
    url = f"{stage.config()['public_url']}/api/events/{stage.event}/availability"
    with urllib.request.urlopen(url, timeout=ANSWER_S) as answer:  # noqa: S310 loopback
        document: dict[str, Any] = json.load(answer)
    return document


def _awaited(
    well: Callable[[], bool], within_s: float, otherwise: str, every_s: float = _LOOK_S
) -> None:
    ends = time.monotonic() + within_s
    while not well():
        _must(time.monotonic() < ends, f"{otherwise} within {within_s:.0f} s")
        time.sleep(every_s)


def _must(well: bool, otherwise: str) -> None:
    if not well:
        raise RehearsalError(otherwise)


if __name__ == "__main__":
    sys.exit(main())
