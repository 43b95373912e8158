"""Prices of a sale while staff edits them: an order asks for what its session began with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fairgate.ports.record import PK, SK
from fairgate.service.shared import keys
from fairgate.service.shared.records.catalog import Event

Item = Mapping[str, Any]
Terms = tuple[Mapping[str, int], int, int]  # prices by tier, fee of an order, fee of a ticket


class AgreedPrices:
    """Follows what sessions begin with and orders ask for, commit by commit.

    Args:
        read: an event as it is in the table; the catalogue has no stream.
    """

    def __init__(self, read: Callable[[str], Event | None]) -> None:
        self._read = read
        self._terms: dict[tuple[str, int], Terms] = {}
        self._began: dict[str, tuple[str, int]] = {}  # session → its event, its terms

    def wrong_with(self, old: Item | None, new: Item | None) -> Iterator[str]:
        """Name what is wrong with a new session or order; nothing for any other change."""
        if new is None or old is not None:
            return
        if new[SK].startswith(keys.SESSION):
            self._began[new[PK]] = (new["eventId"], new.get("terms", 0))
            yield from self._look(new["eventId"])
        elif new[SK].startswith(keys.ORDER):
            yield from self._look(new["eventId"])
            yield from self._ordered(new)

    def _look(self, name: str) -> Iterator[str]:
        """Take note of terms that were not known; those that were are what they were."""
        event = self._read(name)
        if event is None:
            return
        for number, terms in _terms_of(event):
            known = self._terms.setdefault((name, number), terms)
            if known != terms:
                yield f"{name}: the terms {number} were {known}, and are {terms}"

    def _ordered(self, order: Item) -> Iterator[str]:
        agreed = self._terms.get(self._began.get(order[PK], ("", 0)))
        if agreed is None:
            yield f"{order['orderId']}: of terms that its event never had"
            return
        prices, order_minor, ticket_minor = agreed
        units = order["units"]
        places = sum(unit.get("quantity", 1) for unit in units)
        due = sum(unit.get("quantity", 1) * prices[unit["tier"]] for unit in units)
        due += order_minor + places * ticket_minor
        if order["totalMinor"] != due:
            yield f"{order['orderId']}: asks for {order['totalMinor']}, agreed was {due}"


def _terms_of(event: Event) -> Iterator[tuple[int, Terms]]:
    prices = {tier.id: tier.price_minor for tier in event.tiers}
    yield event.terms, (prices, event.fees.order_minor, event.fees.ticket_minor)
    for past in event.past_terms:
        yield past.number, (past.prices, past.order_minor, past.ticket_minor)
