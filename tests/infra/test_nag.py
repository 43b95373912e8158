"""AWS's own advice (cdk-nag, AwsSolutions): followed, or the reason stands beside the construct."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from infra.config import TEST_STAGES
from tests.support import needs

from .conftest import PROVIDER, ROOT, ZONES, built_gate, stand_in_layers

NAG_S = 1_500  # three syntheses: a minute where nothing else runs
CERTIFICATE = "arn:aws:acm:us-east-1:111122223333:certificate/x"
# What is asked of a test stage; one that sells with every option there is; one with Cognito.
STAGES: dict[str, dict[str, str]] = {
    "dev": {"payments_provider": "sandbox", "sign_in": "cognito"},
    "prod": {
        "payments_provider": "stripe",
        "alarm_email": "operator@example.org",
        "api_domain": "api.tickets.example",
        "api_certificate_arn": CERTIFICATE.replace("us-east-1", "eu-central-1"),
        "budget_dollars": "1000",
        "certificate_arn": CERTIFICATE,
        "concurrency": "1000",
        "critical_alarm_email": "night@example.org",
        "domain": "tickets.example",
        "access_logs": "E1ABCDEFGHIJKL",
        "mail_sender": "tickets@example.org",
        "waf": "on",
        "warm_writes": "40000",
        "web_acl_arn": "arn:aws:wafv2:us-east-1:111122223333:global/webacl/x/y",
        "zones": ",".join(ZONES),
        **PROVIDER,
    },
    "shop": {
        "payments_provider": "stripe",
        "sign_in": "cognito",
        "mail_sender": "tickets@example.org",
        "waf": "on",
    },
}
Told = dict[str, dict[str, list[list[str]]]]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """All in one process: the engine of the CDK starts once."""
    needs.node()
    folder = tmp_path_factory.mktemp("nagged")
    gate, _ = built_gate(folder)
    files = {"gate": str(gate), "layers": str(stand_in_layers(folder / "layers"))}
    asked = {stage: {"stage": stage, **files, **context} for stage, context in STAGES.items()}
    done = subprocess.run(
        [sys.executable, "-m", "tests.infra.nagged", str(folder)],
        cwd=ROOT,
        # What CloudFormation's schemas say is tests/infra/test_lint.py's; it would take longer.
        env={**os.environ, "CDK_VALIDATION": "false"},
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=NAG_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: Any = json.loads((folder / "told.json").read_text("utf-8"))
    return dict(answer)


def test_one_stage_is_a_tests_and_the_others_sell() -> None:
    assert [stage in TEST_STAGES for stage in STAGES] == [True, False, False]


@pytest.mark.parametrize("stage", STAGES)
def test_nothing_is_found_that_is_not_acknowledged(told: Told, stage: str) -> None:
    assert told[stage]["found"] == []
    assert told[stage]["standing"]  # the pack looked


@pytest.mark.parametrize("stage", STAGES)
def test_no_reason_is_given_for_what_is_not_found(told: Told, stage: str) -> None:
    assert told[stage]["in_vain"] == []
    assert told[stage]["without_reason"] == []


def test_a_bucket_without_tls_and_a_reason_for_nothing_are_both_noticed(told: Told) -> None:
    path = "Control/Bucket/Resource"
    assert told["control"]["found"] == [["AwsSolutions-S10", path]]
    assert told["control"]["standing"] == [["AwsSolutions-S1", path]]
    assert told["control"]["in_vain"] == [["AwsSolutions::AwsSolutions-SQS3", "Control/Bucket"]]


def test_whoever_deploys_needs_no_pack() -> None:
    imported = [
        path.name
        for path in (ROOT / "app.py", *(ROOT / "infra").rglob("*.py"))
        if "cdk_nag" in path.read_text("utf-8")
    ]
    assert imported == []
