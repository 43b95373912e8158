"""The roles of people allow what the command calls: no call without a right, nor the other way."""

from __future__ import annotations

import fnmatch
import json
import re
from pathlib import Path
from typing import get_args

import pytest
from botocore import xform_name
from botocore.session import get_session

from fairgate.ports.table import Action
from fairgate.service.shared.keys import gate_value_key
from infra import operators

from .conftest import ROOT, STAGE, Assembly, listed

# As botocore calls the service, and as IAM does.
SERVICES = {
    "apigateway": "apigateway",
    "cloudformation": "cloudformation",
    "cloudfront": "cloudfront",
    "cloudfront-keyvaluestore": "cloudfront-keyvaluestore",
    "cloudwatch": "cloudwatch",
    "dynamodb": "dynamodb",
    "ec2": "ec2",
    "elasticache": "elasticache",
    "lambda": "lambda",
    "s3": "s3",
    "scheduler": "scheduler",
    "secretsmanager": "secretsmanager",
    "service-quotas": "servicequotas",
    "sesv2": "ses",
    "sns": "sns",
    "sqs": "sqs",
    "ssm": "ssm",
    "sts": "sts",
}
# By the kinds of a transaction's parts.
PARTS = {
    "Check": "dynamodb:ConditionCheckItem",
    "Delete": "dynamodb:DeleteItem",
    "Put": "dynamodb:PutItem",
    "Update": "dynamodb:UpdateItem",
}
# IAM's name where it is not the operation's. A transaction needs the actions of its parts.
CALLED = {
    "dynamodb:TransactWriteItems": tuple(PARTS.values()),
    "lambda:Invoke": ("lambda:InvokeFunction",),
    "apigateway:GetAccount": ("apigateway:GET",),
    "sqs:SendMessageBatch": ("sqs:SendMessage",),
}
# What a call needs that none is named after.
BESIDE = {
    "dynamodb:PutItem",  # a Put of a transaction
    "iam:PassRole",  # to whoever creates a schedule that calls AWS as a role
}
# In the code that is looked at, and not called in AWS by the command.
NOT_CALLED = {
    "cloudfront:ListDistributions",  # by doctor --before-deploy, when there is no role yet
    "cloudformation:GetTemplate",  # Jinja has a method of this name
    "dynamodb:BatchWriteItem",  # by benchmarks and load tests alone
    "dynamodb:CreateTable",  # refused by models.py
    "dynamodb:DeleteTable",
    "sts:AssumeRole",  # by the function `jobs`, for reports
    "sts:GetCallerIdentity",  # which nobody needs a right for
}
CORE = ROOT / "layers/core/python/fairgate/adapters"
OPERATE = ROOT / "ops/fairgate_ops/operate"


def sources() -> list[Path]:
    """The command's code and the adapters that it calls AWS with.

    Not that of the gate's check: it makes and removes a function and a store of its own. Nor that
    of mail, which the ticketer alone sends, nor what removes a stage's remains, as who deployed it.
    """
    others = {"gate_check", "remains", "remains.py"}
    command = [p for p in OPERATE.rglob("*.py") if not others & set(p.parts)]
    adapters = [*(CORE / "aws").glob("*.py"), *(CORE / "dynamodb").glob("*.py")]
    return [*command, *(p for p in adapters if p.name != "mail.py")]


def operations() -> dict[str, set[str]]:
    """The IAM actions that a method's name may stand for."""
    named: dict[str, set[str]] = {}
    for service, prefix in SERVICES.items():
        for operation in get_session().get_service_model(service).operation_names:
            called = f"{prefix}:{operation}"
            actions = CALLED.get(called, (called,))
            named.setdefault(xform_name(operation), set()).update(actions)
            named.setdefault(operation, set()).update(actions)
    return named


def used(texts: list[str]) -> list[set[str]]:
    """For each call, the actions that it may be."""
    named = operations()
    words = {
        word
        for text in texts
        for word in re.findall(r"\.([a-z_]+)\(", text) + re.findall(r'"(\w+)"', text)
    }
    # Words of everyday that are also operations of a service which the command never calls.
    return [named[word] for word in sorted(words & named.keys()) if word != "publish"]


def reached(text: str) -> set[tuple[str, str]]:
    """Each service that the code names, with the operation asked of it: at once, or by a name."""
    calls = re.findall(r'aws\("([a-z0-9-]+)"[^()]*\)\.(\w+)\(', text)
    for variable, service in re.findall(r'(\w+) = \w+\.aws\("([a-z0-9-]+)"\)', text):
        calls += [(service, method) for method in re.findall(rf"\b{variable}\.(\w+)\(", text)]
    # One file may use a name for two clients.
    return {
        (service, operation)
        for service, method in calls
        for operation in get_session().get_service_model(service).operation_names
        if xform_name(operation) == method
    }


def allowed(assembly: Assembly, role: str) -> list[dict[str, object]]:
    ((stack, role_id),) = [
        key for key in assembly.resources("AWS::IAM::Role") if key[1].startswith(f"People{role}")
    ]
    return assembly.statements(stack, role_id)


def actions(assembly: Assembly, role: str) -> set[str]:
    return {action for one in allowed(assembly, role) for action in listed(one["Action"])}


def test_the_operator_may_do_whatever_the_command_calls(assembly: Assembly) -> None:
    may = actions(assembly, "Operator") | NOT_CALLED
    calls = used([path.read_text() for path in sources()])
    assert len(calls) > 20
    assert [call for call in calls if not call & may] == []


def test_the_operator_has_the_right_of_each_part_of_a_transaction(assembly: Assembly) -> None:
    parts = {PARTS[kind.__name__] for kind in get_args(Action)}
    assert parts <= actions(assembly, "Operator")


def test_a_call_without_a_right_is_seen() -> None:
    (call,) = used(["target.sqs().purge_queue(QueueUrl=url)"])
    assert call == {"sqs:PurgeQueue"}


def test_the_operator_may_call_each_service_by_its_own_right(assembly: Assembly) -> None:
    """Two services may have an operation of one name; a right for the one is none for the other."""
    may = actions(assembly, "Operator") | NOT_CALLED
    calls = set().union(*(reached(path.read_text()) for path in sources()))
    assert {("apigateway", "GetAccount"), ("cloudformation", "SetStackPolicy")} <= calls
    for service, operation in sorted(calls):
        called = f"{SERVICES[service]}:{operation}"
        assert set(CALLED.get(called, (called,))) <= may, called


def test_the_operator_passes_the_prewarming_role_to_the_scheduler_alone(
    assembly: Assembly,
) -> None:
    (passes,) = (s for s in allowed(assembly, "Operator") if s["Action"] == "iam:PassRole")
    assert passes["Condition"] == {
        "StringEquals": {"iam:PassedToService": "scheduler.amazonaws.com"}
    }
    ((_key, role),) = [
        (key, one)
        for key, one in assembly.resources("AWS::IAM::Role").items()
        if key[1].startswith("Prewarming")
    ]
    named = f"fairgate-{STAGE}-prewarm-"
    assert named in json.dumps(role["Properties"]["RoleName"])
    assert f":role/{named}" in json.dumps(passes["Resource"])


def test_the_operator_may_do_nothing_that_the_command_does_not_call(assembly: Assembly) -> None:
    calls = set().union(*used([path.read_text() for path in sources()])) | BESIDE
    doctors = {
        *operators.LOOKS,
        *operators.ALARM_TRIED,
        *operators.CONCURRENCY_LOOKED_AT,
        "dynamodb:DescribeContinuousBackups",
    }
    assert actions(assembly, "Operator") - calls - doctors == set()


def test_the_reader_changes_nothing(assembly: Assembly) -> None:
    reads = re.compile(r"(GET$|Get|List|Describe|Query|Scan|BatchGet)")
    for action in actions(assembly, "Reader"):
        assert reads.match(action.partition(":")[2]), action
    assert actions(assembly, "Reader") < actions(assembly, "Operator")


def test_the_reader_sees_no_key(assembly: Assembly) -> None:
    assert not any(
        action.startswith(("secretsmanager:", "cloudfront-keyvaluestore:GetKey"))
        for action in actions(assembly, "Reader")
    )
    value = gate_value_key("show").pk
    for statement in allowed(assembly, "Reader"):
        read = set(listed(statement["Action"])) & set(operators.TABLE_READ)
        if not read or f"fairgate-{STAGE}-catalog" not in json.dumps(statement["Resource"]):
            continue
        condition = statement["Condition"]
        assert isinstance(condition, dict)
        keys = listed(condition["ForAllValues:StringLike"]["dynamodb:LeadingKeys"])
        assert not any(fnmatch.fnmatchcase(value, key) for key in keys)


@pytest.mark.parametrize("role", ["Reader", "Operator"])
def test_people_of_this_account_alone_take_the_roles(assembly: Assembly, role: str) -> None:
    ((stack, role_id),) = [
        key for key in assembly.resources("AWS::IAM::Role") if key[1].startswith(f"People{role}")
    ]
    trust = assembly.templates()[stack]["Resources"][role_id]["Properties"]
    (statement,) = trust["AssumeRolePolicyDocument"]["Statement"]
    assert statement["Principal"] == {
        "AWS": {
            "Fn::Join": [
                "",
                ["arn:", {"Ref": "AWS::Partition"}, ":iam::", {"Ref": "AWS::AccountId"}, ":root"],
            ]
        }
    }
