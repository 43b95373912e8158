"""What a world's buyers are mailed: its table's changes, through the pipe's filter."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.ports.outside import Mail
from fairgate.ports.record import PK, SK, Key
from fairgate.ports.table import Action, Put, Update
from fairgate_lab.engine.outside import MemoryMailer
from fairgate_ops.run.local.patterns import accepts_any
from functions.ticketer import handler as ticketer
from infra.feeds import MAILED_CHANGES
from tests.support.world import World

carried = accepts_any(MAILED_CHANGES)


class Mailbox:
    """Hears every write of orders and refunds in this world, one stream record each."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.world, self.mailer = world, MemoryMailer()
        self.waiting: list[dict[str, Any]] = []
        world.container.__dict__["mailer"] = self.mailer
        monkeypatch.setattr(ticketer, "container", lambda: world.container)
        table = world.table
        monkeypatch.setattr(table, "transact", self._heard_all(table.transact))
        monkeypatch.setattr(table, "update", self._heard_one(table.update))

    def deliver(self) -> list[Mail]:
        """Deliver what waits; return the mails that were sent for it."""
        messages, self.waiting = self.waiting, []
        return self.handle(*messages)

    def handle(self, *bodies: dict[str, Any], failures: int = 0) -> list[Mail]:
        """Deliver messages; return the mails that were sent for them."""
        before = len(self.mailer.sent)
        records = [{"messageId": f"m{n}", "body": json.dumps(one)} for n, one in enumerate(bodies)]
        answer = ticketer.handler({"Records": records}, None)
        assert len(answer["batchItemFailures"]) == failures
        return self.mailer.sent[before:]

    def _heard_all(self, transact: Callable[..., None]) -> Callable[..., None]:
        def heard(actions: Sequence[Action], token: str | None = None) -> None:
            self._hear(actions, lambda: transact(actions, token))

        return heard

    def _heard_one(self, update: Callable[[Update], None]) -> Callable[[Update], None]:
        return lambda action: self._hear([action], lambda: update(action))

    def _hear(self, actions: Sequence[Action], write: Callable[[], None]) -> None:
        keys = [_key(action) for action in actions if action.table == "reservations"]
        keys = [key for key in keys if key.sk.startswith(("O#", "F#"))]
        before = [self.world.item("reservations", key) for key in keys]
        write()
        for key, old in zip(keys, before, strict=True):
            record = stream_record(key, old, self.world.item("reservations", key))
            if carried(record):
                self.waiting.append(record)


def stream_record(key: Key, old: Any, new: Any) -> dict[str, Any]:
    return {
        "eventName": "INSERT" if old is None else "MODIFY",
        "dynamodb": {
            "Keys": {PK: {"S": key.pk}, SK: {"S": key.sk}},
            "NewImage": to_item(new or {}),
            **({} if old is None else {"OldImage": to_item(old)}),
        },
    }


def _key(action: Action) -> Key:
    if isinstance(action, Put):
        return Key(action.item[PK], action.item[SK])
    return Key(action.pk, action.sk)
