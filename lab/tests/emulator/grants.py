"""Each right of each function taken away by itself: does a part of the sale fail?

    python -m emulator.grants [--only FUNCTION ...] [--again]

The rights are read from the deployed roles, so a new grant is tried without a word here. A function
that is finished is not done again, unless its rights are others since; ``--again`` does it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote

from emulator import parts, sale
from emulator.grant_record import Record, Right, Verdict, table, wrong
from emulator.parts import PARTS
from fairgate.errors import FairgateError
from fairgate_lab.emulator.engine import missing
from fairgate_lab.emulator.system import STAGE, Decision, EmulatedSystem
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.shared.paths import ROOT
from infra.functions import BY_NAME
from infra.naming import LIVE

POLICY = "Exact"
# Lambda's own work on a function's behalf: the emulator writes logs and networks without a role.
OF_THE_PLATFORM = ("logs:", "ec2:")
SEATS = 300  # three for each sale
KEPT = ROOT / "build" / "grant-controls.json"
LATE = ("jobs", "reconcile")  # their payment has to be some minutes old
FAILURES = (AssertionError, StartError, FairgateError, KeyError, IndexError, OSError, ValueError)


class Decides(Protocol):
    """Notes what functions asked for, and whether they might."""

    def decisions(self) -> Sequence[Decision]: ...


# Of the short form: a buyer meets each of these at once.
SHORT = (
    "auth secretsmanager:GetSecretValue keys",
    "holds dynamodb:UpdateItem seats",
    "orders dynamodb:UpdateItem seats",
    "sessions secretsmanager:GetSecretValue keys",
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
    """Bring a version with new environments, because the old ones may keep what they read."""
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
        queues = ("Reminders", "Mails", "PaidOrders", "SeatChanges", "AskedJobs")
        return next(queue for queue in queues if queue in rest)
    if f":secret:fairgate/{STAGE}/" in rest:
        return rest.rpartition("/")[2].rpartition("-")[0]
    if service == "elasticache":
        return f"{service}/{rest.split(':')[2]}"  # the cache, and the user at it
    return service


# What these parts of a sale do without, and why.
UNNOTICED: dict[str, str] = {
    "holds dynamodb:Query seats/index/GSI1": "sections are read of the table without a cache alone",
    "reconcile dynamodb:BatchGetItem seats": "read when a seat is another's by now",
    "reconcile sqs:SendMessage PaidOrders": "for orders that wait for tickets for ten minutes",
    "finder dynamodb:UpdateItem reservations": "counts who asks for a mail; none is sent here",
    "finder sqs:SendMessage Mails": "asks for the mail; none is sent here",
    "jobs dynamodb:BatchGetItem seats": "read when a seat is another's by now",
    "jobs cloudfront-keyvaluestore:GetKey cloudfront": "asked where the table has no value",
    "jobs sqs:SendMessage AskedJobs": "a run hands over what it has no time for: it has time",
    "jobs sqs:SendMessage PaidOrders": "for orders that wait for tickets for ten minutes",
    "holds s3:ListBucket s3": "what S3 says of a layout that is not there: all of these are there",
    "seatmap dynamodb:UpdateItem reservations": "reads are counted only while the cache is gone",
    "ticketer dynamodb:Query reservations": "of a mailbox, for a link; no mail is sent here",
    "ticketer dynamodb:PutItem reservations": "marks a link as mailed; no mail is sent here",
    "tickets dynamodb:BatchGetItem reservations": "of a mailed link; no mail is sent here",
    "tickets dynamodb:Query reservations": "what a mailed link lists; no mail is sent here",
    "sweeper dynamodb:GetItem catalog": "invoices name who sells, and this event names nobody",
    "ticketer dynamodb:GetItem catalog": "a mail names the event, and no mail is sent here",
    "ticketer sqs:SendMessage Mails": "tickets are there before their mail is asked for",
    "sweeper sqs:SendMessage Reminders": "a run hands over what it has no time for: it has time",
    **{
        f"{function} elasticache:Connect elasticache/{what}": "the Valkey here asks no IAM: "
        "tests/infra/test_functions.py"
        for function, spec in BY_NAME.items()
        if spec.cache
        for what in ("serverlesscache", "user")
    },
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=sorted(PARTS), default=sorted(PARTS))
    parser.add_argument("--again", action="store_true", help="those that are finished, too")
    parser.add_argument("--record", type=Path, default=KEPT, help="where what was found is kept")
    options = parser.parse_args(arguments)
    record = Record(options.record)
    done = set() if options.again else set(record.finished())
    left = [function for function in options.only if function not in done]
    if skipped := sorted(set(options.only) - set(left)):
        print(f"Finished before: {', '.join(skipped)}.", flush=True)
    reason = missing()
    if left and reason is not None:
        print(f"The controls cannot run here: {reason}.", file=sys.stderr)
        return 1
    if left:
        _run(record, left)
    return _told(record, options.only)


def _run(record: Record, functions: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run_dir = Path(folder) / "run"
        with EmulatedSystem(run_dir, say=lambda text: print(text, flush=True)) as system:
            sale.open_events(system, SEATS)
            parts.open_more_events(system)
            if set(LATE) & set(functions):
                parts.prepare_reconcile(system)
            every = rights(system)
            for function in sorted(functions, key=lambda name: (name in LATE, name)):
                _keep(record, system, function, [r for r in every if r.function == function])


def _keep(record: Record, system: EmulatedSystem, function: str, its: Sequence[Right]) -> None:
    verdicts = []
    try:
        for verdict in _of_function(system, its):
            print(f"{verdict.right}: {verdict.seconds:.0f} s", flush=True)
            verdicts.append(verdict)
    except FAILURES as error:  # the other functions can be done all the same
        print(f"{function} fails with all of its rights: {type(error).__name__} {error}")
    else:
        record.keep(function, verdicts)


def _told(record: Record, functions: Sequence[str]) -> int:
    """Print the table, and what is wrong; the exit code."""
    found = {name: its for name, its in record.finished().items() if name in functions}
    problems = wrong(found, UNNOTICED)
    problems |= {name: "not finished" for name in functions if name not in found}
    print("\n".join(table(found, UNNOTICED)))
    for right, problem in problems.items():
        print(f"WRONG {right}: {problem}.")
    count = sum(map(len, found.values()))
    print(f"{count} rights of {len(found)} functions; {len(problems)} are not as listed.")
    return 1 if problems else 0


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
