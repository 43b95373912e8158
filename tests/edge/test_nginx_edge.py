"""Real nginx with njs in front of a stub of the API."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fairgate import request_ids
from fairgate.domain.gate import proof_of_work
from fairgate.domain.gate.edge_header import EdgeWord, sign_edge_header, verify_edge_header
from fairgate.domain.gate.gate_config import Epoch
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate_lab.bench.availability.viewers import Audience, watch
from fairgate_ops.run.local.nginx import EdgePlan, edge_available
from fairgate_ops.run.local.processes import free_port
from fairgate_ops.run.local.shares import gated_patterns
from infra.routes import PAGE, PINNED, ROUTES, Route
from tests.edge.gate_tools import EVENT, SUB, make_gate, missing_tool, write_gates
from tests.edge.running_edge import (
    Edge,
    StubServer,
    accepts,
    address_of,
    command,
    nobody_asks_for,
    reset,
    signed_in,
    stubs,
)
from tests.support.gate_build import gate_source
from tests.support.waiting import patience_s, wait_until

SERVERS = ["nginx", "node"]
MINUTE = "public, max-age=60"
TAG = '"one"'
SECOND = "public, max-age=0, s-maxage=1, stale-while-revalidate=1"


@pytest.fixture(scope="module", params=SERVERS)
def edge(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Edge]:
    reason = missing_tool() or (edge_available() if request.param == "nginx" else None)
    if reason:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp(request.param)
    with stubs(["desk", "sessions"]) as servers:
        yield from running_edge(folder, request.param, servers)


@pytest.fixture(autouse=True)
def _api_as_it_was(edge: Edge) -> Iterator[None]:
    """Let each test change how the API answers."""
    yield
    edge.api.cache_control, edge.api.tag, edge.api.status, edge.api.own = MINUTE, "", 200, {}


def running_edge(folder: Path, kind: str, servers: dict[str, StubServer]) -> Iterator[Edge]:
    plan = EdgePlan(
        port=free_port(),
        api_upstream=address_of(servers["api"]),
        web_root=folder / "web",
        layouts_root=folder / "layouts",
        kvs_dir=folder / "kvs",
        gate_js=folder / "gate.js",
        run_dir=folder / "run",
        extra_upstreams={"/sandbox/": address_of(servers["api"])},
        gated_upstreams={
            pattern: address_of(servers[share]) for pattern, share in gated_patterns().items()
        },
        front_door="known-to-two",
    )
    (folder / "web" / "assets").mkdir(parents=True)
    (folder / "web" / "index.html").write_text("<!doctype html><title>hello</title>")
    (folder / "web" / "assets" / "main.js").write_text("export const one = 1\n" + "// long\n" * 200)
    (folder / "layouts" / "abc").mkdir(parents=True)
    (folder / "layouts" / "abc" / "venue.json").write_text("{}")
    plan.gate_js.write_text(gate_source())
    reset(plan)
    process = subprocess.Popen(command(plan, kind), stdout=subprocess.PIPE)
    try:
        wait_until(lambda: accepts(plan.port) or process.poll() is not None, "the edge listening")
        log = plan.run_dir / "error.log"
        assert process.poll() is None, log.read_text() if log.exists() else "the server ended"
        yield Edge(plan, servers["api"])
    finally:
        process.terminate()
        process.communicate(timeout=patience_s(10))


def admitted(edge: Edge, **headers: str) -> tuple[int, dict[str, str], Any]:
    reset(edge.plan, open_until_s=int(time.time()) + 600, sale_start_s=int(time.time()) + 1)
    _, _, place = edge.gated("queue")
    wait_until(lambda: time.time() >= place["boff"] - 2, "the first attempt's time", 20)
    nonce = proof_of_work.solve(place["challenge"]["ch"], place["challenge"]["pow"])
    return edge.gated(
        "admission", x_fairgate_token=place["token"], x_fairgate_solution=nonce, **headers
    )


def test_the_gate_answers_queue_itself_when_the_sale_is_open(edge: Edge) -> None:
    reset(edge.plan)
    before = len(edge.api.seen)
    status, headers, place = edge.gated("queue")
    assert status == 200
    assert headers["cache-control"] == "no-store"
    assert place["state"] == "waiting"
    assert place["token"].count(".") == 2
    assert len(edge.api.seen) == before


def test_the_api_gets_the_gates_word_when_the_draw_admits(edge: Edge) -> None:
    status, _, seen = admitted(edge, x_fairgate_edge="v1.1.admit.AAAAAAAAAAAAAAAAAAAAAA")
    assert status == 200
    assert (seen["path"], seen["share"]) == (f"/api/events/{EVENT}/admission", "sessions")
    assert seen["headers"]["x-fairgate-front-door"] == "known-to-two"
    said = seen["headers"]["x-fairgate-edge"]
    assert verify_edge_header(said, make_gate(), EVENT, SUB, time.time()).verdict == "admit"


def test_a_violation_reaches_nobody_when_it_is_not_of_the_share(edge: Edge) -> None:
    reset(edge.plan, sample_violations=0.0)
    before = len(edge.api.seen)
    status, _, body = edge.gated("admission")
    assert (status, body["code"], body["verdict"]) == (403, "forbidden", "bad-token")
    assert len(edge.api.seen) == before


@pytest.mark.parametrize("authorization", ["", "Bearer x.y.z", "Bearer eyJ0eXAi"])
def test_a_caller_who_is_not_signed_in_reaches_nobody(edge: Edge, authorization: str) -> None:
    reset(edge.plan, sample_violations=1.0, sample_queue=1.0)
    before = len(edge.api.seen)
    for action in ("queue", "admission"):
        status, _, body = edge.gated(action, authorization=authorization)
        assert (status, body["code"]) == (401, "unauthenticated")
    assert len(edge.api.seen) == before


def test_a_violation_goes_to_the_desk_when_it_is_of_the_share(edge: Edge) -> None:
    reset(edge.plan, sample_violations=1.0)
    status, _, seen = edge.gated("admission")
    assert status == 200
    assert (seen["path"], seen["share"]) == (f"/api/desk?event={EVENT}", "desk")
    said = seen["headers"]["x-fairgate-edge"]
    word = verify_edge_header(said, make_gate(), EVENT, SUB, time.time())
    assert word == EdgeWord("bad-token", "127.0.0.1")


@pytest.mark.parametrize("name", ["x-fairgate-edge", "X-Fairgate-Edge", "X-FAIRGATE-EDGE"])
def test_a_clients_own_word_is_replaced_when_the_route_is_gated(edge: Edge, name: str) -> None:
    reset(edge.plan, sample_violations=1.0)
    other = make_gate(edge_key=b"x" * 32)
    forged = sign_edge_header(other, "admit", EVENT, SUB, time.time(), "203.0.113.7")
    _, _, seen = edge.gated("admission", **{name: forged})
    [said] = seen["words"]
    assert verify_edge_header(said, make_gate(), EVENT, SUB, time.time()).verdict == "bad-token"


def test_the_api_gets_the_callers_true_address_when_a_client_invents_one(edge: Edge) -> None:
    reset(edge.plan, sample_violations=1.0)
    _, _, seen = edge.gated("admission", x_forwarded_for="203.0.113.7, 198.51.100.9")
    assert seen["headers"]["x-forwarded-for"] == "127.0.0.1"


def test_each_request_has_an_id_of_the_edge_when_a_client_brings_its_own(edge: Edge) -> None:
    reset(edge.plan, sample_violations=1.0)
    mine = {"X-Amz-Cf-Id": "mine"}
    answers = [edge.ask("GET", "/api/orders", signed_in() | mine)[2] for _ in range(2)]
    seen = [*map(json.loads, answers), edge.gated("admission", **mine)[2]]
    ids = {request_ids.correlation_id({"headers": one["headers"]}) for one in seen}
    assert len(ids - {"mine", request_ids.NONE}) == 3


def test_nobody_new_joins_and_waiting_buyers_are_admitted_when_the_event_drains(edge: Edge) -> None:
    reset(edge.plan, backoff_min_s=1, backoff_max_s=1)
    _, _, place = edge.gated("queue")
    start = int(time.time()) - 3600
    reset(edge.plan, state="draining", epochs=(Epoch(start, 0.0, 10.0),))
    status, _, body = edge.gated("queue")
    assert (status, body["code"], body["state"]) == (410, "sale-over", "draining")
    wait_until(lambda: time.time() >= place["boff"] - 2, "the first attempt's time")
    status, _, seen = edge.gated(
        "admission", x_fairgate_token=place["token"], x_fairgate_solution="0"
    )
    assert seen["path"] == f"/api/events/{EVENT}/admission"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", f"/api/sessions/ses_{'0' * 32}/holds"),
        ("GET", f"/api/events/{EVENT}/session"),
        ("GET", "/api/events/spoofed/availability"),
        ("GET", "/api/events/spoofed"),
        ("GET", "/sandbox/pay"),
    ],
)
def test_a_clients_own_word_is_removed_when_the_route_is_not_gated(
    edge: Edge, method: str, path: str
) -> None:
    forged = {"x-fairgate-edge": "v1.1.admit.x", "X-Fairgate-Edge": "y"}
    _, _, body = edge.ask(method, path, signed_in() | forged)
    seen = json.loads(body)
    assert (seen["path"], seen["share"]) == (path, "api")
    assert "x-fairgate-edge" not in seen["headers"]


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        (f"/api/events/{EVENT}/session", "known-to-two"),
        ("/api/events/by-the-edge/availability", "known-to-two"),
        ("/sandbox/pay", None),
    ],
)
def test_only_the_api_gets_the_edges_value_when_a_client_sends_its_own(
    edge: Edge, path: str, sent: str | None
) -> None:
    _, _, body = edge.ask("GET", path, signed_in() | {"x-fairgate-front-door": "guessed"})
    assert json.loads(body)["headers"].get("x-fairgate-front-door") == sent


@pytest.mark.parametrize("event", ["", f"?event={EVENT}"])
def test_nobody_reaches_the_desk_by_its_name(edge: Edge, event: str) -> None:
    seen = len(edge.api.seen)
    for headers in ({}, {"authorization": "Bearer x"}, {"x-fairgate-edge": "v1.1.early.x"}):
        status, _, body = edge.ask("POST", f"/api/desk{event}", headers)
        assert (status, json.loads(body)["code"]) == (404, "not-found")
    assert len(edge.api.seen) == seen


def test_one_request_reaches_the_api_when_many_ask_for_the_same(edge: Edge) -> None:
    path = "/api/events/cached/availability"
    before = len(edge.api.seen)
    threads = [threading.Thread(target=edge.ask, args=("GET", path)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert edge.api.asked(path, before) == 1


def test_about_one_request_a_second_reaches_the_api_when_hundreds_watch(edge: Edge) -> None:
    """The short form of `make bench-availability`, with seatmap's own words for a hot section."""
    viewers, seconds, every_s = 300, 3, 0.5
    path = "/api/events/watched/changes?section=A"
    edge.api.cache_control = f"{SECOND}, stale-if-error=30"
    before = len(edge.api.seen)
    edge.ask("GET", path, {"accept-encoding": "gzip"})
    audience = Audience(edge.plan.port, path, every_s)
    told = asyncio.run(watch(audience, viewers, seconds))
    assert told["statuses"] == {"200": told["answered"]}
    assert told["answered"] >= 2 * viewers  # far more than the API may see
    assert told["lost"] == 0
    whole_s = (told["to_ms"] - told["from_ms"]) / 1000 + 2 * every_s  # they come, then they watch
    assert 2 <= edge.api.asked(path, before) <= whole_s + 2


PRIVATE = [route for route in ROUTES if route.credentials and not route.gated]
OF_EVENTS = [route for route in ROUTES if "{event}" in route.path and route.function != "operator"]


def addressed(route: Route, event: str = EVENT) -> str:
    return re.sub(r"\{\w+\}", "x1", route.path.replace("{event}", event))


@pytest.mark.parametrize("route", PRIVATE, ids=lambda r: f"{r.method} {r.path}")
def test_who_is_not_signed_in_reaches_no_private_route(edge: Edge, route: Route) -> None:
    before, whole = len(edge.api.seen), signed_in()
    for header in route.credentials:
        without = {name: value for name, value in whole.items() if name != header}
        status, headers, body = edge.ask(route.method, addressed(route), without)
        assert (status, json.loads(body)["code"]) == (401, "unauthenticated")
        assert headers["cache-control"] == "no-store"
    for value in ("", "Basic eDp5", "Bearer x", "Bearer a.b.c", whole["authorization"] + "x"):
        status, _, _ = edge.ask(route.method, addressed(route), whole | {"authorization": value})
        assert status == 401
    assert edge.api.asked(addressed(route), before) == 0


@pytest.mark.parametrize("route", OF_EVENTS, ids=lambda r: f"{r.method} {r.path}")
def test_an_event_that_nobody_made_reaches_no_route(edge: Edge, route: Route) -> None:
    before = len(edge.api.seen)
    for event in ("nowhere", "DEMO", "a" * 41, "a%20b", "%2e%2e", "-", f"{EVENT}%0A", "a" * 600):
        status, headers, body = edge.ask(route.method, addressed(route, event), signed_in())
        assert (status, json.loads(body)["code"]) == (404, "not-found"), event
        assert headers["cache-control"] == "no-store"
        assert edge.api.asked(addressed(route, event), before) == 0


@pytest.mark.parametrize(
    "route", [r for r in ROUTES if not r.gated and r.function], ids=lambda r: f"{r.method} {r.path}"
)
def test_a_parameter_that_no_route_takes_goes_no_further(edge: Edge, route: Route) -> None:
    edge.api.cache_control = "no-store"
    path, before = addressed(route), len(edge.api.seen)
    taken = [f"{name}=1" for name in route.query]
    asked = "&".join(["x=1", *taken, "y", "section2=3", "%73ection=4", "constructor=5"])
    status, _, _ = edge.ask(route.method, f"{path}?{asked}", signed_in())
    [seen] = [one["path"] for one in edge.api.seen[before:] if one["path"].startswith(path)]
    assert (status, seen.rstrip("?")) == (200, "?".join([path, *taken]))


def test_parameters_that_no_route_takes_share_one_answer(edge: Edge) -> None:
    for path in ("/api/events/o/status.bin", "/api/events/o", "/api/events/o/sections/A/seats"):
        before = len(edge.api.seen)
        for query in ("", "?x=1", "?section=A", "?section=B&x=2"):
            edge.ask("GET", path + query)
        assert edge.api.asked(path, before) == 1, path


@pytest.mark.parametrize(
    ("method", "path", "status", "allow"),
    [
        ("GET", "/api/nothing", 404, None),
        ("GET", "/api/events/", 404, None),
        ("GET", f"/api/events/{EVENT}//availability", 404, None),
        ("GET", "/api/constructor", 404, None),
        ("GET", "/api/__proto__/toString", 404, None),
        ("OPTIONS", "/api/nothing", 404, None),
        ("POST", f"/api/events/{EVENT}/availability", 405, "GET"),
        ("HEAD", f"/api/events/{EVENT}", 405, "GET"),
        ("PUT", "/api/orders/o/tickets/t/offer", 405, "POST, DELETE"),
        ("OPTIONS", "/api/orders/o/tickets/t/offer", 204, "POST, DELETE"),
    ],
)
def test_what_is_no_route_reaches_nobody(
    edge: Edge, method: str, path: str, status: int, allow: str | None
) -> None:
    before = len(edge.api.seen)
    answered, headers, _ = edge.ask(method, path, signed_in())
    assert (answered, headers.get("allow")) == (status, allow)
    assert edge.api.asked(path, before) == 0


def test_the_cache_keeps_apart_what_the_key_names_when_queries_differ(edge: Edge) -> None:
    path = "/api/events/queried/availability"
    before = len(edge.api.seen)
    answers = [
        edge.ask("GET", path + query)[2] for query in ("", "?section=A", "?x=1", "?section=B")
    ]
    paths = [json.loads(answer)["path"].replace("?&", "?") for answer in answers]
    assert [p.rstrip("?") for p in paths] == [path, f"{path}?section=A", path, f"{path}?section=B"]
    assert edge.api.asked(path, before) == 3


def test_nothing_is_kept_when_the_route_has_no_cache(edge: Edge) -> None:
    path, before = "/api/orders/ord_1", len(edge.api.seen)
    for _ in range(3):
        edge.ask("GET", path, signed_in())
    assert edge.api.asked(path, before) == 3


def test_a_stale_answer_is_served_when_a_newer_one_is_being_fetched(edge: Edge) -> None:
    path = "/api/events/stale/availability"
    edge.api.cache_control = "public, max-age=1, stale-while-revalidate=30"
    before = len(edge.api.seen)
    edge.ask("GET", path)
    wait_until(lambda: edge.ask("GET", path)[1]["x-cache"] == "STALE", "a stale answer", 10)
    wait_until(lambda: edge.api.asked(path, before) >= 2, "the refresh", 10)


def test_an_answer_that_is_too_old_is_asked_for_again_unless_the_api_fails(edge: Edge) -> None:
    old, tagged, failing = (f"/api/events/{name}/availability" for name in ("o", "t", "f"))
    before = len(edge.api.seen)
    edge.api.cache_control = SECOND
    edge.ask("GET", old)
    edge.api.tag = TAG
    _, _, first = edge.ask("GET", tagged)
    edge.api.tag, edge.api.cache_control = "", f"{SECOND}, stale-if-error=30"
    _, _, good = edge.ask("GET", failing)
    nobody_asks_for(4)  # nginx measures whole seconds: each of the two may be one more
    status, headers, _ = edge.ask("GET", old)
    assert (status, headers["x-cache"]) in [(200, "EXPIRED"), (200, "MISS")]
    assert edge.api.asked(old, before) == 2
    edge.api.tag = TAG
    status, headers, again = edge.ask("GET", tagged)
    assert (status, again, headers["etag"]) == (200, first, TAG)
    asked = [one for one in edge.api.seen[before:] if one["path"].startswith(tagged)]
    assert [one["headers"].get("if-none-match") for one in asked] == [None, TAG]
    edge.api.status, edge.api.tag = 503, ""
    status, _, body = edge.ask("GET", failing)
    assert (status, body) == (200, good)


def test_encodings_are_kept_apart_and_reach_the_api_in_one_spelling_when_cached(edge: Edge) -> None:
    path = "/api/events/encoded/changes"
    before = len(edge.api.seen)
    spellings = ["gzip, deflate, br", "gzip", "br;q=1.0, gzip;q=0.8", "", "identity"]
    answers = [edge.ask("GET", path, {"accept-encoding": spelling}) for spelling in spellings]
    assert [headers.get("content-encoding") for _, headers, _ in answers] == [
        *["gzip"] * 3,
        *[None] * 2,
    ]
    asked = [seen["headers"].get("accept-encoding") for seen in edge.api.seen[before:]]
    assert asked == ["gzip", None]
    assert {gzip.decompress(body) for _, _, body in answers[:3]} != {answers[3][2]}


def test_a_change_counts_at_once_when_the_store_is_written(edge: Edge) -> None:
    reset(edge.plan)
    assert edge.gated("queue")[0] == 200
    reset(edge.plan, state="closed")
    status, headers, problem = edge.gated("queue")
    assert status == 410
    assert headers["content-type"] == "application/problem+json"
    assert problem["code"] == "sale-over"
    assert problem["state"] == "closed"


def test_an_unknown_event_is_not_found_when_the_store_has_no_key(edge: Edge) -> None:
    status, headers, problem = edge.gated("queue", event="nowhere")
    assert status == 404
    assert headers["content-type"] == "application/problem+json"
    assert problem["code"] == "not-found"


def test_the_gate_fails_closed_when_its_value_is_garbage(edge: Edge) -> None:
    write_gates(edge.plan.kvs_dir, {"garbage": "{"})
    status, headers, problem = edge.gated("queue", event="garbage")
    assert status == 503
    assert headers["retry-after"] == "5"
    assert problem["code"] == "dependency-unavailable"


@pytest.mark.parametrize("path", [f"/api/events/{EVENT}/queue", "/api/payments/webhook"])
def test_a_huge_body_is_a_413_problem_when_it_is_announced(edge: Edge, path: str) -> None:
    status, headers, body = edge.ask("POST", path, {"content-length": str(10_000_000)}, b"")
    assert status == 413
    assert headers["content-type"].startswith("application/problem+json")
    assert json.loads(body)["code"] == "body-too-large"


@pytest.mark.parametrize(
    "name", ["authorization", "x-fairgate-token", "x-fairgate-slip", "x-fairgate-solution"]
)
@pytest.mark.parametrize(
    "value", [b"\xc3\xa9" * 100, b"\xff\xfe\x80" * 50, b"\xe2\x82" * 99, b"A" * 3000]
)
def test_what_no_gate_wrote_is_refused_when_it_comes_as_bytes(
    edge: Edge, name: str, value: bytes
) -> None:
    """A header is bytes on the wire, of any length that the server takes."""
    reset(edge.plan, sample_violations=0.0)
    _, _, place = edge.gated("queue")
    auth = issue_auth_token(SUB, [], make_gate().auth_keys["a1"], "a1", time.time(), 600)
    headers: dict[str, Any] = {
        "authorization": f"Bearer {auth}",
        "x-fairgate-token": place["token"],
        name: b"Bearer " + value if name == "authorization" else value,
    }
    before = len(edge.api.seen)
    status, _, body = edge.ask("POST", f"/api/events/{EVENT}/admission", headers)
    assert status in (400, 401, 403, 429), body
    assert len(edge.api.seen) == before


def test_the_gate_goes_on_when_headers_are_huge_or_never_end(edge: Edge) -> None:
    reset(edge.plan)
    before = len(edge.api.seen)
    path = f"/api/events/{EVENT}/admission"
    for name in ("cookie", "x-fairgate-token", "x-fairgate-slip"):
        try:
            status, _, _ = edge.ask("POST", path, {name: "a" * 100_000})
        except ConnectionError:  # closed while this was still sending
            continue
        assert status in (400, 431)
    slow = [
        socket.create_connection(("127.0.0.1", edge.plan.port), patience_s(5)) for _ in range(20)
    ]
    try:
        for one in slow:
            one.sendall(f"POST {path} HTTP/1.1\r\nhost: e\r\nx-fairgate-slip: a".encode())
        status, _, place = edge.gated("queue")
        assert (status, place["state"]) == (200, "waiting")
    finally:
        for one in slow:
            one.close()
    assert len(edge.api.seen) == before


def test_pages_are_served_with_their_policy_when_they_exist(edge: Edge) -> None:
    status, headers, body = edge.ask("GET", "/")
    assert status == 200
    assert headers["content-type"].startswith("text/html")
    assert "script-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert b"hello" in body
    assert headers["cache-control"] == PAGE
    status, headers, _ = edge.ask("GET", "/assets/main.js", {"accept-encoding": "gzip"})
    assert status == 200
    assert headers["cache-control"] == PINNED
    assert headers["content-type"].startswith("text/javascript")
    assert headers["content-encoding"] == "gzip"


@pytest.mark.parametrize(
    ("path", "other"),
    [
        (f"/api/events/{EVENT}/session", "/api/events/stale/session"),
        ("/api/events/f", "/api/events/t"),
        ("/api/orders/o1/ticket.svg", "/api/orders/o2/ticket.svg"),
    ],
)
def test_an_answers_own_policy_reaches_the_browser(edge: Edge, path: str, other: str) -> None:
    _, headers, _ = edge.ask("GET", path, signed_in())
    assert "script-src 'self'" in headers["content-security-policy"]
    assert (headers["x-content-type-options"], headers["x-frame-options"]) == ("nosniff", "DENY")
    edge.api.own = {"content-security-policy": "sandbox", "referrer-policy": "unsafe-url"}
    edge.api.cache_control = "no-store"
    edge.api.status = 404
    status, headers, _ = edge.ask("GET", other, signed_in())
    assert (status, headers["content-security-policy"]) == (404, "sandbox")
    assert headers["referrer-policy"] == "strict-origin-when-cross-origin"


def test_what_the_gate_hands_on_is_answered_as_what_it_answers(edge: Edge) -> None:
    """A sampled account's join is handed on, and nothing may tell it from others."""
    reset(edge.plan)
    _, own, _ = edge.gated("queue")
    _, headers, _ = admitted(edge)
    assert set(headers) <= {*own, "transfer-encoding", "content-length", "vary", "server"}


def test_layouts_are_immutable_when_served(edge: Edge) -> None:
    status, headers, body = edge.ask("GET", "/layouts/abc/venue.json")
    assert (status, body) == (200, b"{}")
    assert headers["cache-control"] == PINNED


def test_the_address_of_an_event_is_the_page(edge: Edge) -> None:
    reset(edge.plan)
    status, headers, body = edge.ask("GET", f"/e/{EVENT}")
    assert (status, headers["cache-control"]) == (200, PAGE)
    assert "script-src 'self'" in headers["content-security-policy"]
    assert b"hello" in body


@pytest.mark.parametrize(
    "path", ["/nothing-here.html", "/layouts/abc/none.json", "/../secret", "/%2e%2e/secret"]
)
def test_a_missing_page_is_not_found_when_asked_for(edge: Edge, path: str) -> None:
    """By a page for people where edge/screen/pages.js runs, else by a problem."""
    status, headers, body = edge.ask("GET", path)
    assert status in {400, 404}
    assert headers["content-type"].startswith(("application/problem+json", "text/html"))
    assert b"hello" not in (body if isinstance(body, bytes) else b"")


def test_the_api_is_a_503_problem_when_it_does_not_answer(edge: Edge) -> None:
    plan = replace(
        edge.plan,
        port=free_port(),
        api_upstream=f"127.0.0.1:{free_port()}",  # refuses connections
        run_dir=edge.plan.run_dir / "second",
    )
    kind = "nginx" if (edge.plan.run_dir / "nginx.conf").exists() else "node"
    process = subprocess.Popen(command(plan, kind), stdout=subprocess.PIPE)
    try:
        wait_until(lambda: accepts(plan.port), "the second edge listening")
        status, headers, body = Edge(plan, edge.api).ask("GET", "/api/orders/o", signed_in())
        assert (status, headers["retry-after"]) == (503, "2")
        assert json.loads(body)["code"] == "dependency-unavailable"
    finally:
        process.terminate()
        process.communicate(timeout=patience_s(10))
