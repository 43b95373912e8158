"""Change what an event on sale allows its buyers: of what is not yet sold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import MalformedInputError, NotFoundError, VersionConflictError
from fairgate.ports.table import TransactionRefusedError
from fairgate.service.catalog.publish_event import cancelling_problems
from fairgate.service.shared.event_update import event_update
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event

if TYPE_CHECKING:
    from fairgate.ports.table import Table

_ATTEMPTS_MAX = 4


@dataclass(frozen=True, slots=True)
class CancelTerms:
    """Until when orders may be cancelled, "" for never, and what is kept of each place."""

    cancel_until: str
    cancel_fee_minor: int


@dataclass(frozen=True, slots=True)
class TermsChange:
    """What the terms were and what they are, or would be."""

    before: CancelTerms
    after: CancelTerms


def edit_cancelling(
    table: Table,
    event: str,
    *,
    until: str | None = None,
    fee_minor: int | None = None,
    dry_run: bool = False,
) -> TermsChange:
    """Change the terms of cancelling for orders that are made from now on.

    Args:
        until: RFC 3339 with its zone; "" for never; None leaves it.
        fee_minor: kept of each place; None leaves it, and nothing is kept where nobody may cancel.

    Raises:
        NotFoundError.
        MalformedInputError: ``errors`` lists what is wrong.
        VersionConflictError: the event keeps being changed by others.
    """
    for _ in range(_ATTEMPTS_MAX):
        sale = table.find(Event, event_key(event))
        if sale is None:
            raise NotFoundError(f"There is no event {event}. `event list` shows what there is.")
        before = CancelTerms(sale.cancel_until, sale.cancel_fee_minor)
        after = _after(sale, before, until, fee_minor)
        if dry_run or before == after:
            return TermsChange(before, after)
        changes = {"cancelUntil": after.cancel_until, "cancelFeeMinor": after.cancel_fee_minor}
        try:
            table.update(event_update(sale, changes))
        except TransactionRefusedError:
            continue
        return TermsChange(before, after)
    raise VersionConflictError(f"Others keep changing {event}. Please try again.")


def _after(
    sale: Event, before: CancelTerms, until: str | None, fee_minor: int | None
) -> CancelTerms:
    wanted = before.cancel_until if until is None else until
    fee = before.cancel_fee_minor if fee_minor is None else fee_minor
    if until == "" and fee_minor is None:
        fee = 0
    wrong = cancelling_problems(wanted, fee, [tier.price_minor for tier in sale.tiers])
    if wrong:
        errors = [{"where": name, "what": what} for name, what in wrong]
        texts = "; ".join(f"{name} {what}" for name, what in wrong)
        raise MalformedInputError(f"The event cannot be changed: {texts}.", errors=errors)
    return CancelTerms(rfc3339(epoch_ms(wanted)) if wanted else "", fee)
