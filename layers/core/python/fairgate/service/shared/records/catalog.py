"""Records of events on sale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from msgspec import defstruct

from fairgate.domain.catalog.event_facts import EventFacts, stored_fields
from fairgate.domain.shared.ids import EventId
from fairgate.domain.shared.session import LIVE_COUNTERS_FIRST
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import Part, Record, TableName

# Of the items of an event; docs/adr/0048 says what changes it. 1: version 0.1.0, 2: since 0.2.0.
ITEMS_FORMAT = 2
# The gate's value is in the edges' store and not in the catalogue yet.
IN_THE_STORE_ALONE = -1
# Who sees a message: who waits, who chooses or pays, or everybody on the event's pages.
Audience = Literal["waiting", "shopping", "all"]


class Tier(Part, frozen=True, kw_only=True):
    id: str
    name: str
    color: str
    price_minor: int
    vat_bp: int = 0  # included in the price


class Fees(Part, frozen=True, kw_only=True):
    order_minor: int = 0
    ticket_minor: int = 0
    vat_bp: int = 0  # included in both


class AreaFacts(Part, frozen=True, kw_only=True):
    capacity: int
    shards: int
    tier: str


class BlockFacts(Part, frozen=True, kw_only=True):
    id: str
    seats: int


class SectionFacts(Part, frozen=True, kw_only=True):
    id: str
    name: str
    seats: int
    blocks: Sequence[BlockFacts]


class Beacon(Part, frozen=True, kw_only=True):
    """A public value that did not exist when the draw was committed to."""

    source: str
    at: str
    announced_at: str
    value: str  # "" until it exists
    mixed_at: str = ""


class PastTerms(Part, frozen=True, kw_only=True):
    """Terms of sessions that were opened before ``until``."""

    number: int
    until: str
    prices: Mapping[str, int]  # tier → minor units
    order_minor: int
    ticket_minor: int
    hold_limit: int
    user_limit: int


class Message(Part, frozen=True, kw_only=True):
    """What the organiser says to buyers on the event's pages, until a time."""

    texts: Mapping[str, str]  # by language
    to: Audience
    at: str
    until: str


class LastChange(Part, frozen=True, kw_only=True):
    """The last change that ticket holders are told of, with the event as it was before."""

    number: int  # the event's version with it
    at: str
    told_at: str = ""  # when mails to all of them had been queued
    name: str
    artist: str = ""
    starts_at: str = ""
    time_zone: str = ""
    venue_name: str
    venue_address: str = ""


if TYPE_CHECKING:

    class _Told(EventFacts, Record, frozen=True, kw_only=True):
        """Tell mypy about the fields of both: a Struct cannot inherit from two."""

else:
    _Told = defstruct(
        "_Told",
        stored_fields(),
        bases=(Record,),
        namespace={"table": "catalog"},
        frozen=True,
        kw_only=True,
    )


class Event(_Told, frozen=True, kw_only=True):
    """An event on sale: its facts, and the fields here.

    Prices, fees and limits are those of new sessions; ``terms`` numbers them.

    Raises ValueError, so that it reads as damaged: its items are of a format of a later version.
    """

    table: ClassVar[TableName] = "catalog"

    state: Literal["open", "paused", "draining", "soldout", "closed", "draft"]
    sale_starts_at: str
    currency: str
    layout: str  # content hash
    chart: str = ""  # its file, as it was named at the creation
    hold_limit: int
    user_limit: int
    sessions_limit: int
    live_max: int  # 0: no limit
    session_s: int
    checkout_s: int
    tiers: Sequence[Tier]
    fees: Fees = Fees()
    areas: Mapping[str, AreaFacts]
    sections: Sequence[SectionFacts]  # in layout order
    draw_commitment: str
    draw_key_revealed: str = ""  # hex, after the end
    draw_mode: str = ""
    draw_curve: float = 0
    beacon: Beacon | None = None
    epochs_log: Sequence[Sequence[float]]  # [start, H, slope], as many as the gate has
    open_until: int = 0  # of a draft: when it is published
    control: Literal["auto", "manual"] = "manual"
    session_mean_s: float = 0
    requests_per_s: int = 0  # budget for first attempts at the sale start; 0: the controller's
    cancelled_at: str = ""  # by its organiser, for good
    hidden: bool = False  # not in the list of events; its own page works
    terms: int = 0  # how often prices, fees or limits have changed
    past_terms: Sequence[PastTerms] = ()  # earlier ones, while a session may still have them
    last_change: LastChange | None = None
    message: Message | None = None
    counted: bool = False  # the tally has all of its sales
    live_counters: int = LIVE_COUNTERS_FIRST  # of each minute, since its creation
    created_at: str
    items_format: int = ITEMS_FORMAT  # in which all items of this event are written
    # The oldest version of the gate's value that may be missing in the edges' store; 0: none.
    gate_behind: int = IN_THE_STORE_ALONE
    version: int

    def __post_init__(self) -> None:
        if self.items_format > ITEMS_FORMAT:
            later = (
                f"its items are of format {self.items_format}, this version reads {ITEMS_FORMAT}"
            )
            raise ValueError(f"{later}: use the version that wrote them, or a later one")

    @property
    def gives_invoices(self) -> bool:
        return bool(self.seller_name and self.seller_address and self.seller_vat_id)

    @property
    def id(self) -> EventId:
        return EventId(self.sk)

    @property
    def ends_at(self) -> str:
        """When the sale ends, RFC 3339: as set, or when the performance starts; "": never."""
        return self.sale_ends_at or self.starts_at

    def ended(self, now_ms: int) -> bool:
        return bool(self.ends_at) and self.ends_at <= rfc3339(now_ms)
