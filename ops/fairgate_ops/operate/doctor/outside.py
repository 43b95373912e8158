"""Check from outside, as buyers and the provider come: pages, sign-in, webhook, the edge."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fairgate.adapters.tickets.apple_pass import pass_ends_ms
from fairgate.domain.shared.account import CANARY
from fairgate.domain.shared.jws import b64url
from fairgate.http.paths import PAYMENT_WEBHOOK
from fairgate_ops.operate.doctor.finding import Finding, Mend, good, off, unseen, wrong
from fairgate_ops.operate.doctor.site import UnreachableError

if TYPE_CHECKING:
    from fairgate_ops.operate.doctor.site import Answer, Site

_PROBLEM = b"urn:fairgate:problem:"
_REFUSED = (HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED)
_OVER = ("draining", "soldout", "closed")  # nobody new may join, as in edge/gate/src/handler.js
_SIGNATURE_CHARS = 43
_DAY_MS = 86_400_000
RENEW_PASS_DAYS = 30
_HEAD, _CLAIMS = b'{"typ":"JWT","alg":"HS256","kid":"doctor"}', b'{"sub":"doctor","exp":1}'


def pages(site: Site) -> Iterator[Finding]:
    answer = site.fetch(f"{site.public_url}/")
    if answer.status == HTTPStatus.OK and b"<html" in answer.body.lower():
        yield good("pages", f"{site.public_url} shows the first page.")
    else:
        mend = Mend("Is the domain pointed at the distribution, and Edge deployed?", "DNS", "hours")
        yield wrong("pages", f"{site.public_url} answers {answer.status} without a page.", mend)


def identity(site: Site) -> Iterator[Finding]:
    """Read the provider's keys, as our function does; from this machine, not from there."""
    if site.client is None:
        jwks_url = f"{site.public_url}/idp/jwks.json"
    else:
        jwks_url = site.deployed.get("oidc_jwks_url", "")
    mend = Mend("Deploy with the options oidc_… (docs/deploying.md).", "cdk", "minutes")
    if not jwks_url:
        yield wrong("identity provider", "None is configured: nobody can sign in.", mend)
        return
    answer = site.fetch(jwks_url)
    if answer.status != HTTPStatus.OK or not _has_keys(answer):
        text = f"{jwks_url} answers {answer.status} without keys for RS256: nobody can sign in."
        yield wrong("identity provider", text, mend)
    else:
        yield good("identity provider", f"{jwks_url} has its keys.")


def _has_keys(answer: Answer) -> bool:
    from fairgate.adapters.identity.oidc import keys_of

    try:
        return bool(keys_of(answer.body))
    except (ValueError, RecursionError):
        return False


def issuer(site: Site) -> Iterator[Finding]:
    """Compare how the pages call the provider with how it calls itself, and how it signs.

    Source: OpenID Connect Discovery 1.0, section 4.
    """
    subject = "provider's name"
    mend = Mend("Deploy with the options oidc_… as its discovery document has them.", "cdk")
    told = _object(site.fetch(f"{site.public_url}/config.json")).get("identity")
    name = told.get("issuer") if isinstance(told, dict) else None
    if not isinstance(name, str):
        yield wrong(subject, "The pages are told of no provider: nobody can sign in.", mend)
        return
    answer = site.fetch(f"{name.rstrip('/')}/.well-known/openid-configuration")
    if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        yield unseen(subject, f"{name} answers {answer.status}.", "Run it again.")
        return
    described = _object(answer)
    signs = described.get("id_token_signing_alg_values_supported")
    if not described.get("issuer"):
        yield off(subject, f"{name} does not describe itself.", "Sign in once yourself.")
    elif described["issuer"] != name:
        text = f"It calls itself {described['issuer']} and we {name}: every sign-in is refused."
        yield wrong(subject, text, mend)
    elif isinstance(signs, list) and "RS256" not in signs:
        text = f"{name} does not sign with RS256: every sign-in is refused."
        yield wrong(subject, text, Mend("Let the client's tokens be RS256.", "the provider"))
    else:
        yield good(subject, f"{name}, as it calls itself.")


def accounts(site: Site) -> Iterator[Finding]:
    """Compare what events require of accounts with what the provider's sign-ins say of them."""
    subject = "requirements of accounts"
    required = {
        sale.id: needs
        for sale in site.events
        if any(
            (
                needs := {
                    ("since", "account_created_claim"): sale.account_days,
                    ("verified_phone", "phone_claim"): sale.verified_phone,
                    ("memberships", "membership_claim"): sale.members not in ("", CANARY),
                }
            ).values()
        )
    }
    if not required:
        yield good(subject, "No event requires anything.")
        return
    told = _object(site.fetch(f"{site.public_url}/config.json")).get("identity")
    said = told.get("account") if isinstance(told, dict) else None
    known = said if isinstance(said, list) else []
    for event, needs in required.items():
        missing = [option for (fact, option), need in needs.items() if need and fact not in known]
        if missing:
            text = f"{event} is open to nobody: sign-ins do not say what it requires."
            yield wrong(subject, text, Mend(f"Deploy with -c {' -c '.join(missing)}.", "cdk"))
        else:
            yield good(subject, f"Sign-ins say what {event} requires.")


def passes(site: Site) -> Iterator[Finding]:
    """Compare the passes that buyers are offered with the keys; Apple's certificate ends yearly."""
    subject = "wallet passes"
    try:
        told = _object(site.fetch(f"{site.public_url}/config.json")).get("passes") or []
    except UnreachableError:  # which the line of the provider says
        told = []
    if not told:
        yield off(subject, "None are offered.", "-c passes=… offers them.")
        return
    keys = site.target.world.secrets.tickets()
    mend = Mend("Store its keys, or take it out of -c passes=….", "fairgate keys passes")
    lacking = [
        wallet
        for wallet, kept in (("apple", keys.apple_pass), ("google", keys.google_pass))
        if wallet in told and kept is None
    ]
    if lacking:
        yield wrong(subject, f"Buyers are offered {lacking[0]}, which has no keys here.", mend)
    elif keys.apple_pass is not None:
        ends_ms = pass_ends_ms(keys.apple_pass.certificate)
        left_days = (ends_ms - site.target.world.clock.now_ms()) // _DAY_MS
        renew = Mend("Ask Apple for a new certificate.", "developer.apple.com", "a day")
        if left_days < RENEW_PASS_DAYS:
            yield wrong(subject, f"Apple's certificate ends in {left_days} days.", renew)
        else:
            yield good(subject, f"Apple's certificate ends in {left_days} days.")
    else:
        yield good(subject, f"The keys of {told[0]} are there.")


def _object(answer: Answer) -> dict[str, Any]:
    try:
        document = answer.json()
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def webhook(site: Site) -> Iterator[Finding]:
    """Send what is not signed: our function refuses it, and anything before it answers otherwise.

    What the provider itself sends is not seen: its dashboard says whether it knows the address.
    """
    url = site.public_url + PAYMENT_WEBHOOK
    answer = site.fetch(url, method="POST", body=json.dumps({"type": "doctor"}).encode())
    if answer.status in _REFUSED and _PROBLEM in answer.body:
        yield good("webhook", f"{url} reaches us: what is not signed is refused.")
    elif answer.status < HTTPStatus.BAD_REQUEST:
        mend = Mend("Pause the sale: every caller is believed.", "fairgate event pause", "now")
        yield wrong("webhook", f"{url} took what nobody signed ({answer.status}).", mend)
    else:
        mend = Mend("Do the route, the function and its keys work?", "the log of orders", "minutes")
        yield wrong("webhook", f"{url} answers {answer.status}: payments do not reach us.", mend)


def edge(site: Site) -> Iterator[Finding]:
    """Ask the nearest edge about each event with a sign-in that nobody signed.

    If it has the event's value, it refuses that, 401, or answers 410 where nobody new is taken in;
    if it has none, 404. How long a change takes to get there is measured by
    fairgate_ops.operate.gate_check, which writes.
    """
    if not site.events:
        yield off("values at the edge", "There is no event yet.")
    nobody = f"{b64url(_HEAD)}.{b64url(_CLAIMS)}.{'A' * _SIGNATURE_CHARS}"
    for sale in site.events:
        subject = f"value at the nearest edge, {sale.id}"
        answer = site.fetch(
            f"{site.public_url}/api/events/{sale.id}/queue", method="POST", bearer=nobody
        )
        if answer.status == HTTPStatus.UNAUTHORIZED:
            yield good(subject, "It is there.")
        elif answer.status == HTTPStatus.GONE and sale.state in _OVER:
            yield good(subject, f"It is there, and says that the sale is {sale.state}.")
        elif answer.status == HTTPStatus.NOT_FOUND and sale.state == "draft":
            yield good(subject, "It is a draft: the edge answers as for an unknown event.")
        elif answer.status == HTTPStatus.NOT_FOUND:
            mend = Mend("Wait two minutes; then compare store and catalogue.", "above", "minutes")
            yield wrong(subject, "The edge does not know the event.", mend)
        else:
            yield unseen(subject, f"The edge answers {answer.status}.", "Run it again.")
