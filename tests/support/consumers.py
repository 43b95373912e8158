"""Every function that a queue feeds, with messages that it can and cannot do."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from fairgate import bootstrap
from fairgate.domain.shared.times import rfc3339
from fairgate.service.shared.keys import session_key
from fairgate_lab.engine.cache import NoCache
from fairgate_lab.engine.outside import MemoryMailer
from fairgate_ops.operate.api import do_job
from tests.support.availability import seat_item, stream_record
from tests.support.world import EVENT, START_MS, World

# Bodies that no consumer can read, or that are another's: whatever was sent by mistake or by hand.
NOT_MESSAGES: Mapping[str, str] = {
    "empty": "",
    "not JSON": "no json",
    "cut off": '{"session": "ses_',
    "brackets without end": "[" * 100_000,
    "a number": "7",
    "a list": "[]",
    "nothing": "null",
    "a text": '"text"',
}
Handler = Callable[[dict[str, Any], Any], dict[str, Any]]


@dataclass(frozen=True)
class Consumer:
    """One consumer in a world of its own.

    Args:
        bodies: of two messages that it can do.
        poison: JSON objects of its own kind that it must refuse.
        done: which of the two are done.
        break_second: makes its use-case raise what nobody expected at the second.
    """

    handler: Handler
    bodies: tuple[str, str]
    poison: Mapping[str, str]
    done: Callable[[], set[int]]
    break_second: Callable[[], None]

    def deliver(self, *bodies: str) -> list[int]:
        """Deliver one batch; return the positions of the messages that are to come again."""
        records = [{"messageId": f"m{n}", "body": body} for n, body in enumerate(bodies)]
        answer = self.handler({"Records": records}, None)
        return [int(one["itemIdentifier"][1:]) for one in answer["batchItemFailures"]]


def consumer(name: str, world: World, monkeypatch: pytest.MonkeyPatch) -> Consumer:
    module = importlib.import_module(f"functions.{name}.handler")
    monkeypatch.setattr(bootstrap, "container", lambda: world.container)
    monkeypatch.setattr(module, "container", lambda: world.container, raising=False)
    return CONSUMERS[name](module, world, monkeypatch)


def _raises_at(
    monkeypatch: pytest.MonkeyPatch, module: Any, use_case: str, wanted: str
) -> Callable[[], None]:
    """Make a use-case of the module raise when ``wanted`` is among its arguments."""
    real = getattr(module, use_case)

    def broken(*arguments: Any, **named: Any) -> Any:
        if wanted in arguments:
            raise ZeroDivisionError("a release that divides by it")
        return real(*arguments, **named)

    return lambda: monkeypatch.setattr(module, use_case, broken)


def _ticketer(module: Any, world: World, monkeypatch: pytest.MonkeyPatch) -> Consumer:
    world.container.__dict__["mailer"] = MemoryMailer()
    orders = [_paid_order(world, letter) for letter in "ab"]

    def body(order: str) -> str:
        image = {"PK": {"S": "x"}, "SK": {"S": f"O#{order}"}, "state": {"S": "paid"}}
        return json.dumps({"eventName": "MODIFY", "dynamodb": {"NewImage": image, "Keys": {}}})

    def done() -> set[int]:
        stored = [
            world.item("reservations", (_session_of(order), f"O#{order}")) for order in orders
        ]
        return {n for n, order in enumerate(stored) if order and order["state"] == "ticketed"}

    poison = {
        "no order's id": body("x"),
        "an unknown order": body(orders[0].replace("ord_a", "ord_c")),
        "an image that is none": '{"dynamodb": {"NewImage": [1]}}',
    }
    broken = _raises_at(monkeypatch, module, "issue_tickets", orders[1])
    return Consumer(module.handler, (body(orders[0]), body(orders[1])), poison, done, broken)


def _session_of(order: str) -> str:
    return "ses_" + order[4:36]


def _paid_order(world: World, letter: str) -> str:
    order = "ord_" + letter * 32 + "_" + "b" * 8
    session = _session_of(order)
    item = {
        "PK": session,
        "SK": f"O#{order}",
        "GSI1PK": f"ann#{EVENT}",
        "GSI1SK": f"{session}#O",
        "userId": "ann",
        "eventId": EVENT,
        "orderId": order,
        "state": "paid",
        "totalMinor": 5_000,
        "userLimit": 10,
        "currency": "EUR",
        "lines": [],
        "units": [{"kind": "seat", "seat": "s-1-1", "section": "s", "tier": "t", "label": "1"}],
        "email": "ann@example.org",
        "expiresAt": rfc3339(START_MS),
        "createdAt": rfc3339(START_MS),
    }
    world.put_item("reservations", item)
    return order


def _expiry(module: Any, world: World, monkeypatch: pytest.MonkeyPatch) -> Consumer:
    sessions = [world.session(user, seconds=60).session for user in ("ann", "bob")]
    world.clock.tick(3_600)

    def done() -> set[int]:
        stored = [world.item("reservations", session_key(session)) for session in sessions]
        return {n for n, session in enumerate(stored) if session and session["state"] == "expired"}

    poison = {"no session": "{}", "a session of another type": '{"session": ["ses_1"]}'}
    first, second = (json.dumps({"session": session}) for session in sessions)
    broken = _raises_at(monkeypatch, module, "expire_session", sessions[1])
    return Consumer(module.handler, (first, second), poison, done, broken)


class _Cache(NoCache):
    """Keeps which seats it was told of, and meets a defect at one when it is broken."""

    broken = False

    def __init__(self) -> None:
        self.told: set[int] = set()

    def apply(self, _event: str, _section: str, changes: Any) -> int:
        if self.broken and any(seat.index == 1 for seat in changes):
            raise ZeroDivisionError("a release that divides by it")
        self.told |= {seat.index for seat in changes}
        return len(changes)

    def end_claims(self, _event: str, _section: str, _units: Any) -> None:
        return


def _invalidator(module: Any, world: World, monkeypatch: pytest.MonkeyPatch) -> Consumer:
    cache = _Cache()
    world.container.__dict__["cache"] = cache

    def body(index: int, **changes: Any) -> str:
        return json.dumps(stream_record(seat_item("a", index, **changes)))

    endless = stream_record(seat_item("a", 7))
    endless["dynamodb"]["ApproximateCreationDateTime"] = float("inf")
    del endless["dynamodb"]["NewImage"]["updatedAt"]
    poison = {
        "no image": "{}",
        "an image that is none": '{"dynamodb": {"NewImage": [1]}}',
        "a version of another type": body(7, version="one"),
        "an endless time": json.dumps(endless),
    }
    return Consumer(
        module.handler,
        (body(0), body(1)),
        poison,
        lambda: cache.told & {0, 1},
        lambda: monkeypatch.setattr(cache, "broken", True),
    )


def _jobs(module: Any, world: World, monkeypatch: pytest.MonkeyPatch) -> Consumer:
    done: set[str] = set()

    def do(_world: object, name: str) -> str:
        if name == "job_1" and broken:
            raise ZeroDivisionError("a release that divides by it")
        done.add(name)
        return "done"

    broken: list[bool] = []
    monkeypatch.setattr(do_job, "do_job", do)
    return Consumer(
        module.handler,
        ('{"job": "job_0"}', '{"job": "job_1"}'),
        {"no name": "{}", "a number": '{"job": 7}'},
        lambda: {int(name[-1]) for name in done},
        lambda: broken.append(True),
    )


CONSUMERS: Mapping[str, Callable[[Any, World, pytest.MonkeyPatch], Consumer]] = {
    "expiry": _expiry,
    "invalidator": _invalidator,
    "jobs": _jobs,
    "ticketer": _ticketer,
}
