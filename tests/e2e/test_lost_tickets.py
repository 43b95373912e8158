"""Tickets are found again in the running system: by mail, over HTTP and in the browser."""

from __future__ import annotations

import argparse
import email
import email.policy
import re
import secrets
import signal
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from fairgate.adapters.aws.sqs import SqsMailQueue
from fairgate.domain.shared.mailbox import mailbox_of
from fairgate.domain.tickets.ticket_link import TicketLink, sign_link
from fairgate.http import paths
from fairgate_ops.operate.target import Target, target_of
from fairgate_ops.run.local.environment import base_environment
from fairgate_ops.shared.paths import ROOT
from tests.e2e.selling import sell
from tests.e2e.shopper import Answer, Shopper, call
from tests.support.waiting import patience_s, wait_until

if TYPE_CHECKING:
    from email.message import EmailMessage

LOST = "lost"
MAILED_WITHIN_S = 30
# The mailer, which kills itself once the mail is sent, before it is marked.
KILLED = """
import argparse, os, signal, sys
from pathlib import Path
from fairgate.adapters.aws.mail import FileMailer
from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.service.tickets.mail_link import LinkDeps, mail_link
from fairgate_ops.operate.target import target_of

run_file, mailbox, request, folder, url = sys.argv[1:]
world = target_of(argparse.Namespace(target="local", run_file=run_file)).world
DynamoTable.transact = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
key = lambda: world.secrets.tickets().links
mailer = FileMailer(Path(folder), "tickets@fairgate.example")
mail_link(LinkDeps(world.table, world.clock, mailer, key, url), mailbox, request)
"""


class Desk:
    """The system as its user sees it, one mailbox, and the mail queue."""

    def __init__(self, system: Any, address: str) -> None:
        self.system, self.address = system, address
        self.mail_dir = system.run_dir / "mail"
        self.target: Target = target_of(
            argparse.Namespace(target="local", run_file=str(system.run_file))
        )
        keys = self.target.world.secrets
        self.key, self.names = keys.tickets().links, keys.addresses()
        self.mailbox = mailbox_of(self.names, address)

    def ask(self, address: str) -> Answer:
        return call(self.system.base_url, "POST", paths.TICKETS_LINK, {"email": address})

    def open(self, token: str, path: str = paths.TICKETS_OPEN) -> Answer:
        return call(self.system.base_url, "POST", path, {"token": token})

    def mails(self) -> list[EmailMessage]:
        """Every mail with a link, in the order in which they were sent."""
        read = [
            email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
            for file in sorted(self.mail_dir.glob("*.eml"))
        ]
        return [mail for mail in read if "found again" in mail["Subject"]]

    def ids(self) -> Counter[str]:
        return Counter(mail["Message-ID"] for mail in self.mails() if mail["To"] == self.address)

    def link(self, number: int) -> str:
        """Return the link of the address's mail of this number, from 1."""

        def mine() -> list[EmailMessage]:
            return [mail for mail in self.mails() if mail["To"] == self.address]

        wait_until(lambda: len(mine()) >= number, "the mail", within_s=MAILED_WITHIN_S)
        body = mine()[number - 1].get_body()
        assert body is not None
        [found] = re.findall(r"http\S+/#/found/\S+", body.get_content())
        return str(found)

    def send(self, request: str) -> None:
        """Put a message into the mail queue, as the service does, or the queue once more."""

        def sent(_operation: str, **message: str) -> dict[str, Any]:
            return dict(self.target.sqs().send_message(**message))

        SqsMailQueue(self.target.queues()["mails"].url, sent).find(self.mailbox, request)

    def begun_again(self, request: str) -> None:
        """Deliver a message, then a second one; wait until the second was sent."""
        self.send(request)
        last = secrets.token_hex(16)
        self.send(last)
        wait_until(
            lambda: self.ids()[f"<link-{last}@fairgate.example>"] == 1,
            "the mail behind it",
            within_s=MAILED_WITHIN_S,
        )


@pytest.fixture(scope="module")
def buyer(system) -> Shopper:
    """Somebody with two tickets, an address of their own, and no sign-in any more."""
    sell(system, LOST)
    shopper = Shopper(system.base_url, LOST)
    shopper.email = f"{shopper.name}@lost.example"
    return shopper.buy()


@pytest.fixture(scope="module")
def desk(system, buyer) -> Desk:
    return Desk(system, buyer.email)


@pytest.fixture(scope="module")
def token(desk) -> str:
    """Of the mail that the first request brings, about any address like any other."""
    nobody = desk.ask("nobody@lost.example")
    asked = desk.ask(desk.address.upper())
    assert (asked.status, asked.data) == (nobody.status, nobody.data) == (202, nobody.data)
    found: str = desk.link(1).rpartition("/")[2]
    return found


def test_orders_and_tickets_are_found_by_their_address_alone(desk, token, buyer) -> None:
    assert {mail["To"] for mail in desk.mails()} == {desk.address}  # and nobody@ has none
    for _ in range(2):  # a link is opened as often as one likes
        answer = desk.open(token)
        assert answer.status == 200
        [order] = answer.body["orders"]
        assert (order["order"], order["event_name"], order["tickets"]) == (buyer.order, "Lost", 2)
    svg = desk.open(token, paths.FOUND_SVG.format(order=buyer.order) + "?unit=1")
    assert (svg.status, svg.headers["content-type"]) == (200, "image/svg+xml")
    assert svg.data == buyer.ticket(1).data
    pdf = desk.open(token, paths.FOUND_PDF.format(order=buyer.order))
    assert (pdf.status, pdf.data[:5]) == (200, b"%PDF-")


def test_a_link_that_is_over_or_forged_opens_nothing_in_the_same_words(desk, token, buyer) -> None:
    now_s = int(time.time())
    over = sign_link(TicketLink(desk.mailbox, now_s - 1), desk.key)
    forged = sign_link(TicketLink(desk.mailbox, now_s + 60), b"n" * 32)
    told = []
    for wrong in (over, forged, token[:-2]):
        for path in (paths.TICKETS_OPEN, paths.FOUND_PDF.format(order=buyer.order)):
            answer = desk.open(wrong, path)
            assert answer.status == 401
            told.append({**answer.body, "request_id": ""})
    assert all(one == told[0] for one in told)
    assert told[0]["code"] == "link-ended"
    other = sign_link(TicketLink(mailbox_of(desk.names, "eve@lost.example"), now_s + 60), desk.key)
    assert desk.open(other).body["orders"] == []
    assert desk.open(other, paths.FOUND_PDF.format(order=buyer.order)).status == 404


def test_a_mailer_that_is_killed_before_its_mark_sends_the_same_mail_again(desk, token) -> None:
    request = secrets.token_hex(16)
    words = [str(desk.system.run_file), desk.mailbox, request, str(desk.mail_dir), "http://x"]
    done = subprocess.run(
        [sys.executable, "-c", KILLED, *words],
        capture_output=True,
        text=True,
        timeout=patience_s(60),
        check=False,
        cwd=ROOT,
        env=base_environment(),
    )
    assert done.returncode == -signal.SIGKILL, done
    assert desk.ids()[f"<link-{request}@fairgate.example>"] == 1
    desk.begun_again(request)
    assert desk.ids()[f"<link-{request}@fairgate.example>"] == 2  # once more, under the same id
    desk.begun_again(request)
    assert desk.ids()[f"<link-{request}@fairgate.example>"] == 2  # and no more: it is marked


def test_a_stranger_to_the_browser_finds_their_tickets(system, desk, token, phone) -> None:
    before = sum(desk.ids().values())
    phone.goto(system.base_url)
    phone.get_by_role("link", name="Find my tickets").click()
    phone.get_by_label("E-mail of the order").fill(desk.address)
    phone.get_by_role("button", name="Send me the link").click()
    phone.get_by_role("heading", name="Look into your mailbox").wait_for()
    phone.goto(desk.link(before + 1))
    phone.get_by_alt_text("Ticket 2 of 2, with its QR code").wait_for()
    assert phone.get_by_text("Lost", exact=True).count() == 1
    assert phone.url.endswith("/#/found")
    with phone.expect_download() as saved:
        phone.get_by_role("button", name="Tickets (PDF)").click()
    assert saved.value.path().read_bytes().startswith(b"%PDF-")


def test_what_was_given_back_is_shown_as_that(system, desk, token, buyer, tmp_path) -> None:
    words = ["event", "cancel", LOST, "--refund-all", "--reason", "ill", "--yes", "--json"]
    system.fairgate(*words, "--report", str(tmp_path / "lost.csv"))
    wait_until(
        lambda: desk.open(token).body["orders"][0]["state"] in ("cancelled", "refunded"),
        "the order cancelled",
        within_s=MAILED_WITHIN_S,
    )
    [order] = desk.open(token).body["orders"]
    assert (order["tickets"], order["event_cancelled"]) == (0, True)
    assert desk.open(token, paths.FOUND_SVG.format(order=buyer.order)).status == 409
