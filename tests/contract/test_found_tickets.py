"""From the form to the tickets, through the real handlers: what is told, logged and kept."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from fairgate.domain.shared.rate_limit import ADDRESS_LINKS
from fairgate.errors import DependencyUnavailableError
from fairgate.http import paths
from fairgate_lab.engine.outside import MemoryMailer
from tests.contract.http import function, request
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle

ANN, NOBODY = "ann@example.org", "nobody@example.org"


@pytest.fixture
def mailer(world: World) -> MemoryMailer:
    made = MemoryMailer()
    world.container.__dict__["mailer"] = made
    return made


@pytest.fixture(autouse=True)
def _deployment_sends_mail(world: World) -> None:
    world.container.settings = world.container.settings._replace(mail_sender="box@example.org")


def ask(email: Any) -> dict[str, Any]:
    event = request("POST", paths.TICKETS_LINK, {"email": email})
    answer: dict[str, Any] = function("finder").handler(event, object())
    return answer


def delivered(world: World, *bodies: dict[str, Any]) -> list[dict[str, str]]:
    """Hand the mailer what waits in its queue, or these; which of them are to come again."""
    waiting = bodies or tuple(
        {"find": mailbox, "request": name} for mailbox, name in world.mail_queue.links
    )
    records = [
        {"messageId": str(number), "body": json.dumps(body)} for number, body in enumerate(waiting)
    ]
    answer = vars(function("ticketer").handler)["__wrapped__"]({"Records": records}, None)
    failures: list[dict[str, str]] = answer["batchItemFailures"]
    return failures


def opened(token: str, path: str = paths.TICKETS_OPEN, query: str = "") -> dict[str, Any]:
    event = request("POST", path, {"token": token}, query)
    answer: dict[str, Any] = function("tickets").handler(event, object())
    return answer


def header(answer: dict[str, Any], name: str) -> str:
    headers = dict(answer.get("headers") or {})
    headers |= {key: value[0] for key, value in (answer.get("multiValueHeaders") or {}).items()}
    return str({key.lower(): value for key, value in headers.items()}[name])


def bought(world: World) -> str:
    order = begin(world, held(world)).order
    settle(world, order)
    record = {"dynamodb": {"NewImage": {"SK": {"S": order.sk}, "state": {"S": "paid"}}}}
    assert delivered(world, record) == []
    return order.order_id


def token_of(mailer: MemoryMailer) -> str:
    [token] = re.findall(r"/#/found/(\S+)", mailer.sent[-1].text)
    return str(token)


def test_the_way_from_the_form_to_the_tickets(world: World, mailer: MemoryMailer) -> None:
    order = bought(world)
    assert ask(ANN)["statusCode"] == 202
    assert delivered(world) == []
    [mail] = mailer.sent
    assert (mail.to, mail.attachments) == (ANN, {})
    token = token_of(mailer)
    shown = json.loads(opened(token)["body"])
    assert [(one["order"], one["tickets"]) for one in shown["orders"]] == [(order, 2)]
    assert "minor" not in json.dumps(shown)  # no amounts
    svg = opened(token, paths.FOUND_SVG.format(order=order), "unit=1")
    assert (svg["statusCode"], svg["body"][:4]) == (200, "<svg")
    assert header(svg, "content-type") == "image/svg+xml"
    png = opened(token, paths.FOUND_PNG.format(order=order), "unit=1")
    assert (png["statusCode"], header(png, "content-type")) == (200, "image/png")
    pdf = opened(token, paths.FOUND_PDF.format(order=order))
    assert (pdf["statusCode"], pdf["isBase64Encoded"]) == (200, True)
    for unit in ("2", "x", "-1"):
        missing = opened(token, paths.FOUND_SVG.format(order=order), f"unit={unit}")
        assert missing["statusCode"] == 404


def test_nobody_learns_from_the_answer_or_the_log_whose_tickets_there_are(
    world: World, mailer: MemoryMailer, capsys: pytest.CaptureFixture[str]
) -> None:
    bought(world)
    capsys.readouterr()
    known, unknown = ask(ANN), ask(NOBODY)
    assert known == unknown
    finders = capsys.readouterr().out
    assert delivered(world) == []
    assert [mail.to for mail in mailer.sent] == [ANN]
    assert "@example.org" not in finders + capsys.readouterr().out
    assert "@" not in str(world.mail_queue.links)


def test_a_token_that_was_changed_opens_nothing(world: World, mailer: MemoryMailer) -> None:
    order = bought(world)
    ask(ANN)
    delivered(world)
    token = token_of(mailer)
    for wrong in (token[:-1], token + "A", "a.b.c"):
        for path in (paths.TICKETS_OPEN, paths.FOUND_SVG.format(order=order)):
            answer = opened(wrong, path)
            assert answer["statusCode"] == 401
            assert json.loads(answer["body"])["code"] == "link-ended"
    world.clock.tick(86_400)
    assert json.loads(opened(token)["body"])["code"] == "link-ended"


@pytest.mark.parametrize("email", ["", "ann", "a b@example.org", "x" * 300, None, ["a@b.c"]])
def test_what_is_no_address_is_refused_before_anything_is_counted(world: World, email: Any) -> None:
    assert ask(email)["statusCode"] == 400
    assert world.mail_queue.links == []


def test_who_asks_about_many_is_told_when_to_come_back(world: World) -> None:
    for number in range(ADDRESS_LINKS.quota):
        assert ask(f"somebody{number}@example.org")["statusCode"] == 202
    refused = ask(ANN)
    assert refused["statusCode"] == 429
    assert header(refused, "retry-after") == "60"


def test_who_asks_where_no_mail_is_sent_is_told_so(world: World) -> None:
    world.container.settings = world.container.settings._replace(mail_sender="")
    refused = ask(ANN)
    problem = json.loads(refused["body"])
    assert (refused["statusCode"], problem["code"]) == (409, "wrong-state")
    assert problem["reason"] == "no-mail"
    assert "contact the box office" in problem["detail"]
    assert world.mail_queue.links == []


def test_a_queue_that_is_away_is_said_so(world: World) -> None:
    world.mail_queue.fail = DependencyUnavailableError("away")
    assert ask(ANN)["statusCode"] == 503


@pytest.mark.parametrize(
    "body",
    [
        {"find": "ann@example.org", "request": "1" * 32},
        {"find": "m" * 22, "request": "x"},
        {"find": "m" * 22},
    ],
)
def test_a_message_that_is_none_is_kept_aside(
    world: World, mailer: MemoryMailer, body: dict[str, str]
) -> None:
    assert len(delivered(world, body)) == 1
    assert mailer.sent == []
