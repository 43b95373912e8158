"""The templates as CloudFormation's own schemas read them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from .conftest import Assembly

REGIONS = ("eu-central-1", "us-east-1")
# The CDK writes DependsOn beside the reference that says the same.
LEFT_OUT = ("W3005",)
LINT_S = 300


def linted(*templates: Path) -> tuple[int, list[str]]:
    """Return the linter's exit code and what it says of the templates, a line each."""
    regions, left_out = ",".join(REGIONS), ",".join(LEFT_OUT)
    options = ("--regions", regions, "--ignore-checks", left_out, "--format", "parseable")
    done = subprocess.run(
        [Path(sys.executable).with_name("cfn-lint"), *options, "--template", *map(str, templates)],
        capture_output=True,
        text=True,
        timeout=LINT_S,
        check=False,
    )
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout.splitlines()


def test_the_linter_finds_nothing_in_any_template(assembly: Assembly) -> None:
    templates = sorted(assembly.folder.glob("*.template.json"))
    assert len(templates) == len(assembly.templates())
    assert linted(*templates) == (0, [])


def test_the_linter_finds_a_property_that_does_not_exist(tmp_path: Path) -> None:
    queue = {"Type": "AWS::SQS::Queue", "Properties": {"VisibilityTimeOut": 30}}
    template = tmp_path / "wrong.template.json"
    template.write_text(json.dumps({"Resources": {"Queue": queue}}))
    code, said = linted(template)
    assert code
    assert "VisibilityTimeOut" in " ".join(said)
