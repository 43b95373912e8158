"""Translate every error of Stripe's library into ours; docs/payments.md shows this as a table."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fairgate.adapters.payments import refusals
from fairgate.adapters.payments.stripe_objects import UNREADABLE
from fairgate.errors import DependencyUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fairgate.errors import FairgateError

# The meaning of an InvalidRequestError, by its code. Any other code is final, and "invalid".
# Source: Stripe API reference, "Error codes".
FINAL: Mapping[str, str] = {
    "charge_already_refunded": "already-refunded",  # where it was not by our own refund
    "charge_disputed": "disputed",
    "payment_intent_unexpected_state": "unknown-payment",  # nothing was captured
    "refund_disputed_payment": "disputed",
    "resource_missing": "unknown-payment",
}
TEMPORARY: Mapping[str, str] = {
    "balance_insufficient": refusals.LOW_BALANCE,
    "idempotency_key_in_use": refusals.NOT_YET,
    "lock_timeout": refusals.NOT_YET,
    "payment_intent_rate_limit_exceeded": refusals.NOT_YET,
}
SETUP = frozenset(
    {
        "account_closed",
        "account_invalid",
        "api_key_expired",
        "livemode_mismatch",
        "platform_api_key_expired",
        "secret_key_required",
        "testmode_charges_only",
    }
)
TOO_SOON = "expires_at"  # the parameter that the error names; it has no code of its own
# Found out while the call executes, so Stripe keeps the answer for the key.
KEPT = frozenset({"balance_insufficient"})
REPLAYED = "idempotent-replayed"  # a header, on what Stripe has answered to this key before


@contextmanager
def translated() -> Iterator[None]:
    """Translate Stripe's refusals and unreadable answers into our errors."""
    import stripe

    try:
        yield
    except stripe.StripeError as error:
        raise meaning(error) from error
    except UNREADABLE as error:
        raise refusals.away(refusals.NO_SENSE) from error


def meaning(error: Any) -> FairgateError:
    """Return our error for one of Stripe's; an unknown one counts as temporary."""
    import stripe

    word = code(error)
    match error:
        case stripe.AuthenticationError() | stripe.PermissionError():
            return refusals.wrong_setup()
        case stripe.CardError():
            return refusals.refused("invalid", word)
        case stripe.InvalidRequestError():
            if word in SETUP:
                return refusals.wrong_setup()
            if word in TEMPORARY:
                return refusals.undecided(TEMPORARY[word])
            late = error.param == TOO_SOON
            return refusals.refused("too-late" if late else FINAL.get(word, "invalid"), word)
        case _:
            if isinstance(error, stripe.IdempotencyError):
                said: FairgateError = refusals.undecided()
            else:
                busy = isinstance(error, stripe.RateLimitError)
                said = refusals.busy() if busy else refusals.away()
            return said


def meaning_of_refund(error: Any) -> FairgateError:
    """Return our error for the answer to a refund; RefusedForNowError if the key keeps it.

    Stripe keeps the answer of a call that began to execute, even a refusal or a 500, for at least
    a day: with this key no refund is made any more. It does not keep earlier answers: rate limit
    (429), another call with the same key (409), other parameters than the key's.
    Source: Stripe API reference, "Idempotent requests"; docs.stripe.com/error-low-level.
    """
    import stripe

    ours = meaning(error)
    temporary = isinstance(ours, DependencyUnavailableError)
    if not temporary or isinstance(error, stripe.IdempotencyError):
        return ours
    headers = {name.lower(): value for name, value in error.headers.items()}
    if code(error) in KEPT or headers.get(REPLAYED) == "true":
        return refusals.refused_for_now(ours.detail)
    return ours


def code(error: Any) -> str:
    """Return Stripe's code of an error; "" if it has none."""
    word = error.code or getattr(error.error, "code", None)
    return word if isinstance(word, str) else ""
