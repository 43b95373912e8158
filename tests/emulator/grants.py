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
from collections.abc import Callable, Iterator, Sequence
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
from tests.e2e.shopper import Shopper
from tests.emulator import sale

POLICY = "Exact"
# Lambda's own work on a function's behalf: the emulator writes logs and networks without a role.
OF_THE_PLATFORM = ("logs:", "ec2:")
SEATS = 300  # three for each sale
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


def _buy(system: EmulatedSystem) -> None:
    sale.order_is_refunded(system, sale.buy(system))


def _expire(system: EmulatedSystem) -> None:
    sale.order_expires(system, sale.check_out_and_go(system))


def _sign_in(system: EmulatedSystem) -> None:
    sale.sign_in(Shopper(system.base_url, sale.EVENT))


# Where a function works, so where the loss of its right can be felt.
PARTS: dict[str, Callable[[EmulatedSystem], None]] = {
    "auth": _sign_in,
    "authorizer": sale.look_around,
    "catalog": sale.look_around,
    "controller": sale.let_time_pass,
    "desk": sale.pass_the_desk,
    "expiry": _expire,
    "holds": _buy,
    "invalidator": sale.operate,
    "operator": sale.operate,
    "orders": _buy,
    "reconcile": sale.let_time_pass,
    "seatmap": sale.look_around,
    "sessions": _buy,
    "sweeper": sale.let_time_pass,
    "ticketer": _buy,
    "tickets": _buy,
}
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


def asked_for(system: Decides) -> set[Right]:
    """The rights that the functions have used until now."""
    before = f"fairgate-{STAGE}-"
    return {
        Right(entry.function.removeprefix(before), entry.action, _named(entry.resource))
        for entry in system.decisions()
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
    "seatmap dynamodb:UpdateItem reservations": "reads are counted only while the cache is gone",
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
    for function in dict.fromkeys(PARTS[name] for name in only):
        function(system)  # all of it goes well with every right
    used = asked_for(system)
    tried = [right for right in rights(system) if right.function in only]
    wrong = 0
    # Nobody can miss what nobody asks for: that is known without taking it away.
    for right in sorted(tried, key=lambda right: right in used):
        verdict = control(system, right) if right in used else Verdict(right, "", 0, 0.0)
        expected = str(right) not in UNNOTICED
        fits = verdict.missed == expected
        wrong += not fits
        print(f"{'' if fits else 'WRONG '}{verdict}", flush=True)
    print(f"{wrong} rights are not as listed.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
