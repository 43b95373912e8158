"""What the gate at the local edge hands on, answers itself, and lets nobody forge."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from dataclasses import replace
from typing import Any

import pytest

from fairgate import request_ids
from fairgate.adapters.aws.files import PAGE, PINNED
from fairgate.domain.catalog.brand_files import NAMES, TYPES, address_of
from fairgate.domain.gate import proof_of_work
from fairgate.domain.gate.edge_header import EdgeWord, sign_edge_header, verify_edge_header
from fairgate.domain.gate.gate_config import Epoch
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate_ops.run.local.processes import free_port
from infra.headers import EVERYWHERE
from tests.edge.gate_tools import EVENT, SUB, make_gate, write_gates
from tests.edge.running_edge import (
    Edge,
    accepts,
    command,
    reset,
    signed_in,
)
from tests.support.waiting import patience_s, wait_until


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
    assert headers.items() >= EVERYWHERE.items()
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
    edge.api.own = {"x-content-type-options": "no", "strict-transport-security": "max-age=0"}
    _, headers, _ = admitted(edge)
    assert own.items() >= EVERYWHERE.items()
    assert headers.items() >= EVERYWHERE.items()
    assert set(headers) <= {*own, "transfer-encoding", "content-length", "vary", "server"}


def test_layouts_are_immutable_when_served(edge: Edge) -> None:
    status, headers, body = edge.ask("GET", "/layouts/abc/venue.json")
    assert (status, body) == (200, b"{}")
    assert headers["cache-control"] == PINNED


@pytest.mark.parametrize(
    "path", ["/nothing-here.html", "/layouts/abc/none.json", "/../secret", "/%2e%2e/secret"]
)
def test_a_missing_page_is_not_found_when_asked_for(edge: Edge, path: str) -> None:
    """By a page for people where edge/screen/pages.js runs, else by a problem."""
    status, headers, body = edge.ask("GET", path)
    assert status in {400, 404}
    assert headers["content-type"].startswith(("application/problem+json", "text/html"))
    assert headers.items() >= EVERYWHERE.items()
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


@pytest.mark.parametrize(("name", "kind"), TYPES.items())
def test_files_of_a_brand_are_kept_for_good_and_said_to_be_what_they_are(
    edge: Edge, name: str, kind: str
) -> None:
    address = address_of(next(fact for fact, file in NAMES.items() if file == name), b"x")
    file = edge.plan.layouts_root / address.removeprefix("/layouts/")
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b"x")
    status, headers, _ = edge.ask("GET", address)
    assert (status, headers["content-type"]) == (200, kind)
    assert headers["cache-control"] == PINNED
    assert headers["x-content-type-options"] == "nosniff"
    assert edge.ask("GET", address.replace(name, f"x{name}"))[0] == 404  # control
