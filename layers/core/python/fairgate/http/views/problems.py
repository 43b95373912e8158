"""Define the extra fields of a problem, one model for each code.

An error's ``fields`` become these members. No handler imports the models: ``docs/openapi.json`` is
made from them, and the contract tests compare every refusal of a handler with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from fairgate import errors
from fairgate.http.problems import Problem
from fairgate.http.views.waiting import ChallengeView

# Pages say each in its own words: edge/web/words/*/room.ftl, ``problem-<code>-<reason>``.
StateReason = Literal[
    "accepted",
    "being-made",
    "event-cancelled",
    "never",
    "no-mail",
    "no-seller",
    "not-sold",
    "not-yet",
    "own",
    "passed-on",
    "too-late",
    "too-often",
    "void",
    "withdrawn",
]
RefusedReason = Literal[
    "already-refunded",
    "disputed",
    "failed",
    "invalid",
    "too-late",
    "too-old",
    "unknown-payment",
]


class MalformedInput(Problem, frozen=True, kw_only=True):
    errors: list[str] | UnsetType = UNSET
    field: str | UnsetType = UNSET  # of the body, which the detail is about
    terms_url: str | UnsetType = UNSET  # of the terms that have to be accepted first


class BodyTooLarge(Problem, frozen=True, kw_only=True):
    limit: int | UnsetType = UNSET  # bytes


class Unauthenticated(Problem, frozen=True, kw_only=True):
    verdict: str | UnsetType = UNSET  # no-session: the session's header did not arrive


class Forbidden(Problem, frozen=True, kw_only=True):
    """``verdict``: which rule of the waiting room; the rest where the account is flagged."""

    verdict: str | UnsetType = UNSET
    level: int | UnsetType = UNSET
    noticed: str | UnsetType = UNSET
    advice: str | UnsetType = UNSET


class NotEligible(Problem, frozen=True, kw_only=True):
    reason: Literal["account-days", "verified-phone", "members"]
    until: str | UnsetType = UNSET  # of the presale


class NotAdmitted(Problem, frozen=True, kw_only=True):
    """Adds ``token`` and ``boff`` if capacity is reached: the same place, and when to ask again."""

    token: str | UnsetType = UNSET
    boff: int | UnsetType = UNSET  # epoch seconds
    live_session: str | UnsetType = UNSET
    settling_until: str | UnsetType = UNSET
    order: str | UnsetType = UNSET
    sessions_limit: int | UnsetType = UNSET


class LockedOut(Problem, frozen=True, kw_only=True):
    """``retry_after`` is before ``until`` where the place needs it, or a person may lift it."""

    token: str | UnsetType = UNSET  # the same place, signed again
    level: int
    noticed: str  # where a person decided, their reason
    advice: str
    until: str
    by: Literal["rules", "person"]
    appealed: bool  # a person was asked to look, and has not answered yet


class NotFound(Problem, frozen=True, kw_only=True):
    """Which of the names asked for there is not."""

    seats: list[str] | UnsetType = UNSET
    areas: list[str] | UnsetType = UNSET
    area: str | UnsetType = UNSET
    section: str | UnsetType = UNSET
    zone: str | UnsetType = UNSET
    tickets: int | UnsetType = UNSET  # how many the order has
    sessions_left: int | UnsetType = UNSET  # how many more the account may have


class SeatsTaken(Problem, frozen=True, kw_only=True):
    seats: list[str]
    for_now: bool | UnsetType = UNSET


class SingleSeat(Problem, frozen=True, kw_only=True):
    seats: list[str]


class Possible(Struct, frozen=True):
    """What there would be instead (docs/best-available.md)."""

    together: int | UnsetType = UNSET
    whole: int | UnsetType = UNSET  # places of a table or box
    section: str | UnsetType = UNSET
    area: str | UnsetType = UNSET


class NoSeatsFound(Problem, frozen=True, kw_only=True):
    quantity: int | UnsetType = UNSET
    possible: Possible | UnsetType = UNSET


class WrongState(Problem, frozen=True, kw_only=True):
    state: str | UnsetType = UNSET
    reason: StateReason | UnsetType = UNSET
    cancel_until: str | UnsetType = UNSET


class HoldExpired(Problem, frozen=True, kw_only=True):
    seats: list[str] | UnsetType = UNSET


class SaleOver(Problem, frozen=True, kw_only=True):
    state: str | UnsetType = UNSET


class LimitExceeded(Problem, frozen=True, kw_only=True):
    reason: Literal["address"] | UnsetType = UNSET  # the limit is a postal address's
    limit: int | UnsetType = UNSET
    held: int | UnsetType = UNSET
    asked: int | UnsetType = UNSET
    left_minor: int | UnsetType = UNSET


class TooEarly(Problem, frozen=True, kw_only=True):
    """``token``, ``challenge`` and ``boff``: the same place behind a harder challenge."""

    verdict: str | UnsetType = UNSET
    level: int | UnsetType = UNSET
    noticed: str | UnsetType = UNSET
    advice: str | UnsetType = UNSET
    token: str | UnsetType = UNSET
    challenge: ChallengeView | UnsetType = UNSET
    boff: int | UnsetType = UNSET  # epoch seconds


class TooManyRequests(Problem, frozen=True, kw_only=True):
    limit: str | UnsetType = UNSET  # the limit's name


class PaymentWaits(Problem, frozen=True, kw_only=True):
    """``reason``: ``busy`` or ``away``; ``held_until``: the seats are kept until then."""

    reason: Literal["busy", "away"]
    held_until: str


class PaymentRefused(Problem, frozen=True, kw_only=True):
    reason: RefusedReason


class DependencyUnavailable(Problem, frozen=True, kw_only=True):
    """The latest end of the hold while a payment is being settled."""

    held_until: str | UnsetType = UNSET
    settling_until: str | UnsetType = UNSET


# The errors that have members of their own; all others are a ``Problem``.
OWN: Mapping[type[errors.FairgateError], type[Problem]] = {
    errors.MalformedInputError: MalformedInput,
    errors.BodyTooLargeError: BodyTooLarge,
    errors.UnauthenticatedError: Unauthenticated,
    errors.ForbiddenError: Forbidden,
    errors.NotEligibleError: NotEligible,
    errors.NotAdmittedError: NotAdmitted,
    errors.LockedOutError: LockedOut,
    errors.NotFoundError: NotFound,
    errors.SeatsTakenError: SeatsTaken,
    errors.SingleSeatError: SingleSeat,
    errors.NoSeatsFoundError: NoSeatsFound,
    errors.WrongStateError: WrongState,
    errors.HoldExpiredError: HoldExpired,
    errors.SaleOverError: SaleOver,
    errors.LimitExceededError: LimitExceeded,
    errors.TooEarlyError: TooEarly,
    errors.TooManyRequestsError: TooManyRequests,
    errors.PaymentWaitsError: PaymentWaits,
    errors.PaymentRefusedError: PaymentRefused,
    errors.DependencyUnavailableError: DependencyUnavailable,
}
