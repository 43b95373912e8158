"""Each law holds in a sound sale, and is the one that is named when something breaks it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from fairgate.domain.shared.times import epoch_ms
from fairgate.service.audit.all_laws import LAWS
from fairgate.service.audit.law import Law, violations
from fairgate.service.shared import keys
from tests.support.sound_sale import (
    FUTURE,
    OTHER,
    PAST,
    PLACES,
    RETURNED,
    SEAT,
    Change,
    Sale,
    add,
    books,
    cached,
    change,
    dispute,
    document,
    drop,
    enters,
    entry,
    line,
    order,
    owed,
    problem,
    reserved,
    task,
    ticket,
    whole,
)

PAGE = (Path(__file__).parents[3] / "docs" / "laws.md").read_text("utf-8")
TAKEN, REFUNDED = line("capture"), line("refund")
BY_OTHERS = line("refund", refund="re_2", ours=False)
ONE = ticket(0)["ticket"]
PASSED = {"ticket": ONE, "became": "tkt_x", "giver": "bob", "number": 1, "at": PAST}
OWES = change("sales tally", owed=1, owedMinor=6000)
# The order was cancelled, and all of its money went back.
ALL_BACK: list[Change] = [
    change("order", state="refunded", tickets=[], cancelledAt=PAST, backMinor=6000),
    change("seat", 1, availability="available"),
    change("reservation", 2, state="released"),
    change("reservation", 3, state="released"),
    change("area shard", remaining=8),
    change("user status", 1, placesTaken=0),
    change("sales tally", tickets=0, seats=0, places=0, revenueMinor=0, made=1, madeMinor=6000),
    OWES,
    add("owed refund", owed("succeeded")),
    add("ledger entry", entry("r", "refund", -6000)),
    add("document", document("credit-note", 2)),
    books(TAKEN, REFUNDED),
]
# The bank asks the order's money back; nobody is told.
DISPUTED: list[Change] = [
    change("order", state="disputed"),
    add("dispute", dispute("open")),
    add("ledger entry", entry("d", "dispute", -6000)),
    books(TAKEN, line("dispute", id="dp_1", state="open")),
]
TOLD = add("manual task", task("disputed"))


def block(**more: Any) -> Change:
    key = keys.house_block_key("demo", "blk_1")
    return add("house block", whole("house block", key, **{"seats": [], "areas": {}} | more))


def appeal(**more: Any) -> Change:
    key = keys.appeal_key("demo", "ann", FUTURE)
    return add("desk appeal", whole("desk appeal", key, **{"answeredAt": ""} | more))


def at_home(places: int, tag: str = "a.x") -> dict[str, Any]:
    """The count of the places of one address or card."""
    key = keys.shared_count_key("demo", tag)
    return whole("shared count", key, places=places, ttl=epoch_ms(FUTURE) // 1000)


# What is changed while a sale goes on, and the laws that it breaks: first the one that it is for.
ON_SALE: list[tuple[str, list[Change]]] = [
    ("data", [problem]),
    (
        "two-live-holds hold-without-lock",
        [enters(OTHER, "dot", 1), add("reservation", reserved(OTHER, "s1", "live"))],
    ),
    ("sold-twice", [add("reservation", reserved(OTHER, "s2", "sold"))]),
    (
        "sold-twice order-units tally",
        [change("order", units=[SEAT, SEAT, PLACES | {"quantity": 1}])],
    ),
    ("reserved-without-order", [change("seat", 2, availability="reserved", sessionId=OTHER)]),
    ("order-without-seat reserved-without-order", [change("seat", 1, sessionId=OTHER)]),
    ("order-without-seat", [change("seat", 1, availability="available")]),
    (
        "order-without-seat locked-without-hold",
        [change("seat", 1, availability="locked", expiresAt=FUTURE)],
    ),
    (
        "locked-without-hold",
        [change("seat", 2, availability="locked", sessionId=OTHER, expiresAt=FUTURE)],
    ),
    ("hold-without-lock", [change("seat", availability="available")]),
    ("area-bounds area-balance", [change("area shard", remaining=-1)]),
    ("area-bounds area-balance", [change("area shard", remaining=9)]),
    ("area-balance", [change("area shard", remaining=6)]),
    ("area-capacity", [change("area shard", remaining=6, capacity=9)]),
    ("house-blocks", [change("seat", 2, availability="blocked", sessionId="blk_1")]),
    ("house-blocks", [block(seats=["s3"])]),
    ("house-blocks", [block(seats=["s3"], areas={"floor": {"0": 0}})]),
    ("house-blocks", [change("area shard", remaining=4, blocked=1)]),
    ("house-blocks", [block(areas={"floor": {"0": 1}})]),
    ("area-bounds area-balance house-blocks", [change("area shard", blocked=-1)]),
    ("area-balance house-blocks", [change("area shard", blocked=1)]),
    ("order-without-seat house-blocks", [change("seat", 1, availability="blocked")]),
    ("hold-without-lock house-blocks", [change("seat", availability="blocked")]),
    ("cache", [cached, change("seat", 2, version=2)]),
    ("cache", [cached, lambda sale: sale.cache["demo", "A"].pop()]),
    ("session-limit", [change("event", holdLimit=2)]),
    ("session-count", [change("session", resCount=1)]),
    ("one-live-session live-session-named sessions-limit sessions-used", [enters(OTHER, "ann", 0)]),
    ("live-session-named", [change("user status", liveSession="")]),
    ("token-redeemed-twice", [change("session", tokenId="t"), change("session", 1, tokenId="t")]),
    ("sessions-limit", [change("event", sessionsLimit=0)]),
    ("sessions-used", [change("user status", sessionsUsed=2)]),
    ("user-limit", [change("event", userLimit=2)]),
    ("user-count", [change("user status", 1, placesTaken=2)]),
    ("user-count", [change("user status", placesTaken=1)]),
    ("open-appeal", [appeal()]),
    ("open-appeal", [appeal(), change("user status", lockedUntil=FUTURE)]),
    ("shared-count", [add("shared count", at_home(2))]),
    ("shared-count", [change("order", countedBy=["a.x"], startsAt=FUTURE)]),
    (
        "shared-count",
        [
            change("order", countedBy=["c.x"], cardLimit=2, startsAt=FUTURE),
            add("shared count", at_home(3, "c.x")),
        ],
    ),
    ("live-counter", [change("live counter", live=2)]),
    ("live-counter", [drop("live counter")]),
    (
        "capacity-limit",
        [
            enters(OTHER, "dot", 0),
            change("capacity limit", cap=1),
            change("capacity shard", dealt=1, left=0),
        ],
    ),
    ("capacity-balance", [change("capacity shard", left=3)]),
    ("capacity-bounds capacity-balance", [change("capacity shard", left=-1)]),
    ("capacity-allocated", [change("capacity limit", cap=4)]),
    ("order-units", [change("reservation", 2, place="s9")]),
    ("order-price", [change("order", lines=[])]),
    ("order-indexed", [change("session", 1, GSI1SK="x")]),
    ("order-indexed", [change("session", GSI1PK="x", GSI1SK="x")]),
    ("order-in-mailbox", [drop("mailbox order")]),
    ("order-in-mailbox", [change("order", mailbox="")]),
    ("order-in-mailbox", [change("mailbox order", ttl=1)]),
    (
        "address-erased",
        [change("order", erasedAt=PAST, mailbox=""), change("mailbox order", ttl=1)],
    ),
    ("address-erased order-indexed", [change("order", email="erased")]),
    ("order-unsettled", [change("order", state="paid", tickets=[])]),
    ("ticket-set", [change("order", tickets=[ticket(0)])]),
    ("ticket-name", [change("order", tickets=[ticket(0), ticket(0), ticket(1)])]),
    ("passed-ticket", [change("order", passed=[PASSED])]),
    (
        "ticket-contents",
        [change("order", tickets=[ticket(0) | {"code": "x"}, ticket(1), ticket(2)])],
    ),
    ("ticket-contents", [change("order", ticketedAt="")]),
    (
        "unlisted-ticket",
        [change("order", tickets=[ticket(0) | {"holder": "cid"}, ticket(1), ticket(2)])],
    ),
    (
        "void-ticket order-price",
        [change("order", returned=[RETURNED | {"tickets": [ONE], "amountMinor": 2000}])],
    ),
    ("ledger document-amount", [change("ledger entry", amountMinor=5999)]),
    ("ledger document-amount", [change("ledger entry", paymentId="q")]),
    ("ledger", [add("ledger entry", entry("r", "refund", -6000))]),
    ("ledger tally", [add("owed refund", owed("owed", paymentId="q"))]),
    ("fees", [drop("ledger entry")]),
    ("fees", [change("ledger entry", 1, amountMinor=-8)]),
    ("fees", [add("ledger entry", entry("txn_7", "fee", -9))]),
    ("payout-parts", [drop("payout part")]),
    ("document-numbers", [change("document", number=2)]),
    ("document-amount", [change("document", amountMinor=5999)]),
    ("tally", [change("sales tally", revenueMinor=5999)]),
    ("tally", [change("sales tally", heard=2)]),
    (
        "cancel-amount order-price",
        [change("order", returned=[RETURNED | {"tickets": ["x"], "amountMinor": 1999}])],
    ),
    ("cancel-parts", [change("order", parts=1)]),
    ("cancel-sum tally", [change("order", backMinor=1)]),
    ("ticket-without-money", [books()]),
    ("ticket-without-money", [books(TAKEN, REFUNDED)]),
    ("ticket-without-money", [books(TAKEN, REFUNDED), TOLD]),  # which explains something else
    ("ticket-without-money money-without-order", [books(TAKEN | {"order": "ord_x"})]),
    ("money-without-ticket", [books(TAKEN, line("capture", payment="q"))]),
    ("money-without-order", [books(TAKEN, line("capture", payment="q", order="ord_x"))]),
    ("money-amount", [books(line("capture", amount_minor=5999))]),
    ("refunded-twice", [books(TAKEN, *(line("refund", part=1, amount_minor=1) for _ in "ab"))]),
    (
        "refunded-twice",
        [books(TAKEN, *(line("refund", part=n, amount_minor=4000) for n in (1, 2)))],
    ),
]
# The same once a sale is at rest.
AT_REST: list[tuple[str, list[Change]]] = [
    ("block-overdue", [block(until=PAST, areas={"floor": {"0": 0}})]),
    ("seat-never-returned order-without-seat", [change("seat", 1, availability="locked")]),
    (
        "session-never-ended",
        [
            change("session", state="reservation", expiresAt=PAST, liveBucket=PAST, room=None),
            change("sales tally", ended=0),
        ],
    ),
    (
        "order-never-settled",
        [
            add("order", order(PK=OTHER, orderId="ord_x", state="pending", units=[], lines=[])),
            change("order", 1, tickets=[], paidAt="", mailbox=""),
        ],
    ),
    ("document", [drop("document")]),
    ("task ticket-without-money", [books(TAKEN, BY_OTHERS | {"amount_minor": 400})]),
    ("task", [OWES, add("owed refund", owed("refused"))]),
    ("task", DISPUTED),
    ("done-task", [*ALL_BACK, add("manual task", task("refund-failed"))]),
    (
        "done-task",
        [
            add("dispute", dispute("won")),
            TOLD,
            books(TAKEN, line("dispute", id="dp_1", state="won")),
        ],
    ),
    ("disputed-tickets", [*DISPUTED, TOLD, change("order", state="ticketed")]),
    ("dispute-unfounded", [change("order", state="disputed")]),
    ("dispute-state", [*DISPUTED, TOLD, change("dispute", state="lost")]),
    ("refund-state", [*ALL_BACK, books(TAKEN, REFUNDED | {"state": "pending"})]),
    (
        "refund-never-made",
        [
            *ALL_BACK,
            change("owed refund", state="pending"),
            books(TAKEN, REFUNDED | {"state": "pending"}),
        ],
    ),
    ("refunded-order money-without-ticket ledger-refunded", [*ALL_BACK, books(TAKEN)]),
    ("refund-unnoticed order-never-settled", [*ALL_BACK, change("order", state="cancelled")]),
    (
        "refund-unnoticed ledger tally refund-state",
        [*ALL_BACK, change("owed refund", state="refused"), TOLD],
    ),
    ("ledger-captured document-amount", [*ALL_BACK, change("ledger entry", amountMinor=5999)]),
    (
        "ledger-refunded money-without-ticket refunded-order",
        [*ALL_BACK, books(TAKEN, REFUNDED | {"amount_minor": 5999})],
    ),
    ("ledger-disputed ledger", [*DISPUTED, TOLD, drop("ledger entry")]),
]
# What may be, on sale or at rest.
SOUND: list[tuple[bool, list[Change]]] = [
    (False, []),
    (False, [cached]),
    (True, [cached]),
    (False, [appeal(answeredAt=PAST)]),
    (False, [appeal(), change("user status", lockedUntil=FUTURE, appealedUntil=FUTURE)]),
    (True, ALL_BACK),
    (True, [*DISPUTED, TOLD]),
    # Nobody was asked about the money.
    (True, [lambda sale: setattr(sale, "payments", None)]),
    # A hold has expired, and another has taken its seat.
    (
        False,
        [
            enters(OTHER, "dot", 1, expiresAt=PAST),
            add("reservation", reserved(OTHER, "s1", "live")),
        ],
    ),
    # An address's count goes some time after the performance.
    (False, [change("order", countedBy=["a.x"], startsAt=FUTURE), add("shared count", at_home(3))]),
    (False, [change("order", countedBy=["a.x"], startsAt=PAST)]),
    # The cap was lowered below those who are inside.
    (False, [change("capacity limit", cap=0), change("capacity shard", dealt=0, left=-1)]),
    # An erased address stands in the index by its mark alone; its entry is deleted later.
    (
        False,
        [
            change("order", email="erased", erasedAt=PAST, mailbox=""),
            change("mailbox order", ttl=1),
        ],
    ),
    # What others did to the money is a duty, or was one; a second capture went back.
    (
        True,
        [
            books(TAKEN, BY_OTHERS | {"amount_minor": 400}),
            add("manual task", task("refunded-in-part")),
        ],
    ),
    (False, [books(TAKEN, REFUNDED), add("manual task", task("refunded-elsewhere", doneAt=PAST))]),
    (True, [OWES, add("owed refund", owed("refused")), add("manual task", task("refund-refused"))]),
    (False, [books(TAKEN, line("capture", payment="q"), line("refund", payment="q"))]),
    # Our refund came back, and another hand's is the one that is followed.
    (
        True,
        [
            *ALL_BACK,
            change("owed refund", refundId="re_2"),
            books(TAKEN, REFUNDED | {"state": "failed"}, BY_OTHERS),
        ],
    ),
]


def found(changes: list[Change], *, rest: bool = False) -> set[str]:
    sale = Sale(rest=rest)
    for broken in changes:
        broken(sale)
    judged = [law for law in LAWS if rest or law.holds != "rest"]
    return {violation.law for violation in violations(sale.snapshot(), judged)}


@pytest.mark.parametrize(("rest", "changes"), SOUND)
def test_nothing_is_named_when_every_law_holds(rest: bool, changes: list[Change]) -> None:
    assert found(changes, rest=rest) == set()


@pytest.mark.parametrize(("names", "changes"), ON_SALE)
def test_exactly_the_broken_laws_are_named_on_sale(names: str, changes: list[Change]) -> None:
    assert found(changes) == set(names.split())


@pytest.mark.parametrize(("names", "changes"), AT_REST)
def test_exactly_the_broken_laws_are_named_at_rest(names: str, changes: list[Change]) -> None:
    assert found(changes, rest=True) == set(names.split())


def test_the_ticket_laws_leave_out_a_damaged_order() -> None:
    assert found([change("order", language=5)]) == set()


def test_every_law_has_a_control_that_breaks_it() -> None:
    broken = [names.split()[0] for names, _ in [*ON_SALE, *AT_REST]]
    assert {law.name for law in LAWS} == set(broken)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_a_law_has_a_meaning_and_a_first_step(law: Law) -> None:
    for sentence in (law.means, law.first_step):
        assert re.fullmatch(r"[A-Z][^|\n]*\.", sentence)


def test_the_page_of_laws_has_a_row_for_each() -> None:
    rows = [f"| `{law.name}` | {law.means} | {law.first_step} |" for law in LAWS]
    assert [row for row in PAGE.splitlines() if row.startswith("| `")] == rows
