"""Declare the facts that mails contain, apart from their wording and layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct

from fairgate.domain.shared.language import Language

MailKind = Literal["tickets", "cancelled", "refund", "payment", "changed", "passed"]
# What of a kind happened: each has its own words.
MailCase = Literal[
    "tickets",
    # cancelled: by the buyer whole or in part, by the organiser whole; tickets void by staff
    "order",
    "place",
    "event",
    "void",
    # refund: on its way back, of all of an order, of a part, of a payment that bought nothing
    "all",
    "part",
    "second",
    "unsold",
    # payment: declined; it bought nothing (unsold); its refund came back; a bank takes it back
    "declined",
    "returned",
    "disputed",
    "restored",
    "charged-back",
    "changed",
    "passed",  # on, by its buyer, to another account
]


class AboutEvent(Struct, frozen=True, kw_only=True):
    """The facts of an event in a mail; "" if unset."""

    name: str
    artist: str = ""
    starts_at: str = ""  # RFC 3339
    time_zone: str = ""
    venue_name: str = ""
    venue_address: str = ""
    seller_name: str = ""
    contact_mail: str = ""
    contact_phone: str = ""
    imprint_url: str = ""
    terms_url: str = ""
    privacy_url: str = ""
    color_1: str = ""


class Letter(Struct, frozen=True, kw_only=True):
    """The content of one mail, without its wording.

    Attributes:
        page: the address of the order's page.
        places: labels of its places, one for each ticket.
        back_minor, kept_minor: the refund, and what the terms keep; None: not in this mail.
        credit_note: there will be a credit note for it.
        until: RFC 3339, until when places are kept.
        before: the event before a change.
    """

    kind: MailKind
    case: MailCase
    language: Language
    order: str
    page: str
    event: AboutEvent
    currency: str
    places: Sequence[str] = ()
    back_minor: int | None = None
    kept_minor: int | None = None
    credit_note: bool = False
    until: str = ""
    before: AboutEvent | None = None


class Worded(Struct, frozen=True):
    """A mail's words: a subject of one line, plain text, and the same as HTML."""

    subject: str
    text: str
    html: str


class LetterWriter(Protocol):
    def __call__(self, letter: Letter) -> Worded:
        """Word a letter in its language."""
        ...
