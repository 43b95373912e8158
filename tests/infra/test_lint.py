"""The templates as CloudFormation's own schemas read them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.waiting import patience_s

from .conftest import Assembly
from .stages import Stages

REGIONS = ("eu-central-1", "us-east-1")
# The CDK writes DependsOn beside the reference that says the same.
LEFT_OUT = ("W3005",)
LINT_S = 300
COGNITO = ("SignIn", "Edge")


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A template with a property that does not exist."""
    queue = {"Type": "AWS::SQS::Queue", "Properties": {"VisibilityTimeOut": 30}}
    template = tmp_path_factory.mktemp("lint") / "wrong.template.json"
    template.write_text(json.dumps({"Resources": {"Queue": queue}}))
    return template


@pytest.fixture(scope="module")
def said(assembly: Assembly, stages: Stages, wrong: Path) -> dict[Path, list[str]]:
    """What the linter says of each template; of all in one run, because its start takes longest."""
    templates = [*assembly.folder.glob("*.template.json"), wrong]
    templates += [stages.folder / "shop" / f"{stack}.template.json" for stack in COGNITO]
    regions, left_out = ",".join(REGIONS), ",".join(LEFT_OUT)
    options = ("--regions", regions, "--ignore-checks", left_out, "--format", "parseable")
    done = subprocess.run(
        [Path(sys.executable).with_name("cfn-lint"), *options, "--template", *map(str, templates)],
        capture_output=True,
        text=True,
        timeout=patience_s(LINT_S),
        check=False,
    )
    assert not done.stderr, done.stderr
    assert done.returncode, "it has seen nothing, not even what is wrong"
    lines = done.stdout.splitlines()
    found = {path: [line for line in lines if line.startswith(f"{path}:")] for path in templates}
    assert sum(map(len, found.values())) == len(lines), done.stdout
    return found


def test_the_linter_finds_nothing_in_any_template(
    assembly: Assembly, said: dict[Path, list[str]]
) -> None:
    templates = sorted(assembly.folder.glob("*.template.json"))
    assert len(templates) == len(assembly.templates())
    assert [line for path in templates for line in said[path]] == []


@pytest.mark.parametrize("stack", COGNITO)
def test_the_linter_knows_all_of_a_stage_with_cognito(
    stages: Stages, said: dict[Path, list[str]], stack: str
) -> None:
    assert said[stages.folder / "shop" / f"{stack}.template.json"] == []


def test_the_linter_finds_a_property_that_does_not_exist(
    said: dict[Path, list[str]], wrong: Path
) -> None:
    assert "VisibilityTimeOut" in " ".join(said[wrong])
