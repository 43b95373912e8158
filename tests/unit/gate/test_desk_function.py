"""The desk and the admission behind it, as CloudFront's forwarded requests reach them."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

import pytest

from fairgate.domain.gate import proof_of_work
from fairgate.domain.gate.edge_header import AGE_MAX_S, VERDICTS, sign_edge_header
from fairgate.domain.gate.gate_config import GateConfig, dump_gate, gate_key
from fairgate.domain.gate.risk import FLAGGED_S, LOCKED_S, PARDON_S
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import (
    encode_waiting_token,
    issue_waiting_token,
    parse_waiting_token,
)
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.service.gate.desk import RiskDesk
from fairgate.service.shared.live_count import counters_from
from functions.desk import handler as desk
from functions.sessions import handler as sessions
from tests.contract.http import request
from tests.support.moto_direct import dynamodb
from tests.support.world import EVENT, START_MS, World, gate

CLOUDFRONT = "130.176.0.9"
VIEWER = "203.0.113.7"


class Site:
    """Asks as the gate in CloudFront would, at the world's time."""

    def __init__(self, world: World, rules: GateConfig) -> None:
        self.world = world
        self.set_gate(rules)

    def set_gate(self, rules: GateConfig) -> None:
        self.rules = rules
        self.world.edge_config.values[gate_key(EVENT)] = dump_gate(rules)
        self.world.container.gate._gates.clear()

    def auth(self, user: str) -> str:
        key = self.world.secrets.current.auth["1"]
        return f"Bearer {issue_auth_token(user, [], key, '1', self.world.clock.ms // 1000, 600)}"

    def word(self, verdict: str, user: str) -> str:
        now_s = self.world.clock.ms // 1000
        return sign_edge_header(self.rules, verdict, EVENT, user, now_s, "203.0.113.7")

    def token(self, user: str = "ann", **changes: Any) -> WaitingToken:
        now_s = self.world.clock.ms // 1000
        issued = issue_waiting_token(
            self.rules, EVENT, user, request_id="r", ip="", now_ms=START_MS - 600_000
        )
        return dataclasses.replace(issued, **{"boff": now_s - 1, "exp": now_s + 600} | changes)

    def ask(
        self, verdict: str, user: str = "ann", token: WaitingToken | None = None, **headers: str
    ) -> tuple[int, dict[str, str], dict[str, Any]]:
        sent = {
            "x-fairgate-edge": self.word(verdict, user),
            "x-forwarded-for": f"198.51.100.1, {VIEWER}, {CLOUDFRONT}",
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


@pytest.fixture
def world() -> Iterator[World]:
    """One seat: the desk asks about none."""
    with dynamodb(through_boto3=False) as client:
        yield World(client, seats=1)


@pytest.fixture
def site(world: World, monkeypatch: pytest.MonkeyPatch) -> Site:
    for function in (desk, sessions):
        monkeypatch.setattr(function, "container", lambda: world.container)
    return Site(world, gate(pow_bits=2))


def standing(world: World, user: str = "ann") -> dict[str, Any]:
    return world.item("reservations", (f"U#{user}", EVENT)) or {}


def flag(site: Site, times: int = 6, user: str = "ann") -> dict[str, Any]:
    body: dict[str, Any] = {}
    for _ in range(times):
        _, _, body = site.ask("early", user, site.token(user))
    return body


# --- the edge's word


@pytest.mark.parametrize("verdict", [v for v in VERDICTS if v not in ("sample-queue", "admit")])
def test_each_verdict_has_its_status_when_the_edge_said_it(site: Site, verdict: str) -> None:
    statuses = {
        **dict.fromkeys(("no-auth", "bad-auth"), 401),
        **dict.fromkeys(("bad-token", "other-user", "other-event"), 403),
        **dict.fromkeys(("early", "no-solution", "bad-solution"), 429),
        "sample-admit": 201,
    }
    user = "" if verdict in ("no-auth", "bad-auth") else "ann"
    status, headers, body = site.ask(verdict, user, site.token())
    assert status == statuses[verdict]
    assert ("retry-after" in headers) == (status == 429)
    assert status == 201 or body["code"]


@pytest.mark.parametrize("verdict", ["admit", "sample-queue", "early"])
def test_nobody_is_heard_who_did_not_come_through_the_gate(site: Site, verdict: str) -> None:
    assert site.ask(verdict, token=site.token())[0] != 403
    for forged in ("", "v1.1.admit.AAAAAAAAAAAAAAAAAAAAAA", site.word(verdict, "bob")):
        status, _, body = site.ask(verdict, token=site.token(), **{"x-fairgate-edge": forged})
        assert (status, body["code"]) == (403, "forbidden")
    elsewhere = sign_edge_header(site.rules, verdict, "other", "ann", START_MS / 1000, "::1")
    assert site.ask(verdict, token=site.token(), **{"x-fairgate-edge": elsewhere})[0] == 403


def test_the_edges_word_grows_stale(site: Site, world: World) -> None:
    said = site.word("sample-queue", "ann")
    world.clock.tick(AGE_MAX_S)
    assert site.ask("sample-queue", token=None, **{"x-fairgate-edge": said})[0] == 200
    world.clock.tick(1)
    assert site.ask("sample-queue", token=None, **{"x-fairgate-edge": said})[0] == 403


def test_a_word_said_again_opens_nothing_more(site: Site, world: World) -> None:
    said, token = site.word("admit", "ann"), site.token()
    again = {"x-fairgate-edge": said}
    first = site.ask("admit", token=token, **again)[2]
    assert site.ask("admit", token=token, **again)[2]["session"] == first["session"]
    other = dataclasses.replace(token, id=token.id[:-1] + ("0" if token.id[-1] != "0" else "1"))
    other = dataclasses.replace(other, ch=token.ch)
    assert site.ask("admit", token=other, **again)[0] == 403  # inside already
    assert [counter.live for counter in counters_from(world.table, EVENT)] == [1]


def test_a_word_opens_only_the_door_that_it_was_said_for(site: Site) -> None:
    admit, sample = site.word("admit", "ann"), site.word("sample-queue", "ann")
    assert site.ask("early", token=site.token(), **{"x-fairgate-edge": admit})[0] == 403
    assert site.ask("admit", token=site.token(), **{"x-fairgate-edge": sample})[0] == 403


# --- counting


def test_cases_are_counted_by_user_address_and_network_without_an_address(
    site: Site, world: World
) -> None:
    site.ask("early", token=site.token())
    site.ask("early", token=site.token())
    pages = world.client.scan(TableName="t-reservations")["Items"]
    counts = [item for item in pages if item["PK"]["S"].startswith(f"D#{EVENT}#")]
    assert sorted(item["PK"]["S"].split("#")[2] for item in counts) == ["a", "n", "u"]
    for item in counts:
        assert item["early"]["N"] == "2"
        assert int(item["ttl"]["N"]) <= START_MS // 1000 + 1_800
    assert VIEWER not in json.dumps(pages)
    assert "198.51.100.1" not in json.dumps(pages)


def test_no_log_line_holds_an_address(site: Site, capfd: pytest.CaptureFixture[str]) -> None:
    flag(site, 30)
    said = "".join(capfd.readouterr())
    assert VIEWER not in said
    assert CLOUDFRONT not in said


def test_counts_are_kept_apart_when_the_address_that_cloudfront_saw_differs(
    site: Site, world: World
) -> None:
    site.ask("early", token=site.token())
    site.ask(
        "early",
        "bob",
        site.token("bob"),
        **{"x-forwarded-for": f"{VIEWER}, 192.0.2.9, {CLOUDFRONT}"},
    )
    pages = world.client.scan(TableName="t-reservations")["Items"]
    addresses = [i["PK"]["S"] for i in pages if i["PK"]["S"].startswith(f"D#{EVENT}#a#")]
    assert len(set(addresses)) == 2


# --- level 1


def test_a_flagged_account_gets_a_harder_challenge_and_is_told_why(site: Site) -> None:
    assert "level" not in flag(site, 5)
    body = flag(site, 1)
    assert body["level"] == 1
    assert "6 times" in body["noticed"]
    assert "one window" in body["advice"]
    harder = parse_waiting_token(body["token"], site.rules, START_MS / 1000)
    mine = site.token()
    assert (harder.level, harder.pow_bits) == (1, 6)
    assert (harder.id, harder.lot, harder.h, harder.iat) == (mine.id, mine.lot, mine.h, mine.iat)
    assert body["challenge"] == {"ch": harder.ch, "pow": 6}
    assert body["boff"] == harder.boff >= mine.boff


def test_the_easy_challenge_admits_a_flagged_account_no_longer(site: Site, world: World) -> None:
    flag(site)
    status, headers, body = site.ask("admit", token=site.token())
    assert (status, body["code"], body["level"]) == (429, "too-early", 1)
    assert headers["retry-after"] == "1"
    world.clock.tick(2)
    harder = parse_waiting_token(body["token"], site.rules, world.clock.ms / 1000)
    assert site.ask("admit", token=harder)[0] == 201


def test_the_flag_ends_by_itself(site: Site, world: World) -> None:
    flag(site)
    world.clock.tick(FLAGGED_S - 1)
    assert site.ask("admit", token=site.token())[0] == 429
    world.clock.tick(1)
    assert site.ask("admit", token=site.token())[0] == 201


def test_a_sampled_token_of_a_flagged_account_is_hard_from_the_start(site: Site) -> None:
    flag(site)
    status, _, body = site.ask("sample-queue")
    assert status == 200
    assert (body["level"], body["challenge"]["pow"]) == (1, 6)
    assert site.ask("sample-queue", "bob")[2]["challenge"]["pow"] == 2


def test_nobody_comes_earlier_by_being_flagged(site: Site) -> None:
    late = site.token(boff=START_MS // 1000 + 50)
    for _ in range(6):
        _, headers, body = site.ask("early", token=late)
    assert headers["retry-after"] == "50"
    assert body["boff"] == late.boff


# --- level 2


def test_an_account_that_persists_is_locked_out_for_a_while_and_told_so(
    site: Site, world: World
) -> None:
    body = flag(site, 24)
    assert (body["code"], body["level"]) == ("locked-out", 2)
    assert "10 minutes" in body["detail"]
    assert body["retry_after"] == LOCKED_S
    status, headers, body = site.ask("admit", token=site.token())
    assert (status, body["code"]) == (403, "locked-out")
    assert headers["retry-after"] == str(LOCKED_S)
    assert site.ask("sample-queue")[0] == 403
    world.clock.tick(LOCKED_S)
    status, _, body = site.ask("admit", token=site.token())
    assert (status, body["level"]) == (429, 1)  # what remains of it
    harder = parse_waiting_token(body["token"], site.rules, world.clock.ms / 1000)
    world.clock.tick(2)
    assert site.ask("admit", token=dataclasses.replace(harder))[0] == 201


def test_others_at_the_same_address_are_never_locked_out(site: Site, world: World) -> None:
    for n in range(12):
        flag(site, 5, user=f"u{n}")
    assert site.ask("early", "bob", site.token("bob"))[2]["level"] == 1  # a harder challenge
    assert "lockedUntil" not in standing(world, "bob")
    assert site.ask("admit", "cem", site.token("cem"))[0] == 201  # who did nothing is not flagged


def test_every_decision_keeps_its_reason(site: Site, world: World) -> None:
    flag(site, 24)
    shown = RiskDesk(world.table, world.clock).show(EVENT, "ann")
    assert shown["level"] == 2
    assert [d["level"] for d in shown["decisions"]] in ([1, 2], [2])
    last = shown["decisions"][-1]
    assert last["rule"] == "account-persists"
    assert last["cases"] == {"early": 24.0}
    assert last["points"] == 24
    assert "24 times" in last["noticed"]
    assert last["by"] == "rules"


def test_a_decision_is_made_once_while_it_lasts(site: Site, world: World) -> None:
    flag(site, 24)
    before = standing(world)["lockedUntil"]
    world.clock.tick(10)
    flag(site, 24)
    assert standing(world)["lockedUntil"] == before


def test_a_pardon_lifts_it_and_lasts_until_the_counts_are_past(site: Site, world: World) -> None:
    flag(site, 24)
    risk = RiskDesk(world.table, world.clock)
    world.clock.tick(1)
    risk.pardon(EVENT, "ann", by="olga", reason="a broken script of ours")
    assert "level" not in flag(site, 3)
    assert site.ask("admit", token=site.token())[0] == 201
    shown = risk.show(EVENT, "ann")
    assert (shown["level"], shown["pardoned"]) == (0, True)
    assert shown["decisions"][-1]["by"] == "olga"
    assert shown["decisions"][-1]["noticed"] == "a broken script of ours"
    world.clock.tick(PARDON_S)
    assert flag(site, 6)["level"] == 1


# --- samples


def test_a_sampled_admission_opens_the_session_itself(site: Site) -> None:
    status, _, body = site.ask("sample-admit", token=site.token())
    assert (status, body["state"]) == (201, "reservation")


def test_an_account_that_takes_tokens_by_the_hundred_is_flagged(site: Site) -> None:
    site.set_gate(gate(pow_bits=2, sample_queue=0.05))
    assert "level" not in site.ask("sample-queue")[2]
    assert "level" not in site.ask("sample-queue")[2]
    body = site.ask("sample-queue")[2]
    assert body["level"] == 1
    assert "about 60 waiting tokens" in body["noticed"]


@pytest.mark.parametrize("state", ["draining", "soldout", "closed"])
def test_no_token_is_issued_when_the_edge_had_not_heard_of_the_end(site: Site, state: str) -> None:
    site.set_gate(gate(state=state))
    status, _, body = site.ask("sample-queue")
    assert (status, body["code"], body["state"]) == (410, "sale-over", state)
