"""Request bodies, bounded. What is missing or unknown in a body is named."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from fairgate.domain.catalog.event_facts import ADDRESS_CHARS_MAX
from fairgate.domain.orders.order import PostalAddress
from fairgate.domain.shared.ids import PLACE_ID, TICKET_ID
from fairgate.domain.tickets.offer_token import TOKEN_CHARS

# Generous, because the event's own limit refuses with a clearer text (422 instead of 400).
PLACES_MAX = 1_000
AREAS_MAX = 20
WITHOUT_MAX = 100
APPEAL_CHARS_MAX = 500

END = r"$(?!\n)"  # in Python, "$" alone lets a line break follow; elsewhere the rest says nothing

PlaceId = Annotated[str, Meta(pattern=f"^(?:{PLACE_ID.pattern}){END}")]
Quantity = Annotated[int, Meta(ge=1, le=PLACES_MAX)]


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """A body. A field that is not known is refused: it may ask for less than would be done."""


class HoldRequest(Body, frozen=True):
    seats: Annotated[list[PlaceId], Meta(max_length=PLACES_MAX)] = []
    areas: Annotated[dict[PlaceId, Quantity], Meta(max_length=AREAS_MAX)] = {}


class BestAvailableRequest(Body, frozen=True):
    quantity: Quantity
    section: PlaceId | None = None
    tier: PlaceId | None = None
    zone: PlaceId | None = None
    # How many of the seats; true is one, a companion or an ordinary seat beside it.
    accessible: bool | Annotated[int, Meta(ge=0, le=PLACES_MAX)] = False
    standing: bool = False  # whether places of an area will do where seats are sold as well
    # Seats that are not wanted: what was offered before, for a buyer who asks for others.
    without: Annotated[list[PlaceId], Meta(max_length=WITHOUT_MAX)] = []


# Bounded only: domain/shared/mail_address.py says in words what is wrong with one.
Email = Annotated[str, Meta(max_length=1_000, extra_json_schema={"format": "idn-email"})]


class PostalAddressBody(PostalAddress, frozen=True, forbid_unknown_fields=True):
    pass


class CheckoutRequest(Body, frozen=True):
    email: Email
    # Needed where the event asks for it, refused elsewhere.
    postal_address: PostalAddressBody | None = None
    # The event's terms_url, which the buyer accepts; needed where it is set.
    terms: Annotated[str, Meta(max_length=ADDRESS_CHARS_MAX)] = ""


class EmailRequest(Body, frozen=True):
    email: Email


class LinkRequest(Body, frozen=True):
    email: Email


class OpenRequest(Body, frozen=True):
    # The fragment of a mailed link.
    token: Annotated[str, Meta(min_length=1, max_length=512)]


class AppealRequest(Body, frozen=True):
    # What the buyer says; it may be left out.
    text: Annotated[str, Meta(max_length=APPEAL_CHARS_MAX)] = ""


class PreviewRequest(Body, frozen=True):
    # The fragment of a draft's preview link.
    token: Annotated[str, Meta(min_length=1, max_length=64)]


class CancelRequest(Body, frozen=True):
    # One of the order's tickets, to give its place back alone; without it, all that is left.
    ticket: Annotated[str, Meta(pattern=rf"^(?:{TICKET_ID.pattern}){END}")] | None = None


class AcceptRequest(Body, frozen=True):
    # As the link of an offer has it.
    token: Annotated[str, Meta(pattern=rf"^[A-Za-z0-9_-]{{{TOKEN_CHARS}}}{END}")]
    look: bool = False  # only say what would be accepted; nothing changes


class ActFile(Body, frozen=True):
    # One of the two; bytes that are packed with gzip are unpacked.
    text: str | None = None
    base64: str | None = None


ACT_FILES_MAX = 20
FileName = Annotated[str, Meta(min_length=1, max_length=255)]


class ActRequest(Body, frozen=True):
    # Such as "event pause": GET /api/operator/acts lists them with their arguments.
    act: Annotated[str, Meta(pattern=rf"^[a-z-]{{1,20}}(?: [a-z-]{{1,20}})?{END}")]
    arguments: dict[str, Any] = {}
    dry_run: bool = False  # check everything, write nothing
    # What a refusal with the reason "unconfirmed" asks for.
    confirm: Annotated[str, Meta(max_length=64)] = ""
    # By the names that the arguments give: a chart, an event's file, pictures.
    files: Annotated[dict[FileName, ActFile], Meta(max_length=ACT_FILES_MAX)] = {}
    # The `version` that `event show` or `tau get` gave: refused if somebody changed it since.
    if_match: Annotated[str, Meta(max_length=64)] = ""


class ExchangeRequest(Body, frozen=True):
    code: Annotated[str, Meta(pattern=rf"^[\x21-\x7e]{{1,2048}}{END}")]
    # Source: RFC 7636, section 4.1.
    verifier: Annotated[str, Meta(pattern=rf"^[A-Za-z0-9._~-]{{43,128}}{END}")]
    nonce: Annotated[str, Meta(min_length=8, max_length=128)]
    page: Literal["", "console"] = ""  # the site's page where the sign-in began
