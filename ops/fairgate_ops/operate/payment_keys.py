"""Keep what the payment provider gave: its API key, its webhooks' secret, and the pair before."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from fairgate.domain.shared.jws import b64url
from fairgate.errors import (
    DependencyUnavailableError,
    MalformedInputError,
    PaymentRefusedError,
    ProviderSetupError,
    WrongStateError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fairgate.ports.payments import Payments
    from fairgate.ports.world import Clock, PaymentKeys, PaymentSecrets
    from fairgate.service.gate.rotate_keys import SecretDocument

# The secret's names, in ASCII as base64url; `_before` of the pair that was replaced.
_API_KEY, _WEBHOOK, _BEFORE = "payments", "webhook", "_before"
_NAMES = (_API_KEY, _WEBHOOK)
# Source: Stripe's documentation, API keys; and webhook endpoints' signing secrets.
_STRIPE = {_API_KEY: re.compile(r"(sk|rk)_(test|live)_\w+"), _WEBHOOK: re.compile(r"whsec_\w+")}
_LOOKED_BACK_MS = 60_000
NOBODYS = "pi_fairgate00000000nobody"


@dataclass(frozen=True, slots=True)
class OneKey:
    """The deployment's keys with an API key that is still to be written."""

    kept: PaymentSecrets
    api_key: bytes

    def payments(self) -> PaymentKeys:
        return replace(self.kept.payments(), payments=self.api_key)


def check_stripe_names(api_key: str, webhook_secret: str) -> None:
    """Raises MalformedInputError for what Stripe does not call its keys, swapped files first."""
    given = {_API_KEY: api_key, _WEBHOOK: webhook_secret}
    wrong = {name for name, text in given.items() if not _STRIPE[name].fullmatch(text)}
    if wrong and _STRIPE[_API_KEY].fullmatch(webhook_secret):
        raise MalformedInputError("The two files are swapped: nothing was written.")
    if _API_KEY in wrong:
        raise MalformedInputError(
            "This is no API key of Stripe: it begins with rk_live_, sk_live_, rk_test_ or sk_test_."
        )
    if _WEBHOOK in wrong:
        raise MalformedInputError(
            "This is no webhook secret of Stripe: it begins with whsec_, and the endpoint's page"
            " in the dashboard shows it."
        )


def ask_provider(payments: Payments, clock: Clock) -> None:
    """Let the provider answer for its API key: list the payments of the last minute, and free the
    money of a payment that does not exist, which changes nothing.

    Raises:
        WrongStateError: it refuses the key.
        DependencyUnavailableError: it does not answer.
    """
    try:
        next(iter(payments.captures(clock.now_ms() - _LOOKED_BACK_MS)), None)
        _free_nothing(payments)
    except (PaymentRefusedError, ProviderSetupError) as error:
        raise WrongStateError(
            "The payment provider refuses this API key, or a right that it needs (read"
            " charges and refunds, write payment intents): nothing was written."
        ) from error
    except DependencyUnavailableError as error:
        raise DependencyUnavailableError(
            "The payment provider does not answer, so nobody knows whether it takes this key:"
            " nothing was written. Please try again."
        ) from error


def _free_nothing(payments: Payments) -> None:
    """Raises ProviderSetupError for a key that may not write payment intents.

    Such a key is answered 403, others 404. Source: Stripe API reference, Errors. That rights
    are looked at before the payment is assumed.
    """
    try:
        payments.end_held(NOBODYS, take=False)
    except PaymentRefusedError as error:
        if error.fields["reason"] != "unknown-payment":
            raise


def keep_payment_keys(
    document: SecretDocument,
    *,
    api_key: str,
    webhook_secret: str,
    ask: Callable[[], None],
    dry_run: bool = False,
) -> list[str]:
    """Write both once the provider has answered for the key; the names they are kept under.

    The pair that they replace is kept beside them. Functions see it all within a minute.

    Raises:
        WrongStateError: the deployment has no keys yet; and whatever ``ask`` raises.
    """
    before, secret = _secret(document)
    ask()
    given = {_API_KEY: api_key, _WEBHOOK: webhook_secret}
    pair = {name: b64url(text.encode("ascii")) for name, text in given.items()}
    if not dry_run:
        _replace(document, before, secret, pair)
    return sorted(pair)


def bring_back_payment_keys(document: SecretDocument, *, dry_run: bool = False) -> list[str]:
    """Let the pair before be in force again, and keep this one in its place.

    Raises WrongStateError: there are no keys yet, or none was replaced.
    """
    before, secret = _secret(document)
    former = {name: secret.get(name + _BEFORE) for name in _NAMES}
    pair = {name: str(text) for name, text in former.items() if text}
    if len(pair) < len(_NAMES):
        raise WrongStateError("No pair of keys was replaced, so there is none to go back to.")
    if not dry_run:
        _replace(document, before, secret, pair)
    return sorted(pair)


def _secret(document: SecretDocument) -> tuple[str, dict[str, object]]:
    before = document.read()
    secret: dict[str, object] = json.loads(before)
    if _WEBHOOK not in secret:
        raise WrongStateError(
            "There are no keys yet. Make them with `fairgate keys init`; in a deployment of version"
            " 0.2.0 or older, `fairgate keys split`."
        )
    return before, secret


def _replace(
    document: SecretDocument,
    before: str,
    secret: Mapping[str, object],
    pair: Mapping[str, str],
) -> None:
    """Write the pair; the same one twice leaves the one before as it is."""
    now = {name: secret.get(name, "") for name in _NAMES}
    if now == pair:
        return
    former = {name + _BEFORE: text for name, text in now.items()}
    document.write(before, json.dumps({**secret, **pair, **former}))
