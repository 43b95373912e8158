"""Keep for each session the prices, fees and limits that it began with, when they are edited.

    event   terms 0 ──edit──► terms 1 ──edit──► terms 2     pastTerms: 0 and 1, while a session
    session            ▲ begins with 1, and buys by them     with them may still be open

So an order has the prices that its holds were shown, and one price for each tier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from fairgate.domain.orders.order import UnpricedTierError
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event, PastTerms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.ports.table import Table
    from fairgate.service.shared.records.sessions import Session

# The longest session is two hours, the longest checkout two more, and its settling half an hour
# (event_request, SETTLING_S). The rest is for clocks and catalogue caches that are behind.
KEPT_MS = 6 * 3_600_000


def as_agreed(table: Table, event: Event, session: Session) -> Event:
    """Return the event with the terms that the session began with.

    Args:
        event: as it was read some seconds ago, perhaps before it was edited.

    Raises:
        UnpricedTierError: its terms are gone. That is a defect: no session lives so long.

    Cost: a read if the session began with terms that ``event`` does not have yet.
    """
    agreed = _at(event, session.terms)
    if agreed is None:
        newer = table.find(Event, event_key(event.id))
        agreed = None if newer is None else _at(newer, session.terms)
    if agreed is None:
        raise UnpricedTierError("The terms of this session are gone.")
    return agreed


def past_terms(event: Event, now_ms: int) -> list[PastTerms]:
    """List the past terms that an open session may still have."""
    return [past for past in event.past_terms if epoch_ms(past.until) + KEPT_MS > now_ms]


def lowest_price(event: Event, prices: Mapping[str, int], now_ms: int) -> int:
    """Return the lowest price in minor units, of ``prices`` and of past terms still in use."""
    past = [price for terms in past_terms(event, now_ms) for price in terms.prices.values()]
    return min([*prices.values(), *past])


def new_terms(event: Event, terms: Mapping[str, Any], now_ms: int) -> dict[str, Any]:
    """Return the attributes to write so that ``terms`` apply to sessions from now on.

    Args:
        terms: ``prices_minor``, ``fee_order_minor``, ``fee_ticket_minor``, ``hold_limit`` and
            ``user_limit``, all of them.
    """
    ended = PastTerms(
        number=event.terms,
        until=rfc3339(now_ms),
        prices={tier.id: tier.price_minor for tier in event.tiers},
        order_minor=event.fees.order_minor,
        ticket_minor=event.fees.ticket_minor,
        hold_limit=event.hold_limit,
        user_limit=event.user_limit,
    )
    prices = terms["prices_minor"]
    fees = replace(
        event.fees, order_minor=terms["fee_order_minor"], ticket_minor=terms["fee_ticket_minor"]
    )
    return {
        "terms": event.terms + 1,
        "pastTerms": [past.as_map() for past in (*past_terms(event, now_ms), ended)],
        "tiers": [replace(tier, price_minor=prices[tier.id]).as_map() for tier in event.tiers],
        "fees": fees.as_map(),
        "holdLimit": terms["hold_limit"],
        "userLimit": terms["user_limit"],
    }


def _at(event: Event, number: int) -> Event | None:
    """Return the event with the terms of this number; None if it does not have them."""
    if number == event.terms:
        return event
    past = next((terms for terms in event.past_terms if terms.number == number), None)
    if past is None:
        return None
    return replace(
        event,
        terms=number,
        tiers=[replace(tier, price_minor=past.prices[tier.id]) for tier in event.tiers],
        fees=replace(event.fees, order_minor=past.order_minor, ticket_minor=past.ticket_minor),
        hold_limit=past.hold_limit,
        user_limit=past.user_limit,
    )
