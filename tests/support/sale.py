"""A sale from its creation to its end: the real command, the real handlers, moto's tables."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from fairgate import bootstrap
from fairgate.bootstrap import Container
from fairgate.domain.gate import proof_of_work
from fairgate.domain.gate.edge_header import sign_edge_header
from fairgate.domain.gate.gate_config import GateConfig, gate_key, parse_gate
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.settings import from_environment
from fairgate_lab.engine.outside import MemoryEdgeConfig
from fairgate_ops.operate import target
from fairgate_ops.operate.cli import main
from tests.contract.http import function, request
from tests.support.moto_direct import dynamodb
from tests.support.world import NAMES, World

EVENT = "final"
CHART = Path(__file__).parents[1] / "charts" / "little-hall.venue.json"


class Sale:
    """One event; its sale starts a minute after it is made, τ is 60 s."""

    def __init__(self, world: World, folder: Path) -> None:
        self.world, self.clock, self.table = world, world.clock, world.table
        self.store = MemoryEdgeConfig()
        settings = from_environment(
            {
                "FAIRGATE_SEATS_TABLE": NAMES["seats"],
                "FAIRGATE_RESERVATIONS_TABLE": NAMES["reservations"],
                "FAIRGATE_CATALOG_TABLE": NAMES["catalog"],
                "FAIRGATE_LAYOUTS_DIR": str(folder / "layouts"),
            }
        )
        self.container = Container(
            settings,
            clock=world.clock,
            ids=world.ids,
            table=world.table,
            secrets=world.secrets,
            edge_config=self.store,
            expiry_queue=world.reminders,
        )
        secret = partial(target.SecretFile, folder)
        self.target = target.Target(
            "local", self.container, secret, lambda: world.client, 1.0, who=lambda: "tester"
        )

    @property
    def gate(self) -> GateConfig:
        return parse_gate(self.store.values[gate_key(EVENT)])

    @property
    def item(self) -> dict[str, Any]:
        item = self.world.item("catalog", ("EVENT", EVENT))
        assert item is not None
        return item

    def run(self, words: str, *more: str) -> int:
        """``fairgate …`` as it is typed; its exit code."""
        with patch.object(target, "target_of", lambda _options: self.target):
            return main.main([*words.split(), *more])

    def create(self, *more: str, publish: bool = True) -> None:
        """With the same keys each time, so everyone's number is the same each time."""
        more = (*more, "--publish") if publish else more
        words = f"event create {EVENT} --venue {CHART} --price-all 45 --sale-starts-in 60 --tau 60"
        numbers = itertools.count()

        def token_bytes(count: int) -> bytes:
            return hashlib.sha256(f"sale-{next(numbers)}".encode()).digest()[:count]

        with patch("fairgate_ops.operate.target.secrets.token_bytes", token_bytes):
            assert self.run(words, "--name", "The Final", "--pow", "0", *more) == 0

    def join(self, user: str) -> WaitingToken:
        """What the edge gives this user now."""
        return issue_waiting_token(
            self.gate, EVENT, user, request_id=user, ip="127.0.0.1", now_ms=self.clock.ms
        )

    def admit(self, place: WaitingToken, verdict: str = "admit") -> dict[str, Any]:
        """The origin's answer to an admission that the edge lets through now."""
        now_s, gate = self.clock.ms // 1000, self.gate
        place = replace(place, boff=now_s - 1, exp=now_s + 600)
        auth = issue_auth_token(
            place.sub, [], self.world.secrets.current.auth["1"], "1", now_s, 600
        )
        event = request(
            "POST",
            f"/api/events/{EVENT}/admission",
            authorization=f"Bearer {auth}",
            x_fairgate_token=encode_waiting_token(place, gate),
            x_fairgate_solution=proof_of_work.solve(place.ch, place.pow_bits),
            x_fairgate_edge=sign_edge_header(gate, verdict, EVENT, place.sub, now_s, "203.0.113.7"),
        )
        answer: dict[str, Any] = function("sessions").handler(event, None)
        return {"status": answer["statusCode"], "body": json.loads(answer["body"])}

    def admit_when_due(self, places: list[WaitingToken], *, until_s: int) -> dict[str, str]:
        """Let everyone ask every ten seconds; return user → session of the admitted ones."""
        inside: dict[str, str] = {}
        end_ms = self.clock.ms + until_s * 1000
        while self.clock.ms < end_ms:
            self.clock.tick(10)
            for place in places:
                if place.sub not in inside:
                    answer = self.admit(place)
                    assert answer["status"] in (201, 403), answer
                    if answer["status"] == 201:
                        inside[place.sub] = answer["body"]["session"]
        return inside


@contextmanager
def small_sale(folder: Path) -> Iterator[Sale]:
    with dynamodb() as client:
        sale = Sale(World(client), folder)
        bootstrap.container.cache_clear()
        with patch.object(bootstrap, "Container", lambda _settings: sale.container):
            yield sale
        bootstrap.container.cache_clear()
