"""One buyer's sale is found in the logs by one id, from the edge to the mailed ticket."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from botocore.exceptions import ClientError

from fairgate import log_lines, metrics, plain_lines, request_ids
from fairgate.adapters.aws.sqs import SqsExpiryQueue, SqsMailQueue
from fairgate.domain.gate.edge_header import sign_edge_header
from fairgate.domain.gate.gate_config import dump_gate, gate_key
from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.errors import DependencyUnavailableError
from fairgate.http import paths
from fairgate.ports.payments import CheckoutRequest, PaymentEvent
from fairgate.service.checkout.end_checkout import CheckoutEnder
from fairgate_lab.engine.outside import MemoryMailer
from fairgate_ops.run.local.api_events import LambdaContext
from fairgate_ops.shared.paths import ROOT
from infra.log_queries import COLUMNS
from tests.contract.http import function, request
from tests.contract.test_payments_contract import event_of
from tests.contract.test_problems import signed_in
from tests.support.availability import stream_record
from tests.support.payment_providers import ORDER, Stripe
from tests.support.world import EVENT, START_MS, World, gate

EDGE = "MRVMF7KydIvxMWfJIglgwHQwZsbG2IhRJ07sn9AkKUFSHS9EXAMPLE=="  # of the admission
FUNCTIONS = ROOT / "functions"
Line = dict[str, Any]


@dataclass
class Sale:
    """Ann's sale through the real handlers; every call has ids of its own beside the sale's."""

    world: World
    out: pytest.CaptureFixture[str]
    messages: list[str] = field(default_factory=list)  # sent to any queue
    lines: list[tuple[str, Line]] = field(default_factory=list)  # by function
    calls: int = 0

    def __post_init__(self) -> None:
        equipment = self.world.container.__dict__
        self.world.payments.pages.clear()
        equipment["payments"] = self.world.payments
        equipment["mailer"] = MemoryMailer()
        for name, queue in (("expiry_queue", SqsExpiryQueue), ("mail_queue", SqsMailQueue)):
            equipment[name] = made = queue("http://queue")
            made.__dict__["_call"] = self._send
        self.world.edge_config.values[gate_key(EVENT)] = dump_gate(gate())

    def _send(self, _operation: str, *, MessageBody: str, **_more: object) -> dict[str, Any]:  # noqa: N803 as SQS spells it
        self.messages.append(MessageBody)
        return {}

    def invoke(self, name: str, event: Mapping[str, Any]) -> Any:
        self.calls += 1
        call = f"call-{self.calls}"
        self.out.readouterr()
        answer = handler_of(name, event)(event, LambdaContext(name, call, 30.0))
        new = [json.loads(line) for line in self.out.readouterr().out.splitlines()]
        assert {line["function_request_id"] for line in new} <= {call}, new
        self.lines += [(name, line) for line in new]
        return answer

    def ask(self, name: str, method: str, path: str, body: object = None, **headers: str) -> Any:
        edge = {"x_amz_cf_id": f"EDGE{self.calls}"} | headers
        auth = signed_in(self.world)
        answer = self.invoke(name, request(method, path, body, authorization=auth, **edge))
        assert answer["statusCode"] < 300, answer
        return json.loads(answer["body"])

    def deliver(self, name: str, *bodies: str) -> Any:
        records = [{"messageId": str(n), "body": body} for n, body in enumerate(bodies)]
        return self.invoke(name, {"Records": records})

    def admitted(self) -> dict[str, Any]:
        rules = gate()
        token = issue_waiting_token(
            rules, EVENT, "ann", request_id="r", ip="", now_ms=START_MS - 60_000
        )
        opened: dict[str, Any] = self.ask(
            "sessions",
            "POST",
            f"/api/events/{EVENT}/admission",
            x_amz_cf_id=EDGE,
            x_fairgate_edge=sign_edge_header(rules, "admit", EVENT, "ann", START_MS // 1000, "::1"),
            x_fairgate_token=encode_waiting_token(token, rules),
            x_fairgate_solution="0",
        )
        return opened

    def paid(self) -> tuple[str, str]:
        """Ann's session and order, paid by webhook."""
        opened = self.admitted()
        session, mine = opened["session"], {"x_fairgate_session": opened["credential"]}
        self.ask("holds", "POST", f"/api/sessions/{session}/holds", {"seats": ["s-1-1"]}, **mine)
        again = self.ask("sessions", "GET", f"/api/events/{EVENT}/session")  # on another device
        mine = {"x_fairgate_session": again["credential"]}
        checkout = f"/api/sessions/{session}/checkout"
        order = self.ask("checkout", "POST", checkout, {"email": "ann@example.org"}, **mine)[
            "order"
        ]
        paid = PaymentEvent("evt", "succeeded", order["order"], order["total_minor"], "EUR", "pay")
        self.ask("orders", "POST", paths.PAYMENT_WEBHOOK, msgspec.json.encode(paid).decode())
        return session, order["order"]

    def taken(self) -> list[str]:
        messages, self.messages = self.messages, []
        return messages


@pytest.fixture
def sale(world: World, capsys: pytest.CaptureFixture[str]) -> Iterator[Sale]:
    logger = log_lines.logger()
    level = logger.log_level
    logger.setLevel("INFO")  # as in Lambda
    yield Sale(world, capsys)
    logger.setLevel(level)


def handler_of(name: str, event: Mapping[str, Any]) -> Any:
    """The function as API Gateway calls it, behind its routes; or as a queue or a timer does."""
    handler = function(name).handler
    return handler if "requestContext" in event else handler.__wrapped__


def of_the_sale(lines: list[tuple[str, Line]]) -> list[str]:
    """The functions whose lines name the sale; fails for one that does not."""
    strangers = [(name, line) for name, line in lines if line.get("correlation_id") != EDGE]
    assert not strangers
    return [name for name, _ in lines]


def throttled() -> ClientError:
    response: Any = {
        "Error": {"Code": "ThrottlingException"},
        "ResponseMetadata": {"RequestId": "AWS1"},
    }
    return ClientError(response, "GetItem")


def follow_to_the_mail(sale: Sale) -> None:
    session, order = sale.paid()
    expiries = sale.taken()
    key = (session, f"O#{order}")
    item = sale.world.item("reservations", key)
    assert item is not None
    sale.deliver("ticketer", json.dumps(stream_record(item)))
    [mail] = sale.taken()
    with patch.object(sale.world.client, "get_item", side_effect=throttled()):
        assert sale.deliver("ticketer", mail)["batchItemFailures"]
    assert not sale.deliver("ticketer", mail)["batchItemFailures"]
    assert "mailedAt" in (sale.world.item("reservations", key) or ())
    sale.deliver("expiry", *expiries)


def test_every_line_names_the_sale_from_admission_to_the_mailed_ticket(sale: Sale) -> None:
    follow_to_the_mail(sale)
    named = of_the_sale([(n, line) for n, line in sale.lines if not is_of_a_batch(line)])
    assert set(named) == {"sessions", "holds", "checkout", "orders", "ticketer", "expiry"}
    unmailed = "tickets not issued or not mailed"
    [failed] = [line for _, line in sale.lines if line.get("message") == unmailed]
    assert failed["aws_request_id"] == "AWS1"
    asked = ("holds", "checkout", "orders")
    edges = {line.get("request_id") for name, line in sale.lines if name in asked}
    assert len(edges - {EDGE, None}) == 3  # hold, checkout and webhook, each with its own as well


def test_an_admission_leaves_the_line_of_which_the_table_of_admissions_is_made(
    sale: Sale,
) -> None:
    sale.admitted()
    [line] = [line for name, line in sale.lines if name == "sessions" and metrics.WAITED in line]
    columns = {column: line.get(column) for column in COLUMNS["admissions"]}
    assert columns == {
        "at_ms": sale.world.clock.now_ms(),
        "event": EVENT,
        "request_id": EDGE,
        metrics.WAITED: 60,
    }


def test_no_line_says_to_whom_a_mail_was_refused(sale: Sale) -> None:
    """The mail service's own words name the address. Source: SES Developer Guide, "Email sending
    errors"."""
    words = (
        "Email address is not verified. The following identities failed the check in region"
        " EU-CENTRAL-1: ann@example.org, <Ann.O'Neil+1@mail.example.org>"
    )
    response: Any = {
        "Error": {"Code": "MessageRejected", "Message": words},
        "ResponseMetadata": {"RequestId": "AWS1"},
    }
    sale.world.container.__dict__["mailer"] = refusing = MemoryMailer()
    with patch.object(refusing, "send", side_effect=ClientError(response, "SendEmail")):
        _, order = sale.paid()
        sale.deliver("ticketer", json.dumps({"order": order}))
        [mail] = sale.taken()[-1:]
        assert sale.deliver("ticketer", mail)["batchItemFailures"]
    [failed] = [line for _, line in sale.lines if line.get("exception_name")]
    assert "MessageRejected" in failed["exception"]
    assert "EU-CENTRAL-1: (an address), <(an address)>" in failed["exception"]
    assert "(an address)" in failed["stack_trace"]["value"]
    assert not [line for _, line in sale.lines if "@" in json.dumps(line)]


def test_a_hold_writes_one_line_which_says_what_came_of_it(sale: Sale) -> None:
    sale.paid()
    [line] = [line for name, line in sale.lines if name == "holds"]
    assert (line["message"], line["status"]) == ("answered", 201)
    assert (line["route"], line["HoldsMade"]) == ("POST /api/sessions/{session}/holds", 1)


def is_of_a_batch(line: Line) -> bool:
    """Whether it counts what several messages did: it is of none of their sales."""
    return "OrdersTicketed" in line and line["correlation_id"] == line["function_request_id"]


def test_a_message_that_names_no_sale_is_missed(sale: Sale) -> None:
    """The control: what the queue drops is not made up for by anything else."""
    with (
        patch("fairgate.adapters.aws.sqs.handed_along", dict),
        pytest.raises(AssertionError, match="not mailed"),
    ):
        test_every_line_names_the_sale_from_admission_to_the_mailed_ticket(sale)


def test_stripe_hands_the_sale_back_with_what_its_webhook_tells(stripe_provider: Stripe) -> None:
    request = CheckoutRequest(
        order=ORDER,
        amount_minor=10_000,
        currency="EUR",
        expires_ms=stripe_provider.clock.now_ms() + 300_000,
        return_url="http://127.0.0.1/#/order/x",
        correlation_id=EDGE,
    )
    page = stripe_provider.payments.open_checkout(request)
    assert request_ids.current() == ""
    event_of(stripe_provider, stripe_provider.decline(page))
    assert request_ids.current() == EDGE


@pytest.mark.parametrize("unfit", ["", "x" * 65, 'a"b', "a b", "a\nb", "ü"])
def test_an_edges_id_that_cannot_be_one_is_not_taken(unfit: str) -> None:
    asked = {"headers": {"x-amz-cf-id": unfit}, "requestContext": {"requestId": "API1"}}
    assert request_ids.correlation_id(asked) == "API1"
    request_ids.begin_request(asked, None)
    request_ids.take_up(unfit)
    assert request_ids.current() == "API1"


def test_a_call_by_a_timer_is_named_for_itself_and_what_failed_for_its_sale(sale: Sale) -> None:
    opened = sale.admitted()
    sale.lines.clear()
    sale.world.clock.tick(700)
    away = DependencyUnavailableError("away")
    away.__cause__ = throttled()
    with patch.object(CheckoutEnder, "end", side_effect=away):
        sale.invoke("sweeper", {})
    failed = [line for _, line in sale.lines if line.get("message") == "not done"]
    [session] = [line for line in failed if opened["session"] in line["failure"]["what"]]
    assert session["correlation_id"] == EDGE
    assert session["failure"]["aws_request_id"] == "AWS1"
    others = [line for _, line in sale.lines if line is not session]
    assert others
    assert {line["correlation_id"] for line in others} == {f"call-{sale.calls}"}


def test_a_refund_that_fails_is_logged_for_its_sale(sale: Sale) -> None:
    _, order = sale.paid()
    again = PaymentEvent("evt2", "succeeded", order, 5_000, "EUR", "pay2")  # owed back
    away = DependencyUnavailableError("away")
    sale.world.payments.fail = away
    event = request("POST", paths.PAYMENT_WEBHOOK, msgspec.json.encode(again).decode())
    assert sale.invoke("orders", event)["statusCode"] == 503
    sale.lines.clear()
    sale.world.clock.tick(600)
    sale.invoke("sweeper", {})
    [failed] = [line for _, line in sale.lines if line.get("message") == "not done"]
    assert (failed["correlation_id"], failed["failure"]["error"]) == (EDGE, type(away).__name__)


def test_a_module_of_ours_logs_with_the_ids_as_well(sale: Sale) -> None:
    sale.deliver("expiry")
    logging.getLogger("fairgate.adapters.anything").warning("slow")
    [line] = sale.out.readouterr().out.splitlines()
    told = json.loads(line)
    assert (told["message"], told["function_request_id"]) == ("slow", f"call-{sale.calls}")


def test_the_functions_light_lines_have_them_too() -> None:
    record = logging.LogRecord("fairgate.x", logging.WARNING, "", 1, "no %s", ("door",), None)
    request_ids.begin_request({"headers": {"x-amz-cf-id": EDGE}}, LambdaContext("a", "call-1", 1.0))
    line = json.loads(plain_lines.PlainLines().format(record))
    assert (line["message"], line["correlation_id"]) == ("no door", EDGE)
    assert (line["function_request_id"], line["service"]) == ("call-1", "test")


def test_the_functions_light_lines_name_nobody_either() -> None:
    error = ValueError("no mail to ann@example.org")
    about = (type(error), error, None)
    record = logging.LogRecord("fairgate.x", logging.ERROR, "", 1, "for %s", ("a@b.org",), about)
    line = json.loads(plain_lines.PlainLines().format(record))
    assert line["message"] == "for (an address)"
    assert line["exception"].endswith("no mail to (an address)")


@pytest.mark.parametrize(
    "name", sorted(path.parent.name for path in FUNCTIONS.glob("*/handler.py"))
)
def test_every_function_begins_each_call_with_its_ids(name: str) -> None:
    source = (FUNCTIONS / name / "handler.py").read_text("utf-8")
    begins = ("resolve(app, event, context", "\n@called\n", "begin_request(event, context)")
    assert sum(begin in source for begin in begins) == 1
    assert "Logger(" not in source  # whose lines would have none
