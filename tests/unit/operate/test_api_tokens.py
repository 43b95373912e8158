"""A token lets a program act in one role, until its time, and is stored nowhere."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError, UnauthenticatedError
from fairgate.http import paths
from fairgate.service.operators import api_tokens
from fairgate.service.operators.api_tokens import ApiTokens
from fairgate.service.shared.keys import api_token_key
from fairgate_ops.operate.api.granted import ANYWHERE, LIST
from fairgate_ops.operate.api.roles import MAY
from fairgate_ops.shared.paths import ROOT
from functions.operator import handler as operator
from functions.orders import handler as orders
from tests.contract.http import request
from tests.support.world import EVENT, NAMES, World
from tests.unit.operate.test_operator_api import ARGUMENTS, do, log

HIDE = ("event hide", {"event": EVENT})
OTHER = "other"


@pytest.fixture(autouse=True)
def served(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for function in (operator, orders):
        monkeypatch.setattr(function, "container", lambda: world.container)
    world.put(replace(world.event, sk=OTHER))


def made(world: World, role: str = "organiser", event: str = EVENT, **more: Any) -> dict[str, Any]:
    until = rfc3339(world.clock.ms + 60_000)
    asked = {"event": event, "role": role, "until": until}
    status, told = do(world, "access token", asked, "owner", sub="otto", **more)
    assert status == 200, told
    found: dict[str, Any] = told["result"]
    return found


def by(world: World, token: str, act: str, arguments: object, **more: object) -> tuple[int, Any]:
    body = {"act": act, "arguments": arguments, **more}
    key = {"idempotency_key": world.ids.hex32()}
    asked = request("POST", paths.OPERATOR_ACTS, body, authorization=f"Bearer {token}", **key)
    answer = operator.handler(asked, object())
    return answer["statusCode"], json.loads(answer["body"])


def tokens(world: World) -> ApiTokens:
    return ApiTokens(world.table, world.clock)


def made_here(world: World) -> tuple[str, str]:
    until = rfc3339(world.clock.ms + 60_000)
    count = iter(range(9))
    token, record = tokens(world).make(
        EVENT, "viewer", by="otto", until=until, token_bytes=lambda n: bytes([next(count)]) * n
    )
    return token, record.sk


def test_a_token_acts_in_its_role_at_its_event_and_the_log_names_it(world: World) -> None:
    token = made(world)
    assert by(world, token["token"], *HIDE)[0] == 200
    assert log(world)[-1].who == f"token#{token['id']}"
    for event in (OTHER, "nowhere"):
        assert by(world, token["token"], "event hide", {"event": event})[0] == 403
    listed = by(world, token["token"], "event list", {})[1]["result"]["events"]
    assert [one["event"] for one in listed] == [EVENT]


@pytest.mark.parametrize("event", [EVENT, "all"])
def test_it_may_what_its_role_may_and_no_more(world: World, event: str) -> None:
    token = made(world, "auditor", event)["token"]
    for act, may in MAY.items():
        status = by(world, token, act, ARGUMENTS[act], dry_run=True)[0]
        named = event == "all" or "event" in ARGUMENTS[act] or act in (LIST, *ANYWHERE)
        assert (status == 403) == (not named or "auditor" not in may), act


def test_a_token_for_all_acts_at_every_event(world: World) -> None:
    token = made(world, "organiser", "all")["token"]
    assert by(world, token, "event hide", {"event": EVENT})[0] == 200
    assert len(by(world, token, "event list", {})[1]["result"]["events"]) == 2
    assert "access token" in {one.act for one in log(world)}


def test_it_has_the_shape_that_the_edge_lets_through_and_no_other_function_takes(
    world: World,
) -> None:
    token = made(world)["token"]
    screen = (ROOT / "edge/screen/screen.js").read_text("utf-8")
    shape = re.search(r"SIGN_IN = /(.+)/;", screen)
    assert shape
    assert re.fullmatch(shape[1], f"bearer {token}")
    asked = request("GET", paths.ORDERS, authorization=f"Bearer {token}")
    assert orders.handler(asked, object())["statusCode"] == 401


def test_it_is_shown_once_and_stored_nowhere(world: World) -> None:
    key = "k"
    token = made(world, key=key)["token"]
    secret = token.rpartition(".")[2]
    assert made(world, key=key) == {"kept": False}
    stored = [world.client.scan(TableName=name)["Items"] for name in NAMES.values()]
    assert token.split(".")[1] in str(stored)
    assert secret not in str(stored)
    assert do(world, "access token", ARGUMENTS["access token"], "owner", dry_run=True)[1][
        "result"
    ].keys() == {"event", "role", "until", "dry_run"}


def test_a_token_that_was_taken_back_is_refused_at_the_next_request(world: World) -> None:
    token = made(world)
    assert by(world, token["token"], *HIDE)[0] == 200
    end = ("access end-token", {"token": token["id"]}, "owner")
    assert do(world, *end)[0] == 200
    assert by(world, token["token"], *HIDE)[0] == 401
    assert do(world, *end)[0] == 404
    shown = do(world, "access tokens", {}, "auditor")[1]["result"]["tokens"]
    assert [(one["id"], one["in_force"]) for one in shown] == [(token["id"], False)]


def test_it_ends_at_its_time(world: World) -> None:
    token, _ = made_here(world)
    world.clock.ms += 59_999
    tokens(world).check(token)
    world.clock.ms += 1
    with pytest.raises(UnauthenticatedError):
        tokens(world).check(token)


def test_what_is_not_the_token_is_refused_with_one_text(world: World) -> None:
    token, name = made_here(world)
    header, _, secret = token.split(".")
    other = "x" if secret[0] != "x" else "y"
    wrong = [
        f"{header}.{name}.{other}{secret[1:]}",
        f"{header}.{'B' * 12}.{secret}",
        f"{header}.{name}.{secret}\n",
        f"{header}.{name}",
        f"{header}.{name}.",
        f"{header}.{name}.{secret}.x",
    ]
    texts = set()
    for one in wrong:
        with pytest.raises(UnauthenticatedError) as refused:
            tokens(world).check(one)
        texts.add(refused.value.detail)
    assert len(texts) == 1


def test_what_there_is_not_is_not_made_by_taking_it_back(world: World) -> None:
    with pytest.raises(NotFoundError):
        tokens(world).revoke("abcdefghijkl", by="otto")
    assert world.item("catalog", api_token_key("abcdefghijkl")) is None
    _, name = made_here(world)
    tokens(world).revoke(name, by="otto")
    with pytest.raises(NotFoundError):
        tokens(world).revoke(name, by="otto")


def test_a_token_is_no_second_person(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = world.container.settings._replace(second_person=True)
    monkeypatch.setattr(world.container, "settings", settings)
    token = made(world)["token"]
    close = ("event close", {"event": EVENT})
    assert by(world, token, *close, confirm="yes")[0] == 403
    asked = do(world, *close, confirm="yes")[1]["request"]
    assert by(world, token, "act confirm", {"event": EVENT, "request": asked})[0] == 403
    assert by(world, token, *HIDE)[0] == 200


@pytest.mark.parametrize(
    "asked",
    [
        {"role": "owner"},
        {"until": "2020-01-01T00:00:00Z"},
        {"until": "2099-01-01T00:00:00Z"},
        {"event": "nowhere"},
    ],
)
def test_a_wrong_token_is_not_made(world: World, asked: dict[str, str]) -> None:
    given = {**ARGUMENTS["access token"], **asked}
    assert do(world, "access token", given, "owner")[0] in (400, 404)
    assert tokens(world).all() == []
    assert api_tokens.SECRET_BYTES == 32
