"""AWS's own advice (cdk-nag, AwsSolutions): followed, or the reason stands beside the construct."""

from __future__ import annotations

import pytest

from infra.config import TEST_STAGES

from .conftest import ROOT
from .stages import NAGGED, Stages


def test_one_stage_is_a_tests_and_the_others_sell() -> None:
    assert [stage in TEST_STAGES for stage in NAGGED] == [True, False, False]


@pytest.mark.parametrize("stage", NAGGED)
def test_nothing_is_found_that_is_not_acknowledged(stages: Stages, stage: str) -> None:
    assert stages.nags[stage]["found"] == []
    assert stages.nags[stage]["standing"]  # the pack looked


@pytest.mark.parametrize("stage", NAGGED)
def test_no_reason_is_given_for_what_is_not_found(stages: Stages, stage: str) -> None:
    assert stages.nags[stage]["in_vain"] == []
    assert stages.nags[stage]["without_reason"] == []


def test_a_bucket_without_tls_and_a_reason_for_nothing_are_both_noticed(stages: Stages) -> None:
    path = "Control/Bucket/Resource"
    assert stages.nags["control"]["found"] == [["AwsSolutions-S10", path]]
    assert stages.nags["control"]["standing"] == [["AwsSolutions-S1", path]]
    assert stages.nags["control"]["in_vain"] == [
        ["AwsSolutions::AwsSolutions-SQS3", "Control/Bucket"]
    ]


def test_whoever_deploys_needs_no_pack() -> None:
    imported = [
        path.name
        for path in (ROOT / "app.py", *(ROOT / "infra").rglob("*.py"))
        if "cdk_nag" in path.read_text("utf-8")
    ]
    assert imported == []
