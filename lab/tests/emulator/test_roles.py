"""The two roles of people, as deployed and enforced: what they can do with `fairgate`, and see."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from urllib.parse import unquote

from emulator import sale
from fairgate_lab.emulator.system import STAGE
from fairgate_ops.shared.paths import ROOT
from tests.support.waiting import patience_s

COMMAND_S = 180
POLICY = "Exact"
# The emulator asks for other rights than AWS does here (docs/testing.md).
ELSEWISE = "ProvisionedConcurrencyConfig"


def role(system, name: str) -> str:
    """The role's ARN, as the stack Events puts it out."""
    (arn,) = [arn for key, arn in system.stacks["Events"].outputs.items() if f"{name}Role" in key]
    return str(arn)


def as_role(system, name: str, *arguments: str) -> tuple[int, str]:
    """Run the command in that role: its exit code, and all that it says."""
    assumed = system.client("sts").assume_role(RoleArn=role(system, name), RoleSessionName="ann")
    keys = assumed["Credentials"]
    environment = system.environment() | {
        "AWS_ACCESS_KEY_ID": keys["AccessKeyId"],
        "AWS_SECRET_ACCESS_KEY": keys["SecretAccessKey"],
        "AWS_SESSION_TOKEN": keys["SessionToken"],
    }
    command = ["-m", "fairgate_ops.operate.cli.main", "--target", "aws", "--stage", STAGE]
    done = subprocess.run(
        [sys.executable, *command, *arguments],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=patience_s(COMMAND_S),
    )
    return done.returncode, done.stdout + done.stderr


def refused(said: str) -> list[str]:
    """The lines that tell of a right that the role lacks."""
    lines = [line for line in said.splitlines() if ELSEWISE not in line]
    words = ("AccessDenied", "not authorized", "may not look")
    return [line for line in lines if any(word in line for word in words)]


@contextmanager
def without(system, name: str, action: str):
    """Take one action from the role for a while."""
    roles, called = system.client("iam"), role(system, name).rsplit("/", 1)[-1]
    document = roles.get_role_policy(RoleName=called, PolicyName=POLICY)["PolicyDocument"]
    whole = json.loads(unquote(document)) if isinstance(document, str) else document
    less = json.loads(json.dumps(whole).replace(f'"{action}"', '"sts:GetCallerIdentity"'))
    assert less != whole

    def put(policy) -> None:
        text = json.dumps(policy)
        roles.put_role_policy(RoleName=called, PolicyName=POLICY, PolicyDocument=text)

    put(less)
    try:
        yield
    finally:
        put(whole)


def test_operators_role_lets_doctor_look_at_everything(deployed):
    _, said = as_role(deployed, "Operator", "doctor", "--json", "--within", "120")
    assert refused(said) == [], said


def test_doctor_says_what_it_may_not_see(deployed):
    with without(deployed, "Operator", "sns:ListSubscriptionsByTopic"):
        code, said = as_role(deployed, "Operator", "doctor", "--json", "--within", "120")
    assert code == 1
    assert len(refused(said)) > 0, said


def test_operators_role_makes_ready_and_gives_back(deployed):
    _, said = as_role(deployed, "Operator", "prewarm", "start", sale.EVENT, "--crowd", "1000")
    assert refused(said) == [], said
    _, said = as_role(deployed, "Operator", "prewarm", "give-back", sale.EVENT, "--force")
    assert refused(said) == [], said


def test_readers_role_looks_and_changes_nothing(deployed):
    assert as_role(deployed, "Reader", "event", "list")[0] == 0
    code, said = as_role(deployed, "Reader", "tau", "set", sale.EVENT, "9", "--yes")
    assert code == 1
    assert refused(said) != []
