"""Keep the secret that the identity provider wants of us with the deployment's keys."""

from __future__ import annotations

import http.client
import json
import secrets
from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus, urlencode, urlsplit

from fairgate.adapters.identity.provider_calls import call_provider
from fairgate.domain.shared.jws import b64url
from fairgate.errors import DependencyUnavailableError, MalformedInputError, WrongStateError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fairgate.service.gate.rotate_keys import SecretDocument

    Call = Callable[[str, bytes | None, Mapping[str, str] | None], tuple[int, bytes]]

_NAME, _BEFORE = "oidc_client_secret", "oidc_client_secret_before"
_FORM = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
_UNKNOWN_CODE = "a-code-that-nobody-was-given"
_REFUSED = "invalid_client"  # RFC 6749, section 5.2


@dataclass(frozen=True, slots=True)
class Client:
    """Who we are at the provider, and where it redeems codes."""

    client_id: str
    token_url: str
    redirect_uri: str


def read_client(public_url: str, call: Call = call_provider) -> Client:
    """Learn it as the pages and any OpenID client do: from config.json, then by discovery.

    Raises:
        WrongStateError: the deployment names no provider, or it describes itself otherwise.
        DependencyUnavailableError: one of both does not answer.

    Source: OpenID Connect Discovery 1.0, section 4.
    """
    config = _document(f"{public_url}/config.json", call)
    identity = config.get("identity")
    if not isinstance(identity, dict):
        raise WrongStateError("The deployment names no identity provider: -c oidc_issuer=… first.")
    issuer = str(identity["issuer"])
    found = _document(issuer.rstrip("/") + "/.well-known/openid-configuration", call)
    token_url = str(found.get("token_endpoint", ""))
    same_scheme = urlsplit(token_url).scheme == urlsplit(issuer).scheme
    if found.get("issuer") != issuer or not same_scheme:
        raise WrongStateError(
            f"{issuer} describes itself as another provider: nobody shows it a secret."
        )
    redirect_uri = str(identity.get("redirect_uri") or f"{public_url}/")
    return Client(str(identity["client_id"]), token_url, redirect_uri)


def ask_provider(client: Client, secret: str, call: Call = call_provider) -> None:
    """Let the provider answer for the secret, by a code that nobody was given.

    A secret that is wrong for certain is shown beside it: a provider that answers both alike, as
    one does that looks at the code first, cannot be asked.

    Raises:
        WrongStateError: it refuses the secret; or it cannot be asked.
        DependencyUnavailableError: it does not answer.
    """
    answer = _shown(client, secret, call)
    if answer[1] == _REFUSED:
        raise WrongStateError(
            "The identity provider refuses this secret for the client"
            f" {client.client_id}: nothing was written."
        )
    if answer == _shown(client, secrets.token_urlsafe(24), call):
        raise WrongStateError(
            "The identity provider answers a wrong secret as it answers this one"
            f" ({answer[0]} {answer[1] or 'without a reason'}), so it cannot be asked: nothing was"
            " written. --unasked writes it; then sign in once yourself, and go --back where that"
            " fails."
        )


def _shown(client: Client, secret: str, call: Call) -> tuple[int, str]:
    """Return the status and the error's word for a code that does not exist."""
    pair = f"{quote_plus(client.client_id)}:{quote_plus(secret)}"
    form = {
        "grant_type": "authorization_code",
        "code": _UNKNOWN_CODE,
        "redirect_uri": client.redirect_uri,
        "client_id": client.client_id,
        "code_verifier": secrets.token_urlsafe(32),
    }
    headers = {**_FORM, "authorization": f"Basic {b64encode(pair.encode()).decode()}"}
    status, body = _asked(client.token_url, call, urlencode(form).encode(), headers)
    if (
        status == http.client.TOO_MANY_REQUESTS
        or not http.client.OK <= status < http.client.INTERNAL_SERVER_ERROR
    ):
        raise _silent(client.token_url, str(status))
    word = _json(body).get("error")
    return status, word if isinstance(word, str) and word.isascii() and word.isprintable() else ""


def _document(url: str, call: Call) -> dict[str, Any]:
    status, body = _asked(url, call, None, None)
    if status != http.client.OK:
        raise _silent(url, str(status))
    return _json(body)


def _asked(
    url: str, call: Call, form: bytes | None, headers: Mapping[str, str] | None
) -> tuple[int, bytes]:
    try:
        return call(url, form, headers)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _silent(url, type(error).__name__) from error


def _silent(url: str, why: str) -> DependencyUnavailableError:
    return DependencyUnavailableError(
        f"{url} does not answer as it should ({why}), so nobody knows whether the provider takes"
        " this secret: nothing was written. Please try again."
    )


def _json(body: bytes) -> dict[str, Any]:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def checked(text: str) -> str:
    """Return the secret without its line end. Raises MalformedInputError for what is none."""
    secret = text.strip("\r\n")
    # Source: RFC 6749, appendix A.2: printable ASCII.
    if not secret or len(secret) > _CHARS_MAX or not (secret.isascii() and secret.isprintable()):
        raise MalformedInputError("This is no client secret: it is one line of printable ASCII.")
    return secret


_CHARS_MAX = 512


def keep_client_secret(
    document: SecretDocument, secret: str, ask: Callable[[], None], *, dry_run: bool = False
) -> None:
    """Write it once the provider has answered for it, and keep the former beside it.

    Functions see it within a minute.

    Raises whatever ``ask`` raises.
    """
    ask()
    if not dry_run:
        _replace(document, b64url(secret.encode("ascii")))


def bring_back_client_secret(document: SecretDocument, *, dry_run: bool = False) -> None:
    """Let the former be in force again, and keep this one in its place; none is one, too.

    Raises WrongStateError: none was replaced.
    """
    former = json.loads(document.read()).get(_BEFORE)
    if former is None:
        raise WrongStateError("No client secret was replaced, so there is none to go back to.")
    if not dry_run:
        _replace(document, str(former))


def _replace(document: SecretDocument, secret: str) -> None:
    """Write it; the same one twice leaves the one before as it is."""
    before = document.read()
    kept = json.loads(before)
    now = str(kept.get(_NAME, ""))
    if now != secret:
        document.write(before, json.dumps({**kept, _NAME: secret, _BEFORE: now}))
