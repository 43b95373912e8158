"""Exchange an OpenID sign-in for the short auth token that the edge can check."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from fairgate.domain.shared.account import (
    CANARY,
    MEMBERSHIP,
    MEMBERSHIPS_MAX,
    PREFIX,
    Account,
    names_of,
)
from fairgate.domain.shared.auth_token import GROUP, issue_auth_token
from fairgate.domain.shared.ids import USER_ID, UserId
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import UnauthenticatedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.ports.outside import IdentityProvider
    from fairgate.ports.world import Clock, SecretStore
    from fairgate.settings import AccountClaims

AUTH_TTL_S = 2 * 3600  # longer than a sale's rush, shorter than a day's theft
GROUPS_MAX = 8
_WITH_RIGHTS = ("operators", "fairgate-")  # how groups begin that this system asks for
_HASHED = "sha256."
_OLDEST_S = 631_152_000  # 1990: a lower number is a year or a date such as 20250131, and no time
_MS_FROM = 1e11  # a time above it is in milliseconds: as seconds it is in the year 5138


class IdentityExchanged(Struct, frozen=True):
    """Answered as it is."""

    token: str
    expires_at: str
    sub: str
    account: Account


def exchange_identity(
    *,
    identity: IdentityProvider,
    secrets: SecretStore,
    clock: Clock,
    code: str,
    verifier: str,
    nonce: str,
    told_by: AccountClaims,
    page: str = "",
) -> IdentityExchanged:
    """Issue an auth token, valid for two hours, to a user who signed in at the provider.

    Args:
        code: the provider's, which it redeems once.
        verifier: of the proof key with which the sign-in began.
        nonce: of that sign-in, which the identity token repeats.
        told_by: the names of the claims that say more about the account.
        page: of the site, to which the provider sent the user back; "": the first.

    Raises:
        SignInRefusedError: the provider does not vouch for this sign-in.
        IdentityUnavailableError: the provider does not answer.
    """
    claims = identity.redeem(code, verifier, nonce, page)
    user = user_of(claims.get("sub"))
    keys = secrets.sign_in()
    now_s = clock.now_ms() // 1000
    account = account_in(claims, told_by, now_s)
    names = [*groups_of(claims), *names_of(account)]
    token = issue_auth_token(
        user, names, keys.auth[keys.auth_kid], keys.auth_kid, now_s, AUTH_TTL_S
    )
    return IdentityExchanged(token, rfc3339((now_s + AUTH_TTL_S) * 1000), user, account)


def user_of(subject: object) -> UserId:
    """Return the issuer's subject if it has the form of our user ids, else its hash.

    A subject that looks like such a hash is hashed too, so nobody can choose the id of another
    user. Raises UnauthenticatedError: there is no subject.
    """
    if not isinstance(subject, str) or not subject:
        raise UnauthenticatedError("The identity token names nobody.")
    if USER_ID.fullmatch(subject) and not subject.startswith(_HASHED):
        return UserId(subject)
    digest = hashlib.sha256(subject.encode("utf-8", "surrogatepass")).digest()
    return UserId(_HASHED + base64.urlsafe_b64encode(digest).rstrip(b"=").decode())


def groups_of(claims: Mapping[str, Any]) -> list[str]:
    """Read the claim ``groups`` (Cognito: ``cognito:groups``), without names that do not fit.

    A company's account may have dozens: those that give rights come first.
    """
    named = claims.get("groups", claims.get("cognito:groups"))
    if not isinstance(named, list):
        return []
    fitting = dict.fromkeys(
        g for g in named if isinstance(g, str) and GROUP.fullmatch(g) and not g.startswith(PREFIX)
    )
    return sorted(fitting, key=lambda g: not g.startswith(_WITH_RIGHTS))[:GROUPS_MAX]


def account_in(claims: Mapping[str, Any], told_by: AccountClaims, now_s: int) -> Account:
    """Read the facts of the account. A claim that is missing or of another shape says nothing."""
    phone = claims.get(told_by.phone) if told_by.phone else None
    return Account(
        since=_day(claims.get(told_by.created), now_s) if told_by.created else "",
        verified_phone=phone is True or phone == "true",
        memberships=_memberships(claims.get(told_by.membership)) if told_by.membership else [],
    )


def _day(told: object, now_s: int) -> str:
    """Return the UTC day of a NumericDate, of milliseconds or of an RFC 3339 time; at most today.

    Source: RFC 7519, section 2, NumericDate.
    """
    try:
        if isinstance(told, str) and not told.isdecimal():
            moment = dt.datetime.fromisoformat(told)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
            told_s = moment.timestamp()
        else:
            told_s = float(told) if isinstance(told, int | float | str) else 0.0
            told_s = told_s / 1000 if told_s > _MS_FROM else told_s
        if isinstance(told, bool) or told_s < _OLDEST_S:
            return ""
        return str(dt.datetime.fromtimestamp(min(told_s, now_s), dt.UTC).date())
    except (ValueError, OverflowError):
        return ""


def _memberships(told: object) -> list[str]:
    """Return what a text, a list of texts or ``true`` names, without names that do not fit."""
    named = told if isinstance(told, list) else ["true" if told is True else told]
    texts = [one.lower() for one in named if isinstance(one, str)]
    fitting = dict.fromkeys(t for t in texts if MEMBERSHIP.fullmatch(t) and t != CANARY)
    return list(fitting)[:MEMBERSHIPS_MAX]
