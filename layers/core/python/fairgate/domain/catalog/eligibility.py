"""Decide which accounts an event is open to, by what the identity provider says of them.

The origin decides when an account is let in. The event's page says the same to an honest buyer
before the waiting room (edge/web/assets/js/eligibility.js).
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import NotEligibleError, WaitingTokenEndedError

if TYPE_CHECKING:
    from fairgate.domain.catalog.event_facts import EventFacts
    from fairgate.domain.shared.account import Account


def memberships_of(members: str) -> list[str]:
    """Return the names in an event's list of memberships, ``fan-club,gold``."""
    return [name.strip() for name in members.split(",")] if members else []


def require_eligible(event: EventFacts, account: Account, now_ms: int) -> None:
    """Raise NotEligibleError if the event is not open to this account now."""
    if event.verified_phone and not account.verified_phone:
        raise NotEligibleError(
            "Only accounts with a verified phone number may come in. Please verify yours where you"
            " sign in, and then sign in again.",
            reason="verified-phone",
        )
    if event.account_days and not _is_old_enough(event, account, now_ms):
        raise NotEligibleError(
            f"Only accounts that are at least {event.account_days} days old may come in.",
            reason="account-days",
        )
    if event.members and not _is_member(event, account):
        if not event.members_until:
            raise NotEligibleError("Only members may come in.", reason="members")
        if now_ms < epoch_ms(event.members_until):
            raise NotEligibleError(
                "Only members may come in now. The sale opens for everybody at"
                f" {event.members_until[:16].replace('T', ' ')} UTC.",
                reason="members",
                until=event.members_until,
            )


def require_joined_since_presale(event: EventFacts, account: Account, joined_s: int) -> None:
    """Raise WaitingTokenEndedError for a place that no member took before the end of the presale.

    The edge gives everybody a place. Without this a stranger who joins in the presale has waited
    longer at its end than an honest buyer who came when the page said.
    """
    if not (event.members and event.members_until) or _is_member(event, account):
        return
    if joined_s * 1000 < epoch_ms(event.members_until):
        raise WaitingTokenEndedError(
            "This place was taken before the sale opened for everybody. Please join again."
        )


def _is_member(event: EventFacts, account: Account) -> bool:
    return not set(memberships_of(event.members)).isdisjoint(account.memberships)


def _is_old_enough(event: EventFacts, account: Account, now_ms: int) -> bool:
    """Compare whole UTC days. An account of unknown age is too young."""
    latest = dt.date.fromisoformat(rfc3339(now_ms)[:10]) - dt.timedelta(days=event.account_days)
    return bool(account.since) and account.since <= str(latest)
