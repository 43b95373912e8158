"""Synthesise stages and say what cdk-nag finds: ``python -m tests.infra.nagged FOLDER``.

Its input has contexts by name: of stages that are ``nagged``, and of ``plain`` ones.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aws_cdk as cdk
from aws_cdk import aws_s3 as s3
from cdk_nag import AwsSolutionsChecks

from infra.acknowledged import acknowledge
from infra.config import Config
from infra.system import build

if TYPE_CHECKING:
    from constructs import IConstruct

ROOT = Path(__file__).resolve().parents[2]
REGION = "eu-central-1"
PACK = "AwsSolutions"
ACKNOWLEDGED = "aws:cdk:acknowledged-rules"


def nagged(app: cdk.App) -> dict[str, list[list[str]]]:
    """Synthesise and return, as rule and path: what is found, stands, and is explained in vain."""
    cdk.Validations.of(app).add_plugins(AwsSolutionsChecks())
    folder = Path(app.synth().directory)
    reports = json.loads((folder / "validation-report.json").read_text("utf-8"))["pluginReports"]
    [report] = [each for each in reports if each["pluginName"] == PACK]
    standing = report.get("suppressedViolations", [])
    used = {(each["acknowledgedAt"], each["acknowledgedId"]) for each in standing}
    return {
        "found": [list(each) for each in _places(report["violations"])],
        "standing": [list(each) for each in _places(standing)],
        "in_vain": [[rule, path] for path, rule in sorted(set(_acknowledged(app)) - used)],
        "without_reason": [
            list(each) for each in _places([s for s in standing if not s["reason"].strip()])
        ],
    }


def _places(violations: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for violation in violations:
        for construct in violation["violatingConstructs"]:
            yield violation["ruleName"], construct["constructPath"]


def _acknowledged(construct: IConstruct) -> Iterator[tuple[str, str]]:
    for each in construct.node.find_all():
        for entry in each.node.metadata:
            if entry.type == ACKNOWLEDGED:
                # The CDK itself acknowledges what other packs would say.
                for rule in entry.data:
                    if rule.startswith(f"{PACK}::"):
                        yield each.node.path, rule


def _app(context: dict[str, Any], folder: Path) -> cdk.App:
    # The report is read here, so findings need not end the synthesis.
    no_end = {"@aws-cdk/core:failSynthOnValidationErrors": False}
    return cdk.App(context={**context, **no_end}, outdir=str(folder))


def _stage(context: dict[str, Any], folder: Path) -> cdk.App:
    app = _app(context, folder)
    build(app, Config.from_context(app.node.try_get_context, ROOT, REGION))
    return app


def _control(flags: dict[str, Any], folder: Path) -> dict[str, list[list[str]]]:
    """A bucket that speaks without TLS, and a reason for what is not wrong with it."""
    app = _app(flags, folder)
    bucket = s3.Bucket(cdk.Stack(app, "Control"), "Bucket")
    acknowledge(bucket, "S1", "a control")
    acknowledge(bucket, "SQS3", "it is no queue")
    return nagged(app)


def main() -> None:
    folder = Path(sys.argv[1])
    flags = json.loads((ROOT / "cdk.json").read_text("utf-8"))["context"]
    asked = json.load(sys.stdin)
    for name, context in asked["plain"].items():
        _stage({**flags, **context}, folder / name).synth()
    told = {
        name: nagged(_stage({**flags, **context}, folder / name))
        for name, context in asked["nagged"].items()
    }
    told["control"] = _control(flags, folder / "control")
    (folder / "told.json").write_text(json.dumps(told))


if __name__ == "__main__":
    main()
