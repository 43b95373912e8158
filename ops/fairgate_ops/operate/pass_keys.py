"""Keep what Apple and Google gave an organiser for passes with the keys of tickets."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from fairgate.adapters.tickets.apple_pass import apple_pass, pass_ends_ms, pass_names
from fairgate.adapters.tickets.google_pass import google_pass
from fairgate.domain.tickets.ticket import TicketFace
from fairgate.errors import MalformedInputError, WrongStateError
from fairgate.ports.world import ApplePassKeys, GooglePassKeys

if TYPE_CHECKING:
    from fairgate.service.gate.rotate_keys import SecretDocument

_ISSUER = re.compile(r"[0-9]{6,32}")
_TRIED = TicketFace("Event", "Venue", "Floor", "Standing", "tkt_0", "FG1", 1, 1)


def apple_keys(
    organisation: str, certificate: str, key: str, intermediate: str, now_ms: int
) -> tuple[ApplePassKeys, str]:
    """Return the keys and what they are for, once a pass could be signed by them.

    Raises MalformedInputError: they do not fit to each other, or the certificate has ended.
    """
    from cryptography import x509
    from cryptography.exceptions import InvalidSignature

    keys = ApplePassKeys(organisation, certificate, key, intermediate)
    try:
        own, between = (
            x509.load_pem_x509_certificate(text.encode()) for text in (certificate, intermediate)
        )
        pass_type, team = pass_names(certificate)
        own.verify_directly_issued_by(between)
        apple_pass(_TRIED, keys)
        _require_pair(own, key)
    except (InvalidSignature, TypeError, ValueError) as error:
        why = str(error) or "the intermediate certificate did not sign the one for passes"
        raise MalformedInputError(f"These are no keys for Apple's passes: {why}.") from error
    if pass_ends_ms(certificate) <= now_ms:
        raise MalformedInputError(
            f"The certificate ended at {own.not_valid_after_utc:%Y-%m-%d}: ask Apple for a new one."
        )
    return keys, f"{pass_type} of team {team}, until {own.not_valid_after_utc:%Y-%m-%d}"


def google_keys(organisation: str, account: str, issuer: str) -> tuple[GooglePassKeys, str]:
    """Return the keys and what they are for, once a link could be signed by them.

    Args:
        account: the JSON file of the service account's key.

    Raises MalformedInputError.
    """
    try:
        document = json.loads(account)
        mail, key = str(document["client_email"]), str(document["private_key"])
    except (ValueError, LookupError, TypeError) as error:
        raise MalformedInputError(
            "This is no key of a service account: Google makes a JSON file with client_email and"
            " private_key."
        ) from error
    from jwt.exceptions import InvalidKeyError

    if not _ISSUER.fullmatch(issuer):
        raise MalformedInputError("The issuer's id is a number; Google's console shows it.")
    keys = GooglePassKeys(organisation, issuer, mail, key)
    try:
        google_pass(_TRIED, keys, origin="https://example.org", now_s=0)
    except (InvalidKeyError, TypeError, ValueError) as error:
        raise MalformedInputError("The service account's private_key is no RSA key.") from error
    return keys, f"issuer {issuer}, {mail}"


def keep_pass_keys(
    secret: SecretDocument,
    apple: ApplePassKeys | None,
    google: GooglePassKeys | None,
    *,
    dry_run: bool = False,
) -> list[str]:
    """Write those that are given beside the tickets' keys. Return their names.

    Raises WrongStateError: there are no tickets' keys yet. VersionConflictError: somebody else has
    written meanwhile.
    """
    before = secret.read()
    document: dict[str, Any] = json.loads(before)
    if "ticket" not in document:
        raise WrongStateError("There are no keys yet: `fairgate keys init` makes them.")
    given = {"apple_pass": apple, "google_pass": google}
    new = {name: to_builtins(keys) for name, keys in given.items() if keys is not None}
    if not dry_run:
        secret.write(before, json.dumps(document | new))
    return sorted(new)


def _require_pair(certificate: Any, key: str) -> None:
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    own = load_pem_private_key(key.encode(), password=None).public_key()
    if own != certificate.public_key():
        raise ValueError("the key is not the certificate's")
