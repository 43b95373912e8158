"""Declare, once, each fact that an operator says about an event.

The record, the checks, the options of ``fairgate event``, its pages, the buyers' views, the OpenAPI
document and its examples, and rows of the documents are made from these fields.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, get_args

from msgspec import Struct, structs

NAME_CHARS_MAX, ADDRESS_CHARS_MAX, TEXT_CHARS_MAX = 120, 200, 2_000
HOLD_LIMIT_MAX = 40  # a hold of n seats is 1 + 2n of a transaction's 100 actions
PRICE_MINOR_MAX = 100_000_000

Kind = Literal["text", "lines", "moment", "zone", "number"]
# Who sees it: buyers, in the list of events or on the event's page; or operators alone.
Seen = Literal["list", "page", "operators"]
# When ``event edit`` may change it, and for whom it counts then. Nothing of a cancelled event
# changes.
Change = Literal["at any time", "for later sessions", "never"]


class Fact(Struct, frozen=True):
    """What is declared of a field besides its name, type and default.

    Attributes:
        what: describes it, in the help of its option and in the OpenAPI document.
        label: heads its row in ``event show``; "": it has none of its own.
        chars_max: of a text.
        least, most: bounds of a number, both included.
        metavar: what its option takes, which names the unit of a number.
        option: its option without ``--``; "": as the field is called.
        absent: what "" stands for, in the option's help; "": nothing.
        needed: every event has it, and it cannot be taken away.
        view: what buyers' views call it; "": as the field is called.
        fixed: why it never changes, for who asks for it.
    """

    what: str
    kind: Kind = "text"
    label: str = ""
    example: str | int = ""
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


_SELLER = "on invoices and credit notes, which are given out where all of --seller… is said"
_NEVER = "never"


class EventFacts(Struct, frozen=True, kw_only=True):
    """What is told of an event; "" where nothing is. Its record has these fields as they are."""

    name: Annotated[
        str,
        Fact("as buyers read it", example="Summer Night", needed=True, seen="list"),
    ]
    subtitle: Annotated[
        str,
        Fact("stands under the name", label="Subtitle", example="A summer evening", seen="list"),
    ] = ""
    artist: Annotated[
        str, Fact("who plays", label="Artist", example="The Summer Band", seen="list")
    ] = ""
    category: Annotated[
        str,
        Fact(
            "concert, football, …",
            label="Category",
            example="concert",
            chars_max=40,
            seen="list",
        ),
    ] = ""
    text: Annotated[
        str,
        Fact(
            "for the event's page, plain, in lines",
            kind="lines",
            label="Text",
            example="Doors open an hour before.",
            chars_max=TEXT_CHARS_MAX,
            seen="page",
        ),
    ] = ""
    venue_name: Annotated[
        str,
        Fact("instead of the chart's", example="The Hall", needed=True, seen="list", view="venue"),
    ] = ""
    venue_address: Annotated[
        str,
        Fact(
            "where it is",
            label="Address",
            example="1 Hall Street, Vienna",
            chars_max=ADDRESS_CHARS_MAX,
            seen="list",
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
            "in which it is shown, like Europe/Berlin",
            kind="zone",
            example="Europe/Vienna",
            metavar="ZONE",
            seen="list",
        ),
    ] = ""
    seller_name: Annotated[str, Fact(f"name {_SELLER}", example="Tides GmbH", option="seller")] = ""
    seller_address: Annotated[
        str, Fact("where the seller is", example="Quay 1", chars_max=ADDRESS_CHARS_MAX)
    ] = ""
    seller_vat_id: Annotated[
        str, Fact("VAT number", example="DE123456789", chars_max=20, metavar="ID")
    ] = ""
    cancel_until: Annotated[
        str,
        Fact(
            "until when buyers may cancel",
            kind="moment",
            example="2027-05-31T20:00:00.000Z",
            metavar="TIME",
            absent=_NEVER,
        ),
    ] = ""
    cancel_fee_minor: Annotated[
        int,
        Fact(
            "kept of a cancelled place", "number", example=100, metavar="MINOR", option="cancel-fee"
        ),
    ] = 0
    transfer_until: Annotated[
        str,
        Fact(
            "until when tickets may be passed on",
            kind="moment",
            example="2027-05-31T20:00:00.000Z",
            metavar="TIME",
            absent=_NEVER,
        ),
    ] = ""


class SaleTerms(EventFacts, frozen=True, kw_only=True):
    """What a sale allows, charges and tells; the defaults suit most."""

    fee_order_minor: Annotated[
        int,
        Fact(
            "added to an order",
            "number",
            metavar="MINOR",
            option="fee-order",
            change="for later sessions",
        ),
    ] = 0
    fee_ticket_minor: Annotated[
        int,
        Fact(
            "added per ticket",
            "number",
            metavar="MINOR",
            option="fee-ticket",
            change="for later sessions",
        ),
    ] = 0
    requests_per_s: Annotated[
        int,
        Fact(
            "first attempts a second at doors, with --control auto; 0 is 125,000",
            "number",
            metavar="REQUESTS",
            change="never",
        ),
    ] = 0
    live_max: Annotated[
        int,
        Fact(
            "how many may shop at once",
            "number",
            least=1,
            most=10_000_000,
            metavar="SESSIONS",
            change="never",
        ),
    ] = 5_000
    hold_limit: Annotated[
        int,
        Fact(
            "in one hold",
            "number",
            least=1,
            most=HOLD_LIMIT_MAX,
            metavar="SEATS",
            change="for later sessions",
        ),
    ] = 10
    user_limit: Annotated[
        int,
        Fact(
            "for one account",
            "number",
            least=1,
            most=1_000,
            metavar="SEATS",
            change="for later sessions",
        ),
    ] = 10
    sessions_limit: Annotated[
        int,
        Fact("for one account", "number", least=1, most=1_000, metavar="SESSIONS", change="never"),
    ] = 1
    session_s: Annotated[
        int,
        Fact("to choose seats", "number", least=30, most=7_200, metavar="SECONDS", change="never"),
    ] = 600
    session_mean_s: Annotated[
        int,
        Fact(
            "how long one lasts in the mean, until some have ended; 0: like the longest",
            "number",
            most=7_200,
            metavar="SECONDS",
            change="never",
        ),
    ] = 0
    checkout_s: Annotated[
        int,
        Fact(
            "to pay",
            "number",
            least=30,
            most=7_200,
            metavar="SECONDS",
            change="never",
            fixed="payments are looked for by it",
        ),
    ] = 420

    def terms(self) -> dict[str, Any]:
        """Return each of these fields with its value, for another record that has them."""
        return {name: getattr(self, name) for name in SaleTerms.__struct_fields__}


class Declared(NamedTuple):
    """A field with what is declared of it."""

    name: str
    fact: Fact
    default: Any  # NODEFAULT where each event says it

    @property
    def option(self) -> str:
        return "--" + (self.fact.option or self.name.replace("_", "-"))

    @property
    def in_views(self) -> str:
        return self.fact.view or self.name


def declared(kind: type[EventFacts]) -> list[Declared]:
    """Return the facts of EventFacts or SaleTerms, in order."""
    return [
        Declared(field.name, get_args(field.type)[1], field.default)
        for field in structs.fields(kind)
    ]


FACTS = declared(EventFacts)


def declared_terms() -> list[Declared]:
    """Return what SaleTerms has besides the facts."""
    return declared(SaleTerms)[len(FACTS) :]


def stored_fields() -> list[tuple[Any, ...]]:
    """Return the fields of the record: its items have what each event needs, and lack the rest."""
    return [
        (name, type(fact.example)) if fact.needed else (name, type(fact.example), default)
        for name, fact, default in FACTS
    ]


def view_fields(seen: Seen) -> list[tuple[str, Any]]:
    """Return the fields of a buyers' view: null where nothing is told."""
    return [
        (one.in_views, str if one.fact.needed else str | None)
        for one in FACTS
        if one.fact.seen == seen
    ]


def seen_values(facts: EventFacts, seen: Seen) -> dict[str, Any]:
    """Return what buyers are told, by the view's names."""
    return {
        one.in_views: getattr(facts, one.name) or None for one in FACTS if one.fact.seen == seen
    }


def view_examples(seen: Seen) -> dict[str, Any]:
    """Return an example of what buyers are told, by the view's names."""
    return {one.in_views: one.fact.example for one in FACTS if one.fact.seen == seen}
