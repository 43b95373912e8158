"""What wakes somebody is said: the handlers' own lines, as CloudWatch reads them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from msgspec.structs import asdict

from fairgate import bootstrap, metrics
from fairgate.adapters.aws.emf import emit
from fairgate.adapters.payments.refusals import wrong_setup
from fairgate.adapters.payments.watched import WatchedPayments
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.errors import (
    DependencyUnavailableError,
    FairgateError,
    IdentityUnavailableError,
    ProviderSetupError,
)
from fairgate.ports.availability import CacheScriptError
from fairgate.ports.payments import CheckoutRequest, PaymentEvent, Payments
from fairgate.ports.record import SK
from fairgate.ports.table import Update
from fairgate.service.availability.read_availability import AvailabilityReader
from fairgate.service.holds.claim_seats import Claims
from fairgate.service.shared.keys import ORDER
from fairgate.service.shared.records.orders import Order
from fairgate.settings import (
    METRICS_NAMESPACE,
    OIDC_CLIENT_ID,
    OIDC_JWKS_URL,
    OIDC_TOKEN_URL,
    PAYMENTS_PROVIDER,
    SERVICE,
    from_environment,
)
from fairgate_lab.engine.cache import NoCache
from fairgate_lab.engine.payments import MemoryPayments
from fairgate_lab.engine.secrets import MemorySecrets
from functions.expiry import handler as expiry
from functions.holds import handler as holds
from functions.invalidator import handler as invalidator
from functions.orders import handler as orders
from functions.seatmap import handler as seatmap
from functions.ticketer import handler as ticketer
from tests.contract.http import request
from tests.support import needs
from tests.support.availability import seat_item, stream_record
from tests.support.world import EVENT, START_MS, World
from tests.unit.checkout.test_checkout_and_settle import begin, held

Said = pytest.CaptureFixture[str]
SANDBOX = {PAYMENTS_PROVIDER: "sandbox"}


def figures(capsys: Said) -> dict[str, int]:
    """The sum of each figure in what was printed."""
    total: dict[str, int] = {}
    for line in capsys.readouterr().out.splitlines():
        document = json.loads(line) if line.startswith('{"_aws"') else {}
        for directive in document.get("_aws", {}).get("CloudWatchMetrics", ()):
            for entry in directive["Metrics"]:
                name = entry["Name"]
                total[name] = total.get(name, 0) + document[name]
    return total


def hold(world: World, monkeypatch: pytest.MonkeyPatch, *seats: str, verb: str = "POST") -> int:
    monkeypatch.setattr(holds, "container", lambda: world.container)
    mine = world.session()
    key = world.secrets.current.auth["1"]
    token = issue_auth_token("ann", [], key, "1", START_MS // 1000, 600)
    path = f"/api/sessions/{mine.session}/holds" + ("" if verb == "POST" else "/hld_" + "0" * 32)
    body = {"seats": list(seats)}
    known = {"authorization": f"Bearer {token}", "x_fairgate_session": world.signed(mine)}
    return int(holds.handler(request(verb, path, body, **known), None)["statusCode"])


@pytest.mark.node
def test_a_line_is_what_the_alarms_look_for(capsys: Said) -> None:
    settings = from_environment({SERVICE: "holds", METRICS_NAMESPACE: "Fairgate/prod"})
    emit(settings, 7, {metrics.HOLD_ATTEMPTS: 1})
    line = json.loads(capsys.readouterr().out)
    alarms = needs.cdk("infra.constructs.alarms")
    watched = alarms.metric("Fairgate/prod", metrics.HOLD_ATTEMPTS, {"service": "holds"})
    directive = line["_aws"]["CloudWatchMetrics"][0]
    assert line["_aws"]["Timestamp"] == 7
    assert directive["Namespace"] == watched.namespace
    assert directive["Metrics"] == [{"Name": watched.metric_name, "Unit": "Count"}]
    (dimensions,) = directive["Dimensions"]
    assert {name: line[name] for name in dimensions} == dict(watched.dimensions or {})
    assert line[metrics.HOLD_ATTEMPTS] == 1


def test_every_hold_of_a_session_counts_and_a_taken_seat_is_no_failure_of_ours(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    assert hold(world, monkeypatch, "s-1-1") == 201
    assert hold(world, monkeypatch, "s-1-1") == 409
    assert hold(world, monkeypatch) == 400
    assert figures(capsys) == {
        metrics.HOLD_ATTEMPTS: 2,
        metrics.HOLDS_MADE: 1,
        metrics.HOLD_FAILURES: 0,
        metrics.CLAIMS_SKIPPED: 2,  # this world has no cache
    }
    assert hold(world, monkeypatch, verb="DELETE") == 404
    assert figures(capsys) == {}


def test_a_defect_of_a_cache_script_is_said_by_the_hold_that_goes_on_without_it(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    cache = DefectiveCache()
    monkeypatch.setitem(vars(world.container), "cache", cache)
    monkeypatch.setitem(vars(world.container), "claims", Claims(cache, world.clock))
    assert hold(world, monkeypatch, "s-1-1") == 201
    assert figures(capsys)[metrics.CACHE_SCRIPT_DEFECTS] == 1


def test_a_defect_of_a_cache_script_is_said_by_the_map(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    reader = AvailabilityReader(DefectiveCache(), world.table, world.container.catalog, world.clock)
    monkeypatch.setitem(vars(world.container), "availability", reader)
    monkeypatch.setattr(bootstrap, "container", lambda: world.container)
    answer = seatmap.handler(request("GET", f"/api/events/{EVENT}/availability"), None)
    assert answer["statusCode"] == 200
    assert figures(capsys)[metrics.CACHE_SCRIPT_DEFECTS] > 0


def test_a_defect_of_a_cache_script_is_said_by_the_invalidator_and_no_cache_is_called_gone(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.setitem(vars(world.container), "cache", DefectiveCache())
    monkeypatch.setattr(bootstrap, "container", lambda: world.container)
    record = stream_record(seat_item("s", 0, version=3))
    event = {"Records": [{"messageId": "m", "body": json.dumps(record)}]}
    answer = invalidator.handler(event, None)
    assert answer == {"batchItemFailures": [{"itemIdentifier": "m"}]}
    said = said_by_powertools(capsys)
    assert said[metrics.CACHE_SCRIPT_DEFECTS] > 0
    assert metrics.CACHE_UNAVAILABLE not in said


class DefectiveCache(NoCache):
    """Is there, and answers every question as wrong."""

    def __getattr__(self, name: str) -> Any:
        def wrong(*_arguments: object, **_options: object) -> Any:
            raise CacheScriptError(name)

        return wrong


def said_by_powertools(capsys: Said) -> dict[str, float]:
    """The sum of each figure: Powertools writes lists of values."""
    (line,) = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "_aws" in line]
    return {name: sum(value) for name, value in line.items() if isinstance(value, list)}


@pytest.mark.parametrize(
    ("trouble", "status"), [(DependencyUnavailableError("x"), 503), (OSError("x"), 500)]
)
def test_a_hold_that_fails_by_our_doing_counts_as_one(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: Said, trouble: Exception, status: int
) -> None:
    def fails(*_args: Any, **_options: Any) -> None:
        raise trouble

    monkeypatch.setattr(type(world.table), "transact", fails)
    with monkeypatch.context() as inside:
        inside.setattr(world, "session", sessionless(world))
        assert hold(world, inside, "s-1-1") == status
    said = figures(capsys)
    assert (said[metrics.HOLD_ATTEMPTS], said[metrics.HOLD_FAILURES]) == (1, 1)


@pytest.mark.parametrize("body", [{"seats": "x"}, {"seats": ["s-1-1"]}])
def test_a_stranger_neither_hides_nor_makes_a_failure(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: Said, body: Any
) -> None:
    monkeypatch.setattr(holds, "container", lambda: world.container)
    said: list[str] = []
    monkeypatch.setattr(holds.logger, "info", lambda text, **_more: said.append(text))
    path = f"/api/sessions/ses_{'0' * 32}/holds"
    assert holds.handler(request("POST", path, body), None)["statusCode"] in holds.STRANGERS
    assert metrics.HOLD_ATTEMPTS not in figures(capsys)
    assert said == ["answered"]


def sessionless(world: World) -> Any:
    """A credential without its items: the table refuses to be written."""
    from fairgate.domain.shared.credential import Credential
    from fairgate.domain.shared.ids import EventId, SessionId, UserId
    from fairgate.domain.shared.times import rfc3339
    from tests.support.world import LAYOUT

    session, until = SessionId("ses_" + "0" * 32), rfc3339(START_MS + 60_000)
    return lambda: Credential(session, EventId(EVENT), UserId("ann"), until, 10, LAYOUT)


def pay(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    order: Order | None = None,
    kind: Any = "succeeded",
) -> dict[str, Any]:
    """Deliver what the provider says of an order: a new one where none is given."""
    monkeypatch.setattr(orders, "container", lambda: world.container)
    order = order or begin(world, held(world, "ann", "s-1-1", "s-1-2")).order
    paid = PaymentEvent("evt1", kind, order.order_id, order.total_minor, order.currency, "pay1")
    answer = orders.handler(request("POST", "/api/payments/webhook", asdict(paid)), None)
    body: dict[str, Any] = json.loads(answer["body"])
    return body


def test_a_paid_order_is_said(world: World, monkeypatch: pytest.MonkeyPatch, capsys: Said) -> None:
    assert pay(world, monkeypatch)["outcome"] == "paid"
    assert figures(capsys) == {metrics.ORDERS_PAID: 1}


def test_a_declined_payment_is_said_once(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    order = begin(world, held(world)).order
    assert pay(world, monkeypatch, order, "failed")["outcome"] == "noted"
    assert pay(world, monkeypatch, order, "failed")["outcome"] == "duplicate"
    assert figures(capsys) == {metrics.PAYMENTS_DECLINED: 1}


def test_an_expired_session_is_said_and_one_whose_time_is_not_over_is_not(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.setattr(expiry, "container", lambda: world.container)
    mine = held(world, "ann", "s-1-1")
    event = {"Records": [{"messageId": "m", "body": json.dumps({"session": mine.session})}]}
    assert expiry.handler(event, None) == {"batchItemFailures": []}
    assert figures(capsys) == {}
    world.clock.tick(3_600)
    for _delivery in range(2):
        assert expiry.handler(event, None) == {"batchItemFailures": []}
    assert figures(capsys) == {metrics.SESSIONS_EXPIRED: 1}


def test_an_order_is_said_to_be_ticketed_once(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    order = begin(world, held(world)).order
    assert pay(world, monkeypatch, order)["outcome"] == "paid"
    capsys.readouterr()
    monkeypatch.setattr(ticketer, "container", lambda: world.container)
    event = {"Records": [{"messageId": "m", "body": json.dumps({"order": order.order_id})}]}
    for _delivery in range(2):
        assert ticketer.handler(event, None) == {"batchItemFailures": []}
    assert figures(capsys) == {metrics.ORDERS_TICKETED: 1}


def test_what_the_pipe_for_mails_carries_is_counted_and_a_paid_order_is_not(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    order = begin(world, held(world)).order
    monkeypatch.setattr(ticketer, "container", lambda: world.container)
    capsys.readouterr()

    def deliver(*states: str) -> dict[str, int]:
        key = {"S": f"{ORDER}{order.order_id}"}
        bodies = [{"dynamodb": {"NewImage": {SK: key, "state": {"S": state}}}} for state in states]
        records = [{"messageId": "m", "body": json.dumps(body)} for body in bodies]
        ticketer.handler({"Records": records}, None)
        return figures(capsys)

    assert deliver("pending", "refund_due", "paid") == {metrics.CHANGES_HEARD: 2}
    assert deliver("paid") == {}


class NotSetUp(MemoryPayments):
    """A provider that takes our key for none of its own."""

    def parse_webhook(self, body: bytes, headers: Mapping[str, str]) -> PaymentEvent:  # noqa: ARG002 nobody reads it
        raise wrong_setup()


def ask_everything(payments: Payments) -> Iterator[Callable[[], object]]:
    yield lambda: payments.open_checkout(CheckoutRequest("o", 1, "EUR", 1, "/"))
    yield lambda: payments.close_checkout("p")
    yield lambda: payments.find_capture("p")
    yield lambda: payments.card_of("p")
    yield lambda: payments.end_held("p", take=True)
    yield lambda: payments.parse_webhook(b"", {})
    yield lambda: payments.refund(payment="p", order="o", amount_minor=1)
    yield lambda: payments.find_refund("r")
    yield lambda: payments.find_refunds(payment="p", order="o")
    yield lambda: payments.find_dispute("d")
    yield lambda: list(payments.captures(0))
    yield lambda: list(payments.disputes(0))
    yield lambda: list(payments.movements(0, 1))
    yield lambda: list(payments.payouts(0))
    yield lambda: list(payments.movements_of_payout("po_1"))


def test_keys_of_the_identity_provider_that_cannot_be_read_are_counted(capsys: Said) -> None:
    nobody = "http://127.0.0.1:9/"
    settings = {
        OIDC_JWKS_URL: nobody,
        OIDC_TOKEN_URL: nobody,
        OIDC_CLIENT_ID: "us",
        SERVICE: "auth",
    }
    container = bootstrap.Container(from_environment(settings), secrets=MemorySecrets())
    with pytest.raises(IdentityUnavailableError):
        container.identity.redeem("c", "v" * 43, "nonce-123")
    assert figures(capsys) == {metrics.IDENTITY_KEYS_UNREADABLE: 1}


@pytest.mark.parametrize("service", metrics.EMITTED_BY_SEVERAL[metrics.PAYMENT_SETUP_ERRORS])
def test_each_call_that_meets_a_refused_key_is_counted_and_still_fails(
    service: str, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    container = bootstrap.Container(from_environment({SERVICE: service, **SANDBOX}))
    monkeypatch.setattr(container, "payments_by", lambda _secrets: NotSetUp(fail=wrong_setup()))
    for call in ask_everything(container.payments):
        with pytest.raises(ProviderSetupError):
            call()
        assert figures(capsys) == {metrics.PAYMENT_SETUP_ERRORS: 1}
    methods = {name for name in vars(Payments) if not name.startswith("_")}
    assert len(list(ask_everything(container.payments))) == len(methods)


@pytest.mark.parametrize(
    ("service", "error"),
    [("orders", DependencyUnavailableError("away")), ("local", wrong_setup())],
    ids=["an outage", "a tool"],
)
def test_no_refused_key_is_counted_of(
    service: str, error: FairgateError, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    container = bootstrap.Container(from_environment({SERVICE: service, **SANDBOX}))
    monkeypatch.setattr(container, "payments_by", lambda _secrets: MemoryPayments(fail=error))
    with pytest.raises(type(error)):
        container.payments.find_capture("p")
    assert "_aws" not in capsys.readouterr().out  # lines of the log may stand there


def test_a_buyer_whose_look_is_answered_all_the_same_lets_somebody_hear_of_the_key(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.setattr(orders, "container", lambda: world.container)
    counted: list[int] = []
    provider = MemoryPayments()
    watched = WatchedPayments(provider, lambda: counted.append(1))
    monkeypatch.setitem(vars(world.container), "payments", watched)
    order = begin(world, held(world)).order
    page = Update("reservations", *order.key, set={"payPage": "/pay/1"})
    world.table.update(page)
    provider.fail = wrong_setup()
    token = issue_auth_token("ann", [], world.secrets.current.auth["1"], "1", START_MS // 1000, 600)
    asked = request("GET", f"/api/orders/{order.order_id}", authorization=f"Bearer {token}")
    assert orders.handler(asked, None)["statusCode"] == 200
    assert counted == [1]
