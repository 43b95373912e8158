"""Each right of each function taken away by itself: does a part of the sale fail?

    python -m tests.emulator.grants [--only FUNCTION ...]

The rights are read from the deployed roles, so a new grant is tried without a word here.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote

from fairgate.errors import FairgateError
from fairgate_ops.run.emulator.engine import missing
from fairgate_ops.run.emulator.system import STAGE, Decision, EmulatedSystem
from fairgate_ops.run.local.processes import StartError
from infra.functions import BY_NAME
from infra.naming import LIVE
from tests.emulator import parts, sale
from tests.emulator.parts import PARTS

POLICY = "Exact"
# Lambda's own work on a function's behalf: the emulator writes logs and networks without a role.
OF_THE_PLATFORM = ("logs:", "ec2:")
SEATS = 300  # three for each sale
LAST = "reconcile"  # its payment has to be some minutes old
FAILURES = (AssertionError, StartError, FairgateError, KeyError, IndexError, OSError, ValueError)


class Decides(Protocol):
    """Notes what functions asked for, and whether they might."""

    def decisions(self) -> Sequence[Decision]: ...


@dataclass(frozen=True)
class Right:
    function: str
    action: str
    resource: str

    def __str__(self) -> str:
        return f"{self.function} {self.action} {self.resource}"


@dataclass(frozen=True)
class Verdict:
    right: Right
    noticed: str  # what failed; "" where nothing did
    refused: int  # how often the function asked in vain
    seconds: float

    @property
    def missed(self) -> bool:
        """The right was asked for in vain, and that made something fail."""
        return bool(self.noticed) and self.refused > 0

    def __str__(self) -> str:
        if self.noticed and not self.refused:
            told = f"failed, but not for want of the right: {self.noticed[:90]}"
        elif self.noticed:
            told = f"noticed: {self.noticed[:90]}"
        else:
            told = (
                f"refused {self.refused} times, and nothing failed" if self.refused else "unasked"
            )
        return f"{self.right!s:<75} {self.seconds:5.1f} s  {told}"


# Of the short form: a buyer meets each of these at once.
SHORT = (
    "auth secretsmanager:GetSecretValue secretsmanager",
    "holds dynamodb:UpdateItem seats",
    "orders dynamodb:UpdateItem seats",
    "sessions secretsmanager:GetSecretValue secretsmanager",
    "ticketer dynamodb:UpdateItem reservations",
    "tickets dynamodb:GetItem reservations",
)


def rights(system: EmulatedSystem) -> list[Right]:
    """Every right of every function as deployed, but for Lambda's own."""
    return [
        Right(function, action, _named(resource))
        for function in sorted(BY_NAME)
        for statement in _policy(system, function)["Statement"]
        for action in _listed(statement["Action"])
        for resource in _listed(statement["Resource"])
        if not action.startswith(OF_THE_PLATFORM)
    ]


def asked_for(system: Decides, since: int = 0) -> set[Right]:
    """The rights that the functions have used, from this decision on."""
    before = f"fairgate-{STAGE}-"
    return {
        Right(entry.function.removeprefix(before), entry.action, _named(entry.resource))
        for entry in system.decisions()[since:]
        if entry.function.removeprefix(before) in BY_NAME and entry.granted
    }


def control(system: EmulatedSystem, right: Right) -> Verdict:
    """Take the right away, do what needs it, give it back."""
    asked_before = len(system.decisions())
    began = time.monotonic()
    noticed = ""
    with without(system, right):
        try:
            PARTS[right.function](system)
        except FAILURES as error:
            noticed = f"{type(error).__name__} {error}".splitlines()[0] or "an assertion"
        asked = system.decisions()[asked_before:]
    refused = sum(
        not entry.granted
        and entry.function == f"fairgate-{STAGE}-{right.function}"
        and entry.action == right.action
        for entry in asked
    )
    return Verdict(right, noticed, refused, time.monotonic() - began)


@contextmanager
def without(system: EmulatedSystem, right: Right) -> Iterator[None]:
    whole = _policy(system, right.function)
    statements = []
    for statement in whole["Statement"]:
        actions, resources = _listed(statement["Action"]), _listed(statement["Resource"])
        if right.action in actions and right.resource in map(_named, resources):
            # The statement's other actions, and this action on its other resources.
            others = [resource for resource in resources if _named(resource) != right.resource]
            rest = [action for action in actions if action != right.action]
            if rest:
                statements.append({**statement, "Action": rest})
            if others:
                statements.append({**statement, "Action": [right.action], "Resource": others})
        else:
            statements.append(statement)
    assert statements != whole["Statement"], right
    _put_policy(system, right.function, {**whole, "Statement": statements})
    try:
        yield
    finally:
        _put_policy(system, right.function, whole)


def _role(system: EmulatedSystem, function: str) -> str:
    name = f"fairgate-{STAGE}-{function}"
    found = system.client("lambda").get_function(FunctionName=name)
    return str(found["Configuration"]["Role"]).rsplit("/", 1)[-1]


def _policy(system: EmulatedSystem, function: str) -> dict[str, Any]:
    answer = system.client("iam").get_role_policy(
        RoleName=_role(system, function), PolicyName=POLICY
    )
    document = answer["PolicyDocument"]
    whole: dict[str, Any] = json.loads(unquote(document)) if isinstance(document, str) else document
    return whole


def _put_policy(system: EmulatedSystem, function: str, document: dict[str, Any]) -> None:
    """And bring a version whose environments start anew: they may keep what they once read."""
    system.client("iam").put_role_policy(
        RoleName=_role(system, function),
        PolicyName=POLICY,
        PolicyDocument=json.dumps(document),
    )
    name = f"fairgate-{STAGE}-{function}"
    functions = system.client("lambda")
    functions.update_function_configuration(
        FunctionName=name,
        Timeout=BY_NAME[function].timeout_s,
        Description=f"{BY_NAME[function].purpose} ({time.time_ns()})",  # else no new version
    )
    version = functions.publish_version(FunctionName=name)["Version"]
    functions.update_alias(FunctionName=name, Name=LIVE, FunctionVersion=version)


def _listed(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


def _named(arn: str) -> str:
    """What the resource is called in the list: the same in each deployment."""
    service, _, rest = arn.removeprefix("arn:aws:").partition(":")
    if service == "dynamodb":
        return rest.rpartition(f"table/fairgate-{STAGE}-")[2]
    if service == "sqs":
        queues = ("Reminders", "Mails", "PaidOrders", "SeatChanges")
        return next(queue for queue in queues if queue in rest)
    return service


# What these parts of a sale do without, and why.
UNNOTICED: dict[str, str] = {
    "holds dynamodb:Query seats/index/GSI1": "sections are read of the table without a cache alone",
    "orders dynamodb:BatchGetItem seats": "it looks once more, after a payment is settled",
    "reconcile dynamodb:BatchGetItem seats": "read when a seat is another's by now",
    "reconcile sqs:SendMessage PaidOrders": "for orders that wait for tickets for ten minutes",
    "holds s3:ListBucket s3": "what S3 says of a layout that is not there: all of these are there",
    "seatmap dynamodb:UpdateItem reservations": "reads are counted only while the cache is gone",
    "ticketer dynamodb:GetItem catalog": "a mail names the event, and no mail is sent here",
    "ticketer sqs:SendMessage Mails": "tickets are there before their mail is asked for",
    "sweeper sqs:SendMessage Reminders": "a run hands over what it has no time for: it has time",
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=sorted(PARTS), default=sorted(PARTS))
    only: list[str] = parser.parse_args(arguments).only
    reason = missing()
    if reason is not None:
        print(f"The controls cannot run here: {reason}.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        run_dir = Path(folder) / "run"
        with EmulatedSystem(run_dir, say=lambda text: print(text, flush=True)) as system:
            return _controls(system, only)


def _controls(system: EmulatedSystem, only: Sequence[str]) -> int:
    sale.open_events(system, SEATS)
    parts.open_more_events(system)
    if LAST in only:
        parts.prepare_reconcile(system)
    every = rights(system)
    wrong = set(UNNOTICED) - set(map(str, every))
    for right in sorted(wrong):
        print(f"WRONG {right} is listed, and nobody has it.")
    for function in sorted(only, key=lambda name: (name == LAST, name)):
        for verdict in _of_function(system, [r for r in every if r.function == function]):
            fits = verdict.missed == (str(verdict.right) not in UNNOTICED)
            if not fits:
                wrong.add(str(verdict.right))
            print(f"{'' if fits else 'WRONG '}{verdict}", flush=True)
    print(f"{len(wrong)} rights are not as listed.")
    return 1 if wrong else 0


def _of_function(system: EmulatedSystem, its: Sequence[Right]) -> Iterator[Verdict]:
    """Do the function's part with every right, then once without each that it asked for.

    Nobody can miss what nobody asks for: that is known without taking it away.
    """
    for function in dict.fromkeys(right.function for right in its):
        # In environments that know nothing yet: a secret is read once in a while.
        _put_policy(system, function, _policy(system, function))
        before = len(system.decisions())
        PARTS[function](system)
        used = asked_for(system, before)
        for right in its:
            yield control(system, right) if right in used else Verdict(right, "", 0, 0.0)


if __name__ == "__main__":
    sys.exit(main())
