"""An option that is misspelt or mistyped is refused, and not left out in silence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.misspelt import misspelt
from infra.option_values import ConfigError
from tests.infra.test_synthesis import config_of
from tests.support.waiting import patience_s

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = ("alarm_email", "budget_dollars", "oidc_jwks_url", "stage", "waf", "warm_writes")
ACM = "arn:aws:acm:{}:111122223333:certificate/1"


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("alarm-email", "alarm_email"),
        ("alarm_mail", "alarm_email"),
        ("Stage", "stage"),
        ("WAF", "waf"),
        ("warm_write", "warm_writes"),
        ("budget_dollar", "budget_dollars"),
        ("oidc_jwk_url", "oidc_jwks_url"),
    ],
)
def test_a_misspelt_option_is_found(given: str, meant: str) -> None:
    assert misspelt([given], OPTIONS) == {given: meant}


@pytest.mark.parametrize(
    "given", [*OPTIONS, "team", "aws:cdk:stage", "@aws-cdk/core:stage", "tree"]
)
def test_what_is_an_option_or_anothers_is_let_be(given: str) -> None:
    assert misspelt([given], OPTIONS) == {}


def test_the_application_refuses_a_misspelt_option() -> None:
    given = '{"stage": "test", "payments_provider": "sandbox", "alarm-email": "a@example.org"}'
    done = subprocess.run(
        [sys.executable, "app.py"],
        cwd=ROOT,
        env={**os.environ, "CDK_CONTEXT_JSON": given},
        capture_output=True,
        text=True,
        check=False,
        timeout=patience_s(120),
    )
    assert done.returncode == 1
    assert "did you mean alarm_email?" in done.stderr


def test_a_brand_is_read_and_one_that_is_wrong_is_refused(tmp_path: Path) -> None:
    assert config_of(tmp_path).brand == ""
    assert 'seller = "Tides GmbH"' in config_of(tmp_path, brand="tests/data/brand.toml").brand
    wrong = tmp_path / "brand.toml"
    wrong.write_text('color-1 = "teal"')
    with pytest.raises(ConfigError, match=r"brand: .*color-1 must be a colour"):
        config_of(tmp_path, brand=str(wrong))
    with pytest.raises(ConfigError, match=r"none\.toml cannot be read"):
        config_of(tmp_path, brand=str(tmp_path / "none.toml"))


@pytest.mark.parametrize("value", ["true", "ON", "yes", "1", "True"])
def test_the_firewall_is_on_or_off_in_so_many_words(tmp_path: Path, value: str) -> None:
    with pytest.raises(ConfigError, match="waf must be on or off"):
        config_of(tmp_path, waf=value)
    assert config_of(tmp_path, waf="on").waf
    assert not config_of(tmp_path, waf="off").waf


@pytest.mark.parametrize(
    "options",
    [
        {"domain": "https://t.example.org", "certificate_arn": ACM.format("us-east-1")},
        {"domain": "t.example.org/", "certificate_arn": ACM.format("us-east-1")},
        {"domain": "t_x.example.org", "certificate_arn": ACM.format("us-east-1")},
        {"domain": "t.example.org", "certificate_arn": ACM.format("eu-central-1")},
        {"api_domain": "a b.example.org", "api_certificate_arn": ACM.format("eu-central-1")},
        {"api_domain": "a.example.org", "api_certificate_arn": ACM.format("us-east-1")},
        {"alarm_email": "nobody"},
        {"alarm_email": "a@example.org,b@example.org"},
        {"critical_alarm_email": "+49 30 1234567"},
        {"mail_sender": "Tickets <a@example.org>"},
    ],
)
def test_what_aws_would_refuse_in_the_middle_is_refused_at_once(
    tmp_path: Path, options: dict[str, str]
) -> None:
    with pytest.raises(ConfigError):
        config_of(tmp_path, "eu-central-1", **options)


def test_what_aws_takes_is_taken(tmp_path: Path) -> None:
    config = config_of(
        tmp_path,
        "eu-central-1",
        domain="t.xn--bcher-kva.example",
        certificate_arn=ACM.format("us-east-1"),
        api_domain="a.example.org",
        api_certificate_arn=ACM.format("eu-central-1"),
        alarm_email="a+b@example.org",
        mail_sender="tickets@example.org",
    )
    assert config.domain == "t.xn--bcher-kva.example"
