"""The desk and the admission behind it, asked as the gate in CloudFront asks them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import structs

from fairgate.domain.gate import proof_of_work
from fairgate.domain.gate.edge_header import sign_edge_header
from fairgate.domain.gate.gate_config import GateConfig, dump_gate, gate_key
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.domain.shared.account import Account, names_of
from fairgate.domain.shared.auth_token import issue_auth_token
from functions.desk import handler as desk
from functions.sessions import handler as sessions
from tests.contract.http import request
from tests.support.world import EVENT, START_MS, World

CLOUDFRONT = "130.176.0.9"
VIEWER = "203.0.113.7"
INVENTED = "198.51.100.1"  # what a caller writes into X-Forwarded-For
Answer = tuple[int, dict[str, str], dict[str, Any]]


def gated(world: World, monkeypatch: pytest.MonkeyPatch, rules: GateConfig) -> Site:
    """A site whose two functions live in this world."""
    for function in (desk, sessions):
        monkeypatch.setattr(function, "container", lambda: world.container)
    return Site(world, rules)


class Site:
    """Asks as the gate in CloudFront would, at the world's time."""

    def __init__(self, world: World, rules: GateConfig) -> None:
        self.world = world
        self.set_gate(rules)

    def set_gate(self, rules: GateConfig, event: str = EVENT) -> None:
        if event == EVENT:
            self.rules = rules
        self.world.edge_config.values[gate_key(event)] = dump_gate(rules)
        self.world.container.gate._gates.clear()

    def auth(self, user: str, account: Account | None = None) -> str:
        key, names = self.world.secrets.current.auth["1"], names_of(account or Account())
        return f"Bearer {issue_auth_token(user, names, key, '1', self.world.clock.ms // 1000, 600)}"

    def word(self, verdict: str, user: str, address: str = VIEWER) -> str:
        now_s = self.world.clock.ms // 1000
        return sign_edge_header(self.rules, verdict, EVENT, user, now_s, address)

    def token(self, user: str = "ann", **changes: Any) -> WaitingToken:
        now_s = self.world.clock.ms // 1000
        issued = issue_waiting_token(
            self.rules, EVENT, user, request_id="r", ip="", now_ms=START_MS - 600_000
        )
        return structs.replace(issued, **{"boff": now_s - 1, "exp": now_s + 600} | changes)

    def ask(
        self,
        verdict: str,
        user: str = "ann",
        token: WaitingToken | None = None,
        *,
        address: str = VIEWER,
        **headers: str,
    ) -> Answer:
        """Ask with the gate's word on this verdict; ``headers`` are put over what it would send."""
        sent = {
            "x-fairgate-edge": self.word(verdict, user, address),
            "x-forwarded-for": f"{INVENTED}, {address}, {CLOUDFRONT}",
        }
        if user:
            sent["authorization"] = self.auth(user)
        if token is not None:
            sent["x-fairgate-token"] = encode_waiting_token(token, self.rules)
            sent["x-fairgate-solution"] = proof_of_work.solve(token.ch, token.pow_bits)
        sent = {name: value for name, value in (sent | headers).items() if value}
        if verdict == "admit":
            asked = request("POST", f"/api/events/{EVENT}/admission", **sent)
            handler = sessions.handler
        else:
            asked = request("POST", "/api/desk", query=f"event={EVENT}", **sent)
            handler = desk.handler
        asked["requestContext"]["http"]["sourceIp"] = CLOUDFRONT
        answer = handler(asked, None)
        return answer["statusCode"], answer["headers"], json.loads(answer["body"])

    def appeal(self, user: str = "ann", **body: str) -> Answer:
        """Ask that a person looks, with the sign-in alone."""
        path = f"/api/events/{EVENT}/appeal"
        asked = request("POST", path, body, authorization=self.auth(user))
        answer = desk.handler(asked, None)
        return answer["statusCode"], answer["headers"], json.loads(answer["body"])

    def repeat(self, times: int, verdict: str = "early", user: str = "ann") -> dict[str, Any]:
        """Ask so many times; returns the last answer's body."""
        body: dict[str, Any] = {}
        for _ in range(times):
            _, _, body = self.ask(verdict, user, self.token(user))
        return body

    def status_of(self, user: str = "ann") -> dict[str, Any]:
        """Return the user's status from the table."""
        return self.world.item("reservations", (f"U#{user}", EVENT)) or {}

    def is_flagged(self, user: str = "ann") -> bool:
        return "flaggedUntil" in self.status_of(user)
