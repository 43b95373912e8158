"""Find what is stored about a buyer: by the address of their orders, or by their account.

An order owns everything in its session's partition, the notes of its mails, and the index item of
its mail address. An account also owns the items with its name in their key in each event, and the
tickets that it accepted. Sessions without an order name the account too, but no index finds them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from fairgate.domain.shared.mail_address import sent_to
from fairgate.errors import MailAddressError
from fairgate.ports.record import Key, Record
from fairgate.ports.table import Table
from fairgate.service.orders.list_event_orders import TOGETHER, of_address
from fairgate.service.shared.keys import (
    DESK_COUNT,
    DESK_DECISION,
    DISPUTE,
    DOCUMENT,
    HELD,
    IDEMPOTENCY,
    LEDGER,
    ORDER,
    REFUND,
    RESERVATION,
    SESSION,
    appeal_key,
    desk_pk,
    orders_index,
    rate_key,
    sampled_account_key,
    user_key,
    user_status_key,
)
from fairgate.service.shared.mailbox_keys import MAILED_LINK, mailbox_key, sent_mail_key
from fairgate.service.shared.records.gate import (
    DeskAppeal,
    DeskCount,
    DeskDecision,
    SampledAccount,
)
from fairgate.service.shared.records.mails import MailboxOrder, MailedLink, SentMail
from fairgate.service.shared.records.orders import (
    DisputeRecord,
    Document,
    HeldOrder,
    LedgerEntry,
    Order,
    OrderInIndex,
    OwedRefund,
)
from fairgate.service.shared.records.sessions import (
    IdempotencyRecord,
    RateBucket,
    Reservation,
    Session,
    UserStatus,
)

_OF_A_SESSION: Mapping[str, type[Record]] = {
    SESSION: Session,
    RESERVATION: Reservation,
    ORDER: Order,
    REFUND: OwedRefund,
    DISPUTE: DisputeRecord,
    LEDGER: LedgerEntry,
    DOCUMENT: Document,
    IDEMPOTENCY: IdempotencyRecord,
}


class BuyerItems(Struct, frozen=True):
    """What is stored about a buyer.

    Attributes:
        of_sessions: everything in the partitions of their orders, and the notes of their mails.
        of_account: the items with the account in their key; () after a search by address.
    """

    of_sessions: Sequence[Record]
    of_account: Sequence[Record] = ()

    @property
    def orders(self) -> list[Order]:
        """The oldest first."""
        orders = [one for one in self.of_sessions if isinstance(one, Order)]
        return sorted(orders, key=lambda order: (order.created_at, order.order_id))

    @property
    def all(self) -> list[Record]:
        return [*self.of_sessions, *self.of_account]


def items_of_address(table: Table, events: Sequence[str], email: str) -> BuyerItems:
    """Read what is stored about the orders of an address, of these events.

    Erased orders are included while their invoice still has the address: the index keeps 16 bits of
    its hash, which name nobody. A domain with letters outside ASCII is also searched in the form of
    the DNS, and the other way round.

    Raises DamagedItemError.

    Cost: of each event as ``event_orders`` by address; and two queries for each order.
    """
    wanted = spellings(email)
    sessions = {
        key.pk: items
        for event in events
        for spelling in wanted
        for key in of_address(table, event, spelling)
        for items in [_of_session(table, key.pk)]
        if any(_names(one, wanted) for one in items)
    }
    return BuyerItems(_with_mails(table, [one for items in sessions.values() for one in items]))


def spellings(email: str) -> list[str]:
    """Return the forms of an address in small letters: as typed, and as in the DNS.

    ``ann@bücher.example`` and ``ann@xn--bcher-kva.example`` are one mailbox.
    """
    address = email.strip().lower()
    others: list[str] = []
    with suppress(MailAddressError, UnicodeError):  # no mail was ever sent there
        sent = sent_to(address).lower()
        name, _, domain = sent.rpartition("@")
        others = [sent, f"{name}@{domain.encode().decode('idna')}"]
    return list(dict.fromkeys([address, *others]))


def items_of_account(table: Table, events: Sequence[str], user: str) -> BuyerItems:
    """Read what is stored about an account: its orders, and its items in these events.

    Raises DamagedItemError.

    Cost: two queries for each order, and three queries and two reads for each event; where the
    desk has locked it out, one more read for each of its lock-outs.
    """
    index = table.query(OrderInIndex, orders_index(user), index=True)
    sessions = dict.fromkeys(entry.pk for entry in index)
    items = [one for session in sessions for one in _of_session(table, session)]
    return BuyerItems(_with_mails(table, items), list(_of_account(table, events, user)))


def read_again(table: Table, items: BuyerItems) -> BuyerItems:
    """Read the same orders and appeals again; other items of the account stay as they were read."""
    sessions = dict.fromkeys(order.pk for order in items.orders)
    now = [one for session in sessions for one in _of_session(table, session)]
    others = [one for one in items.of_account if not isinstance(one, DeskAppeal)]
    appeals = [one.key for one in items.of_account if isinstance(one, DeskAppeal)]
    return BuyerItems(_with_mails(table, now), [*others, *_read_appeals(table, appeals)])


def _of_session(table: Table, session: str) -> list[Record]:
    return table.partition(_OF_A_SESSION, session)


def _with_mails(table: Table, items: list[Record]) -> list[Record]:
    """Return these items, the notes of their mails, and the index items of their addresses."""
    orders = [one for one in items if isinstance(one, Order)]
    sent_mails = [
        sent
        for order in orders
        for sent in table.query(SentMail, sent_mail_key(order.order_id, "").pk)
    ]
    in_mailbox: Mapping[str, type[Record]] = {"ord_": MailboxOrder, MAILED_LINK: MailedLink}
    mailboxes = dict.fromkeys(order.mailbox for order in orders if order.mailbox)
    mailed = [one for box in mailboxes for one in table.partition(in_mailbox, mailbox_key(box))]
    return [*items, *sent_mails, *mailed]


def _names(item: Record, wanted: Collection[str]) -> bool:
    """Say whether an order or a document has this address."""
    if isinstance(item, Order):
        return item.email.strip().lower() in wanted
    return isinstance(item, Document) and item.buyer.strip().lower() in wanted


def _of_account(table: Table, events: Sequence[str], user: str) -> Iterator[Record]:
    yield from table.query(IdempotencyRecord, user_key(user), IDEMPOTENCY)
    yield from table.query(HeldOrder, user_key(user), HELD)
    of_desk: Mapping[str, type[Record]] = {DESK_COUNT: DeskCount, DESK_DECISION: DeskDecision}
    for event in events:
        alone: list[tuple[type[Record], Key]] = [
            (UserStatus, user_status_key(user, event)),
            (SampledAccount, sampled_account_key(event, user)),
        ]
        found = [*table.find_each(alone), *table.partition(of_desk, desk_pk(event, f"u#{user}"))]
        yield from found
        yield from _appeals(table, event, user, found)
        yield from table.query(RateBucket, rate_key(event, f"u#{user}", "").pk)


def _appeals(table: Table, event: str, user: str, found: Sequence[Record]) -> Iterator[DeskAppeal]:
    """Read the account's appeals: each is named by the end of a lock-out."""
    ends = {one.appealed_until for one in found if isinstance(one, UserStatus)}
    ends |= {one.until for one in found if isinstance(one, DeskDecision) and one.level}
    return _read_appeals(table, [appeal_key(event, user, end) for end in sorted(ends - {""})])


def _read_appeals(table: Table, keys: Sequence[Key]) -> Iterator[DeskAppeal]:
    for start in range(0, len(keys), TOGETHER):
        yield from table.find_many(DeskAppeal, keys[start : start + TOGETHER])
