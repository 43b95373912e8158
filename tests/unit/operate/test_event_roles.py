"""A role at one event: given, used, taken back, and worth nothing at any other event."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import ForbiddenError, NotFoundError
from fairgate.http import paths
from fairgate.service.operators.role_grants import RoleGrants
from fairgate.service.shared.keys import role_grant_key
from fairgate.service.shared.records.operators import RoleGrant
from fairgate.service.watch.make_figures import FigureMaker
from fairgate_ops.operate.api.caller import Caller
from fairgate_ops.operate.api.granted import ANYWHERE, BEYOND, LIST, must_be_allowed
from fairgate_ops.operate.api.roles import MAY, ROLES
from fairgate_ops.operate.cli.words.system import EVENT_ROLES
from functions.operator import handler as operator
from tests.contract.http import request
from tests.support.world import EVENT, START_MS, World
from tests.unit.operate.test_operator_api import ARGUMENTS, call, do, log

HIDE = ("event hide", {"event": EVENT})
OTHER, DRAFT = "other", "draft"


@pytest.fixture(autouse=True)
def served(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator, "container", lambda: world.container)
    world.put(replace(world.event, sk=OTHER))
    world.put(replace(world.event, sk=DRAFT, state="draft", hidden=True))


def grant(world: World, role: str = "organiser", **more: object) -> tuple[int, Any]:
    who = {} if "group" in more else {"user": "olga"}
    asked = {"event": EVENT, "role": role, **who, **more}
    return do(world, "access grant", asked, "owner", sub="otto")


def revoke(world: World, role: str = "organiser", user: str = "olga") -> tuple[int, Any]:
    asked = {"event": EVENT, "role": role, "user": user}
    return do(world, "access revoke", asked, "owner", sub="otto")


def refused(world: World, act: str, arguments: dict[str, Any], role: str = "") -> Any:
    status, told = do(world, act, arguments, role)
    assert (status, told["code"]) == (403, "forbidden"), told
    return {name: value for name, value in told.items() if name != "request_id"}


def test_a_granted_role_counts_at_its_event_and_at_no_other(world: World) -> None:
    refused(world, *HIDE)
    assert grant(world)[0] == 200
    assert do(world, *HIDE, "")[0] == 200
    answers = [
        refused(world, "event hide", {"event": event})
        for event in (OTHER, DRAFT, "nowhere", EVENT[:-1], f"{EVENT}-2", "", f"{EVENT}#")
    ]
    assert answers == [answers[0]] * len(answers)  # whether it is there or not
    assert answers[0]["detail"] == "“event hide” needs another role: organiser or owner."
    assert do(world, *HIDE, "", sub="ann")[0] == 403


@pytest.mark.parametrize("role", EVENT_ROLES)
def test_a_grant_gives_what_the_role_may_and_no_more(world: World, role: str) -> None:
    assert grant(world, role)[0] == 200
    for act, may in MAY.items():
        status = do(world, act, ARGUMENTS[act], "", dry_run=True)[0]
        of_the_event = act in (LIST, *ANYWHERE) or ("event" in ARGUMENTS[act] and act not in BEYOND)
        assert (status == 403) == (role not in may or not of_the_event), act


def test_every_role_but_the_owners_can_be_granted(world: World) -> None:
    assert {*EVENT_ROLES, "owner"} == set(ROLES)
    assert grant(world, "owner")[0] == 400


def test_who_has_a_role_at_the_event_gives_none(world: World) -> None:
    assert grant(world)[0] == 200
    refused(world, "access grant", {"event": EVENT, "role": "door", "user": "ann"})
    refused(world, "access grant", {"event": EVENT, "role": "door", "user": "ann"}, "organiser")


def test_it_adds_to_what_the_groups_give(world: World) -> None:
    assert grant(world)[0] == 200
    assert do(world, *HIDE, "viewer")[0] == 200
    assert do(world, "event show", {"event": OTHER}, "viewer")[0] != 403
    refused(world, "event hide", {"event": OTHER}, "viewer")


def test_a_group_has_it_as_well(world: World) -> None:
    assert grant(world, group="fairgate-berlin")[0] == 200
    asked = {"act": "event hide", "arguments": {"event": EVENT}}
    assert call(world, "POST", asked, ("fairgate-berlin",))[0] == 200
    assert call(world, "POST", asked, ("fairgate-bern",))[0] == 403
    assert do(world, *HIDE, "", sub="fairgate-berlin")[0] == 403
    for group in ("berlin", "fairgate-1", "fairgate-berlin\n"):
        assert grant(world, group=group)[0] == 400, group


def test_a_revoked_role_no_longer_counts_at_the_next_request(world: World) -> None:
    assert grant(world)[0] == 200
    assert do(world, *HIDE, "")[0] == 200
    assert revoke(world)[0] == 200
    refused(world, *HIDE)
    assert revoke(world)[0] == 404
    assert grant(world)[0] == 200
    assert do(world, "event show-again", {"event": EVENT}, "")[0] == 200


def test_a_role_ends_at_its_time(world: World) -> None:
    until_ms = world.clock.ms + 60_000
    assert grant(world, until=rfc3339(until_ms))[0] == 200
    world.clock.ms = until_ms - 1
    assert do(world, *HIDE, "")[0] == 200
    world.clock.ms = until_ms
    refused(world, *HIDE)
    assert grant(world, until=rfc3339(until_ms))[0] == 400


def test_what_was_never_granted_is_not_made_by_taking_it_back(world: World) -> None:
    grants = RoleGrants(world.table, world.clock)
    with pytest.raises(NotFoundError):
        grants.revoke(EVENT, "door", "user:ann", by="otto")
    assert world.item("catalog", role_grant_key(EVENT, "door", "user:ann")) is None
    grants.grant(EVENT, "door", "user:ann", by="otto")
    grants.revoke(EVENT, "door", "user:ann", by="otto")
    with pytest.raises(NotFoundError):
        grants.revoke(EVENT, "door", "user:ann", by="otto")


def test_the_list_has_the_callers_events_alone(world: World) -> None:
    refused(world, "event list", {})
    assert grant(world, "door")[0] == 200
    world.put(replace(world.event, sk="spoilt", state="x"))
    listed = do(world, "event list", {}, "")[1]
    assert [one["event"] for one in listed["result"]["events"]] == [EVENT]
    assert (listed["result"]["damaged"], listed["failed"]) == ([], False)
    assert not any(name in " ".join(listed["said"]) for name in (OTHER, DRAFT, "spoilt"))
    everything = do(world, "event list", {}, "door")[1]["result"]
    assert {one["event"] for one in everything["events"]} == {EVENT, OTHER, DRAFT}
    assert everything["damaged"] == ["spoilt"]


def test_the_figures_are_shown_for_that_event_alone(world: World) -> None:
    for event in (EVENT, OTHER):
        FigureMaker(world.table, world.clock).make(replace(world.event, sk=event))

    def figures(event: str) -> int:
        token = issue_auth_token(
            "olga", (), world.secrets.current.auth["1"], "1", START_MS / 1000, 600
        )
        path = paths.OPERATOR_EVENT.format(event=event)
        asked = request("GET", path, authorization=f"Bearer {token}")
        return int(operator.handler(asked, object())["statusCode"])

    assert figures(EVENT) == 403
    assert grant(world, "door")[0] == 200
    assert figures(EVENT) == 403  # at the door nobody needs them
    assert grant(world, "viewer")[0] == 200
    assert (figures(EVENT), figures(OTHER), figures("nowhere")) == (200, 403, 403)


def test_the_acts_say_at_which_events(world: World) -> None:
    assert call(world, "GET")[0] == 403
    assert grant(world)[0] == 200
    assert grant(world, "auditor")[0] == 200
    listed = call(world, "GET")[1]
    assert (listed["roles"], listed["events"]) == ([], {EVENT: ["organiser", "auditor"]})
    acts = {one["act"] for one in listed["acts"]}
    assert acts == {act for act, may in MAY.items() if may & {"organiser", "auditor"}}


def test_it_is_in_the_log_and_in_the_list(world: World) -> None:
    assert grant(world, until="2030-01-01T00:00:00Z", reason="for the tour")[0] == 200
    assert revoke(world)[0] == 200
    entries = [(one.who, one.act, one.detail) for one in log(world) if one.phase == "done"]
    given = {"role": "organiser", "who": "user:olga"}
    until = {"until": "2030-01-01T00:00:00.000Z", "reason": "for the tour"}
    assert entries == [
        ("sign-in otto", "access grant", given | until),
        ("sign-in otto", "access revoke", given),
    ]
    shown = do(world, "access list", {"event": EVENT}, "auditor")[1]["result"]["grants"]
    assert [(one["who"], one["in_force"]) for one in shown] == [("user:olga", False)]


def test_there_is_none_for_an_event_that_there_is_not(world: World) -> None:
    for act in ("access grant", "access revoke"):
        asked = {"event": "nowhere", "role": "door", "user": "ann"}
        assert do(world, act, asked, "owner")[0] == 404
    assert grant(world, user="not an id")[0] == 400


def test_no_grant_is_looked_for_by_what_names_no_event(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DynamoDB refuses a sort key of more than 1,024 bytes, and any buyer may ask."""
    looked: list[str] = []

    def of_event(_grants: RoleGrants, event: str) -> list[RoleGrant]:
        looked.append(event)
        return []

    monkeypatch.setattr(RoleGrants, "of_event", of_event)
    for event in ("x" * 1_100, "\x00", f"{EVENT}#", EVENT):
        refused(world, "event hide", {"event": event})
    assert looked == [EVENT]


def test_it_does_not_reach_another_event_through_its_own(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert grant(world)[0] == 200
    monkeypatch.setitem(MAY, "event clone", frozenset({"organiser"}))
    olga = Caller("olga", (), ())
    with pytest.raises(ForbiddenError):
        must_be_allowed(world.container, olga, "event clone", EVENT)
    must_be_allowed(world.container, olga, "event hide", EVENT)
