"""Buyers get each mail once and in their language, also when a command is killed."""

from __future__ import annotations

import email
import email.policy
import json
from collections import Counter
from email.message import EmailMessage
from pathlib import Path

import pytest

from fairgate.http import paths
from tests.e2e.ended import killed
from tests.e2e.selling import sell
from tests.e2e.shopper import Shopper
from tests.support.waiting import wait_until

MAILED = "mailed"
FOREVER = "2099-01-01T00:00:00Z"
# The command ends when all mails are asked for and nobody has noted it.
BEFORE_ITS_NOTE = "from fairgate_ops.operate import tell_change; tell_change.mark_told = dies"


@pytest.fixture(scope="module")
def on_sale(system):
    """An event of its own, whose buyers may cancel."""
    sell(system, MAILED)
    system.fairgate(
        *("event", "edit", MAILED, "--cancel-until", FOREVER, "--cancel-fee", "1"),
        *("--transfer-until", FOREVER, "--yes"),
    )
    return system


def bought(system, name: str, **headers: str) -> Shopper:
    return Shopper(system.base_url, MAILED).buy(2, f"{name}@example.com", **headers)


def mailbox(system, name: str) -> list[EmailMessage]:
    """Everything that was sent to this address, oldest first."""
    files = sorted((Path(system.run_dir) / "mail").glob("*.eml"))
    mails = [
        email.message_from_bytes(one.read_bytes(), policy=email.policy.default) for one in files
    ]
    return [mail for mail in mails if mail["To"] == f"{name}@example.com"]


def subjects(system, name: str) -> Counter[str]:
    return Counter(str(mail["Subject"]) for mail in mailbox(system, name))


def gets(system, name: str, *wanted: str) -> list[EmailMessage]:
    """Wait until these subjects, and no others, are in somebody's mailbox."""
    wait_until(
        lambda: subjects(system, name) == Counter(wanted), f"{wanted} for {name}", within_s=60
    )
    return mailbox(system, name)


def test_a_german_buyer_who_returns_one_place_is_told_in_german(on_sale) -> None:
    buyer = bought(on_sale, "erika", **{"accept-language": "de-DE,de;q=0.9,en;q=0.8"})
    gets(on_sale, "erika", "Ihre Karten für Mailed")
    ticket = buyer.order_now()["cancellation"]["places"][0]["tickets"][0]
    path = paths.ORDER_CANCEL.format(order=buyer.order)
    assert buyer.call("POST", path, {"ticket": ticket}).status == 200
    tickets, *mails = gets(
        *(on_sale, "erika"),
        *("Ihre Karten für Mailed", "Zurückgegeben: ein Platz bei Mailed"),
        "Ihre Erstattung für Mailed",
    )
    assert tickets.get_body(("html",)) is not None
    assert {part.get_filename() for part in tickets.iter_attachments()} >= {"tickets.pdf"}
    for mail in mails:
        body = mail.get_body(("plain",))
        assert body is not None
        assert "Bestellung " + buyer.order in body.get_content()
    ids = [str(mail["Message-ID"]) for mail in (tickets, *mails)]
    assert len(set(ids)) == 3
    assert all(buyer.order in one for one in ids)


def test_what_staff_gives_back_is_on_its_way_once(on_sale) -> None:
    buyer = bought(on_sale, "bob")
    words = ("orders", "refund", buyer.order, "--amount", "1", "--reason", "late", "--yes")
    on_sale.fairgate(*words)
    on_sale.fairgate(*words)  # made before: nothing more goes back, and nobody is written to
    *_, refund = gets(on_sale, "bob", "Your tickets for Mailed", "Your refund for Mailed")
    body = refund.get_body(("plain",))
    assert body is not None
    assert "Refund: EUR 1.00" in body.get_content()


def test_a_buyer_who_passes_a_ticket_on_is_told_that_it_is_gone(on_sale) -> None:
    buyer = bought(on_sale, "dan")
    ticket = buyer.order_now()["transfer"]["tickets"][0]["ticket"]
    offered = buyer.call("POST", paths.TICKET_OFFER.format(order=buyer.order, ticket=ticket))
    taker = Shopper(on_sale.base_url, MAILED).sign_in()
    accepted = taker.call("POST", paths.TRANSFERS, {"token": offered.body["token"]})
    assert accepted.status == 200
    *_, mail = gets(
        *(on_sale, "dan"), "Your tickets for Mailed", "Passed on: your ticket for Mailed"
    )
    body = mail.get_body(("plain",))
    assert body is not None
    assert accepted.body["label"] in body.get_content()
    assert taker.name not in mail.as_string()


def test_a_declined_card_is_told_while_the_places_are_kept(on_sale) -> None:
    buyer = Shopper(on_sale.base_url, MAILED).reserve(email="cy@example.com")
    buyer.pay("decline")
    gets(on_sale, "cy", "Your payment for Mailed was declined")
    assert buyer.leave().status == 204


def test_a_change_is_told_to_each_buyer_once_though_its_telling_is_killed(on_sale) -> None:
    names = ["dora", "emil", "fay"]
    buyers = [bought(on_sale, name) for name in names]
    for name in names:
        gets(on_sale, name, "Your tickets for Mailed")
    killed(on_sale, BEFORE_ITS_NOTE, "event", "edit", MAILED, "--artist", "The Tides", "--yes")
    tasks = json.loads(on_sale.fairgate("orders", "tasks", "--json"))["tasks"]
    assert [task["kind"] for task in tasks if task["event_id"] == MAILED] == ["change-untold"]
    again = json.loads(on_sale.fairgate("event", "edit", MAILED, "--tell", "--yes", "--json"))
    assert again["mails"]["orders"] >= len(buyers)
    for name in names:
        *_, changed = gets(on_sale, name, "Your tickets for Mailed", "Changed: Mailed")
        body = changed.get_body(("plain",))
        assert body is not None
        text = body.get_content()
        assert "Artist: The Tides" in text
        assert "(before: not said)" in text


def test_every_buyer_is_told_of_a_cancelled_event_once(on_sale, tmp_path) -> None:
    bought(on_sale, "gil")
    words = ("event", "cancel", MAILED, "--refund-all", "--reason", "ill", "--yes")
    for report in ("first.csv", "again.csv"):
        on_sale.fairgate(*words, "--report", str(tmp_path / report))
    gets(
        *(on_sale, "gil", "Your tickets for Mailed"),
        *("Mailed is cancelled", "Your refund for Mailed"),
    )
