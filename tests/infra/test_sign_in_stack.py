"""Cognito as the provider: what is deployed for it, and that every stage can be synthesised."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from fairgate import settings
from infra.config import Config, ConfigError
from infra.example_options import example_options
from infra.identity import PAGES_CONFIG
from tests.infra.conftest import PROVIDER, ROOT, Assembly, built_gate, stand_in_layers, synthesise
from tests.support import needs

STACK = "SignIn"


def files(folder: Path) -> dict[str, str]:
    gate, _ = built_gate(folder)
    return {"layers": str(stand_in_layers(folder / "layers")), "gate": str(gate)}


@pytest.fixture(scope="module")
def prod(tmp_path_factory: pytest.TempPathFactory) -> Assembly:
    """As `make synth STAGE=prod` has it."""
    needs.node()
    folder = tmp_path_factory.mktemp("prod")
    ran = synthesise(folder / "cdk.out", {**example_options("prod"), **files(folder)}, folder)
    assert ran.status == 0, ran.said
    return Assembly(folder / "cdk.out", ran.said, gate_is_real=False)


def of(assembly: Assembly, kind: str) -> dict[str, Any]:
    ((stack, _), resource) = next(iter(assembly.resources(kind).items()))
    assert stack == STACK
    return resource


def test_a_buyer_has_a_verified_address_and_a_long_password(prod: Assembly) -> None:
    pool = of(prod, "AWS::Cognito::UserPool")["Properties"]
    assert pool["UsernameAttributes"] == ["email"]
    assert pool["AutoVerifiedAttributes"] == ["email"]
    assert pool["UserAttributeUpdateSettings"]["AttributesRequireVerificationBeforeUpdate"]
    assert pool["AdminCreateUserConfig"]["AllowAdminCreateUserOnly"] is False
    assert pool["Policies"]["PasswordPolicy"]["MinimumLength"] == 12
    assert pool["UsernameConfiguration"] == {"CaseSensitive": False}
    assert (pool["MfaConfiguration"], pool["EnabledMfas"]) == ("OPTIONAL", ["SOFTWARE_TOKEN_MFA"])
    assert pool["AccountRecoverySetting"]["RecoveryMechanisms"] == [
        {"Name": "verified_email", "Priority": 1}
    ]


def test_mails_are_sent_by_ses_and_not_fifty_a_day(prod: Assembly) -> None:
    mail = of(prod, "AWS::Cognito::UserPool")["Properties"]["EmailConfiguration"]
    assert (mail["EmailSendingAccount"], mail["From"]) == ("DEVELOPER", "tickets@example.org")
    assert "identity/tickets@example.org" in json.dumps(mail["SourceArn"])


def test_the_pages_client_has_no_secret_and_sends_back_to_the_distribution(prod: Assembly) -> None:
    client = of(prod, "AWS::Cognito::UserPoolClient")["Properties"]
    assert client["GenerateSecret"] is False
    assert client["AllowedOAuthFlows"] == ["code"]
    assert client["AllowedOAuthScopes"] == ["openid"]
    assert client["ExplicitAuthFlows"] == ["ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]
    assert client["PreventUserExistenceErrors"] == "ENABLED"
    for addresses in (client["CallbackURLs"], client["LogoutURLs"]):
        ((kind, (between, parts)),) = addresses[0].items()
        assert (kind, between, parts[0], parts[-1]) == ("Fn::Join", "", "https://", "/")
        assert "FrontDoorDistribution" in json.dumps(parts[1])


def test_the_sign_in_page_is_cognitos_own(prod: Assembly) -> None:
    assert of(prod, "AWS::Cognito::UserPoolDomain")["Properties"]["ManagedLoginVersion"] == 2
    branding = of(prod, "AWS::Cognito::ManagedLoginBranding")["Properties"]
    assert branding["UseCognitoProvidedValues"] is True
    assert {"Settings", "Assets"}.isdisjoint(branding)


def test_buyers_are_not_deleted_where_a_stage_sells(prod: Assembly) -> None:
    pool = of(prod, "AWS::Cognito::UserPool")
    assert pool["Properties"]["DeletionProtection"] == "ACTIVE"
    assert pool["DeletionPolicy"] == "RetainExceptOnCreate"
    assert pool["UpdateReplacePolicy"] == "Retain"


def test_the_function_and_the_doctor_know_the_provider_that_is_made(prod: Assembly) -> None:
    _, auth = next(
        (stack, made)
        for (stack, _), made in prod.resources("AWS::Lambda::Function").items()
        if made["Properties"].get("FunctionName") == "fairgate-prod-auth"
    )
    told = auth["Properties"]["Environment"]["Variables"]
    for variable in (
        settings.OIDC_ISSUER,
        settings.OIDC_CLIENT_ID,
        settings.OIDC_AUDIENCE,
        settings.OIDC_TOKEN_URL,
        settings.OIDC_JWKS_URL,
    ):
        assert "fairgate-prod-sign-in:" in json.dumps(told[variable])
    deployed = [
        value
        for parameter in prod.properties("AWS::SSM::Parameter")
        if "oidc_jwks_url" in (value := json.dumps(parameter["Value"]))
    ]
    assert "fairgate-prod-sign-in:" in deployed[0]


def test_the_pages_are_told_by_the_stack_that_knows(prod: Assembly) -> None:
    copies = {
        stack: made["Properties"]
        for (stack, _), made in prod.resources("Custom::CDKBucketDeployment").items()
    }
    assert set(copies) == {"Edge", STACK}
    assert copies["Edge"]["Exclude"] == [PAGES_CONFIG]  # by this it is not pruned, either
    assert copies[STACK]["Prune"] is False
    (file,) = prod.folder.glob(f"asset.*/{PAGES_CONFIG}")
    assert file.parent.name.removeprefix("asset.") in json.dumps(copies[STACK])
    text = file.read_text()  # with marks for what the deployment knows
    assert all(f'"{name}":<<marker' in text for name in ("issuer", "client_id", "authorize_url"))
    assert "/logout?logout_uri=" in json.dumps(copies[STACK]["SourceMarkers"])
    assert "max-age=5," in copies[STACK]["SystemMetadata"]["cache-control"]


def test_no_stack_leans_on_one_that_leans_on_it(prod: Assembly) -> None:
    manifest = json.loads((prod.folder / "manifest.json").read_text())["artifacts"]
    leans = {
        name: {d for d in made.get("dependencies", []) if not d.endswith(".assets")}
        for name, made in manifest.items()
        if made["type"] == "aws:cloudformation:stack"
    }
    assert "Edge" in leans[STACK]
    assert STACK not in leans["Edge"]
    assert STACK in leans["Api"]


def test_nothing_secret_stands_in_the_template(prod: Assembly) -> None:
    text = json.dumps(prod.templates()[STACK])
    assert "ClientSecret" not in text
    assert "SecretString" not in text


@pytest.mark.parametrize("stage", ["prod", "local"])
def test_every_stage_is_synthesised_offline_and_twice_the_same(stage: str, tmp_path: Path) -> None:
    needs.node()
    context = {**example_options(stage), **files(tmp_path)}
    made = []
    for number in range(2):
        folder = tmp_path / f"cdk.out.{number}"
        ran = synthesise(folder, context, tmp_path)
        assert ran.status == 0, ran.said
        made.append({p.name: p.read_text() for p in folder.glob("*.template.json")})
    assert made[0] == made[1]
    assert f"{STACK}.template.json" not in made[0] or stage == "prod"


def test_the_makefile_synthesises_with_them() -> None:
    said = subprocess.run(
        ["make", "--dry-run", "synth", "STAGE=prod"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "infra.example_options prod" in said
    assert "payments_provider=sandbox" not in said


@pytest.fixture
def read(tmp_path: Path) -> Any:
    stand_in_layers(tmp_path / "layers")
    (tmp_path / "gate.js").write_text("//")
    built = {"layers": str(tmp_path / "layers"), "gate": str(tmp_path / "gate.js")}
    plain = {**example_options("prod"), **built}
    return lambda **context: Config.from_context((plain | context).get, ROOT)


def test_cognito_is_all_that_a_sign_in_needs(read: Any) -> None:
    assert read().missing_sign_in_options() == []


@pytest.mark.parametrize(
    ("context", "text"),
    [
        ({"sign_in": "google"}, "sign_in is cognito"),
        ({"mail_sender": ""}, "50 a day"),
        ({"mail_identity": "example.net"}, "mail_identity is mail_sender or its domain"),
        ({"sign_in": "", "threat_protection": "on", **PROVIDER}, "goes with sign_in=cognito"),
        ({"sign_in": ""}, "oidc_issuer"),
        *(({option: value}, f"its own {option}") for option, value in PROVIDER.items()),
    ],
)
def test_half_a_provider_is_refused(read: Any, context: dict[str, str], text: str) -> None:
    with pytest.raises(ConfigError, match=text):
        read(**context)
