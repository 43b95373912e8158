"""One rule decides which mail addresses are taken and which are mailed. A row for each case."""

from __future__ import annotations

import json
from email import message_from_bytes
from typing import TYPE_CHECKING, Any

import pytest

from fairgate import metrics
from fairgate.adapters.aws.mail import FileMailer, SesMailer
from fairgate.domain.shared.ids import OrderId
from fairgate.domain.shared.mail_address import why_unsendable
from fairgate.domain.shared.mailbox import mailbox_of
from fairgate.errors import MailAddressError
from fairgate.http import paths
from fairgate.ports.outside import Mail
from fairgate.ports.table import Update
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.shared.keys import own_order_key
from fairgate.service.shared.records.orders import Order
from fairgate_lab.engine.payments import MemoryPayments
from tests.contract.conftest import _as_described, world
from tests.contract.http import function, request
from tests.contract.test_ending_checkout import ask
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of, settle
from tests.unit.tickets.test_mail import FakeSes, sdk_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.world import World

__all__ = ["_as_described", "world"]  # fixtures

# Typed; sent to; where the kind was reported.
SENT = [
    ("jo@bücher.example", "jo@xn--bcher-kva.example", "domain beyond ASCII"),
    ("jo@XN--BCHER-KVA.example", "jo@xn--bcher-kva.example", "domain as the DNS has it"),
    ("jo@\uff45xample.com", "jo@example.com", "a wide letter"),
    ("jo@faß.example", "jo@xn--fa-hia.example", "where IDNA 2003 and 2008 differ"),
    ("o'neil+tickets@example.com", "o'neil+tickets@example.com", "plain and legal"),
    ("JO@EXAMPLE.COM", "JO@example.com", "capital letters"),
    ('"jo..ann"@example.com', '"jo..ann"@example.com', "odd dots that the buyer quotes"),
    ('"jo"@example.com', "jo@example.com", "quotes without need"),
    ("a" * 64 + "@example.com", "a" * 64 + "@example.com", "the longest local part"),
]
# Typed; a word of what is said; where the kind was reported.
REFUSED = [
    ("anna.@example.com", "period immediately before the @", "PHPMailer#418: dot at the end"),
    ("jo..ann@example.com", "two periods in a row", "PHPMailer#418: doubled dot"),
    (".jo@example.com", "start with a period", "PHPMailer#418: dot at the beginning"),
    ("jürgen@example.com", "Internationalized characters before the @", "beyond ASCII"),
    ('"jü"@example.com', "Internationalized characters before the @", "beyond ASCII, quoted"),
    ("jo@[127.0.0.1]", "IP address", "address literal"),
    ("jo@-x.example", "hyphen immediately after the @", "label begins with a hyphen"),
    ("jo@x..example", "two periods in a row", "empty label"),
    ("a" * 65 + "@example.com", "too long before the @", "local part longer than 64"),
    ("a@" + ".".join(["b" * 60] * 5) + ".com", "too long", "longer than 254"),
    ("jo\x1b[31m@example.com", "invalid characters before the @", "control character"),
    ("jo@example.com\nBcc: eve@example.com", "invalid characters", "a header"),
    ("jo@x.de, eve@x.de", "invalid characters", "two addresses"),
    ("Jo <jo@example.com>", "display name", "a name"),
    ("jo@\u202eexample.com", "unsafe", "right-to-left override"),
    ("\ud800@example.com", "", "half a surrogate pair"),
    ('""@example.com', "", "nothing in quotes"),
    ("jo@printer.local", "special-use", "no domain of the internet"),
    ("jo@example", "period", "no dot"),
    ("jo", "@-sign", "no @"),
    ("", "@-sign", "nothing"),
]


@pytest.fixture(autouse=True)
def _pays(world: World) -> None:
    world.payments = MemoryPayments()
    world.container.__dict__["payments"] = world.payments
    world.container.settings = world.container.settings._replace(mail_sender="box@example.org")


def check_out(world: World, email: str) -> Any:
    path = f"/api/sessions/{(mine := held(world)).session}/checkout"
    return ask(world, mine, "checkout", "POST", path, {"email": email})


def find(email: str) -> Any:
    event = request("POST", paths.TICKETS_LINK, {"email": email})
    return function("finder").handler(event, object())


def mail(email: str) -> str:
    """Return where SES is asked to send a mail, which is what its header says."""
    ses = FakeSes()
    SesMailer("box@example.org", sdk_of(ses)).send(Mail(to=email, subject="s", text="t"))
    (sent,) = ses.sent
    ((address,),) = sent["Destination"].values()
    header = message_from_bytes(sent["Content"]["Raw"]["Data"])["To"]
    assert header.strip() == address
    return str(address)


@pytest.mark.parametrize(("typed", "sent", "kind"), SENT)
def test_what_can_be_mailed_is_taken_and_mailed(
    world: World, typed: str, sent: str, kind: str
) -> None:
    assert mail(typed) == sent, kind
    assert find(typed)["statusCode"] == 202
    answer = check_out(world, typed)
    assert answer["statusCode"] == 201
    key = own_order_key(OrderId(json.loads(answer["body"])["order"]["order"]))
    order = world.table.find(Order, key)
    assert order is not None
    assert order.email == typed
    assert order.mailbox == mailbox_of(world.secrets.current.addresses, sent.lower())


@pytest.mark.parametrize(("typed", "said", "kind"), REFUSED)
def test_what_cannot_be_mailed_is_refused_in_words_at_the_field(
    world: World, typed: str, said: str, kind: str
) -> None:
    with pytest.raises(MailAddressError):
        mail(typed)
    if "\ud800" in typed:
        return  # no JSON has it
    for answer in (check_out(world, typed), find(typed)):
        body = json.loads(answer["body"])
        assert (answer["statusCode"], body["field"]) == (400, "email"), kind
        assert body["detail"].startswith("No mail can be sent to this address.")
        assert said in body["detail"]
    assert world.mail_queue.links == []


def test_a_mail_that_cannot_be_sent_is_a_task_and_counted(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An order of an older version has such an address; each of its mails is looked at."""
    order = begin(world, held(world)).order
    settle(world, order)
    old = {"email": "anna.@example.com"}
    world.table.update(Update("reservations", *order.key, set=old))
    world.container.__dict__["mailer"] = FileMailer(tmp_path)
    mailbox = mailbox_of(world.secrets.current.addresses, "ann@example.org")
    bodies = [
        {"order": order.order_id},
        {"mail": order.order_id},
        {"mail": order.order_id, "again": True},
        {"find": mailbox, "request": "1" * 32},
    ]
    records = [{"messageId": str(n), "body": json.dumps(body)} for n, body in enumerate(bodies)]
    capsys.readouterr()
    handler = vars(function("ticketer").handler)["__wrapped__"]
    assert handler({"Records": records}, None) == {"batchItemFailures": []}
    assert list(tmp_path.iterdir()) == []
    (task,) = ManualTasks(world.table, world.clock).open()
    assert (task.kind, task.order_id, task.event_id) == (
        "mail-not-sent",
        order.order_id,
        order.event_id,
    )
    assert "anna" not in task.what
    said = capsys.readouterr().out
    assert f'"{metrics.MAILS_NOT_SENT}":3' in said
    assert "anna" not in said
    assert "before the @" in why_unsendable(order_of(world, order).email)
