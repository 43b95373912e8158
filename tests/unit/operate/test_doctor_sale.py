"""The doctor looks at the sale itself, from inside and from outside."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fairgate.domain.gate.gate_config import Epoch, dump_gate, gate_key
from fairgate.domain.shared.account import CANARY
from fairgate.domain.shared.jws import b64url
from fairgate.ports.table import Update
from fairgate.service.shared.keys import event_key
from fairgate_lab.engine.outside import MemoryEdgeConfig
from fairgate_ops.operate.doctor import outside, sale
from fairgate_ops.operate.doctor.examine import looked_at
from fairgate_ops.operate.doctor.site import Site
from fairgate_ops.operate.first_keys import remove_left_behind, split_keys
from fairgate_ops.shared.secret_file import SECRET_NAMES
from tests.support.aws_stub import AwsStub
from tests.support.doctor_site import (
    DEPLOYED,
    DESCRIBED,
    ISSUER,
    KEYS,
    PROVIDER_KEYS,
    TOLD,
    URL,
    Web,
    only,
    site_of,
    states,
)
from tests.support.world import EVENT, START_MS, World, gate

NOW_S = START_MS / 1000
PROBLEM = '{"type": "urn:fairgate:problem:malformed"}'


@pytest.mark.parametrize(("ahead_s", "state"), [(0, "ok"), (9, "wrong"), (-9, "wrong")])
def test_the_clock_is_wrong_when_it_is_not_awss(
    world: World, tmp_path: Path, ahead_s: int, state: str
) -> None:
    assert only(sale.clock, site_of(world, tmp_path, AwsStub(), ahead_s=ahead_s)).state == state
    assert only(sale.clock, site_of(world, tmp_path)).state == "off"


def key_states(world: World, folder: Path, **how: Any) -> dict[str, str]:
    return states(list(sale.keys(site_of(world, folder, AwsStub(), **how))))


def test_keys_are_ready_when_all_are_there_and_the_gate_knows_them(
    world: World, tmp_path: Path
) -> None:
    paid = {**KEYS, "payments": b64url(b"sk")}
    assert set(key_states(world, tmp_path, keys=paid).values()) == {"ok"}
    assert key_states(world, tmp_path, keys=KEYS)["payment key"] == "wrong"
    assert key_states(world, tmp_path, provider="sandbox")["payment key"] == "wrong"
    assert key_states(world, tmp_path, keys={}) == {"keys": "wrong"}
    rotated = paid | {"auth": {"2": KEYS["session"]["1"]}, "auth_kid": "2"}
    assert key_states(world, tmp_path, keys=rotated)[f"keys of {EVENT}"] == "wrong"


def wrong_about_keys(site: Site) -> dict[str, tuple[str, str]]:
    found = sale.keys(site)
    return {one.subject: (one.text, one.do) for one in found if one.state != "ok"}


def test_a_deployment_of_before_is_told_how_its_keys_get_where_they_are_read(
    world: World, tmp_path: Path
) -> None:
    paid = KEYS | {"payments": b64url(b"sk")}
    site = site_of(world, tmp_path, AwsStub(), keys=paid)
    for name in SECRET_NAMES:
        held = paid if name == "keys" else {}
        (tmp_path / "secrets" / f"{name}.json").write_text(json.dumps(held))
    ((text, do),) = wrong_about_keys(site).values()
    assert "ticket (tickets)" in text
    assert "fairgate keys split" in do
    split_keys(site.target.secret)
    assert "keys split --remove" in wrong_about_keys(site)["keys of before"][1]
    remove_left_behind(site.target.secret)
    assert wrong_about_keys(site) == {}


def test_no_key_is_said(world: World, tmp_path: Path) -> None:
    site = site_of(world, tmp_path, AwsStub(), keys=KEYS | {"payments": b64url(b"sk")})
    text = str([one.as_json() for one in sale.keys(site)])
    single = (KEYS["webhook"], KEYS["ticket"], KEYS["links"], KEYS["addresses"])
    for key in (KEYS["auth"]["1"], KEYS["session"]["1"], *single):
        assert key not in text


def gate_is(world: World, **changes: Any) -> None:
    world.edge_config.values[gate_key(EVENT)] = dump_gate(gate(**changes))


STANDING = (Epoch(NOW_S - 100, 0.0, 0.0),)


@pytest.mark.parametrize(
    ("changes", "state"),
    [
        ({}, "ok"),
        ({"epochs": STANDING}, "wrong"),
        ({"epochs": (*STANDING, Epoch(NOW_S + 60, 0.0, 0.1))}, "ok"),
        ({"epochs": STANDING, "state": "paused"}, "ok"),
        ({"epochs": STANDING, "sale_start_s": round(NOW_S) + 600}, "wrong"),
        (
            {
                "epochs": (*STANDING, Epoch(NOW_S + 600, 0.0, 0.1)),
                "sale_start_s": round(NOW_S) + 600,
            },
            "ok",
        ),
    ],
)
def test_epochs_are_wrong_when_nobody_would_be_let_in(
    world: World, tmp_path: Path, changes: dict[str, Any], state: str
) -> None:
    gate_is(world, **changes)
    assert only(sale.epochs, site_of(world, tmp_path)).state == state


@pytest.mark.parametrize(("age_s", "state"), [(299, "ok"), (301, "wrong")])
def test_a_controller_that_plans_nothing_is_noticed(
    world: World, tmp_path: Path, age_s: int, state: str
) -> None:
    gate_is(world, epochs=(Epoch(NOW_S - age_s, 0.0, 0.1),))
    assert only(sale.epochs, site_of(world, tmp_path)).state == "ok"  # nobody plans it
    world.table.update(Update("catalog", *event_key(EVENT), set={"control": "auto"}))
    assert only(sale.epochs, site_of(world, tmp_path)).state == state


def test_the_store_is_wrong_when_it_has_another_value_than_is_written(
    world: World, tmp_path: Path
) -> None:
    site = site_of(world, tmp_path)
    assert only(sale.store, site).state == "ok"
    other = MemoryEdgeConfig({gate_key(EVENT): dump_gate(gate(state="paused"))})
    site = site_of(world, tmp_path)
    vars(site.target.world)["edge_config"] = other
    assert only(sale.store, site).state == "wrong"


def test_a_value_in_a_format_that_the_deployment_does_not_read_is_wrong(
    world: World, tmp_path: Path
) -> None:
    site = site_of(world, tmp_path)
    assert only(sale.gate_format, site).state == "ok"
    older = replace(site, target=replace(site.target, gate_format=lambda: 3))
    assert only(sale.gate_format, older).state == "wrong"


def test_a_catalogue_with_a_damaged_event_is_wrong(world: World, tmp_path: Path) -> None:
    assert only(sale.damage, site_of(world, tmp_path)).state == "ok"
    world.client.update_item(
        TableName="t-catalog",
        Key={"PK": {"S": world.event.pk}, "SK": {"S": EVENT}},
        UpdateExpression="SET #limit = :wrong",
        ExpressionAttributeNames={"#limit": "holdLimit"},
        ExpressionAttributeValues={":wrong": {"S": "many"}},
    )
    assert only(sale.damage, site_of(world, tmp_path)).state == "wrong"


# --- from outside


@pytest.mark.parametrize(
    ("answers", "state"),
    [
        ({"/": (200, "<!doctype html><html>")}, "ok"),
        ({"/": (403, "<html>")}, "wrong"),
        ({"/": (200, "parked")}, "wrong"),
        ({}, "unseen"),
    ],
)
def test_pages_are_there_when_the_first_one_is(
    world: World, tmp_path: Path, answers: dict[str, tuple[int, str]], state: str
) -> None:
    (found,) = looked_at(site_of(world, tmp_path, web=Web(answers)), "pages", outside.pages)
    assert found.state == state


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ((200, PROVIDER_KEYS), "ok"),
        ((200, '{"keys": []}'), "wrong"),
        ((200, '{"keys": [{"kid": "1"}]}'), "wrong"),
        ((200, PROVIDER_KEYS.replace("RS256", "PS256")), "wrong"),
        ((200, '{"keys": [{"kty": "EC", "crv": "P-256", "kid": "1", "alg": "ES256"}]}'), "wrong"),
        ((200, "[" * 100_000), "wrong"),
        ((200, "<html>"), "wrong"),
        ((404, "{}"), "wrong"),
    ],
)
def test_sign_in_is_ready_when_the_providers_keys_are_there(
    world: World, tmp_path: Path, answer: tuple[int, str], state: str
) -> None:
    site = site_of(
        world, tmp_path, AwsStub(), Web({"idp.example.org/jwks.json": answer}), deployed=DEPLOYED
    )
    assert only(outside.identity, site).state == state
    here = site_of(world, tmp_path, web=Web({f"{URL}/idp/jwks.json": answer}))
    assert only(outside.identity, here).state == state
    none = site_of(world, tmp_path, AwsStub(), deployed=DEPLOYED | {"oidc_jwks_url": ""})
    assert only(outside.identity, none).state == "wrong"


@pytest.mark.parametrize(
    ("said", "state"),
    [([], "wrong"), (["since", "verified_phone"], "wrong"), (["since", "memberships"], "ok")],
)
def test_what_an_event_requires_of_accounts_is_said_by_their_sign_ins(
    world: World, tmp_path: Path, said: list[str], state: str
) -> None:
    told = json.dumps({"identity": {"issuer": ISSUER, "account": said}})
    web = Web({f"{URL}/config.json": (200, told)})
    assert only(outside.accounts, site_of(world, tmp_path, web=web)).state == "ok"
    world.table.transact([Update("catalog", *event_key(EVENT), set={"members": CANARY})])
    assert only(outside.accounts, site_of(world, tmp_path, web=web)).state == "ok"
    assert web.asked == []  # nothing is required of a provider
    required = {"accountDays": 30, "members": "fan-club"}
    world.table.transact([Update("catalog", *event_key(EVENT), set=required)])
    assert only(outside.accounts, site_of(world, tmp_path, web=web)).state == state


OTHERWISE = {"told": (200, TOLD), "described": (200, DESCRIBED)}


@pytest.mark.parametrize(
    ("changes", "state", "said"),
    [
        ({}, "ok", ISSUER),
        ({"told": (200, '{"identity": null}')}, "wrong", "no provider"),
        ({"told": (200, "<html>")}, "wrong", "no provider"),
        ({"told": (200, '{"identity": {"issuer": 7}}')}, "wrong", "no provider"),
        ({"described": (200, DESCRIBED.replace(ISSUER, ISSUER + "/"))}, "wrong", ISSUER + "/ "),
        ({"described": (200, DESCRIBED.replace("RS256", "ES256"))}, "wrong", "RS256"),
        ({"described": (200, json.dumps({"issuer": ISSUER}))}, "ok", ISSUER),
        ({"described": (404, "")}, "off", "does not describe itself"),
        ({"described": (200, "<html>")}, "off", "does not describe itself"),
        ({"described": (200, "[" * 100_000)}, "off", "does not describe itself"),
        ({"described": (503, "")}, "unseen", "503"),
    ],
)
def test_sign_in_is_ready_when_the_provider_is_called_as_it_calls_itself(
    world: World, tmp_path: Path, changes: dict[str, tuple[int, str]], state: str, said: str
) -> None:
    """One letter that differs, and every sign-in is refused."""
    answers = OTHERWISE | changes
    discovery = f"{ISSUER}/.well-known/openid-configuration"
    web = Web({f"{URL}/config.json": answers["told"], discovery: answers["described"]})
    found = only(outside.issuer, site_of(world, tmp_path, AwsStub(), web))
    assert (found.state, said in found.text) == (state, True)


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ((400, PROBLEM), "ok"),
        ((401, PROBLEM), "ok"),
        ((403, '{"message": "Forbidden"}'), "wrong"),
        ((401, "Unauthorized"), "wrong"),
        ((200, "{}"), "wrong"),
        ((503, PROBLEM), "wrong"),
    ],
)
def test_the_webhook_reaches_us_when_our_function_refuses_what_is_not_signed(
    world: World, tmp_path: Path, answer: tuple[int, str], state: str
) -> None:
    web = Web({"/api/payments/webhook": answer})
    assert only(outside.webhook, site_of(world, tmp_path, web=web)).state == state
    assert [(method, bearer) for method, _, _, bearer in web.asked] == [("POST", "")]


@pytest.mark.parametrize(("status", "state"), [(401, "ok"), (404, "wrong"), (503, "unseen")])
def test_a_value_is_at_the_edge_when_the_edge_refuses_a_sign_in_for_it(
    world: World, tmp_path: Path, status: int, state: str
) -> None:
    web = Web({f"/api/events/{EVENT}/queue": (status, "{}")})
    assert only(outside.edge, site_of(world, tmp_path, web=web)).state == state
    ((_, _, _, bearer),) = web.asked
    assert [len(part) for part in bearer.split(".")][2] == 43


@pytest.mark.parametrize(
    ("written", "state"),
    [("closed", "ok"), ("draining", "ok"), ("soldout", "ok"), ("open", "unseen")],
)
def test_an_edge_that_says_that_the_sale_is_over_has_the_value_of_one_that_is(
    world: World, tmp_path: Path, written: str, state: str
) -> None:
    world.table.update(Update("catalog", *event_key(EVENT), set={"state": written}))
    web = Web({f"/api/events/{EVENT}/queue": (410, "{}")})
    assert only(outside.edge, site_of(world, tmp_path, web=web, only=EVENT)).state == state


def test_nothing_is_asked_about_an_event_that_is_over(world: World, tmp_path: Path) -> None:
    world.table.update(Update("catalog", *event_key(EVENT), set={"state": "closed"}))
    site = site_of(world, tmp_path)
    for check in (sale.epochs, sale.store, sale.gate_format, outside.edge):
        assert only(check, site).state == "off"
