"""Amazon Cognito as the provider: one deployment, and buyers can sign in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairgate import settings
from infra.config import Config
from infra.identity import PAGES_CONFIG, cognito_provider, pages_config
from infra.option_values import ConfigError
from tests.support import gate_build, needs

from .conftest import ROOT, Assembly, stand_in_layers
from .stages import NAGGED, PROVIDER, Stages

STAGE = "shop"
SELLS = {"stage": STAGE, **NAGGED[STAGE]}
Resources = dict[str, Any]


@pytest.fixture(scope="module")
def sold(stages: Stages) -> Assembly:
    """A stage that sells, with nothing said of a provider but that it is Cognito."""
    return Assembly(stages.folder / STAGE, stages.said, gate_build.missing() is None)


@pytest.fixture
def read(tmp_path: Path) -> Any:
    """Read a configuration from its context."""
    stand_in_layers(tmp_path / "layers")
    (tmp_path / "gate.js").write_text("//")
    built = {"layers": str(tmp_path / "layers"), "gate": str(tmp_path / "gate.js")}
    built |= {"web": "edge/web"}
    return lambda **context: Config.from_context((SELLS | built | context).get, ROOT)


def stack_of(config: Config) -> dict[str, dict[str, Any]]:
    """The resources of the stack alone, the first of each type."""
    stack = needs.cdk("infra.stacks.sign_in").SignInStack
    from aws_cdk import App
    from aws_cdk.assertions import Template

    found = Template.from_stack(stack(App(), "SignIn", config)).to_json()["Resources"]
    return {each["Type"]: each for each in reversed(found.values())}


def only(sold: Assembly, kind: str) -> tuple[str, dict[str, Any]]:
    (((stack, _), resource),) = sold.resources(kind).items()
    return stack, resource


def text_of(value: Any, parameters: dict[str, Any]) -> str:
    """What a property says, with each parameter's name in the place of its value."""
    if isinstance(value, str):
        return value
    if "Ref" in value:
        told = parameters.get(value["Ref"], {}).get("Default", value["Ref"])
        return f"<{told}>"
    assert "Fn::Join" in value, value
    between, parts = value["Fn::Join"]
    return str(between).join(text_of(part, parameters) for part in parts)


# --- who may sign in


def test_buyers_make_accounts_of_their_own_and_their_address_is_verified(sold: Assembly) -> None:
    stack, pool = only(sold, "AWS::Cognito::UserPool")
    assert stack == "SignIn"
    told = pool["Properties"]
    assert told["AdminCreateUserConfig"]["AllowAdminCreateUserOnly"] is False
    assert told["UsernameAttributes"] == told["AutoVerifiedAttributes"] == ["email"]
    assert told["UserAttributeUpdateSettings"] == {
        "AttributesRequireVerificationBeforeUpdate": ["email"]
    }
    assert told["UsernameConfiguration"] == {"CaseSensitive": False}
    assert told["AccountRecoverySetting"]["RecoveryMechanisms"] == [
        {"Name": "verified_email", "Priority": 1}
    ]
    assert told["MfaConfiguration"] == "OPTIONAL"
    assert told["EnabledMfas"] == ["SOFTWARE_TOKEN_MFA"]
    assert told["Policies"]["PasswordPolicy"]["MinimumLength"] >= 10


def test_mail_goes_by_the_operators_own_sender_because_cognito_sends_fifty_a_day(
    sold: Assembly, read: Any
) -> None:
    _, pool = only(sold, "AWS::Cognito::UserPool")
    mail = pool["Properties"]["EmailConfiguration"]
    assert (mail["EmailSendingAccount"], mail["From"]) == ("DEVELOPER", "tickets@shop.example")
    assert text_of(mail["SourceArn"], {}).endswith(":identity/tickets@shop.example")
    of_domain = stack_of(read(mail_identity="shop.example"))["AWS::Cognito::UserPool"]
    arn = of_domain["Properties"]["EmailConfiguration"]["SourceArn"]
    assert text_of(arn, {}).endswith(":identity/shop.example")
    tried = read(stage="test", mail_sender="", payments_provider="sandbox")
    plain = stack_of(tried)["AWS::Cognito::UserPool"]["Properties"]
    assert plain["EmailConfiguration"] == {"EmailSendingAccount": "COGNITO_DEFAULT"}


def test_accounts_outlive_a_stage_that_sells_and_no_other(sold: Assembly, read: Any) -> None:
    _, pool = only(sold, "AWS::Cognito::UserPool")
    assert pool["Properties"]["DeletionProtection"] == "ACTIVE"
    assert (pool["DeletionPolicy"], pool["UpdateReplacePolicy"]) == (
        "RetainExceptOnCreate",
        "Retain",
    )
    manifest = json.loads((sold.folder / "manifest.json").read_text())["artifacts"]
    assert manifest["SignIn"]["properties"]["terminationProtection"] is True
    tried = stack_of(read(stage="test"))["AWS::Cognito::UserPool"]
    assert tried["Properties"]["DeletionProtection"] == "INACTIVE"
    assert tried["DeletionPolicy"] == "Delete"


def test_leaked_passwords_are_refused_and_nobody_is_for_a_strange_device(
    sold: Assembly, read: Any
) -> None:
    _, pool = only(sold, "AWS::Cognito::UserPool")
    assert pool["Properties"]["UserPoolTier"] == "PLUS"
    assert pool["Properties"]["UserPoolAddOns"] == {"AdvancedSecurityMode": "ENFORCED"}
    _, threats = only(sold, "AWS::Cognito::UserPoolRiskConfigurationAttachment")
    told = threats["Properties"]
    assert told["ClientId"] == "ALL"
    leaked = told["CompromisedCredentialsRiskConfiguration"]
    assert leaked == {"Actions": {"EventAction": "BLOCK"}}
    actions = told["AccountTakeoverRiskConfiguration"]["Actions"]
    assert {one["EventAction"] for one in actions.values()} == {"MFA_IF_CONFIGURED"}

    for plan in ("lite", "essentials"):
        found = stack_of(read(cognito_plan=plan))
        assert found["AWS::Cognito::UserPool"]["Properties"]["UserPoolTier"] == plan.upper()
        assert found["AWS::Cognito::UserPool"]["Properties"]["UserPoolAddOns"] == {
            "AdvancedSecurityMode": "OFF"
        }
        assert "AWS::Cognito::UserPoolRiskConfigurationAttachment" not in found


def test_the_cheapest_plan_has_the_pages_that_it_may_have_and_no_style(
    stages: Stages, read: Any
) -> None:
    """In the plan Lite the classic pages are the only ones."""
    domain = stack_of(read(cognito_plan="lite"))["AWS::Cognito::UserPoolDomain"]
    assert domain["Properties"]["ManagedLoginVersion"] == 1
    dev = Assembly(stages.folder / "dev", stages.said, gate_build.missing() is None)
    assert only(dev, "AWS::Cognito::UserPool")[1]["Properties"]["UserPoolTier"] == "LITE"
    assert dev.resources("AWS::Cognito::ManagedLoginBranding") == {}
    styled = stack_of(read(cognito_plan="essentials"))["AWS::Cognito::UserPoolDomain"]
    assert styled["Properties"]["ManagedLoginVersion"] == 2


def test_a_stage_that_sells_says_its_plan_and_hears_what_each_costs(read: Any) -> None:
    with pytest.raises(ConfigError, match="cognito_plan=…") as refused:
        read(cognito_plan="", crowd="10000000")
    for price in ("lite 33,885", "essentials 149,850", "plus 200,000"):
        assert price in str(refused.value)
    assert read(stage="test", cognito_plan="").cognito_plan == "lite"


def test_an_address_is_bounded_but_not_our_own_function(sold: Assembly, read: Any) -> None:
    _, tied = only(sold, "AWS::WAFv2::WebACLAssociation")
    assert "Pool" in json.dumps(tied["Properties"]["ResourceArn"])
    walls = [w for w in sold.properties("AWS::WAFv2::WebACL") if w["Scope"] == "REGIONAL"]
    ((rule,),) = [wall["Rules"] for wall in walls]
    assert "Block" in rule["Action"]
    rate = rule["Statement"]["RateBasedStatement"]
    assert rate["Limit"] >= 1_200
    spared = rate["ScopeDownStatement"]["NotStatement"]["Statement"]["RegexMatchStatement"]
    assert spared["RegexString"] == "^/oauth2/token$"
    assert "AWS::WAFv2::WebACL" not in stack_of(read(waf="off"))


# --- the client


def test_the_client_is_public_and_asks_with_a_code_alone(sold: Assembly) -> None:
    stack, client = only(sold, "AWS::Cognito::UserPoolClient")
    told = client["Properties"]
    assert stack == "Edge"
    assert told["GenerateSecret"] is False
    assert told["AllowedOAuthFlows"] == ["code"]
    assert told["AllowedOAuthScopes"] == ["openid"]
    flows = {"ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"}  # no password in the clear
    assert set(told["ExplicitAuthFlows"]) == flows
    assert told["PreventUserExistenceErrors"] == "ENABLED"
    assert told["SupportedIdentityProviders"] == ["COGNITO"]
    assert not sold.resources("AWS::SecretsManager::Secret").keys() & {(stack, "SignIn")}


def test_it_comes_back_to_the_distribution_though_nobody_knows_its_name_yet(
    sold: Assembly,
) -> None:
    _, client = only(sold, "AWS::Cognito::UserPoolClient")
    back, console = client["Properties"]["CallbackURLs"]
    assert client["Properties"]["LogoutURLs"] == [back, console]
    distribution = only(sold, "AWS::CloudFront::Distribution")
    assert distribution[0] == "Edge"
    start, name, end = back["Fn::Join"][1]
    assert (start, end) == ("https://", "/")
    assert console["Fn::Join"][1] == ["https://", name, "/console"]
    assert name["Fn::GetAtt"][1] == "DomainName"
    assert name["Fn::GetAtt"][0] in {key for _, key in sold.resources(distribution[1]["Type"])}


def test_the_pages_of_the_provider_have_a_style_and_a_name_of_their_own(sold: Assembly) -> None:
    _, domain = only(sold, "AWS::Cognito::UserPoolDomain")
    assert domain["Properties"]["ManagedLoginVersion"] == 2
    prefix = domain["Properties"]["Domain"]["Fn::Join"][1]
    assert prefix[0] == f"fairgate-{STAGE}-"
    assert "AWS::StackId" in json.dumps(prefix[1])  # a pool that stayed behind keeps its own
    stack, style = only(sold, "AWS::Cognito::ManagedLoginBranding")
    assert (stack, style["Properties"]["UseCognitoProvidedValues"]) == ("Edge", True)


# --- who hears of it


EXPECTED = cognito_provider(
    "<AWS::Region>",
    f"</fairgate/{STAGE}/sign-in/pool>",
    f"</fairgate/{STAGE}/sign-in/domain>",
    f"</fairgate/{STAGE}/sign-in/client>",
)


def test_the_function_redeems_there(sold: Assembly) -> None:
    ((auth, parameters),) = [
        (resource["Properties"], template["Parameters"])
        for template in sold.templates().values()
        for resource in template["Resources"].values()
        if resource["Properties"].get("FunctionName") == f"fairgate-{STAGE}-auth"
    ]
    variables = auth["Environment"]["Variables"]
    told = {n: text_of(v, parameters) for n, v in variables.items() if "OIDC" in n}
    assert told == {
        settings.OIDC_ISSUER: EXPECTED.issuer,
        settings.OIDC_CLIENT_ID: EXPECTED.client_id,
        settings.OIDC_AUDIENCE: EXPECTED.client_id,
        settings.OIDC_TOKEN_URL: EXPECTED.token_url,
        settings.OIDC_JWKS_URL: EXPECTED.jwks_url,
    }


def test_the_pages_lead_there(sold: Assembly, read: Any) -> None:
    (file,) = sold.folder.glob(f"asset.*/{PAGES_CONFIG}")
    written = file.read_text()
    for copied in sold.properties("Custom::CDKBucketDeployment"):
        for markers in copied.get("SourceMarkers", []):  # which the deployment fills in
            for marker, value in markers.items():
                parameters = sold.templates()["Pages"]["Parameters"]
                written = written.replace(marker, text_of(value, parameters))
    identity = json.loads(written)["identity"]
    assert identity == pages_config(read(), EXPECTED)["identity"]
    assert identity["sign_out_return"] == "logout_uri"
    assert identity["redirect_uri"] == ""  # the page's own address is the client's


def test_doctor_asks_for_its_keys(sold: Assembly) -> None:
    (told,) = [
        parameter["Value"]
        for parameter in sold.properties("AWS::SSM::Parameter")
        if parameter["Name"] == f"/fairgate/{STAGE}/deployed"
    ]
    parameters = sold.templates()["Watch"]["Parameters"]
    assert EXPECTED.jwks_url in text_of(told, parameters)


def test_each_stack_leans_on_those_before_and_no_export_holds_the_pool(sold: Assembly) -> None:
    manifest = json.loads((sold.folder / "manifest.json").read_text())["artifacts"]
    assert "SignIn" in manifest["Edge"]["dependencies"]
    assert not {"Edge", "Api"} & set(manifest["SignIn"].get("dependencies", ()))
    for stack, template in sold.templates().items():
        for output in template.get("Outputs", {}).values():
            assert stack != "SignIn" or "Export" not in output
            assert "SignIn" not in json.dumps(output.get("Export", ""))
    told = {
        (stack, resource["Properties"]["Name"])
        for (stack, _), resource in sold.resources("AWS::SSM::Parameter").items()
        if "/sign-in/" in resource["Properties"]["Name"]
    }
    name = f"/fairgate/{STAGE}/sign-in/{{}}".format
    assert told == {("SignIn", name("pool")), ("SignIn", name("domain")), ("Edge", name("client"))}


def test_the_synthesis_is_quiet(sold: Assembly) -> None:
    assert sold.complaints() == []


# --- what is refused


def refusals() -> Iterator[tuple[dict[str, str], str]]:
    yield {"mail_sender": ""}, "-c mail_sender="
    yield {"sign_in": "keycloak"}, "sign_in is cognito"
    yield {"cognito_plan": "gold"}, "cognito_plan is one of lite, essentials, plus"
    yield {"threat_protection": "on"}, "cognito_plan=plus has it"
    yield {"sign_in": "", **PROVIDER}, "cognito_plan goes with sign_in=cognito"
    yield {"mail_identity": "other.example"}, "mail_identity is the address"
    yield {"stage": "laws"}, "Cognito refuses"
    for option, value in PROVIDER.items():
        yield {option: value}, f"goes without {option}"


@pytest.mark.parametrize(("context", "said"), list(refusals()))
def test_what_cannot_be_deployed_is_refused(read: Any, context: dict[str, str], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        read(**context)


def test_a_stage_that_could_not_sign_anybody_in_hears_of_it(read: Any) -> None:
    assert read().missing_sign_in_options() == []
    with pytest.raises(ConfigError, match="or -c sign_in=cognito"):
        read(sign_in="", cognito_plan="")
