"""Everything that changes anything stands in the log: each command either only looks, or is there.

The commands come from the parser, so a new one has to be put on one side or the other.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace

import pytest

from fairgate.errors import DependencyUnavailableError
from fairgate.service.gate.operator_log import OperatorLog
from fairgate_ops.operate import target
from fairgate_ops.operate.cli import main
from fairgate_ops.shared.secret_file import new_secrets
from tests.support.world import stored
from tests.unit.operate.test_cli import chart, create, gate_of, secret_file, system
from tests.unit.operate.test_cli_codes import ALL

__all__ = ["chart", "secret_file", "system"]  # fixtures

# These write a file of the operator's, and nothing of the sale.
FILES = {"audit export", "ticket void-list", "venue import"}
# As they are typed for a sale that is on, where nothing else has to be there.
TYPED = {
    "access grant": "access grant final organiser --user ann",
    "access token": "access token final --role viewer --until 2027-02-01T00:00:00Z",
    "cache rebuild": "cache rebuild final",
    "desk extend": "desk extend final ann --minutes 60 --reason x",
    "desk pardon": "desk pardon final ann --reason x",
    "draw announce": "draw announce final --source x --at 2027-01-15T08:00:55Z --yes",
    "draw beacon": "draw beacon final --value 9f86d081884c7d65 --yes",
    "draw reveal": "draw reveal final --yes",
    "event close": "event close final --yes",
    "event delete": "event delete final --confirm final",
    "event drain": "event drain final",
    "event edit": "event edit final --cancel-until never",
    "event hide": "event hide final",
    "event open": "event open final --yes",
    "event open-until": "event open-until final --off",
    "event pause": "event pause final",
    "event publish": "event publish final",
    "event resume": "event resume final",
    "event say": "event say final Hello",
    "event show-again": "event show-again final",
    "event target": "event target final 5001",
    "event upgrade": "event upgrade final",
    "orders drop-codes": "orders drop-codes final",
    "keys init": "keys init",
    "keys rotate": "keys rotate final --step add",
    "keys split": "keys split --yes",
    "prewarm due": "prewarm due final --crowd 10",
    "prewarm give-back": "prewarm give-back final",
    "prewarm start": "prewarm start final --crowd 10",
    "queue redrive": "queue redrive tickets",
    "seats block": "seats block final --section A --reason x",
    "tau cancel": "tau cancel final",
    "tau plan": "tau plan final 9 --at 2027-01-15T09:00:00Z",
    "tau set": "tau set final 9 --yes",
}
# The keys of a deployment that may still be given those that the command makes.
WITHOUT: dict[str, dict[str, object]] = {"keys init": {}, "keys split": new_secrets()}
# Those that need more than that, each with a test of its own.
ELSEWHERE = {
    *(
        "access end-token",
        "access revoke",
        "books import",
        "buyer erase",
        "event cancel",
        "event clone",
        "event create",
        "event rehearse",
    ),
    *(
        "keys oidc",
        "keys passes",
        "keys payments",
        "orders done",
        "orders edit",
        "orders invoice",
        "orders reconcile",
        "orders refund",
        "orders resend",
    ),
    *("orders take-back", "orders void", "prewarm schedule", "seats free"),
}


def without(secret_file, command):
    """All the keys in one secret, if any, and none in the others."""
    for path in secret_file.parent.iterdir():
        path.write_text(json.dumps(WITHOUT[command]) if path == secret_file else "{}")


def texts(secret_file):
    return [path.read_text() for path in sorted(secret_file.parent.iterdir())]


def test_every_command_only_looks_or_is_logged() -> None:
    logged = TYPED.keys() | ELSEWHERE
    acting = {name for name, parser in ALL.items() if not parser.get_default("looks")}
    assert acting == FILES | logged


class NoMessages:
    """A queue service in which nothing waits."""

    def receive_message(self, **_request: object) -> dict[str, list[object]]:
        return {"Messages": []}

    def get_queue_attributes(self, **_request: object) -> dict[str, dict[str, str]]:
        return {"Attributes": {"ApproximateNumberOfMessages": "0"}}


@pytest.fixture
def queues(system, monkeypatch):
    """The system with a queue, whose messages that were given up can be sent again."""
    reached = target.target_of(argparse.Namespace())
    urls = target.QueueUrls("tickets", "tickets-dead")
    with_queues = replace(reached, sqs=NoMessages, queues=lambda: {"tickets": urls})
    monkeypatch.setattr(target, "target_of", lambda _options: with_queues)
    return system


@pytest.mark.parametrize("command", TYPED)
def test_a_command_that_changes_something_does_nothing_while_the_log_cannot_be_written(
    queues, chart, secret_file, capsys, monkeypatch, command
):
    create(chart)
    queues.clock.tick(120)
    if command == "draw reveal":
        main.main(["event", "close", "final", "--yes"])
    if command in WITHOUT:
        without(secret_file, command)
    asked = []

    def away(_log, _who, act, *_rest):
        asked.append(act)
        raise DependencyUnavailableError("The log is away.")

    monkeypatch.setattr(OperatorLog, "append", away)
    kept = texts(secret_file)
    capsys.readouterr()
    assert main.main([*TYPED[command].split(), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["detail"] == "The log is away."
    assert len(asked) == 1
    assert texts(secret_file) == kept


@pytest.mark.parametrize("command", TYPED)
def test_a_dry_run_writes_nothing(queues, chart, secret_file, tmp_path, capsys, command):
    create(chart)
    queues.clock.tick(50)
    if command == "draw reveal":
        main.main(["event", "close", "final", "--yes"])
    if command == "draw beacon":
        main.main(TYPED["draw announce"].split())
        queues.clock.tick(6)
    if command in WITHOUT:
        without(secret_file, command)
    before = stored(queues), texts(secret_file), gate_of(tmp_path, "final")
    capsys.readouterr()
    # Nothing is decided about them, or it is so already, as a dry run finds out.
    refused = command in ("desk pardon", "event delete", "event publish", "event show-again")
    assert main.main([*TYPED[command].split(), "--dry-run"]) == refused
    assert ("Dry run, nothing written." in capsys.readouterr().out) != refused
    assert (stored(queues), texts(secret_file), gate_of(tmp_path, "final")) == before


@pytest.mark.parametrize("command", ["cache rebuild", "queue redrive", *WITHOUT])
def test_its_reason_stands_in_the_log(queues, chart, secret_file, capsys, command):
    create(chart)
    if command in WITHOUT:
        without(secret_file, command)
    main.main([*TYPED[command].split(), "--reason", "lost for good"])
    capsys.readouterr()
    main.main(["event", "log", "final", "--json"])
    entries = json.loads(capsys.readouterr().out)["entries"]
    assert entries[-2]["act"] == command
    assert entries[-2]["phase"] == "asked"
    assert entries[-1]["phase"] in ("done", "incomplete")
    assert entries[-1]["detail"]["reason"] == "lost for good"
