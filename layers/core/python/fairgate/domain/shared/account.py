"""Carry what the identity provider says of an account in its auth token.

The edge takes an auth token with a list of names of small letters and hyphens, and no other claim.
So these facts are names in that list that begin with ``is-``: ``is-verified-phone``,
``is-since-cacfabdb`` (the day of its creation, 2025-01-31, a letter a digit from a = 0), ``is-in-``
with a membership.
"""

from __future__ import annotations

import datetime as dt
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable

PREFIX = "is-"
MEMBERSHIPS_MAX = 8
# Of the canary alone, so that its event lets nobody else in: no provider's word gives it.
CANARY = "fairgate-canary"
MEMBERSHIP = re.compile(r"[a-z-]{1,26}")
_PHONE, _SINCE, _IN = "is-verified-phone", "is-since-", "is-in-"
_DIGITS, _LETTERS = "0123456789", "abcdefghij"


class Account(Struct, frozen=True):
    """What the provider says of an account; the default says nothing.

    Attributes:
        since: the UTC day of its creation, ``2025-01-31``; "" if the provider does not say it.
        memberships: such as ``fan-club``, for a presale.
    """

    since: str = ""
    verified_phone: bool = False
    memberships: list[str] = []


def names_of(account: Account) -> list[str]:
    """Return the names that carry these facts in an auth token."""
    names = [_PHONE] if account.verified_phone else []
    if account.since:
        letters = str.maketrans(_DIGITS, _LETTERS)
        names.append(_SINCE + account.since.replace("-", "").translate(letters))
    return names + [_IN + membership for membership in account.memberships]


def account_of(names: Iterable[str]) -> Account:
    """Read the facts from the names of an auth token of ours."""
    since, phone, memberships = "", False, []
    for name in names:
        if name == _PHONE:
            phone = True
        elif name.startswith(_SINCE):
            digits = name.removeprefix(_SINCE).translate(str.maketrans(_LETTERS, _DIGITS))
            with suppress(ValueError):  # a provider's group of before these names were kept for us
                since = str(dt.datetime.strptime(digits, "%Y%m%d").replace(tzinfo=dt.UTC).date())
        elif name.startswith(_IN):
            memberships.append(name.removeprefix(_IN))
    return Account(since, phone, memberships)
