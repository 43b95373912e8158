"""The application synthesises anywhere, says nothing untoward, and refuses what is incomplete."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from infra import bytecode
from infra.config import Config
from infra.option_values import ConfigError

from .conftest import ROOT, Assembly, stand_in_layers, synthesise
from .stages import Stages, run_offline

STACKS = {"Data", "Cache", "Edge", "Events", "Api", "Pages", "Watch"}


def test_every_stack_is_made_when_there_is_neither_aws_nor_network(assembly: Assembly) -> None:
    assert set(assembly.templates()) == STACKS


def test_the_guide_has_every_stack_after_those_that_it_uses(stages: Stages) -> None:
    """Who goes back deploys them from the last to the first: an import holds its export."""
    page = (ROOT / "docs/deploying.md").read_text("utf-8")
    table = page.partition("## The stacks")[2].partition("\n### ")[0]
    order = re.findall(r"^\| ([A-Z]\w+) \|", table, re.MULTILINE)
    found: set[str] = set()
    for stage in ("dev", "prod"):
        manifest = json.loads((stages.folder / stage / "manifest.json").read_text("utf-8"))
        uses = {
            name: one.get("dependencies", ())
            for name, one in manifest["artifacts"].items()
            if one["type"] == "aws:cloudformation:stack"
        }
        found |= uses.keys()
        for name, used in uses.items():
            for other in uses.keys() & set(used):
                assert order.index(other) < order.index(name), (other, name)
    assert sorted(order) == sorted(found)


@pytest.mark.parametrize("page", ["deploying", "alarms"])
def test_the_guides_name_a_stack_as_the_cdk_knows_it(stages: Stages, page: str) -> None:
    """By its id: "No stacks match" the name that it has in CloudFormation."""
    text = (ROOT / f"docs/{page}.md").read_text("utf-8")
    named = set(re.findall(r"cdk (?:deploy|destroy|diff) (?!-)(\S+)", text))
    made = {path.name.partition(".")[0] for path in stages.folder.glob("*/*.template.json")}
    assert named
    assert named - made == set()


def test_templates_name_no_account_when_synthesised(assembly: Assembly) -> None:
    for stack, template in assembly.templates().items():
        accounts = set(re.findall(r"(?<![\w-])\d{12}(?![\w-])", json.dumps(template)))
        assert not accounts, f"{stack} is bound to {accounts}"


def test_synthesis_is_quiet_when_it_succeeds(assembly: Assembly) -> None:
    assert assembly.complaints() == []
    for path in assembly.folder.glob("*.metadata.json"):
        if bytecode.interpreter() is None:  # which it has to say
            assert "fairgate:bytecode" in path.read_text() or "Layers" not in path.read_text()
            continue
        for marker in ("aws:cdk:warning", "aws:cdk:error"):
            assert marker not in path.read_text(), f"{path.name}: {marker}"


def test_no_template_holds_a_secret_when_keys_are_generated_later(assembly: Assembly) -> None:
    secrets = [(stack, s["Properties"]) for (stack, _), s in _secrets(assembly).items()]
    assert {stack for stack, _ in secrets} == {"Data", "Edge"}
    for stack, secret in secrets:
        assert "SecretString" not in secret
        if stack == "Data":
            assert secret["GenerateSecretString"]["SecretStringTemplate"] == "{}"
    for stack, template in assembly.templates().items():
        text = json.dumps(template)
        # The header's value alone, which both ways to the API have to be told (test_front_door.py).
        resolved = text.count("{{resolve:secretsmanager")
        assert resolved == (2 if stack == "Edge" else 0), f"{stack} puts a secret into a property"
        assert not re.search(r'"(?:password|api_?key|private_?key)"', text, re.IGNORECASE), stack


def _secrets(assembly: Assembly) -> dict[tuple[str, str], Any]:
    return assembly.resources("AWS::SecretsManager::Secret")


def test_synthesis_refuses_and_says_what_to_run_when_layers_are_not_built(tmp_path: Path) -> None:
    ran = synthesise(
        tmp_path / "out",
        {"stage": "dev", "payments_provider": "stripe", "layers": str(tmp_path)},
        tmp_path,
    )
    assert ran.status != 0
    assert "run `make layers`" in ran.said
    assert "Traceback" not in ran.said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("import socket; socket.create_connection(('127.0.0.1', 9))", "reached for the network"),
        ("import warnings; warnings.warn('aged', DeprecationWarning)", "DeprecationWarning: aged"),
        ("import os; assert not any(n.startswith('AWS_') for n in os.environ)", ""),
    ],
)
def test_a_synthesis_has_nothing_of_aws_and_its_warnings_end_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, said: str
) -> None:
    monkeypatch.setenv("AWS_PROFILE", "production")
    script = tmp_path / "script.py"
    script.write_text(line)
    ran = run_offline(tmp_path, [str(script)], {})
    assert bool(ran.returncode) == bool(said), ran.stderr
    assert said in ran.stderr


IDENTITY = {
    "oidc_issuer": "https://id.example.org",
    "oidc_client_id": "fairgate",
    "oidc_authorize_url": "https://id.example.org/authorize",
    "oidc_token_url": "https://id.example.org/token",
    "oidc_jwks_url": "https://id.example.org/jwks.json",
}


def config_of(tmp_path: Path, region: str = "", **context: str) -> Config:
    if not (tmp_path / "layers").exists():
        stand_in_layers(tmp_path / "layers")
    gate = tmp_path / "gate.js"
    if not gate.exists():
        gate.write_text("//")
    given = {"stage": "prod", "layers": str(tmp_path / "layers"), "gate": str(gate)}
    given |= {"web": "edge/web"}
    given = {**given, "payments_provider": "stripe", **IDENTITY, **context}
    return Config.from_context(given.get, ROOT, region)


def test_config_is_accepted_when_only_the_stage_and_the_payments_are_named(
    tmp_path: Path,
) -> None:
    config = config_of(tmp_path)
    assert config.payments_provider == "stripe"
    assert config.stage == "prod"
    assert config.warm_writes is None


@pytest.mark.parametrize("named", ["", "paypal"])
def test_config_is_refused_when_it_does_not_say_who_takes_the_payments(
    tmp_path: Path, named: str
) -> None:
    with pytest.raises(ConfigError, match="sandbox or stripe; there is no default"):
        config_of(tmp_path, payments_provider=named)


@pytest.mark.parametrize("stage", ["", "Prod", "1st", "a-b", "toolongforaname"])
def test_config_is_refused_when_the_stage_is_no_name(tmp_path: Path, stage: str) -> None:
    with pytest.raises(ConfigError, match="name the stage"):
        config_of(tmp_path, stage=stage)


@pytest.mark.parametrize("value", ["0", "-1", "many", "1.5"])
def test_config_is_refused_when_a_number_is_none(tmp_path: Path, value: str) -> None:
    with pytest.raises(ConfigError, match="warm_writes must be a whole number above 0"):
        config_of(tmp_path, warm_writes=value)


@pytest.mark.parametrize(("option", "least"), [("warm_reads", 12_000), ("warm_writes", 4_000)])
def test_config_is_refused_when_a_table_is_warmed_to_less_than_it_has(
    tmp_path: Path, option: str, least: int
) -> None:
    with pytest.raises(ConfigError, match=f"{option} must be at least {least}"):
        config_of(tmp_path, **{option: str(least - 1)})
    config_of(tmp_path, **{option: str(least)})


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"cache_ecpu_min": "999"}, "cache_ecpu_min must be from 1000 to 15000000"),
        ({"cache_ecpu_max": "15000001"}, "cache_ecpu_max must be from 1000 to 15000000"),
        ({"cache_ecpu_max": "999"}, "cache_ecpu_max must be from 1000"),
        ({"cache_ecpu_min": "300001"}, "at most cache_ecpu_max .300000.: raise that as well"),
        ({"cache_gb_max": "5001"}, "cache_gb_max must be at most 5000"),
        ({"cache_ecpu_min": "many"}, "cache_ecpu_min must be a whole number"),
    ],
)
def test_config_is_refused_when_the_cache_cannot_be_so(
    tmp_path: Path, options: dict[str, str], why: str
) -> None:
    with pytest.raises(ConfigError, match=why):
        config_of(tmp_path, **options)


def test_the_cache_has_no_minimum_unless_one_is_asked_for(tmp_path: Path) -> None:
    assert config_of(tmp_path).cache_ecpu_min is None
    assert config_of(tmp_path, cache_ecpu_min="300000").cache_ecpu_min == 300_000


def test_config_is_refused_when_a_domain_has_no_certificate(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="go together"):
        config_of(tmp_path, domain="tickets.example.org")


def test_config_is_refused_when_the_gate_is_too_large_for_cloudfront(tmp_path: Path) -> None:
    (tmp_path / "gate.js").write_bytes(b"/" * 10_241)
    with pytest.raises(ConfigError, match="at most 10240"):
        config_of(tmp_path)


@pytest.mark.parametrize(("part", "target"), [("gate", "gate"), ("web", "pages")])
def test_config_is_refused_when_something_is_not_built(
    tmp_path: Path, part: str, target: str
) -> None:
    with pytest.raises(ConfigError, match=f"run `make {target}`"):
        config_of(tmp_path, **{part: str(tmp_path / "none")})


def test_the_options_of_the_upgrade_are_taken_and_those_before_it_are_not(tmp_path: Path) -> None:
    page = (ROOT / "docs/deploying.md").read_text("utf-8")
    [diff] = re.findall(r"npx cdk diff -c stage=prod … (.+)", page)
    new = dict(re.findall(r"-c (\w+)=(\w+|<[^>]+>)", diff))
    new["web_acl_arn"] = "arn:aws:wafv2:us-east-1:111122223333:global/webacl/x/y"
    cognito = {"sign_in": "cognito", "mail_sender": "tickets@example.org"}
    kept = dict.fromkeys(IDENTITY, "") | cognito
    with pytest.raises(ConfigError, match="threat_protection is gone"):
        config_of(tmp_path, **kept, **new, threat_protection="on")
    with pytest.raises(ConfigError, match="cognito_plan"):
        config_of(tmp_path, **kept)
    assert config_of(tmp_path, **kept, **new).cognito_plan == "plus"
