"""Whoever asks for a link learns nothing of the address, and can bother its owner little."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.domain.shared.mailbox import mailbox_of
from fairgate.domain.shared.rate_limit import ADDRESS_LINKS, MAILBOX_LINKS, MAILBOX_LINKS_A_DAY
from fairgate.domain.tickets.ticket_link import VALID_S
from fairgate.errors import DependencyUnavailableError, TooManyRequestsError, WrongStateError
from fairgate.service.tickets.ask_for_link import LinkDesk
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle

pytestmark = pytest.mark.table_in_memory

ANN, NOBODY = "ann@example.org", "nobody@example.org"


def desk(
    world: World, *, table: Any = None, key: bytes | None = None, mails: bool = True
) -> LinkDesk:
    given = world.secrets.current.addresses if key is None else key
    return LinkDesk(table or world.table, world.clock, world.ids, world.mail_queue, given, mails)


class Counting:
    """The table, and what is asked of it."""

    def __init__(self, world: World) -> None:
        self.asked: list[str] = []
        self._table = world.table

    def __getattr__(self, name: str) -> Any:
        self.asked.append(name)
        return getattr(self._table, name)


def test_the_same_is_done_for_every_address(world: World) -> None:
    settle(world, begin(world, held(world)).order)
    done = []
    for email in (ANN, NOBODY):
        table = Counting(world)
        desk(world, table=table).ask(email, f"a#of-{email}")
        done.append(table.asked)
    assert done[0] == done[1] == ["update", "update", "update"]
    assert [mailbox for mailbox, _ in world.mail_queue.links] == [
        mailbox_of(world.secrets.current.addresses, email) for email in (ANN, NOBODY)
    ]


def test_each_request_has_a_name_of_its_own_and_no_address(world: World) -> None:
    for _ in range(2):
        desk(world).ask(ANN, "")
    requests = [request for _, request in world.mail_queue.links]
    assert len(set(requests)) == 2
    assert "ann" not in str(world.mail_queue.links)


def test_an_address_is_sent_three_an_hour_and_nobody_is_told(world: World) -> None:
    for number in range(6):
        desk(world).ask(ANN if number % 2 else ANN.upper(), f"a#{number}")
    assert len(world.mail_queue.links) == MAILBOX_LINKS.quota == 3
    desk(world).ask(NOBODY, "a#x")
    assert len(world.mail_queue.links) == 4
    world.clock.tick(MAILBOX_LINKS.window_s // 3)
    desk(world).ask(ANN, "a#y")
    assert len(world.mail_queue.links) == 5


def test_a_mailbox_is_sent_ten_a_day_however_patient_somebody_asks(world: World) -> None:
    for number in range(24):
        desk(world).ask(ANN, f"a#{number}")
        world.clock.tick(3_600)
    # Ten at once, and those that came back within the day: never more than twice as many.
    first = len(world.mail_queue.links)
    assert MAILBOX_LINKS_A_DAY.quota == 10
    assert 10 <= first < 20
    for number in range(24 * 6):
        desk(world).ask(ANN, f"b#{number}")
        world.clock.tick(600)
    assert len(world.mail_queue.links) - first == 10
    desk(world).ask(NOBODY, "a#x")
    assert world.mail_queue.links[-1][0] == mailbox_of(world.secrets.current.addresses, NOBODY)


def test_whoever_is_asked_for_all_the_time_has_a_link_that_is_good(world: World) -> None:
    """Another's requests use up the mailbox's, and each of them has brought its owner a link."""
    mailed: list[int] = []
    for number in range(3 * 24 * 12):
        before = len(world.mail_queue.links)
        desk(world).ask(ANN, f"a#{number}")
        if len(world.mail_queue.links) > before:
            mailed.append(world.clock.now_ms())
        assert world.clock.now_ms() - mailed[-1] < VALID_S * 1000
        world.clock.tick(300)


def test_who_asks_about_many_addresses_is_refused_until_later(world: World) -> None:
    for number in range(ADDRESS_LINKS.quota):
        desk(world).ask(f"somebody{number}@example.org", "a#here")
    with pytest.raises(TooManyRequestsError) as refused:
        desk(world).ask(ANN, "a#here")
    assert refused.value.retry_after_s == 60
    desk(world).ask(ANN, "a#elsewhere")
    assert len(world.mail_queue.links) == ADDRESS_LINKS.quota + 1


def test_nothing_is_sent_when_nobody_can_count(world: World) -> None:
    class Away:
        def update(self, _action: object) -> None:
            raise DependencyUnavailableError("away")

    with pytest.raises(DependencyUnavailableError):
        desk(world, table=Away()).ask(ANN, "a#here")
    assert world.mail_queue.links == []


def test_a_deployment_without_the_key_says_so(world: World) -> None:
    with pytest.raises(WrongStateError, match="cannot be found by mail"):
        desk(world, key=b"").ask(ANN, "a#here")


def test_no_key_of_the_table_holds_an_address(world: World) -> None:
    desk(world).ask(ANN, "a#hash")
    box = mailbox_of(world.secrets.current.addresses, ANN)
    assert world.item("reservations", (f"L#LINKS#m#{box}", "links")) is not None
    assert world.item("reservations", ("L#LINKS#a#hash", "links")) is not None
