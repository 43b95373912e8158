"""Word a provider's refusals for buyers: one text for each reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.errors import (
    DependencyUnavailableError,
    PaymentRefusedError,
    ProviderBusyError,
    ProviderSetupError,
    ProviderUndecidedError,
    RefusedForNowError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.ports.payments import Refund

RETRY_AFTER_S = 3
SETUP_RETRY_AFTER_S = 60  # a person has to act first

TEXTS: Mapping[str, str] = {
    "already-refunded": "This payment has already been given back.",
    "disputed": "The cardholder's bank is taking this payment back, so it cannot be refunded here.",
    "failed": "The refund was sent, and the bank returned it. Please contact the box office.",
    "invalid": "The payment provider does not accept this. Please contact the box office.",
    "too-late": "The time to pay for this order is over.",
    "too-old": "This payment is too old to be refunded to the card. Please contact the box office.",
    "unknown-payment": "The payment provider does not know this payment.",
}
AWAY = "The payment provider does not answer. Nothing was lost; please try again."
BUSY = "The payment provider is busy at the moment. Nothing was lost; please try again."
NOT_YET = "The payment provider has not finished this yet. Nothing was lost; please try again."
NO_SENSE = "The payment provider's answer cannot be read. Please try again."
SETUP = "Payments are not available at the moment. Nothing was lost; please try again later."
LOW_BALANCE = "The balance at the payment provider is too low for this refund; it is tried again."


def refused(reason: str, provider_code: str = "") -> PaymentRefusedError:
    return PaymentRefusedError(TEXTS[reason], reason=reason, provider_code=provider_code)


def came_back(refund: Refund) -> PaymentRefusedError:
    """Return the error that says that this refund was made and came back."""
    return PaymentRefusedError(
        TEXTS["failed"], reason="failed", provider_code=refund.reason, refund_id=refund.id
    )


def away(text: str = AWAY) -> DependencyUnavailableError:
    return DependencyUnavailableError(text, retry_after_s=RETRY_AFTER_S)


def busy() -> ProviderBusyError:
    return ProviderBusyError(BUSY, retry_after_s=RETRY_AFTER_S)


def undecided(text: str = NOT_YET) -> ProviderUndecidedError:
    return ProviderUndecidedError(text, retry_after_s=RETRY_AFTER_S)


def refused_for_now(text: str = LOW_BALANCE) -> RefusedForNowError:
    return RefusedForNowError(text, retry_after_s=RETRY_AFTER_S)


def wrong_setup() -> ProviderSetupError:
    return ProviderSetupError(SETUP, retry_after_s=SETUP_RETRY_AFTER_S)
