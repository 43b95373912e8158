"""The desk flags no account for others, for one sampled case, or for a second event in a tab."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import Update
from fairgate.service.gate.desk import RiskDesk
from fairgate.service.shared.keys import desk_count_key
from tests.support.gated_site import VIEWER, Site, gated
from tests.support.memory_client import MemoryClient
from tests.support.world import EVENT, START_MS, World, gate

OTHER = "matinee"
STUDENTS = [f"student{n}" for n in range(40)]


@pytest.fixture
def world() -> World:
    """One seat: the desk asks about none."""
    return World(MemoryClient(), seats=1)


@pytest.fixture
def site(world: World, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A gate that forwards one violation in twenty, as it does by default."""
    return gated(world, monkeypatch, gate(pow_bits=2, sample_violations=0.05))


# --- one address, many people


@pytest.mark.parametrize("share", [0.05, 1.0])
def test_nobody_but_the_bot_is_flagged_at_the_address_of_a_campus(site: Site, share: float) -> None:
    """Forty with a clock that is wrong twice, a bot that hammers, and its twin in the next room."""
    site.set_gate(gate(pow_bits=2, sample_violations=share))
    for turn in range(30):
        site.repeat(1, "early", "bot")
        site.repeat(1, "bad-token", "twin")
        for student in STUDENTS[turn % 5 :: 5] if turn < 10 else ():
            assert "level" not in site.repeat(1, "early", student)
    assert [user for user in ("bot", "twin", *STUDENTS) if site.is_flagged(user)] == ["bot", "twin"]
    assert site.ask("admit", STUDENTS[0], site.token(STUDENTS[0]))[0] == 201
    assert "level" not in site.ask("sample-queue", STUDENTS[1])[2]
    assert "level" not in site.ask("sample-queue", "newcomer")[2]


def test_an_account_at_a_bad_address_is_flagged_sooner_and_told_why(site: Site) -> None:
    site.set_gate(gate(pow_bits=2, sample_violations=1.0))
    site.repeat(60, "early", "bot")
    assert "level" not in site.repeat(2, "early", "ann")
    body = site.repeat(1, "early", "ann")
    assert body["level"] == 1
    assert "this account asked before the time that was given 3 times" in body["noticed"]
    assert "lockedUntil" not in site.status_of("ann")
    elsewhere = [site.ask("early", "bob", site.token("bob"), address="192.0.2.1") for _ in range(3)]
    assert not any("level" in body for _, _, body in elsewhere)


# --- what one case stands for


def test_a_sampled_case_stands_for_as_many_as_the_share_says(site: Site, world: World) -> None:
    site.repeat(1)
    site.set_gate(gate(pow_bits=2, sample_violations=0.3))
    site.repeat(1)
    key = desk_count_key(EVENT, "u#ann", START_MS // 1000)
    count = world.item("reservations", key) or {}
    assert (count["early"], count["sampled"]) == (20 + 3.333, 2)


@pytest.mark.parametrize("verdict", ["early", "bad-token", "other-user"])
def test_one_or_two_sampled_cases_flag_nobody(site: Site, verdict: str) -> None:
    body = site.repeat(2, verdict)
    assert "level" not in body
    assert not site.is_flagged()
    assert site.ask("admit", token=site.token())[0] == 201


def test_three_flag_and_six_lock_out_and_both_say_that_it_is_an_estimate(site: Site) -> None:
    body = site.repeat(3)
    assert body["level"] == 1
    assert "before the time that was given about 60 times" in body["noticed"]
    body = site.repeat(2)
    assert (body["code"], body["level"]) == ("too-early", 1)
    body = site.repeat(1)
    assert (body["code"], body["level"]) == ("locked-out", 2)
    assert "about 120 times" in body["noticed"]
    decisions = RiskDesk(site.world.table, site.world.clock).show(EVENT, "ann")["decisions"]
    assert [(d["level"], d["seen"], d["cases"]) for d in decisions] == [(2, 6, {"early": 120.0})]


def test_a_case_counts_once_when_the_share_is_zero(site: Site) -> None:
    site.set_gate(gate(pow_bits=2, sample_violations=0.0))
    assert "level" not in site.repeat(5)
    assert site.repeat(1)["level"] == 1


# --- two events in two tabs


def other_events_token(
    site: Site, user: str = "ann", key: bytes = b"o" * 32, event: str = OTHER
) -> str:
    """A place in the other event's room; its keys are its own, as every event's."""
    rules = gate(pow_bits=2, token_keys={"1": key})
    issued = issue_waiting_token(rules, event, user, request_id="r", ip="", now_ms=START_MS)
    return encode_waiting_token(issued, rules)


@pytest.fixture
def two_events(site: Site) -> Site:
    site.set_gate(gate(pow_bits=2, token_keys={"1": b"o" * 32}), OTHER)
    return site


@pytest.mark.parametrize("verdict", ["bad-token", "other-event"])
def test_two_events_in_two_tabs_are_no_violation(
    two_events: Site, world: World, verdict: str
) -> None:
    token = other_events_token(two_events)
    for _ in range(20):
        status, _, body = two_events.ask(verdict, token=None, **{"x-fairgate-token": token})
        assert (status, body["verdict"]) == (403, "other-event")
        assert body["detail"] == "Forbidden: other-event."
    world.clock.tick(86_400)  # long after it has ended, too
    assert (
        two_events.ask(verdict, token=None, **{"x-fairgate-token": token})[2]["verdict"]
        == "other-event"
    )
    assert not two_events.is_flagged()
    assert desk_counts(world) == []


def desk_counts(world: World) -> list[str]:
    items = world.client.scan(TableName="t-reservations")["Items"]
    return [i["PK"]["S"] for i in items if i["PK"]["S"].startswith(f"D#{EVENT}#u#")]


@pytest.mark.parametrize("forgery", ["signature", "somebody else's", "no such event", "this one"])
def test_a_forged_token_of_another_event_is_a_violation(two_events: Site, forgery: str) -> None:
    token = {
        "signature": other_events_token(two_events, key=b"f" * 32),
        "somebody else's": other_events_token(two_events, "bob"),
        "no such event": other_events_token(two_events, event="never"),
        "this one": encode_waiting_token(
            structs.replace(two_events.token(), event=EVENT),
            gate(token_keys={"1": b"f" * 32}),
        ),
    }[forgery]
    bodies = [
        two_events.ask("bad-token", token=None, **{"x-fairgate-token": token})[2] for _ in range(3)
    ]
    assert [body["verdict"] for body in bodies] == ["bad-token"] * 3
    assert bodies[-1]["level"] == 1


@pytest.mark.parametrize("token", ["", "a.b", "é.é.é", "a.b.c.d", "x" * 2_000, "AA.eyJl.AA", "..."])
def test_a_malformed_token_is_a_violation(two_events: Site, world: World, token: str) -> None:
    assert (
        two_events.ask("bad-token", token=None, **{"x-fairgate-token": token})[2]["verdict"]
        == "bad-token"
    )
    assert len(desk_counts(world)) == 1


def test_an_event_that_cannot_be_looked_up_is_believed(
    two_events: Site, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = world.edge_config.read

    def away(key: str) -> object:
        if key == f"e:{OTHER}":
            raise DependencyUnavailableError("away")
        return read(key)

    monkeypatch.setattr(world.edge_config, "read", away)
    token = other_events_token(two_events)
    body = two_events.ask("bad-token", token=None, **{"x-fairgate-token": token})[2]
    assert body["verdict"] == "other-event"
    assert desk_counts(world) == []


# --- what the origin sees itself


def repeat_at_origin(site: Site, times: int, verdict: str = "redeemed", user: str = "ann") -> int:
    risk = RiskDesk(site.world.table, site.world.clock)
    levels = [risk.repeated(EVENT, site.rules, user, VIEWER, verdict).level for _ in range(times)]
    return levels[-1]


@pytest.mark.parametrize("verdict", ["redeemed", "inside"])
def test_a_repeat_weighs_from_the_third_time_on(site: Site, verdict: str) -> None:
    assert repeat_at_origin(site, 2, verdict) == 0
    assert repeat_at_origin(site, 2, verdict) == 0
    assert repeat_at_origin(site, 1, verdict) == 1  # the fifth
    assert repeat_at_origin(site, 8, verdict) == 1
    assert repeat_at_origin(site, 1, verdict) == 2  # the fourteenth


@pytest.mark.parametrize(("verdict", "same"), [("redeemed", True), ("inside", False)])
def test_the_origin_counts_repeated_attempts(
    site: Site, world: World, verdict: str, *, same: bool
) -> None:
    """Through the admission itself: with the token that was redeemed, or with another one."""
    token = site.token()
    opened = site.ask("admit", token=token)[2]
    seen = []
    for n in range(5):
        world.clock.tick(20)  # within the limit of requests
        again = token if same else structs.replace(token, id=token.id[:-1] + f"{n:x}")
        status, _, body = site.ask("admit", token=again)
        seen.append(site.is_flagged())
        assert (status, body["session"]) == (201, opened["session"]) if same else status == 403
    assert seen == [False, False, False, False, True]
    noticed = site.status_of()["deskNoticed"]
    assert noticed.endswith("5 times.")
    assert ("opened its session" if same else "inside already") in noticed
    key = desk_count_key(EVENT, "u#ann", START_MS // 1000)
    assert (world.item("reservations", key) or {})[verdict] == 5


def test_an_answer_does_not_wait_for_the_desk(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The count is lost, the answer is not."""
    token = site.token()
    site.ask("admit", token=token)

    def away(*_: object) -> None:
        raise DependencyUnavailableError("away")

    monkeypatch.setattr(RiskDesk, "repeated", away)
    assert site.ask("admit", token=token)[0] == 201


def test_repeats_are_forgotten_with_their_window(site: Site, world: World) -> None:
    for _ in range(5):
        assert repeat_at_origin(site, 2) == 0
        world.clock.tick(1_200)
    assert not site.is_flagged()


def test_repeats_are_counted_for_the_account_only(site: Site, world: World) -> None:
    assert repeat_at_origin(site, 40) == 2
    items = world.client.scan(TableName="t-reservations")["Items"]
    counted = {i["PK"]["S"] for i in items if i["SK"]["S"].startswith("W#")}
    assert counted == {f"D#{EVENT}#u#ann"}
    assert repeat_at_origin(site, 3, user="bob") == 0


def test_an_account_is_told_what_it_repeated(site: Site) -> None:
    repeat_at_origin(site, 6, "inside")
    status = RiskDesk(site.world.table, site.world.clock).show(EVENT, "ann")
    assert status["noticed"] == (
        "In the last ten minutes this account asked to come in while it was inside already 5 times."
    )


def test_counts_of_an_older_version_are_still_read(site: Site, world: World) -> None:
    """Written by the functions of before, in the running window: they stand for themselves."""
    key = desk_count_key(EVENT, "u#ann", START_MS // 1000)
    world.table.update(Update("reservations", *key, set={"ttl": 1}, add={"early": 9, "no_auth": 4}))
    assert "level" not in site.repeat(2)
    assert site.repeat(1)["level"] == 1


# --- what the firewall holds of an address


def _behind_a_firewall(site: Site) -> None:
    container = site.world.container
    container.settings = container.settings._replace(firewall=True)


def _cases(site: Site, many: int, label: str = "anonymous", user: str = "ann") -> list[object]:
    headers: dict[str, Any] = {"x-amzn-waf-fairgate-label": label}
    return [site.ask("early", user, **headers)[2].get("level") for _ in range(many)]


@pytest.fixture
def seen(site: Site, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """What the log says of verdicts; every violation is forwarded and weighs one."""
    site.set_gate(gate(pow_bits=2, sample_violations=1.0))
    said: list[dict[str, object]] = []
    monkeypatch.setattr(
        "fairgate.http.desk.logger.info",
        lambda _text, **fields: said.append(fields) if "verdict" in fields else None,
    )
    return said


def test_an_anonymous_address_halves_what_an_accounts_own_cases_may_weigh(
    site: Site, seen: list[dict[str, object]]
) -> None:
    _behind_a_firewall(site)
    assert _cases(site, 3) == [None, None, 1]
    assert seen == [{"verdict": "early"}] * 3
    status = RiskDesk(site.world.table, site.world.clock).show(EVENT, "ann")
    assert status["decisions"][0]["rule"] == "anonymous"
    assert status["noticed"] == (
        "In the last ten minutes this account asked before the time that was given 3 times,"
        " from an address of an anonymous network."
    )
    # Whoever else is there and has done nothing hears nothing of it.
    assert "level" not in site.ask("sample-queue", "bob")[2]
    assert _cases(site, 2, user="bob") == [None, None]


def test_a_label_means_nothing_where_no_firewall_stands(
    site: Site, seen: list[dict[str, object]]
) -> None:
    assert _cases(site, 5) == [None] * 5
    assert seen == []


@pytest.mark.parametrize("label", ["", "\nforged", "Anonymous"])
def test_no_label_but_the_firewalls_own_counts(
    site: Site, seen: list[dict[str, object]], label: str
) -> None:
    _behind_a_firewall(site)
    assert _cases(site, 5, label) == [None] * 5
    assert seen == []


def test_only_cases_that_came_with_the_label_count_as_such(
    site: Site, seen: list[dict[str, object]]
) -> None:
    _behind_a_firewall(site)
    assert _cases(site, 2) + _cases(site, 3, "") == [None] * 5
    assert len(seen) == 2
    assert _cases(site, 1) == [1]  # the sixth: the account's own rule
