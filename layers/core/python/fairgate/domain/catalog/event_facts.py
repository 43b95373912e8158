"""Declare each fact of an event once.

These fields make the record, the checks, the options and pages of ``fairgate event``, the buyers'
views, the OpenAPI schema and its examples, and rows of the documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, get_args

from msgspec import NODEFAULT, Struct, structs

NAME_CHARS_MAX, ADDRESS_CHARS_MAX, TEXT_CHARS_MAX = 120, 200, 2_000
TRAVEL_CHARS_MAX = 500
MEMBERS_CHARS_MAX = 8 * 27  # eight memberships
PRICE_MINOR_MAX = 100_000_000

# The facts that an organiser may say in more languages; and the names of tiers, by their ids.
TRANSLATED = ("name", "subtitle", "category", "text", "travel")
TIERS = "tiers"

Kind = Literal[
    "text",
    "lines",
    "moment",
    "zone",
    "number",
    "flag",
    "mail",
    "link",
    "color",
    "file",
    "font",
    "language",
    "translations",
]
# Who sees it: buyers in the list of events, buyers on the event's page, or operators only.
Seen = Literal["list", "page", "operators"]
# When ``event edit`` may change it, and for whom a change counts. A cancelled event never changes.
Change = Literal["at any time", "for later sessions", "never"]


class Fact(Struct, frozen=True):
    """Describes a field, in addition to its name, type and default.

    Attributes:
        what: the description in the option's help and in the OpenAPI schema.
        label: the heading of its row in ``event show``; "" if it has no row.
        chars_max: longest text, in characters.
        least, most: bounds of a number, inclusive.
        metavar: the option's placeholder; for a number, its unit.
        option: the option without ``--``; "" if it is the field's name.
        absent: the meaning of an empty value, in the option's help; "" if it has none.
        needed: every event has it, and it cannot be removed.
        view: its name in buyers' views; "" if it is the field's name.
        fixed: the reason why it never changes, for an operator who tries.
    """

    what: str
    kind: Kind = "text"
    label: str = ""
    example: str | int | bool | Mapping[str, Any] = ""
    chars_max: int = NAME_CHARS_MAX
    least: int = 0
    most: int = PRICE_MINOR_MAX
    metavar: str = "TEXT"
    option: str = ""
    absent: str = ""
    needed: bool = False
    seen: Seen = "operators"
    view: str = ""
    change: Change = "at any time"
    fixed: str = ""


_SELLER = "on invoices and credit notes, which need all --seller… options"
_NEVER = "never"


def _link(what: str, label: str, example: str) -> Fact:
    """Return the fact of a page of the seller's, which buyers find on the event's pages."""
    return Fact(
        what,
        kind="link",
        label=label,
        example=example,
        chars_max=ADDRESS_CHARS_MAX,
        metavar="URL",
        option=label.lower(),
        seen="page",
    )


class EventFacts(Struct, frozen=True, kw_only=True):
    """Holds what buyers read about an event; "" if unset. The record has the same fields."""

    name: Annotated[
        str,
        Fact("name that buyers read", example="Summer Night", needed=True, seen="list"),
    ]
    subtitle: Annotated[
        str,
        Fact("line under the name", label="Subtitle", example="A summer evening", seen="list"),
    ] = ""
    artist: Annotated[
        str, Fact("performing artist", label="Artist", example="The Summer Band", seen="list")
    ] = ""
    category: Annotated[
        str,
        Fact(
            "kind of event, such as concert or football",
            label="Category",
            example="concert",
            chars_max=40,
            seen="list",
        ),
    ] = ""
    text: Annotated[
        str,
        Fact(
            "plain text of the event's page, with line breaks",
            kind="lines",
            label="Text",
            example="Doors open an hour before.",
            chars_max=TEXT_CHARS_MAX,
            seen="page",
        ),
    ] = ""
    venue_name: Annotated[
        str,
        Fact(
            "venue's name, in place of the chart's",
            example="The Hall",
            needed=True,
            seen="list",
            view="venue",
        ),
    ] = ""
    venue_address: Annotated[
        str,
        Fact(
            "venue's address",
            label="Address",
            example="1 Hall Street, Vienna",
            chars_max=ADDRESS_CHARS_MAX,
            seen="list",
        ),
    ] = ""
    travel: Annotated[
        str,
        Fact(
            "how to get to the venue, with line breaks",
            kind="lines",
            label="Travel",
            example="Tram 4 to Quay.",
            chars_max=TRAVEL_CHARS_MAX,
            seen="page",
        ),
    ] = ""
    fullest: Annotated[
        str,
        Fact(
            "sections and areas that most buyers will want, ids with commas between",
            label="Fullest",
            example="A,B",
            chars_max=ADDRESS_CHARS_MAX,
            metavar="IDS",
            seen="page",
        ),
    ] = ""
    starts_at: Annotated[
        str,
        Fact(
            "start of the performance",
            kind="moment",
            example="2027-06-01T20:00:00.000Z",
            metavar="TIME",
            seen="list",
        ),
    ] = ""
    time_zone: Annotated[
        str,
        Fact(
            "time zone of the times shown, such as Europe/Berlin",
            kind="zone",
            example="Europe/Vienna",
            metavar="ZONE",
            seen="list",
        ),
    ] = ""
    sale_ends_at: Annotated[
        str,
        Fact(
            "nobody is let in after it",
            kind="moment",
            example="2027-06-01T20:00:00.000Z",
            metavar="TIME",
            absent="at-start",
            seen="list",
        ),
    ] = ""
    seller_name: Annotated[
        str,
        Fact(f"seller's name {_SELLER}", example="Tides GmbH", option="seller", seen="page"),
    ] = ""
    seller_address: Annotated[
        str, Fact("seller's address", example="Quay 1", chars_max=ADDRESS_CHARS_MAX)
    ] = ""
    seller_vat_id: Annotated[
        str, Fact("seller's VAT number", example="DE123456789", chars_max=20, metavar="ID")
    ] = ""
    contact_mail: Annotated[
        str,
        Fact(
            "where buyers ask, and answers to mails go",
            kind="mail",
            label="Contact",
            example="box-office@example.org",
            chars_max=254,
            metavar="ADDRESS",
            seen="page",
        ),
    ] = ""
    contact_phone: Annotated[
        str,
        Fact(
            "where buyers call",
            label="Phone",
            example="+49 40 123456",
            chars_max=40,
            metavar="NUMBER",
            seen="page",
        ),
    ] = ""
    imprint_url: Annotated[
        str, _link("seller's imprint", "Imprint", "https://example.org/imprint")
    ] = ""
    terms_url: Annotated[
        str,
        _link("terms that buyers accept at checkout", "Terms", "https://example.org/terms-1"),
    ] = ""
    privacy_url: Annotated[
        str, _link("privacy notice", "Privacy", "https://example.org/privacy")
    ] = ""
    color_1: Annotated[
        str, Fact("buttons and links, such as #0e5560", "color", chars_max=7, metavar="COLOR")
    ] = ""
    color_2: Annotated[
        str, Fact("accents; needs --color-1", "color", chars_max=7, metavar="COLOR")
    ] = ""
    font: Annotated[str, Fact("of headings", "font", example="serif", seen="page")] = "sans"
    logo: Annotated[
        str,
        Fact(
            "PNG, JPEG or WebP file, in the head of the event's pages",
            "file",
            label="Logo",
            example="/layouts/0123456789abcdef0123456789abcdef/logo.png",
            metavar="FILE",
            seen="page",
        ),
    ] = ""
    picture: Annotated[
        str,
        Fact(
            "the same, wide, on the event's page and in previews",
            "file",
            label="Picture",
            example="/layouts/0123456789abcdef0123456789abcdef/picture.jpg",
            metavar="FILE",
            seen="page",
        ),
    ] = ""
    cancel_until: Annotated[
        str,
        Fact(
            "buyers may cancel until then",
            kind="moment",
            example="2027-05-31T20:00:00.000Z",
            metavar="TIME",
            absent=_NEVER,
        ),
    ] = ""
    cancel_fee_minor: Annotated[
        int,
        Fact(
            "kept for each cancelled ticket",
            "number",
            example=100,
            metavar="AMOUNT",
            option="cancel-fee",
        ),
    ] = 0
    transfer_until: Annotated[
        str,
        Fact(
            "buyers may transfer tickets until then",
            kind="moment",
            example="2027-05-31T20:00:00.000Z",
            metavar="TIME",
            absent=_NEVER,
        ),
    ] = ""
    ask_address: Annotated[
        bool,
        Fact("ask for the buyer's name and postal address at checkout", "flag", example=True),
    ] = False
    address_limit: Annotated[
        int,
        Fact(
            "seats for one postal address; needs --ask-address; 0: no limit",
            "number",
            example=4,
            most=1_000,
            metavar="SEATS",
            seen="page",
        ),
    ] = 0
    card_limit: Annotated[
        int,
        Fact(
            "seats for one payment card; 0: no limit",
            "number",
            example=4,
            most=1_000,
            metavar="SEATS",
            seen="page",
        ),
    ] = 0
    account_days: Annotated[
        int,
        Fact(
            "least age of an account",
            "number",
            example=30,
            most=3_650,
            metavar="DAYS",
            seen="page",
        ),
    ] = 0
    verified_phone: Annotated[
        bool,
        Fact(
            "let in only accounts with a verified phone number", "flag", example=True, seen="page"
        ),
    ] = False
    members: Annotated[
        str,
        Fact(
            "memberships that may come in, such as fan-club,gold",
            example="fan-club",
            chars_max=MEMBERS_CHARS_MAX,
            metavar="NAMES",
            seen="page",
        ),
    ] = ""
    members_until: Annotated[
        str,
        Fact(
            "end of the presale",
            kind="moment",
            example="2027-02-01T10:00:00.000Z",
            metavar="TIME",
            absent=_NEVER,
            seen="page",
        ),
    ] = ""
    avoid_single_seats: Annotated[
        bool,
        Fact("refuse choices that leave one seat alone", "flag", example=True, seen="page"),
    ] = False
    language: Annotated[str, Fact("of the texts", "language", example="de", seen="list")] = "en"
    translations: Annotated[
        dict[str, Any],
        Fact(
            "texts by language",
            "translations",
            example={"en": {"name": "Summer Night", TIERS: {"front": "Front"}}},
            metavar="JSON",
        ),
    ] = {}


class Declared(NamedTuple):
    """Pairs a field with its declaration."""

    name: str
    fact: Fact
    default: Any  # NODEFAULT if every event must give it

    @property
    def option(self) -> str:
        return "--" + (self.fact.option or self.name.replace("_", "-"))

    @property
    def in_views(self) -> str:
        return self.fact.view or self.name


def declared(kind: type[EventFacts]) -> list[Declared]:
    """Return the facts of EventFacts or SaleTerms, in order."""
    return [
        Declared(field.name, get_args(field.type)[1], _default_of(field))
        for field in structs.fields(kind)
    ]


def _default_of(field: structs.FieldInfo) -> Any:
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


FACTS = declared(EventFacts)


def stored_fields() -> list[tuple[Any, ...]]:
    """Return the fields of the record. Its items omit a field that has its default."""
    return [
        (name, type(fact.example)) if fact.needed else (name, type(fact.example), default)
        for name, fact, default in FACTS
    ]


def view_fields(seen: Seen) -> list[tuple[str, Any]]:
    """Return the fields of a buyers' view; an unset fact is null there."""
    return [
        (one.in_views, str if one.fact.needed else type(one.fact.example) | None)
        for one in FACTS
        if one.fact.seen == seen
    ]


def seen_values(facts: EventFacts, seen: Seen) -> dict[str, Any]:
    """Return the facts that buyers see, by their names in the view."""
    return {
        one.in_views: getattr(facts, one.name) or None for one in FACTS if one.fact.seen == seen
    }


def view_examples(seen: Seen) -> dict[str, Any]:
    """Return example values, by their names in the view."""
    return {one.in_views: one.fact.example for one in FACTS if one.fact.seen == seen}
