"""The desk and the admission behind it, as CloudFront's forwarded requests reach them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import structs

from fairgate.domain.gate.edge_header import AGE_MAX_S, VERDICTS, sign_edge_header
from fairgate.domain.gate.risk import LOCKED_S, PARDON_S
from fairgate.domain.gate.waiting_token import parse_waiting_token
from fairgate.domain.shared.jws import b64url
from fairgate.domain.shared.jws import mac as jws_mac
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.service.gate.desk import RiskDesk
from fairgate.service.gate.desk_by_hand import PersonAtDesk
from fairgate.service.shared.live_count import counters_from
from fairgate.service.shared.rate_limits import RateLimiter
from fairgate_lab.engine.table import CountedTable
from tests.support.gated_site import CLOUDFRONT, INVENTED, VIEWER, Site, gated
from tests.support.moto_direct import dynamodb
from tests.support.world import EVENT, START_MS, World, gate


@pytest.fixture
def world() -> Iterator[World]:
    """One seat: the desk asks about none."""
    with dynamodb() as client:
        yield World(client, seats=1)


@pytest.fixture
def site(world: World, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A gate that forwards every case: what is counted is what there was."""
    return gated(world, monkeypatch, gate(pow_bits=2, sample_violations=1.0))


def flag(site: Site, times: int = 6, user: str = "ann") -> dict[str, Any]:
    return site.repeat(times, "early", user)


# --- the edge's word


ANONYMOUS = ("no-auth", "bad-auth")  # which the edge answers itself
ANSWERED = [v for v in VERDICTS if v not in ("sample-queue", "admit", *ANONYMOUS)]


@pytest.mark.parametrize("verdict", ANSWERED)
def test_each_verdict_has_its_status_when_the_edge_said_it(site: Site, verdict: str) -> None:
    statuses = {
        **dict.fromkeys(("bad-token", "other-user", "other-event"), 403),
        **dict.fromkeys(("early", "no-solution", "bad-solution"), 429),
        "sample-admit": 201,
    }
    status, headers, body = site.ask(verdict, token=site.token())
    assert status == statuses[verdict]
    assert ("retry-after" in headers) == (status == 429)
    assert status == 201 or body["code"]


@pytest.mark.parametrize("verdict", ["no-auth", "bad-auth", "early", "sample-queue"])
def test_a_request_without_sign_in_costs_nothing(site: Site, world: World, verdict: str) -> None:
    calls = CountedTable(world.table)
    world.container.__dict__["table"] = calls
    for sign_in in ("", "Bearer nonsense", site.auth("ann")[:-1]):
        status, _, body = site.ask(verdict, "", site.token(), authorization=sign_in)
        assert (status, body["code"]) == (401, "unauthenticated")
    assert not calls.calls
    assert desk_items(world) == []
    site.ask(verdict, token=site.token())  # the same of somebody who is signed in
    assert calls.calls or verdict in (*ANONYMOUS, "sample-queue")


@pytest.mark.parametrize("verdict", ANONYMOUS)
def test_a_word_about_strangers_is_none_about_a_user(
    site: Site, world: World, verdict: str
) -> None:
    for about in ("", "ann"):
        word = site.word(verdict, about)
        status, _, body = site.ask(verdict, token=site.token(), **{"x-fairgate-edge": word})
        assert (status, body["code"]) == (403, "forbidden")
    assert desk_items(world) == []


@pytest.mark.parametrize("verdict", ["admit", "sample-queue", "early"])
def test_a_request_past_the_gate_is_refused(site: Site, verdict: str) -> None:
    assert site.ask(verdict, token=site.token())[0] != 403
    for forged in ("", "v1.1.admit.AAAAAAAAAAAAAAAAAAAAAA", site.word(verdict, "bob")):
        status, _, body = site.ask(verdict, token=site.token(), **{"x-fairgate-edge": forged})
        assert (status, body["code"]) == (403, "forbidden")
    now_s = START_MS / 1000
    elsewhere = sign_edge_header(site.rules, verdict, "other", "ann", now_s, VIEWER)
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
    other = structs.replace(token, id=token.id[:-1] + ("0" if token.id[-1] != "0" else "1"))
    other = structs.replace(other, ch=token.ch)
    assert site.ask("admit", token=other, **again)[0] == 403  # inside already
    assert [counter.live for counter in counters_from(world.table, EVENT)] == [1]


def test_a_word_opens_only_the_door_that_it_was_said_for(site: Site) -> None:
    admit, sample = site.word("admit", "ann"), site.word("sample-queue", "ann")
    assert site.ask("early", token=site.token(), **{"x-fairgate-edge": admit})[0] == 403
    assert site.ask("admit", token=site.token(), **{"x-fairgate-edge": sample})[0] == 403


# --- counting


def desk_items(world: World) -> list[dict[str, Any]]:
    """What the desk has counted or decided, as DynamoDB has it."""
    items = world.client.scan(TableName="t-reservations")["Items"]
    return [item for item in items if item["PK"]["S"].startswith(f"D#{EVENT}#")]


def test_cases_are_counted_by_user_address_and_network_without_an_address(
    site: Site, world: World
) -> None:
    site.repeat(2)
    counts = desk_items(world)
    assert sorted(item["PK"]["S"].split("#")[2] for item in counts) == ["a", "n", "u"]
    for item in counts:
        assert (item["early"]["N"], item["sampled"]["N"]) == ("2", "2")
        assert int(item["ttl"]["N"]) <= START_MS // 1000 + 1_800
    pages = json.dumps(world.client.scan(TableName="t-reservations")["Items"])
    assert VIEWER not in pages
    assert INVENTED not in pages


def test_no_log_line_holds_an_address(site: Site, capfd: pytest.CaptureFixture[str]) -> None:
    flag(site, 30)
    said = "".join(capfd.readouterr())
    assert VIEWER not in said
    assert CLOUDFRONT not in said


def addresses(world: World) -> list[str]:
    mine = f"D#{EVENT}#a#"
    return [item["PK"]["S"] for item in desk_items(world) if item["PK"]["S"].startswith(mine)]


def test_counts_are_kept_apart_when_the_addresses_that_the_edge_signed_differ(
    site: Site, world: World
) -> None:
    site.ask("early", token=site.token())
    site.ask("early", "bob", site.token("bob"), address="192.0.2.9")
    assert len(set(addresses(world))) == 2


def test_no_header_moves_a_case_to_another_address(site: Site, world: World) -> None:
    """X-Forwarded-For is the caller's to write, and CloudFront's own address is in it, too."""
    for invented in (
        "192.0.2.9",
        f"192.0.2.9, {CLOUDFRONT}",
        f"{VIEWER}, 192.0.2.10, {CLOUDFRONT}",
    ):
        site.ask("early", token=site.token(), **{"x-forwarded-for": invented})
    assert len(addresses(world)) == 1


def test_an_admission_is_limited_by_the_address_that_the_edge_signed(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    limited: list[str] = []

    def take(_: RateLimiter, _name: str, _event: str, _user: str, address: str) -> None:
        limited.append(address)

    monkeypatch.setattr(RateLimiter, "take", take)
    for invented in ("192.0.2.9", f"192.0.2.10, {CLOUDFRONT}"):
        site.ask("admit", token=site.token(), **{"x-forwarded-for": invented})
    site.ask("admit", token=site.token(), address="192.0.2.11")
    assert limited[0] == limited[1] != limited[2]


def test_a_word_of_the_version_before_names_no_address_and_stands_for_itself(
    site: Site, world: World
) -> None:
    """As a gate that is not yet replaced says it; it forwarded every case."""
    site.set_gate(gate(pow_bits=2, sample_violations=0.05))
    said = f"v1|{START_MS // 1000}|early|{EVENT}|ann"
    mac = b64url(jws_mac(site.rules.edge_key, said))[:22]
    word = f"v1.{START_MS // 1000}.early.{mac}"
    assert site.ask("early", token=site.token(), **{"x-fairgate-edge": word})[0] == 429
    [count] = desk_items(world)
    assert (count["PK"]["S"], count["early"]["N"]) == (f"D#{EVENT}#u#ann", "1")


# --- level 1


def test_a_flagged_account_gets_a_harder_challenge_and_is_told_why(site: Site) -> None:
    assert "level" not in flag(site, 5)
    body = flag(site, 1)
    assert body["level"] == 1
    assert "6 times" in body["noticed"]
    assert "one window" in body["advice"]
    harder = parse_waiting_token(body["token"], site.rules, START_MS / 1000)
    mine = site.token()
    assert (harder.challenge_level, harder.pow_bits) == (1, 6)
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


def test_a_sampled_join_does_not_show_that_its_account_is_flagged(site: Site) -> None:
    """The edge, which answers other accounts, does not know it either."""
    flag(site)
    status, _, body = site.ask("sample-queue")
    other = site.ask("sample-queue", "bob")[2]
    assert status == 200
    assert (list(body), body["challenge"]["pow"]) == (list(other), other["challenge"]["pow"])
    assert site.ask("admit", token=site.token())[0] == 429


def test_a_flagged_account_is_not_admitted_earlier(site: Site) -> None:
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
    assert body["until"] == rfc3339(world.clock.ms + LOCKED_S * 1000)
    status, headers, body = site.ask("admit", token=site.token())
    assert (status, body["code"]) == (403, "locked-out")
    assert int(headers["retry-after"]) < LOCKED_S  # so that the place does not end before
    assert site.ask("sample-queue")[0] == 200  # as the edge would
    world.clock.tick(LOCKED_S)
    status, _, body = site.ask("admit", token=site.token())
    assert (status, body["level"]) == (429, 1)  # what remains of it
    harder = parse_waiting_token(body["token"], site.rules, world.clock.ms / 1000)
    world.clock.tick(2)
    assert site.ask("admit", token=structs.replace(harder))[0] == 201


def test_every_decision_keeps_its_reason(site: Site, world: World) -> None:
    flag(site, 24)
    shown = RiskDesk(world.table, world.clock).show(EVENT, "ann")
    assert shown["level"] == 2
    assert [d["level"] for d in shown["decisions"]] in ([1, 2], [2])
    last = shown["decisions"][-1]
    assert last["rule"] == "account-persists"
    assert last["cases"] == {"early": 24.0}
    assert last["seen"] == 24
    assert last["points"] == 24
    assert "24 times" in last["noticed"]
    assert last["by"] == "rules"


def test_a_decision_is_made_once_while_it_lasts(site: Site, world: World) -> None:
    flag(site, 24)
    before = site.status_of()["lockedUntil"]
    world.clock.tick(10)
    flag(site, 24)
    assert site.status_of()["lockedUntil"] == before


def test_a_pardon_lifts_it_and_lasts_until_the_counts_are_past(site: Site, world: World) -> None:
    flag(site, 24)
    risk = RiskDesk(world.table, world.clock)
    world.clock.tick(1)
    PersonAtDesk(world.table, world.clock, "olga").pardon(EVENT, "ann", "a broken script of ours")
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


class NoCounts:
    """A table whose counters are throttled; all else of it is as it was."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def update(self, _update: object) -> None:
        raise DependencyUnavailableError("Too much at once.", retry_after_s=1)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)


def test_nobody_loses_a_place_or_an_admission_when_nothing_can_be_counted(
    site: Site, world: World
) -> None:
    site.set_gate(structs.replace(site.rules, sample_queue=1.0))
    world.container.__dict__["table"] = NoCounts(world.table)
    status, _, body = site.ask("sample-queue")
    assert status == 200
    assert parse_waiting_token(body["token"], site.rules, START_MS // 1000).sub == "ann"
    status, _, _ = site.ask("sample-admit", token=site.token())
    assert status == 201


@pytest.mark.parametrize("state", ["draining", "soldout", "closed"])
def test_no_token_is_issued_when_the_edge_had_not_heard_of_the_end(site: Site, state: str) -> None:
    site.set_gate(gate(state=state))
    status, _, body = site.ask("sample-queue")
    assert (status, body["code"], body["state"]) == (410, "sale-over", state)
