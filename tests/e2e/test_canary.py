"""The canary's own function goes a buyer's way on the running system, and says when it cannot."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from fairgate import bootstrap, metrics, settings
from fairgate.domain.shared.account import CANARY
from fairgate.domain.shared.jws import from_b64url
from fairgate.domain.shared.times import rfc3339
from fairgate.http import paths
from fairgate.service.gate.sign_in_canary import ACCOUNT, CALL
from fairgate_ops.run.local.api_events import LambdaContext
from fairgate_ops.run.local.api_host import Handler, load_handlers
from fairgate_ops.shared.paths import ROOT
from tests.e2e.selling import refusal
from tests.e2e.shopper import Shopper, call
from tests.support.http_server import Quiet, served
from tests.support.running import Running
from tests.support.waiting import wait_until

OK = 200
EVENT = "canary"
SEATS, PLACES = 8, 30  # of the chart
CHART = ROOT / "tests" / "charts" / "one-row.venue.json"
TIME_S = 55.0  # as infra/functions.py gives it


class Lambda(Quiet, BaseHTTPRequestHandler):
    """Lambda's Invoke, with the real function behind it."""

    handler: Handler
    called: list[str]

    def do_POST(self) -> None:
        self.called.append(self.path)
        event = json.loads(self.rfile.read(int(self.headers["content-length"])))
        answer = json.dumps(type(self).handler(event, LambdaContext("renewal", "r", 10.0)))
        self.send_response(200)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer.encode())


@pytest.fixture(scope="module", autouse=True)
def on_sale(system: Running) -> None:
    # As docs/alarms.md has it, but that others come in, too, who may take its places.
    terms = "--name Canary --price-all 1 --sale-starts-in 10 --tau 1 --pow 8 --backoff-s 1 2"
    rest = "--sample 0 --sessions-limit 100 --hold-limit 40 --user-limit 40"
    rest += " --members fairgate-canary,staff"
    create = ("event", "create", EVENT, "--venue", str(CHART))
    system.fairgate(*create, *terms.split(), *rest.split())
    system.fairgate("event", "hide", EVENT)
    system.fairgate("event", "publish", EVENT)
    page = paths.EVENT.format(event=EVENT)
    wait_until(lambda: call(system.base_url, "GET", page).status == OK, "the publication")
    sale_starts_at = call(system.base_url, "GET", page).body["sale_starts_at"]
    wait_until(lambda: rfc3339(time.time_ns() // 10**6) > sale_starts_at, "the sale start")


@pytest.fixture
def canary(system: Running, monkeypatch: pytest.MonkeyPatch) -> Iterator[Handler]:
    monkeypatch.setenv(settings.PUBLIC_URL, system.base_url)
    monkeypatch.setenv(settings.SECRETS_DIR, system.config["secrets_dir"])
    monkeypatch.setenv(settings.CANARY_EVENT, EVENT)
    monkeypatch.setenv(settings.SIGN_IN_FUNCTION, "fairgate-local-renewal:live")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "local")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    handlers = load_handlers(ROOT / "functions", ["canary", "renewal"])
    called: list[str] = []
    fields = {"handler": staticmethod(handlers["renewal"]), "called": called}
    behind = type("Behind", (Lambda,), fields)
    bootstrap.container.cache_clear()
    with served(behind) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL_LAMBDA", address)
        yield handlers["canary"]
    bootstrap.container.cache_clear()
    assert set(called) <= {"/2015-03-31/functions/fairgate-local-renewal%3Alive/invocations"}


def run(canary: Handler, capsys: pytest.CaptureFixture[str]) -> tuple[str, dict[str, Any]]:
    """What failed, and the figures."""
    capsys.readouterr()
    answer = canary({}, LambdaContext("canary", "c", TIME_S))
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    [figures] = [line for line in lines if metrics.CANARY_RUNS in line]
    return answer["failed"], figures


def test_it_joins_waits_holds_and_gives_back_again_and_again(
    system: Running, canary: Handler, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        failed, figures = run(canary, capsys)
        assert failed == ""
        assert (figures[metrics.CANARY_RUNS], figures[metrics.CANARY_FAILURES]) == ([1.0], [0.0])
        assert figures[metrics.CANARY_ANSWERING][0] > 0
    path = paths.AVAILABILITY.format(event=EVENT)

    def free() -> list[int]:
        sections = call(system.base_url, "GET", path).body["sections"]
        return [section["available"] for section in sections.values()]

    wait_until(lambda: free() == [SEATS], "all seats to be free again")  # counts are a second old


def test_no_buyer_finds_its_event_in_the_list(system: Running) -> None:
    listed = call(system.base_url, "GET", paths.EVENTS).body["events"]
    assert EVENT not in {event["event"] for event in listed}


def test_no_buyer_comes_in_who_says_to_be_the_canary(system: Running) -> None:
    stranger = Shopper(system.base_url, EVENT).sign_in(facts={"memberships": CANARY})
    assert refusal(stranger) == ("not-eligible", "members")


def test_it_reports_holds_that_are_refused_and_leaves_nothing_behind(
    system: Running, canary: Handler, capsys: pytest.CaptureFixture[str]
) -> None:
    other = Shopper(system.base_url, EVENT).sign_in(facts={"memberships": "staff"})
    assert other.queue().status == 200
    other.wait_for_admission()
    assert other.hold_best(SEATS).status == 201
    assert other.hold(areas={"floor": PLACES}).status == 201
    failed, figures = run(canary, capsys)
    assert failed == "hold: 409 no-seats-found"
    assert (figures[metrics.CANARY_RUNS], figures[metrics.CANARY_FAILURES]) == ([1.0], [1.0])
    assert other.leave().status == 204
    failed, _ = run(canary, capsys)  # its own session was given back, or this could not join
    assert failed == ""


def test_it_reports_an_address_that_does_not_answer(
    canary: Handler, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(settings.PUBLIC_URL, "http://127.0.0.1:9")
    bootstrap.container.cache_clear()
    failed, figures = run(canary, capsys)
    assert failed == "look: no answer: ConnectionRefusedError"
    assert figures[metrics.CANARY_FAILURES] == [1.0]


def test_its_account_is_nobodys_and_no_request_over_http_is_signed_in(
    canary: Handler, system: Running
) -> None:
    del canary
    stranger = Shopper(system.base_url, EVENT, f"{ACCOUNT}1").sign_in()
    token = stranger.auth["authorization"]
    assert f'"sub":"{ACCOUNT}' not in _payload(token)
    for path in (paths.AUTH_RENEW, f"{paths.AUTH_RENEW}?canary=sign-in"):
        assert call(system.base_url, "POST", path, CALL).status == 401


def _payload(token: str) -> str:
    return from_b64url(token.split(".")[1]).decode()
