"""What a deployment says of signing in: to the pages, to the function, and to who deploys it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairgate import settings
from fairgate.settings import signed_in_uri
from infra.config import PROVIDER_ADDRESSES, Config
from infra.identity import PAGES_CONFIG, account_claims, identity_is_configured, pages_config
from infra.option_values import ConfigError
from tests.infra.conftest import ROOT, Assembly, stand_in_layers
from tests.infra.stages import PROVIDER


@pytest.fixture
def read(tmp_path: Path) -> Any:
    """Read a configuration from its context."""
    stand_in_layers(tmp_path / "layers")
    for name in ("gate.js", "index.html"):
        (tmp_path / name).write_text("//")
    built = {
        "layers": str(tmp_path / "layers"),
        "gate": str(tmp_path / "gate.js"),
        "web": str(tmp_path),
    }
    plain = {"stage": "test", "payments_provider": "sandbox", **built}
    return lambda **context: Config.from_context((plain | context).get, ROOT)


def test_the_pages_are_told_where_to_sign_in(read: Any) -> None:
    config = read(**PROVIDER, oidc_sign_out_url="https://id.example/logout")
    assert identity_is_configured(config)
    assert pages_config(config) == {
        "identity": {
            "issuer": "https://id.example",
            "client_id": "tickets",
            "authorize_url": "https://id.example/authorize",
            "redirect_uri": "",
            "sign_out_url": "https://id.example/logout",
            "sign_out_return": "post_logout_redirect_uri",
            "hint_subject": False,
        },
        "test_stage": True,
    }


def test_the_pages_and_the_function_know_which_claims_say_more_about_an_account(read: Any) -> None:
    claims = {"phone_claim": "phone_number_verified", "membership_claim": "https://club.example/in"}
    config = read(**PROVIDER, **claims)
    told = pages_config(config)["identity"]
    assert told["scope"] == "openid phone"
    assert told["account"] == ["verified_phone", "memberships"]
    assert account_claims(config)[settings.PHONE_CLAIM] == "phone_number_verified"
    with pytest.raises(ConfigError, match="membership_claim is the name"):
        read(**PROVIDER, membership_claim="a claim")


@pytest.mark.parametrize("option", ["account_created_claim", "phone_claim"])
def test_the_pool_of_the_deployment_says_nothing_of_phones_and_ages(read: Any, option: str) -> None:
    assert read(sign_in="cognito", membership_claim="cognito:groups").membership_claim
    with pytest.raises(ConfigError, match=f"{option} needs a provider of yours"):
        read(sign_in="cognito", **{option: "claim"})


def test_the_provider_sends_back_to_the_domain_where_there_is_one(read: Any) -> None:
    named = read(**PROVIDER, domain="tickets.example", certificate_arn="arn:aws:acm:us-east-1:x")
    back = pages_config(named)["identity"]["redirect_uri"]
    assert back == signed_in_uri("https://tickets.example") == "https://tickets.example/"


def test_a_stage_that_sells_does_not_say_that_it_may_be_put_under_load(read: Any) -> None:
    sells = read(**PROVIDER, stage="prod", payments_provider="stripe", zones="euc1-az1,euc1-az2")
    assert "test_stage" not in pages_config(sells)


@pytest.mark.parametrize("option", PROVIDER)
def test_nobody_is_sent_half_the_way_when_an_option_is_missing(read: Any, option: str) -> None:
    config = read(**{name: value for name, value in PROVIDER.items() if name != option})
    assert config.missing_sign_in_options() == [option]
    assert not identity_is_configured(config)
    assert pages_config(config) == {"identity": None, "test_stage": True}


def test_the_audience_is_the_client_unless_somebody_says_another(read: Any) -> None:
    assert read(**PROVIDER).oidc_audience == "tickets"
    assert read(**PROVIDER, oidc_audience="shop").oidc_audience == "shop"
    assert (
        read(**(PROVIDER | {"oidc_client_id": ""}), oidc_audience="shop").oidc_client_id == "shop"
    )


@pytest.mark.parametrize("option", PROVIDER_ADDRESSES)
@pytest.mark.parametrize(
    "url",
    [
        "http://id.example/",
        "http://127.0.0.1.example/",
        "id.example",
        "https:///x",
        "https://a@b/",
        "https://a/#b",
    ],
)
def test_an_address_of_the_provider_is_refused_when_it_is_not_https(
    read: Any, option: str, url: str
) -> None:
    with pytest.raises(ConfigError, match=f"{option} must be an https address"):
        read(**(PROVIDER | {option: url}))


def test_the_file_is_the_one_that_the_pages_read() -> None:
    script = (ROOT / "edge/web/assets/js/api.js").read_text()
    assert f"config: file('/{PAGES_CONFIG}', 'Config')" in script


def test_the_deployment_copies_the_file_beside_the_pages(assembly: Assembly) -> None:
    (file,) = assembly.folder.glob(f"asset.*/{PAGES_CONFIG}")
    written = json.loads(file.read_text())["identity"]
    assert written["client_id"] == PROVIDER["oidc_client_id"]
    assert written["authorize_url"] == PROVIDER["oidc_authorize_url"]
    asset = file.parent.name.removeprefix("asset.")
    copies = assembly.properties("Custom::CDKBucketDeployment")
    assert [asset in str(copied["SourceObjectKeys"]) for copied in copies].count(True) == 1


def test_the_function_is_told_how_to_redeem_a_code(assembly: Assembly) -> None:
    told = {
        name: function["Environment"]["Variables"]
        for name, (_, function) in assembly.functions().items()
    }
    auth = {name: value for name, value in told["auth"].items() if "OIDC" in name}
    assert auth == {
        settings.OIDC_ISSUER: PROVIDER["oidc_issuer"],
        settings.OIDC_CLIENT_ID: "tickets",
        settings.OIDC_AUDIENCE: "tickets",
        settings.OIDC_TOKEN_URL: PROVIDER["oidc_token_url"],
        settings.OIDC_JWKS_URL: PROVIDER["oidc_jwks_url"],
    }
    assert not [n for n, said in told.items() if n != "auth" and any("OIDC" in v for v in said)]
