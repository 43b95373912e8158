"""Acts of a sale: what leads up to a guard, and the call whose write it guards."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import structs

from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.ids import EventId, UserId
from fairgate.errors import DependencyUnavailableError, ProviderBusyError
from fairgate.ports.mails import Worded
from fairgate.ports.payments import Capture, Dispute, PaymentEvent, Refund
from fairgate.service.books.number_documents import DocumentOffice
from fairgate.service.books.reconcile_payments import Reconciler
from fairgate.service.catalog.edit_event import edit_event
from fairgate.service.checkout.ask_payment import PaymentAsker
from fairgate.service.checkout.await_turn import TurnAwaiter
from fairgate.service.checkout.begin_checkout import CheckoutBeginner
from fairgate.service.checkout.open_payment import open_payment
from fairgate.service.checkout.payment_turns import PaymentTurns
from fairgate.service.checkout.settle_held import HeldPayments
from fairgate.service.expiry.sweep_expired import ExpirySweeper
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.orders.change_address import AddressChanger
from fairgate.service.orders.void_tickets import TicketVoider
from fairgate.service.refunds.disputes import DisputeKeeper
from fairgate.service.refunds.refund_part import PartRefunder
from fairgate.service.refunds.return_place import PlaceReturner
from fairgate.service.sessions.judge_admission import AdmissionRequest
from fairgate.service.sessions.open_session import SessionOpener
from fairgate.service.tickets.issue_tickets import TicketOffice, issue_tickets
from fairgate.service.tickets.mail_tickets import MailDeps, mail_tickets
from fairgate_lab.engine.outside import MemoryMailer, MemoryMailQueue
from simulation.guard_stories import FUTURE, Story, set_order, set_seat, set_status
from tests.support.world import EVENT, START_MS, gate

Act = Callable[[Story, Any], object]
SELLER = {"seller_name": "Tides", "seller_address": "Quay 1", "seller_vat_id": "DE1"}
CARD = "visa"


def holds(story: Story, table: Any) -> None:
    unit = Unit("seat", story.world.seat_ids[1], "s", "t", "2")
    place = Unit("area", "floor", "", "t", "Floor", 1)
    holder = SeatHolder(table, story.world.clock, story.world.ids)
    holder.hold(story.mine, [unit, place], shards={"floor": 1}, idempotency_key="k")


def counts_a_card(story: Story, table: Any) -> None:
    """A payment is held for an order of two places; a card may have three."""
    world, event = story.held().world, msgspec.structs.replace(story.world.event, card_limit=3)
    beginner = CheckoutBeginner(world.table, world.clock, world.ids, world.reminders)
    story.order = order = beginner.begin(event, story.mine.session, "ann", "a@example.org").order
    world.payments.cards["pay"] = CARD
    told = (order.order_id, order.total_minor, order.currency)
    HeldPayments(table, world.clock, world.payments).end(PaymentEvent("e", "held", *told, "pay"))


def checks_out(story: Story, table: Any) -> None:
    story.held().beginner(table)


def checks_out_again(story: Story, table: Any) -> None:
    story.pending()
    set_order(email="typo@example.org")(story, ())
    story.beginner(table)


def waits_for_a_turn(story: Story, table: Any) -> None:
    """The provider is busy, and little of the time to pay is left."""
    story.pending()
    story.world.clock.tick(250)
    story.world.payments.fail = ProviderBusyError("busy", retry_after_s=3)
    assert story.begun is not None
    turns = PaymentTurns(table, story.world.clock, 0)
    TurnAwaiter(story.settler(table), turns, 300).open(story.begun, "https://example.org")


def corrects_the_address(story: Story, table: Any) -> None:
    story.pending()
    AddressChanger(table, story.world.clock, b"k" * 32).change(story.stored(), "b@example.org")


def opens_page(story: Story, table: Any) -> None:
    begun = story.pending().begun
    assert begun is not None
    open_payment(story.settler(table), begun, "https://example.org")


def looks(story: Story, table: Any) -> None:
    """The buyer, at the order whose payment page is open."""
    story.pending()
    set_order(payPage="https://pay.example.org/1")(story, ())
    PaymentAsker(story.settler(table)).ask(story.stored())


def releases(story: Story, table: Any) -> None:
    story.held()
    SeatReleaser(table, story.world.clock).release_hold(story.mine.session, "ann", story.hold)


def releases_what_was_taken_over(story: Story, table: Any) -> None:
    """Its lock has run out, and another session has the seat."""
    story.held()
    story.world.clock.tick(601)  # longer than a session
    set_seat(sessionId="ses_x")(story, ())
    SeatReleaser(table, story.world.clock).release_hold(story.mine.session, "ann", story.hold)


def ends(story: Story, table: Any) -> None:
    story.pending()
    SeatReleaser(table, story.world.clock).end_session(story.mine.session, "cancelled", "ann")


def settles(story: Story, table: Any) -> None:
    story.pending()
    story.settler(table).settle(story.capture())


def settles_beside(story: Story, table: Any) -> None:
    """Its user has opened another session since."""
    story.pending()
    set_status(liveSession="ses_x", liveUntil=FUTURE)(story, ())
    story.settler(table).settle(story.capture())


def declines(story: Story, table: Any) -> None:
    story.pending()
    story.settler(table).settle(story.capture("failed"))


def settles_too_late(story: Story, table: Any) -> None:
    story.pending()
    SeatReleaser(story.world.table, story.world.clock).end_session(story.mine.session, "cancelled")
    story.settler(table).settle(story.capture())


def cancels(story: Story, table: Any) -> None:
    story.paid().cancel(table)


def gives_a_place_back(story: Story, table: Any) -> None:
    """One of two places of an area, whose tickets come first."""
    story.places = 2
    issues(story, story.world.table)
    order = story.stored()
    returner = PlaceReturner(table, story.world.clock, story.world.payments)
    returner.give_back(story.world.event, order, order.tickets[0].ticket)


def makes_void(story: Story, table: Any) -> None:
    story.places = 2
    issues(story, story.world.table)
    order = story.stored()
    TicketVoider(table, story.world.clock).void(order, order.tickets[0].ticket)


def refunds(story: Story, table: Any) -> None:
    story.owed().refunder(table).send(story.mine.session, story.placed.order_id, "pay1")


def refunds_a_part(story: Story, table: Any) -> None:
    story.paid()
    refunder = PartRefunder(table, story.world.clock, story.world.payments)
    refunder.refund(story.stored(), 100, key="k")


def refunds_beside(story: Story, table: Any) -> None:
    """A second capture goes back, and the order keeps what the first one bought."""
    story.paid()
    second = structs.replace(story.capture(), id="evt2", payment="pay2")
    story.world.payments.fail = DependencyUnavailableError("away")
    with contextlib.suppress(DependencyUnavailableError):
        story.settler(story.world.table).settle(second)
    story.world.payments.fail = None
    story.refunder(table).send(story.mine.session, story.placed.order_id, "pay2")


def issues(story: Story, table: Any) -> None:
    story.paid()
    office = TicketOffice(
        table=table,
        clock=story.world.clock,
        mail_queue=MemoryMailQueue(),
    )
    issue_tickets(office, story.placed.order_id)


def bills(story: Story, table: Any) -> None:
    world = story.paid().world
    edit_event(world.table, world.clock, EVENT, SELLER)
    DocumentOffice(table, world.clock).invoices(EventId(EVENT), [story.placed.order_id])


def mails(story: Story, table: Any) -> None:
    issues(story, story.world.table)
    room = MailDeps(
        table=table,
        clock=story.world.clock,
        mailer=MemoryMailer(),
        document=lambda *_faces: b"",
        word=lambda _letter: Worded("", "", ""),
        calendar=lambda _entry: b"",
        public_url="https://tickets.example",
        sign=lambda _message: b"s" * 64,
    )
    mail_tickets(room, story.placed.order_id)


def looks_at_the_threshold(story: Story, table: Any) -> None:
    """The first attempt at an event with a cap: it begins the level, and then opens a session."""
    story.world.event = msgspec.structs.replace(story.world.event, live_max=5)
    opens(story, table)


def opens(story: Story, table: Any) -> None:
    world, rules = story.world, gate()
    token = issue_waiting_token(
        rules, EVENT, "bob", request_id="r", ip="-", now_ms=START_MS - 3_000_000
    )
    start_s = START_MS // 1000
    token = structs.replace(token, boff=start_s - 60, exp=start_s + 600)
    SessionOpener(table, world.clock, world.ids, world.reminders).open(
        world.event,
        rules,
        AdmissionRequest(UserId("bob"), encode_waiting_token(token, rules), "0"),
        world.secrets.sign_in(),
    )


def sweeps(story: Story, table: Any) -> None:
    story.world.clock.tick(300)
    world = story.world
    releaser = SeatReleaser(world.table, world.clock)
    sweeper = ExpirySweeper(table, world.clock, releaser, story.refunder(world.table))
    sweeper.sweep(world.event)


def reconciles(story: Story, table: Any) -> None:
    class Books:
        def captures(self, _since_ms: int) -> Sequence[Capture]:
            return ()

        def disputes(self, _since_ms: int) -> Sequence[Dispute]:
            return ()

    settler = structs.replace(story.settler(table), payments=Books())
    Reconciler(table, story.world.clock, settler, story.refunder(table)).run([EVENT])


def follows_a_refund(story: Story, table: Any) -> None:
    """The provider has it as pending, and by now it has arrived."""
    refund = _pending_refund(story)
    story.world.payments.refund_states[refund.id] = structs.replace(refund, state="succeeded")
    story.refunder(table).look(story.mine.session, story.placed.order_id, "pay1")


def hears_that_a_refund_came_back(story: Story, table: Any) -> None:
    refund = _pending_refund(story)
    arrived = structs.replace(refund, state="succeeded")
    story.refunder(story.world.table).heard(arrived)
    story.refunder(table).heard(structs.replace(refund, state="failed"))


def _pending_refund(story: Story) -> Refund:
    story.owed()
    refund = Refund("re_pay1", "pay1", story.placed.order_id, story.placed.total_minor, "pending")
    story.world.payments.refund_states[refund.id] = refund
    story.refunder(story.world.table).send(story.mine.session, story.placed.order_id, "pay1")
    return refund


def keeper(story: Story, table: Any) -> DisputeKeeper:
    return DisputeKeeper(table, story.world.clock, story.world.payments)


def hears_of_a_dispute(story: Story, table: Any) -> None:
    keeper(story, table).heard(_dispute(story.paid(), "open"))


def hears_that_a_dispute_is_won(story: Story, table: Any) -> None:
    keeper(story, story.world.table).heard(_dispute(story.paid(), "open"))
    keeper(story, table).heard(_dispute(story, "won"))


def _dispute(story: Story, state: Any) -> Dispute:
    order = story.placed
    return Dispute("dp1", "pay1", order.order_id, order.total_minor, "EUR", state, START_MS)


def notices_a_task(_story: Story, table: Any) -> None:
    ManualTasks(table, _story.world.clock).note("disputed", "Answer it.", order="ord_1")


def ticks_off_a_task(story: Story, table: Any) -> None:
    tasks = ManualTasks(story.world.table, story.world.clock)
    tasks.note("disputed", "Answer it.", order="ord_1")
    (task,) = tasks.open()
    ManualTasks(table, story.world.clock).done(task.task_id, "ann@desk", "answered")
