"""Change what an event on sale tells and allows its buyers: of what is not yet sold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairgate.errors import MalformedInputError, NotFoundError, VersionConflictError
from fairgate.ports.table import TransactionRefusedError
from fairgate.service.catalog.event_facts import SELLER, fact_problems, utc_moment
from fairgate.service.catalog.publish_event import cancelling_problems
from fairgate.service.shared.event_update import event_update
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.ports.table import Table

_ATTEMPTS_MAX = 4
_CANCELLING = ("cancel_until", "cancel_fee_minor")
_START = ("starts_at", "time_zone")
_NEEDED = ("name", "venue_name")
# What may be changed, and what the table calls it.
EDITABLE = {
    "name": "name",
    "venue_name": "venueName",
    "venue_address": "venueAddress",
    "artist": "artist",
    "category": "category",
    "text": "text",
    "seller_name": "sellerName",
    "seller_address": "sellerAddress",
    "seller_vat_id": "sellerVatId",
    "starts_at": "startsAt",
    "time_zone": "timeZone",
    "cancel_until": "cancelUntil",
    "cancel_fee_minor": "cancelFeeMinor",
}


@dataclass(frozen=True, slots=True)
class EventChange:
    """What the fields asked for, and those that go with them, were and are, or would be."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]


def edit_event(
    table: Table, event: str, wanted: Mapping[str, Any], *, dry_run: bool = False
) -> EventChange:
    """Change fields of an event, all or none; orders keep the terms they were made with.

    Args:
        wanted: new values by the field's name, among EDITABLE; moments in RFC 3339 with their
            zone. "" takes a fact away, and with the start its zone; nothing is kept of a place
            where nobody may cancel.

    Raises:
        NotFoundError.
        MalformedInputError: ``errors`` lists what is wrong.
        VersionConflictError: somebody else has just changed one of these fields, or keeps changing
            the event; nothing is written.

    Cost: a read and a conditional write; both again for each change of others in between.
    """
    seen: dict[str, Any] | None = None
    for _ in range(_ATTEMPTS_MAX):
        sale = table.find(Event, event_key(event))
        if sale is None:
            raise NotFoundError(f"There is no event {event}. `event list` shows what there is.")
        before = {name: getattr(sale, name) for name in _concerned(wanted)}
        if seen is not None and seen != before:
            raise VersionConflictError(
                f"Somebody else has just changed the same of {event}; nothing is written."
                " Look at it with `event show`, then decide again."
            )
        seen = before
        after = _after(sale, before, wanted)
        if dry_run or before == after:
            return EventChange(before, after)
        changes = {EDITABLE[name]: value for name, value in after.items()}
        try:
            table.update(event_update(sale, changes))
        except TransactionRefusedError:
            continue
        return EventChange(before, after)
    raise VersionConflictError(f"Others keep changing {event}. Please try again.")


def _concerned(wanted: Mapping[str, Any]) -> list[str]:
    """Return the fields asked for with those that only make sense together with them."""
    names = set(wanted)
    for group in (_CANCELLING, _START, SELLER):
        if names & set(group):
            names |= set(group)
    return [name for name in EDITABLE if name in names]


def _after(sale: Event, before: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    after = {**before, **wanted}
    if wanted.get("cancel_until") == "" and "cancel_fee_minor" not in wanted:
        after["cancel_fee_minor"] = 0
    if wanted.get("starts_at") == "" and "time_zone" not in wanted:
        after["time_zone"] = ""
    wrong = [(name, "cannot be empty") for name in _NEEDED if after.get(name) == ""]
    facts = {name: value for name, value in after.items() if name not in _CANCELLING}
    wrong += fact_problems(facts, sale.sale_opens_at)
    if "cancel_until" in after:
        prices = [tier.price_minor for tier in sale.tiers]
        wrong += cancelling_problems(after["cancel_until"], after["cancel_fee_minor"], prices)
    if wrong:
        errors = [{"where": name, "what": what} for name, what in wrong]
        texts = "; ".join(f"{name} {what}" for name, what in wrong)
        raise MalformedInputError(f"The event cannot be changed: {texts}.", errors=errors)
    moments = {
        name: utc_moment(after[name]) for name in ("cancel_until", "starts_at") if name in after
    }
    return after | moments
