"""The link goes to who bought, once a request at best, twice under one id at worst."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from fairgate.domain.shared.ids import Mailbox
from fairgate.domain.shared.language import LANGUAGES
from fairgate.domain.shared.mailbox import mailbox_of
from fairgate.domain.tickets.ticket_link import VALID_S, verify_link
from fairgate.errors import DependencyUnavailableError, MailAddressError, MailNotSentError
from fairgate.ports.record import SK
from fairgate.service.shared.mailbox_keys import mailed_link_key
from fairgate.service.shared.records.orders import Order
from fairgate.service.tickets.mail_link import LinkDeps, link_mail, mail_link
from fairgate_lab.engine.outside import MemoryMailer
from tests.support.world import NAMES, World
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of, settle

ONE, TWO = "1" * 32, "2" * 32


class Office:
    def __init__(self, world: World) -> None:
        self.world, self.mailer = world, MemoryMailer()
        self.box = mailbox_of(world.secrets.current.addresses, "ann@example.org")

    def mail(self, request: str = ONE, table: Any = None) -> bool:
        room = LinkDeps(
            table=table or self.world.table,
            clock=self.world.clock,
            mailer=self.mailer,
            links_key=lambda: self.world.secrets.current.links,
            public_url="https://tickets.example.org",
        )
        return mail_link(room, self.box, request)

    def bought(self, user: str = "ann", *seats: str) -> Order:
        order = begin(self.world, held(self.world, user, *seats)).order
        settle(self.world, order, f"evt-{order.order_id}", payment=f"pay-{order.order_id}")
        return order


@pytest.fixture
def office(world: World) -> Office:
    return Office(world)


def test_a_link_goes_to_who_bought_and_opens_their_orders_for_a_day(
    office: Office, world: World
) -> None:
    office.bought()
    assert office.mail()
    [mail] = office.mailer.sent
    assert mail.to == "ann@example.org"
    [token] = re.findall(r"https://tickets\.example\.org/#/found/(\S+)", mail.text)
    now_s = world.clock.now_ms() // 1000
    link = verify_link(token, world.secrets.current.links, now_s)
    assert (link.mailbox, link.expires_at_s) == (office.box, now_s + VALID_S)
    assert "UTC" in mail.text


def test_the_mail_is_in_the_language_of_the_newest_order(office: Office, world: World) -> None:
    office.bought("ann", world.seat_ids[0])
    german = office.bought("bob", world.seat_ids[1])
    world.put(msgspec.structs.replace(order_of(world, german), language="de"))
    assert office.mail()
    [mail] = office.mailer.sent
    assert mail.subject == "Ihre Karten, wiedergefunden"
    assert "Der Link gilt einen Tag, bis" in mail.text
    assert "https://tickets.example.org/#/found/" in mail.text
    assert "Somebody" not in mail.text


def test_every_language_that_buyers_have_words_the_mail() -> None:
    for language in LANGUAGES:
        subject, text = link_mail(language, "https://t.example/#/found/x.y.z", 1_900_000_000)
        assert "\n" not in subject
        assert "https://t.example/#/found/x.y.z\n" in text
        assert "17:46" in text
        assert "{" not in text


def test_an_address_that_bought_nothing_gets_no_mail(office: Office, world: World) -> None:
    begin(world, held(world))  # and never pays
    assert not office.mail()
    assert office.mailer.sent == []


def test_a_message_that_is_delivered_twice_sends_one_mail(office: Office) -> None:
    office.bought()
    assert office.mail()
    assert not office.mail()
    assert office.mail(TWO)
    assert [mail.mail_id for mail in office.mailer.sent] == [f"link-{ONE}", f"link-{TWO}"]


def test_the_mark_is_what_stops_the_second_mail(office: Office, world: World) -> None:
    office.bought()
    office.mail()
    mark = mailed_link_key(office.box, ONE)
    kept = world.item("reservations", mark)
    assert kept is not None
    assert kept["ttl"] > world.clock.now_ms() // 1000
    world.client.delete_item(
        TableName=NAMES["reservations"], Key={"PK": {"S": mark.pk}, "SK": {"S": mark.sk}}
    )
    assert office.mail()
    assert len(office.mailer.sent) == 2


class Ended:
    """A table before which the mailer ends, once the mail is sent."""

    def __init__(self, world: World) -> None:
        self._table = world.table

    def transact(self, *_actions: object) -> None:
        raise DependencyUnavailableError("killed here")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)


def test_a_mailer_that_ends_between_mail_and_mark_sends_the_same_mail_again(
    office: Office, world: World
) -> None:
    office.bought()
    with pytest.raises(DependencyUnavailableError):
        office.mail(table=Ended(world))
    assert office.mail()
    assert not office.mail()
    first, again = office.mailer.sent
    assert first.mail_id == again.mail_id == f"link-{ONE}"


def test_two_deliveries_at_once_leave_one_mark(office: Office, world: World) -> None:
    office.bought()

    class Slower(Ended):
        def transact(self, *actions: Any) -> None:
            office.mail()  # the other delivery is through by now
            self._table.transact(*actions)

    assert office.mail(table=Slower(world))
    marks = [
        item for item in world.items("reservations", f"B#{office.box}") if item[SK].startswith("L#")
    ]
    assert len(marks) == 1


def test_a_mail_that_fails_is_tried_again(office: Office) -> None:
    office.bought()
    office.mailer.fail = DependencyUnavailableError("busy")
    with pytest.raises(DependencyUnavailableError):
        office.mail()
    office.mailer.fail = None
    assert office.mail()


def test_an_address_that_no_mail_can_go_to_is_given_up(office: Office) -> None:
    office.bought()
    office.mailer.fail = MailAddressError("no address")
    with pytest.raises(MailNotSentError):
        office.mail()


def test_an_order_whose_address_was_taken_away_gets_nobody_a_mail(
    office: Office, world: World
) -> None:
    order = order_of(world, office.bought())
    world.put(msgspec.structs.replace(order, mailbox=Mailbox(""), email="gone"))
    assert not office.mail()
    office.bought("bob", world.seat_ids[4])  # with the same address
    assert office.mail()
    assert office.mailer.sent[0].to == "ann@example.org"
