"""The stub that stands for the service in the pages' tests answers in the service's own shapes."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from http.client import HTTPConnection
from typing import Any
from urllib.request import urlopen

import pytest
from msgspec.structs import replace

from fairgate.domain.gate import proof_of_work
from fairgate.http import paths
from fairgate.http.views.availability import MESSAGES
from fairgate.service.shared.records.catalog import Beacon, Fees
from fairgate_ops.build.openapi_tables import ANSWERS
from fairgate_ops.operate.gate_check.rows import read_rows
from infra.routes import ROUTES
from tests.contract.http import function, request
from tests.contract.shapes import fits
from tests.contract.test_problems import signed_in
from tests.e2e.stub.answers import ORDER, SESSION
from tests.e2e.stub.server import Stub
from tests.support.world import EVENT, World

EVENT_MESSAGES = {"section", "area", "window"}
FEES = Fees(order_minor=250, ticket_minor=100)
BEACON = Beacon(source="drand", at="2027-01-15T07:59:00.000Z", announced_at="", value="0" * 64)


@pytest.fixture
def stub() -> Iterator[Stub]:
    made = Stub().start()
    made.inside()
    yield made
    made.stop()


def shape(value: Any) -> Any:
    """The names and types of an answer; None where a value may be absent, which fits any type."""
    if isinstance(value, dict):
        return {name: shape(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner) for inner in value]
    return None if value is None else type(value).__name__


def differences(real: Any, stubbed: Any, where: str = "answer") -> list[str]:
    """What a page could see of one and not of the other.

    Maps whose names are ids (``sections``, ``areas``) and lists are compared by their first value.
    """
    if real is None or stubbed is None:
        return []
    if where.endswith((".sections", ".areas")) and isinstance(real, dict):
        real, stubbed = list(real.values()), list(stubbed.values())
    if isinstance(real, list) and isinstance(stubbed, list):
        if not real or not stubbed:
            return [f"{where}: one is empty"] if real != stubbed else []
        return differences(real[0], stubbed[0], f"{where}[0]")
    if not (isinstance(real, dict) and isinstance(stubbed, dict)):
        return [] if real == stubbed else [f"{where}: {real} here, {stubbed} in the stub"]
    missing = [f"{where}.{name}: not in the stub" for name in sorted(real.keys() - stubbed.keys())]
    extra = [f"{where}.{name}: only in the stub" for name in sorted(stubbed.keys() - real.keys())]
    common = sorted(real.keys() & stubbed.keys())
    inner = [differences(real[name], stubbed[name], f"{where}.{name}") for name in common]
    return missing + extra + [line for lines in inner for line in lines]


class Service:
    """The real handlers, found through the table of routes."""

    def __init__(self, world: World) -> None:
        world.put(replace(world.event, fees=FEES, beacon=BEACON))
        world.container.__dict__["payments"] = world.payments
        mine = world.session()
        self.session = str(mine.session)
        self._headers = {
            "authorization": signed_in(world),
            "x_fairgate_session": world.signed(mine),
        }
        self._keys = 0

    def call(self, method: str, template: str, body: object = None, **names: str) -> Any:
        [route] = [r for r in ROUTES if r.method == method and r.path == template]
        self._keys += 1
        headers = self._headers | {"idempotency_key": f"{self._keys:032x}"}
        path = template.format(**({"event": EVENT, "session": self.session} | names))
        event = request(method, path, body, **headers)
        answer = function(str(route.function)).handler(event, object())
        assert answer["statusCode"] in (200, 201), answer
        return answer["statusCode"], json.loads(answer["body"])


def ask_stub(
    stub: Stub, method: str, path: str, body: object = None, **headers: str
) -> tuple[int, str]:
    headers = {"authorization": "Bearer jwt", "content-type": "application/json"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    data = None if body is None else json.dumps(body).encode()
    connection = HTTPConnection(stub.base_url.removeprefix("http://"), timeout=10)
    with closing(connection):
        connection.request(method, path, data, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def call_stub(stub: Stub, method: str, template: str, body: object = None, **names: str) -> Any:
    path = template.format(**({"event": "demo", "session": SESSION} | names))
    return checked(method, template, *ask_stub(stub, method, path, body))


def ask_for_admission(stub: Stub) -> Any:
    """Join, solve, ask: what the stub answers then."""
    _, place = call_stub(stub, "POST", paths.QUEUE)
    challenge = place["challenge"]
    answer = ask_stub(
        stub,
        "POST",
        paths.ADMISSION.format(event="demo"),
        x_fairgate_token=place["token"],
        x_fairgate_solution=proof_of_work.solve(challenge["ch"], challenge["pow"]),
    )
    return checked("POST", paths.ADMISSION, *answer)


def checked(method: str, template: str, status: int, text: str) -> Any:
    told = json.loads(text)
    models = ANSWERS[method, template][status]
    assert isinstance(models, tuple)
    assert any(fits(told, model) for model in models), f"{method} {template}: no model says {told}"
    return status, told


READS = [
    ("/api/events", {}, {}),
    ("/api/events/{event}", {}, {}),
    ("/api/events/{event}/availability", {}, {}),
    ("/api/events/{event}/sections/{section}/seats", {"section": "s"}, {"section": "101"}),
    ("/api/events/{event}/session", {}, {}),
]


@pytest.mark.parametrize(("path", "real_names", "stub_names"), READS, ids=[r[0] for r in READS])
def test_a_read_of_the_stub_has_the_services_shape(
    world: World, stub: Stub, path: str, real_names: dict[str, str], stub_names: dict[str, str]
) -> None:
    status, real = Service(world).call("GET", path, **real_names)
    stub_status, stubbed = call_stub(stub, "GET", path, **stub_names)
    assert stub_status == status
    assert differences(shape(real), shape(stubbed)) == []


@pytest.mark.parametrize(
    ("wish", "stub_wish"),
    [
        ({"seats": ["s-1-1"]}, {"seats": ["101-A-1"]}),
        ({"areas": {"floor": 2}}, {"areas": {"FLOOR": 2}}),
    ],
    ids=["seat", "area"],
)
def test_a_sale_of_the_stub_has_the_services_shapes_from_hold_to_order(
    world: World, stub: Stub, wish: dict[str, Any], stub_wish: dict[str, Any]
) -> None:
    service = Service(world)
    order = ""
    for method, path in (
        ("POST", "/api/sessions/{session}/holds"),
        ("GET", "/api/events/{event}/session"),
        ("POST", "/api/sessions/{session}/checkout"),
        ("GET", "/api/events/{event}/session"),
        ("GET", "/api/orders"),
        ("GET", "/api/orders/{order}"),
    ):
        real_body, stub_body = (wish, stub_wish) if path.endswith("holds") else (None, None)
        if path.endswith("checkout"):
            real_body = stub_body = {"email": "ann@example.org"}
        status, real = service.call(method, path, real_body, order=order)
        stub_status, stubbed = call_stub(stub, method, path, stub_body, order=ORDER)
        assert stub_status == status
        assert differences(shape(real), shape(stubbed), f"{method} {path}") == []
        order = real["order"]["order"] if path.endswith("checkout") else order
    assert sorted(line["kind"] for line in real["lines"]) == ["fee", "fee", "tickets"]


def test_the_best_places_are_held_in_the_shape_of_a_hold(stub: Stub) -> None:
    path = "/api/sessions/{session}/holds"
    status, chosen = call_stub(stub, "POST", path, {"seats": ["101-A-1"]})
    best_status, best = call_stub(stub, "POST", path + "/best-available", {"quantity": 1})
    assert best_status == status
    assert differences(shape(chosen), shape(best)) == []


# The edge alone answers these: what it says stands in its table of rows.
ROWS = {row.name: row.expect for row in read_rows()}


@pytest.mark.parametrize(
    ("row", "state", "sale_starts_in_s"),
    [
        ("queue-open", "open", -60),
        ("queue-paused", "paused", -60),
        ("queue-before-doors", "open", 60),
    ],
)
def test_a_place_of_the_stub_has_the_edges_shape(
    stub: Stub, row: str, state: str, sale_starts_in_s: int
) -> None:
    stub.world.state, stub.world.sale_starts_at = state, time.time() + sale_starts_in_s
    status, stubbed = call_stub(stub, "POST", paths.QUEUE)
    assert status == ROWS[row]["status"]
    assert_alike(ROWS[row]["body"], stubbed)


@pytest.mark.parametrize(
    ("row", "state"), [("admission-not-yet", "open"), ("admission-paused", "paused")]
)
def test_a_place_that_waits_on_has_the_edges_shape_in_the_stub(
    stub: Stub, row: str, state: str
) -> None:
    stub.world.state = state
    status, stubbed = ask_for_admission(stub)
    assert status == ROWS[row]["status"]
    # The stub signs the token again each time; the edge once half of its life is over.
    assert_alike({"token": "", **ROWS[row]["body"]}, stubbed)


def test_a_session_that_the_stub_opens_has_the_services_shape(world: World, stub: Stub) -> None:
    stub.world.polls_before_admission = 0
    status, opened = ask_for_admission(stub)
    _, real = Service(world).call("GET", paths.LIVE_SESSION)
    assert status == 201
    assert differences(shape(real), shape(opened)) == []


def assert_alike(real: dict[str, Any], stubbed: dict[str, Any]) -> None:
    """Of one shape, and of one state: where the edge tells no estimate, the stub does not, too."""
    assert differences(shape(real), shape(stubbed)) == []
    assert stubbed["state"] == real["state"]
    assert (stubbed["estimate"] is None) == (real["estimate"] is None)


@pytest.mark.parametrize("section", ["", "101"])
def test_each_message_of_the_stubs_changes_has_its_model(stub: Stub, section: str) -> None:
    path = f"/api/events/demo/changes?section={section}"
    ask_stub(stub, "GET", path)
    call_stub(stub, "POST", paths.HOLDS, {"seats": ["101-A-1"]})
    stub.world.floor_left -= 1
    status, text = ask_stub(stub, "GET", path)
    assert status == 200
    told = re.findall(r"^event: (\w+)\ndata: (.*)$", text, re.MULTILINE)
    assert {name for name, _ in told} == ({"seats", "window"} if section else EVENT_MESSAGES)
    assert [name for name, data in told if not fits(json.loads(data), MESSAGES[name])] == []


@pytest.mark.parametrize(
    ("stubbed", "words"),
    [
        ({"a": 1, "b": [{"c": "x"}]}, "answer.d: not in the stub"),
        ({"a": 1, "b": [{"c": "x"}], "d": {}, "e": 1}, "answer.e: only in the stub"),
        ({"a": "1", "b": [{"c": "x"}], "d": {}}, "answer.a: int here, str in the stub"),
        ({"a": 1, "b": [{}], "d": {}}, "answer.b[0].c: not in the stub"),
        ({"a": 1, "b": [], "d": {}}, "answer.b: one is empty"),
    ],
)
def test_a_difference_is_noticed(stubbed: dict[str, Any], words: str) -> None:
    real = {"a": 1, "b": [{"c": "x"}], "d": {}}
    assert differences(shape(real), shape(real)) == []
    assert differences(shape(real), shape(stubbed)) == [words]


@pytest.mark.parametrize(
    ("raised", "fails"),
    [
        (BrokenPipeError("the page left"), nullcontext()),
        (KeyError("a defect"), pytest.raises(KeyError)),
    ],
)
def test_only_a_defect_of_the_stub_fails_the_test_that_uses_it(
    raised: Exception, fails: AbstractContextManager[Any], capfd: pytest.CaptureFixture[str]
) -> None:
    def reshape(_body: Any) -> Any:
        raise raised

    made = Stub().start()
    made.reshape = reshape
    with pytest.raises(ConnectionError):
        urlopen(f"{made.base_url}/api/events")  # noqa: S310 loopback
    with fails:
        made.stop()
    assert capfd.readouterr().err == ""
