"""A locked-out buyer asks that a person looks; a person lifts the lock-out or makes it longer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import structs

from fairgate.domain.gate.risk import KEPT_S_MAX, LOCKED_S
from fairgate.domain.gate.waiting_token import parse_waiting_token
from fairgate.domain.shared.rate_limit import USER_LIMITS
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import LimitExceededError, WrongStateError
from fairgate.http.models import APPEAL_CHARS_MAX
from fairgate.service.gate import appeals
from fairgate.service.gate.appeals import Appeals
from fairgate.service.gate.desk_by_hand import PersonAtDesk
from fairgate_lab.engine.table import CountedTable
from tests.support.gated_site import Site, gated
from tests.support.moto_direct import dynamodb
from tests.support.world import EVENT, World, gate


@pytest.fixture
def world() -> Iterator[World]:
    with dynamodb() as client:
        yield World(client, seats=1)


@pytest.fixture
def site(world: World, monkeypatch: pytest.MonkeyPatch) -> Site:
    return gated(world, monkeypatch, gate(pow_bits=2, sample_violations=1.0))


@pytest.fixture
def person(world: World) -> PersonAtDesk:
    return PersonAtDesk(world.table, world.clock, "olga")


def in_s(world: World, seconds: float) -> str:
    return rfc3339(world.clock.ms + round(seconds * 1000))


def listed(world: World) -> list[tuple[str, str, str]]:
    found = Appeals(world.table, world.clock).open(EVENT).appeals
    return [(one.user, one.rule, one.text) for one in found]


def test_a_locked_out_buyer_asks_once_and_goes_on_as_soon_as_a_person_lifts_it(
    site: Site, world: World, person: PersonAtDesk
) -> None:
    told = site.repeat(24)
    assert (told["code"], told["by"], told["appealed"]) == ("locked-out", "rules", False)
    token = site.token()
    status, _, body = site.appeal(text="My\n extension \x1b[2J\u202e reloads.")
    assert (status, body["appealed"], body["until"]) == (200, True, told["until"])
    assert site.appeal(text="Again.")[2] == body
    assert listed(world) == [("ann", "account-persists", "My extension [2J reloads.")]
    status, headers, body = site.ask("admit", token=token)
    assert (status, body["code"], body["appealed"]) == (403, "locked-out", True)
    assert int(headers["retry-after"]) <= 20  # a person may answer at any moment
    person.pardon(EVENT, "ann", "a broken extension")
    assert listed(world) == []
    kept = parse_waiting_token(body["token"], site.rules, world.clock.ms // 1000)
    assert (kept.id, kept.lot) == (token.id, token.lot)
    assert site.ask("admit", token=kept)[0] == 201


def test_a_place_outlives_a_lock_out_with_its_number_and_its_waiting_time(
    site: Site, world: World, person: PersonAtDesk
) -> None:
    """In mode t, where a new token would have a new number."""
    site.set_gate(structs.replace(site.rules, mode="t"))
    token = first = site.token()
    person.extend(world.event, site.rules, "ann", in_s(world, 7_200), "resale")
    for _ in range(7_200):
        status, headers, body = site.ask("admit", token=token)
        if status == 201:
            break
        token = parse_waiting_token(body["token"], site.rules, world.clock.ms // 1000)
        world.clock.tick(int(headers["retry-after"]))
    assert status == 201
    assert world.clock.ms // 1000 > first.exp + 3_600
    same = [(one.id, one.lot, one.h, one.iat, one.ch) for one in (first, token)]
    assert same[0] == same[1]


def test_who_is_not_locked_out_has_nothing_to_ask(site: Site, world: World) -> None:
    site.repeat(6)  # flagged
    calls = CountedTable(world.table)
    world.container.__dict__["table"] = calls
    status, _, body = site.appeal()
    assert (status, body["code"]) == (409, "wrong-state")
    assert calls.calls["transact"] == 0
    assert listed(world) == []


def test_an_appeal_is_bounded(site: Site, world: World) -> None:
    site.repeat(24)
    assert site.appeal(text="x" * (APPEAL_CHARS_MAX + 1))[0] == 400
    answers = [site.appeal()[0] for _ in range(USER_LIMITS["appeal"].quota)]
    assert answers == [*[200] * (USER_LIMITS["appeal"].quota - 1), 429]
    assert listed(world) == [("ann", "account-persists", "")]


def test_a_longer_lock_out_is_obeyed_told_and_may_be_appealed_against_again(
    site: Site, world: World, person: PersonAtDesk
) -> None:
    site.repeat(24)
    site.appeal(text="It was not me.")
    until = in_s(world, 7_200)
    person.extend(world.event, site.rules, "ann", until, "Forty accounts from one machine")
    assert listed(world) == []
    world.clock.tick(LOCKED_S + 1)  # the rules' own would be over
    status, _, body = site.ask("admit", token=site.token())
    assert (status, body["code"], body["until"]) == (403, "locked-out", until)
    assert (body["by"], body["appealed"]) == ("person", False)
    assert body["noticed"] == "Forty accounts from one machine"
    assert "Forty accounts from one machine. The place in the draw is kept" in body["detail"]
    assert site.appeal(text="Look again, please.")[0] == 200
    assert listed(world) == [("ann", "by hand", "Look again, please.")]
    world.clock.tick(7_200)
    assert listed(world) == []
    assert site.ask("admit", token=site.token())[0] == 201


def test_a_person_locks_out_who_did_nothing_and_the_rules_shorten_it_not(
    site: Site, world: World, person: PersonAtDesk
) -> None:
    until = in_s(world, 3_600)
    person.extend(world.event, site.rules, "ann", until, "bought for resale")
    assert site.repeat(24)["until"] == until
    assert site.ask("admit", token=site.token())[2]["until"] == until


@pytest.mark.parametrize(
    ("ends_s", "after_s", "refused"),
    [
        (None, KEPT_S_MAX, None),
        (None, KEPT_S_MAX + 1, LimitExceededError),
        (None, 0, LimitExceededError),
        (3_600, 3_600, None),
        (3_600, 3_601, LimitExceededError),
        (-1, 60, WrongStateError),
    ],
)
def test_a_person_locks_out_for_a_day_or_to_the_end_of_the_sale_at_most(
    site: Site,
    world: World,
    person: PersonAtDesk,
    ends_s: int | None,
    after_s: int,
    refused: type[Exception] | None,
) -> None:
    ends_at = "" if ends_s is None else in_s(world, ends_s)
    sale = structs.replace(world.event, sale_ends_at=ends_at)
    asked: Any = (sale, site.rules, "ann", in_s(world, after_s), "resale")
    if refused is None:
        person.extend(*asked)
        return
    with pytest.raises(refused):
        person.extend(*asked)
    assert site.status_of() == {}


def test_a_lock_out_is_not_made_shorter(site: Site, world: World, person: PersonAtDesk) -> None:
    site.repeat(24)
    with pytest.raises(WrongStateError, match="Lift it instead"):
        person.extend(world.event, site.rules, "ann", in_s(world, 60), "enough")


def test_the_list_is_bounded_and_says_so(
    site: Site, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appeals, "READ_MAX", 4)
    monkeypatch.setattr(appeals, "SHOWN_MAX", 2)
    for user in ("ann", "bob", "cid"):
        site.repeat(24, user=user)
        site.appeal(user)
        world.clock.tick(1)
    found = Appeals(world.table, world.clock).open(EVENT)
    assert [one.user for one in found.appeals] == ["ann", "bob"]
    assert (found.count, found.more) == (3, False)
    monkeypatch.setattr(appeals, "READ_MAX", 3)
    assert Appeals(world.table, world.clock).open(EVENT).more


def test_a_buyer_who_is_let_in_costs_no_more_reads(site: Site, world: World) -> None:
    calls = CountedTable(world.table)
    world.container.__dict__["table"] = calls
    assert site.ask("admit", token=site.token())[0] == 201
    event_and_limit = {"find": 1, "update": 1}
    assert calls.calls == {"find_each": 1, "transact": 1} | event_and_limit
