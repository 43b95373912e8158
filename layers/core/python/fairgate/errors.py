"""Type what can go wrong. The HTTP status of each lives only in ``http/problems.py``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar


class FairgateError(Exception):
    """Base of every expected failure: a stable ``code``, a text for people, typed details."""

    code: ClassVar[str] = "error"

    def __init__(self, detail: str, *, retry_after_s: int | None = None, **fields: object) -> None:
        super().__init__(detail)
        self.detail = detail
        self.retry_after_s = retry_after_s
        self.fields: Mapping[str, object] = fields


class MalformedInputError(FairgateError):
    """The request cannot be understood; ``fields['errors']`` may list where."""

    code = "malformed-input"


class MailAddressError(MalformedInputError):
    """No mail can be sent to an address; the text says why, ``field`` names where it was typed."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail, field="email")


class PostalAddressError(MalformedInputError):
    """A postal address cannot be taken as it is; the text says why, ``field`` names where."""

    def __init__(self, detail: str, field: str = "") -> None:
        super().__init__(detail, field=f"postal_address.{field}".rstrip("."))


class TermsNotAcceptedError(MalformedInputError):
    """The buyer has not accepted the seller's terms as they are now; ``terms_url`` has them."""

    def __init__(self, terms_url: str) -> None:
        detail = f"Please accept the seller's terms first: {terms_url}"
        super().__init__(detail, field="terms", terms_url=terms_url)


class MailNotSentError(MailAddressError):
    """No mail can be sent to an order's address; trying again helps nobody."""

    def __init__(self, detail: str, *, order: str, event: str) -> None:
        super().__init__(detail)
        self.order, self.event = order, event


class BodyTooLargeError(FairgateError):
    code = "body-too-large"


class UnauthenticatedError(FairgateError):
    """The auth token, waiting token or session credential is missing or does not verify."""

    code = "unauthenticated"


class SignInEndedError(UnauthenticatedError):
    """Reports a genuine auth token that has expired; a waiting buyer keeps the place."""

    code = "sign-in-ended"


class SignInRefusedError(UnauthenticatedError):
    """The identity provider refuses this sign-in; the buyer has to sign in there again."""

    code = "sign-in-refused"


class WaitingTokenEndedError(UnauthenticatedError):
    """The waiting token is genuine and its time is over; joining again gives the same draw."""

    code = "waiting-token-ended"


class LinkEndedError(UnauthenticatedError):
    """The link has expired, or is not ours: one answer for both."""

    code = "link-ended"


class NotAdmittedError(FairgateError):
    """The draw, the caps or the user's own status keep the caller out for now."""

    code = "not-admitted"


class LockedOutError(FairgateError):
    code = "locked-out"


class ForbiddenError(FairgateError):
    """The caller is known, and may not do this."""

    code = "forbidden"


class NotEligibleError(FairgateError):
    """The event is not open to this account; ``reason`` says by which of its requirements."""

    code = "not-eligible"


class NotFoundError(FairgateError):
    """No such event, section, session, hold, order or route."""

    code = "not-found"


class UnknownEventError(NotFoundError):
    """No such event. Buyers always read the same sentence; ``event`` is for staff."""

    def __init__(self, event: str) -> None:
        super().__init__("There is no such event.")
        self.event = event


class MethodNotAllowedError(FairgateError):
    code = "method-not-allowed"


class SeatsTakenError(FairgateError):
    """Some of the seats asked for are held or sold; ``seats`` names exactly those.

    ``for_now``: somebody is only just trying to hold them; that may still fail.
    """

    code = "seats-taken"

    def __init__(self, seats: Sequence[str], *, for_now: bool = False) -> None:
        if for_now:
            text = "Somebody is taking some of these seats right now."
            super().__init__(text, seats=list(seats), for_now=True)
        else:
            super().__init__("Somebody else holds some of these seats.", seats=list(seats))
        self.seats = tuple(seats)


class SingleSeatError(FairgateError):
    """The choice would leave ``seats`` alone, which the event's organiser avoids."""

    code = "single-seat"

    def __init__(self, seats: Sequence[str]) -> None:
        text = "This would leave one seat alone. Please move by one."
        super().__init__(text, seats=list(seats))


class NoSeatsFoundError(FairgateError):
    """Best available found no block of seats that satisfies the request."""

    code = "no-seats-found"


class WrongStateError(FairgateError):
    """The session or order is not in a state that allows this."""

    code = "wrong-state"


class VersionConflictError(FairgateError):
    """Another writer changed the same item in between; read again and retry."""

    code = "version-conflict"


class PreconditionFailedError(VersionConflictError):
    """What is to change is not as the caller saw it; read it again and decide again."""

    code = "precondition-failed"


class HoldExpiredError(FairgateError):
    code = "hold-expired"


class SessionExpiredError(FairgateError):
    code = "session-expired"


class SaleOverError(FairgateError):
    code = "sale-over"


class TokenRedeemedError(FairgateError):
    """A waiting token opens one session, once."""

    code = "token-redeemed"


class IdempotencyMismatchError(FairgateError):
    """The Idempotency-Key was used before with another payload."""

    code = "idempotency-mismatch"


class LimitExceededError(FairgateError):
    """The request itself breaks a limit; ``fields['limit']`` says which number."""

    code = "limit-exceeded"


class TooEarlyError(FairgateError):
    """An attempt before ``boff``, or without its solution."""

    code = "too-early"


class TooManyRequestsError(FairgateError):
    code = "too-many-requests"


class PaymentWaitsError(FairgateError):
    """The payment page opens later, and the seats are kept until then.

    ``reason``: ``busy`` (others are before this buyer) or ``away`` (the provider hangs).
    """

    code = "payment-waits"

    def __init__(self, detail: str, *, reason: str, retry_after_s: int, held_until: str) -> None:
        super().__init__(detail, retry_after_s=retry_after_s, reason=reason, held_until=held_until)


class DependencyUnavailableError(FairgateError):
    """A dependency throttled, timed out or is unavailable; nothing was lost, try again."""

    code = "dependency-unavailable"


class TableUnavailableError(DependencyUnavailableError):
    """The tables do not answer, or refuse calls; a class of its own for operators."""


class ProviderBusyError(DependencyUnavailableError):
    """The payment provider takes no more calls for the moment (429); it is not away."""


class ProviderAwayError(DependencyUnavailableError):
    """The payment provider hangs, so it is not called before ``opens_at_ms``."""

    def __init__(
        self,
        detail: str,
        *,
        opens_at_ms: int = 0,
        retry_after_s: int | None = None,
        **fields: object,
    ) -> None:
        super().__init__(detail, retry_after_s=retry_after_s, **fields)
        self.opens_at_ms = opens_at_ms


class ProviderUndecidedError(DependencyUnavailableError):
    """The payment provider has answered that it cannot say or do this yet; it is not away."""


class ProviderSetupError(DependencyUnavailableError):
    """Reports that the payment provider rejects our key, until a person replaces it."""


class RefusedForNowError(DependencyUnavailableError):
    """The payment provider has answered that it makes no refund, for now, and keeps that answer.

    The provider repeats that answer for the same number, so only another number can succeed. After
    no answer, a lost one or a rate limit, the refund may still be made for the same number.
    """


class IdentityUnavailableError(DependencyUnavailableError):
    """The identity provider cannot be asked, through no fault of the buyer.

    ``reason``: ``away`` (no answer in time, or it is busy), ``nonsense`` (an unreadable answer),
    ``setup`` (it refuses our client or secret until a person corrects it) or ``keys`` (its signing
    keys cannot be read).
    """

    code = "sign-in-unavailable"

    def __init__(self, reason: str) -> None:
        super().__init__(
            "Signing in is not possible right now. Nothing was lost; please try again.",
            retry_after_s=2,
        )
        self.reason = reason


class PaymentRefusedError(FairgateError):
    """Reports a final refusal by the payment provider; asking again changes nothing.

    ``reason``: ``disputed``, ``already-refunded`` (outside Fairgate), ``too-old``,
    ``unknown-payment``, ``too-late`` (to open a page), ``failed`` (the refund was made and came
    back) or ``invalid`` (any other). ``provider_code`` is the provider's own code, ``refund_id``
    the refund that was made and came back.
    """

    code = "payment-refused"

    def __init__(
        self, detail: str, *, reason: str, provider_code: str = "", refund_id: str = ""
    ) -> None:
        super().__init__(detail, reason=reason)
        self.reason = reason
        self.provider_code = provider_code
        self.refund_id = refund_id
