"""A stage whose deployment makes the identity provider, whole: a buyer signs up, and has a ticket.

The names under amazoncognito.com and amazonaws.com lead to AWS: functions ask the emulator instead
(additions/cloudformation.py), and its own pages stand for Cognito's.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from urllib.parse import urlencode, urlsplit

import pytest

from emulator import sale
from fairgate.http import paths
from fairgate_lab.emulator.system import STAGE, EmulatedSystem
from fairgate_ops.run.local.authorization_codes import challenge_of
from fairgate_ops.run.local.guest_sign_in import FORM, guest_sign_in
from infra.naming import sign_in_parameter
from tests.e2e.shopper import Shopper, call
from tests.support.lengths import in_full_only

pytestmark = in_full_only("a second deployment, with a user pool of its own")
BUYER, PASSWORD = "buyer@example.org", secrets.token_urlsafe(12)


@pytest.fixture(scope="module")
def stage(runnable: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmulatedSystem]:
    folder = tmp_path_factory.mktemp("cognito") / "run"
    with EmulatedSystem(folder, sign_in="cognito", say=print) as system:
        sale.open_events(system)
        cognito = system.client("cognito-idp")
        cognito.sign_up(
            ClientId=told(system, "client"),
            Username=BUYER,
            Password=PASSWORD,
            UserAttributes=[{"Name": "email", "Value": BUYER}],
        )
        cognito.admin_confirm_sign_up(UserPoolId=told(system, "pool"), Username=BUYER)
        cognito.update_user_pool_client(
            **client_of(system), CallbackURLs=[*registered(system), f"{system.base_url}/"]
        )
        yield system


def told(system: EmulatedSystem, what: str) -> str:
    parameters = system.client("ssm")
    found = parameters.get_parameter(Name=sign_in_parameter(STAGE, what))
    return str(found["Parameter"]["Value"])


def client_of(system: EmulatedSystem) -> dict[str, str]:
    return {"UserPoolId": told(system, "pool"), "ClientId": told(system, "client")}


def registered(system: EmulatedSystem) -> list[str]:
    """Return where the pool may send buyers back to."""
    known = system.client("cognito-idp").describe_user_pool_client(**client_of(system))
    return list(known["UserPoolClient"]["CallbackURLs"])


def test_pages_send_buyers_to_the_pool_of_this_deployment(stage: EmulatedSystem) -> None:
    identity = call(stage.base_url, "GET", "/config.json").body["identity"]
    assert identity["client_id"] == told(stage, "client")
    assert identity["issuer"].endswith(f"/{told(stage, 'pool')}")
    pages = urlsplit(identity["authorize_url"])
    assert pages.hostname is not None
    assert pages.hostname.startswith(f"{told(stage, 'domain')}.auth.")
    assert pages.path == "/oauth2/authorize"
    own = json.loads(stage.parameter("operator"))["public_url"]
    assert f"{own}/" in registered(stage)
    policy = call(stage.base_url, "GET", "/").headers["content-security-policy"]
    assert "amazoncognito" not in policy  # the token is exchanged by our own function


def test_a_buyer_of_the_pool_has_a_ticket(stage: EmulatedSystem) -> None:
    buyer = signed_in(stage)
    assert buyer.queue().status == 200
    buyer.wait_for_admission(sale.ADMITTED_WITHIN_S)
    sale.hold_free(stage, buyer, 1)
    assert buyer.checkout().status == 201
    buyer.pay()
    assert buyer.order_becomes("ticketed")["tickets"] == 1


def test_a_code_of_the_pool_counts_once(stage: EmulatedSystem) -> None:
    buyer = Shopper(stage.base_url, sale.EVENT)
    wanted = code_for(stage)
    assert buyer.call("POST", paths.AUTH_EXCHANGE, wanted).status == 200
    assert buyer.call("POST", paths.AUTH_EXCHANGE, wanted).status == 401


def signed_in(system: EmulatedSystem) -> Shopper:
    buyer = Shopper(system.base_url, sale.EVENT)
    exchanged = buyer.call("POST", paths.AUTH_EXCHANGE, code_for(system))
    assert exchanged.status == 200, exchanged
    buyer.auth = {"authorization": f"Bearer {exchanged.body['token']}"}
    return buyer


def code_for(system: EmulatedSystem) -> dict[str, str]:
    """Sign in on the pool's page; the body for ``/api/auth/exchange``."""
    begun = guest_sign_in(system.base_url, BUYER, secrets.token_hex)
    asked = {
        "response_type": "code",
        "client_id": told(system, "client"),
        "redirect_uri": f"{system.base_url}/",
        "scope": "openid",
        "state": begun.state,
        "nonce": begun.nonce,
        "code_challenge": challenge_of(begun.verifier),
        "code_challenge_method": "S256",
        "username": BUYER,
        "password": PASSWORD,
    }
    back = call(system.endpoint, "POST", "/login", urlencode(asked).encode(), FORM)
    assert back.status == 302, back
    return begun.exchange(back.headers["location"])
