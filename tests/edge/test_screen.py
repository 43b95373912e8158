"""The screen by itself: what no running edge shows."""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

import pytest

from infra.headers import EVERYWHERE
from infra.routes import ROUTES
from infra.screen import screen_source
from tests.edge.gate_tools import missing_tool
from tests.edge.running_edge import signed_in
from tests.support.waiting import patience_s

_RUN = """
const code = process.argv[1].replace(/import cf from 'cloudfront';/, '');
const { exists, requests } = JSON.parse(process.argv[2]);
const asked = async (key) => {
  if (exists === null) throw new Error('away');
  return Array.isArray(exists) ? exists.indexOf(key) >= 0 : exists;
};
const cf = { kvs: () => ({ exists: asked }) };
console.log = () => {};
const handler = new Function('cf', code + '; return handler;')(cf);
const all = requests.map((request) => handler({ context: { requestId: 'r' }, request }));
Promise.all(all).then((answers) => process.stdout.write(JSON.stringify(answers)));
"""


def screened(
    requests: list[dict[str, Any]],
    *,
    exists: bool | list[str] | None = True,
    source: str = "",
) -> list[dict[str, Any]]:
    """What the function says of each.

    ``exists`` is the store's answer, or the keys that it has; None: it does not answer.
    """
    if reason := missing_tool():
        pytest.skip(reason)
    told = json.dumps({"exists": exists, "requests": requests})
    command = ["node", "-e", _RUN, source or screen_source(), told]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=patience_s(30)
    )
    answers: list[dict[str, Any]] = json.loads(done.stdout)
    return answers


def request(method: str, uri: str, **query: dict[str, Any]) -> dict[str, Any]:
    headers = {name: {"value": value} for name, value in signed_in().items()}
    return {"method": method, "uri": uri, "headers": headers, "querystring": query}


def test_every_route_of_the_api_passes_where_the_gate_does_not_stand() -> None:
    asked = [
        request(method, re.sub(r"\{\w+\}", "x1", r.path))
        for r in ROUTES
        if r.function and not r.gated
        for method in r.methods
    ]
    assert any(one["method"] == "HEAD" for one in asked)
    assert screened(asked) == asked


def test_nobody_is_kept_out_while_the_store_does_not_answer() -> None:
    asked = [request("GET", "/api/events/final"), request("GET", "/api/events/FINAL")]
    passed, refused = screened(asked, exists=None)
    assert passed == asked[0]
    assert refused["statusCode"] == 404  # no event is called so, whatever the store has


def test_one_value_of_a_parameter_goes_on() -> None:
    twice = {"value": "a", "multiValue": [{"value": "a"}, {"value": "b"}]}
    [passed] = screened([request("GET", "/api/events/final/changes", section=twice, x=twice)])
    assert passed["querystring"] == {"section": {"value": "a"}}


def test_its_answer_is_the_apis_problem() -> None:
    asked = request("GET", "/api/orders")
    asked["headers"] = {}
    [answer] = screened([asked])
    assert answer["statusCode"] == 401
    assert answer["headers"]["content-type"]["value"] == "application/problem+json"
    assert json.loads(answer["body"]) == {
        "type": "urn:fairgate:problem:unauthenticated",
        "title": "Unauthenticated",
        "status": 401,
        "code": "unauthenticated",
        "detail": "Please sign in first.",
        "request_id": "r",
    }


@pytest.mark.parametrize(
    ("method", "uri", "status"),
    [
        ("GET", "/api/orders", 401),
        ("GET", "/api/nothing", 404),
        ("PUT", "/api/events", 405),
        ("OPTIONS", "/api/events", 204),
    ],
)
def test_its_own_answers_have_the_headers_that_all_have(method: str, uri: str, status: int) -> None:
    """CloudFront's policy adds nothing to what a function answers."""
    [answer] = screened([request(method, uri) | {"headers": {}}])
    assert answer["statusCode"] == status
    assert said(answer).items() >= {"cache-control": "no-store", **EVERYWHERE}.items()
    assert ("content-type" in answer["headers"]) == bool(answer["body"])


def said(answer: dict[str, Any]) -> dict[str, str]:
    return {name: entry["value"] for name, entry in answer["headers"].items()}


def slips_through(source: str) -> set[str]:
    """What this function lets pass, of what nobody has to be asked for."""
    anonymous = request("GET", "/api/orders") | {"headers": {}}
    forged = request("GET", "/api/orders") | {"headers": {"authorization": {"value": "Bearer x"}}}
    without = request("POST", "/api/sessions/s/checkout")
    del without["headers"]["x-fairgate-session"]
    stranger = request("GET", "/api/orders", x={"value": "1"})
    known = screened([anonymous, forged, without, stranger], source=source)
    [nowhere] = screened([request("GET", "/api/events/a/session")], exists=False, source=source)
    [misnamed] = screened([request("GET", "/api/events/a%0A")], source=source)
    said = dict(zip(("anonymous", "forged", "without session"), known, strict=False))
    said |= {"unknown event": nowhere, "misnamed event": misnamed}
    passed = {what for what, answer in said.items() if "statusCode" not in answer}
    return passed | ({"unknown parameter"} if known[3]["querystring"] else set())


def test_nothing_slips_through() -> None:
    assert slips_through(screen_source()) == set()


@pytest.mark.parametrize(
    ("guard", "gone", "missed"),
    [
        ("lacks !== ''", "false", {"anonymous", "forged", "without session"}),
        ("!SIGN_IN.test(scheme + given.slice(SCHEME_CHARS))", "false", {"forged"}),
        ("!headers['x-fairgate-session']", "false", {"without session"}),
        ("!EVENT.test(name)", "false", {"misnamed event"}),
        ("exists === false", "false", {"unknown event"}),
        ("route.indexOf(name) < 1", "false", {"unknown parameter"}),
    ],
)
def test_each_guard_is_missed_when_it_is_gone(guard: str, gone: str, missed: set[str]) -> None:
    source = screen_source()
    assert source.count(guard) == 1
    assert slips_through(source.replace(guard, gone)) == missed
