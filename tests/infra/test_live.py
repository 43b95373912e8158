"""Every function is called by its alias, and that alias is made ready ahead of the sale start."""

from __future__ import annotations

import json

import pytest

from infra.functions import FUNCTIONS, PREWARMED
from infra.naming import LIVE

from .conftest import STAGE, Assembly, listed, named

NAMES = [spec.name for spec in FUNCTIONS]
# What calls or names a function to be called, and its properties that hold the ARN.
CALLERS = {
    "AWS::Lambda::EventSourceMapping": "FunctionName",
    "AWS::Lambda::Permission": "FunctionName",
    "AWS::Scheduler::Schedule": "Target",
    "AWS::StepFunctions::StateMachine": "DefinitionString",
    "AWS::ApiGatewayV2::Integration": "IntegrationUri",
}


def functions(assembly: Assembly, stack: str) -> set[str]:
    """The logical ids of the project's functions in one stack."""
    prefix = f"fairgate-{STAGE}-"
    return {
        logical_id
        for (of, logical_id), f in assembly.resources("AWS::Lambda::Function").items()
        if of == stack and f["Properties"].get("FunctionName", "").startswith(prefix)
    }


def test_each_function_has_an_alias_of_its_newest_version(assembly: Assembly) -> None:
    aliased = {}
    for (stack, logical_id), alias in assembly.resources("AWS::Lambda::Alias").items():
        properties = alias["Properties"]
        assert properties["Name"] == LIVE
        version = properties["FunctionVersion"]["Fn::GetAtt"]
        made = assembly.templates()[stack]["Resources"][version[0]]
        assert (made["Type"], version[1]) == ("AWS::Lambda::Version", "Version")
        assert made["Properties"]["FunctionName"] == properties["FunctionName"]
        aliased[assembly.behind_alias(stack, logical_id)] = logical_id
    assert sorted(aliased) == sorted(NAMES)


@pytest.mark.parametrize("kind", CALLERS)
def test_no_caller_goes_past_the_alias(assembly: Assembly, kind: str) -> None:
    aliases = set(assembly.resources("AWS::Lambda::Alias"))
    callers = assembly.resources(kind)
    assert callers
    called = set()
    for (stack, logical_id), caller in callers.items():
        told = named(caller["Properties"][CALLERS[kind]])
        assert not told & functions(assembly, stack), f"{logical_id} calls the newest code"
        called |= {(stack, one) for one in told}
    assert called & aliases


def test_what_asynchronous_calls_may_do_is_said_of_the_alias(assembly: Assembly) -> None:
    configs = assembly.properties("AWS::Lambda::EventInvokeConfig")
    said = [assembly.behind_alias("Events", *named(one["Qualifier"])) for one in configs]
    assert sorted(said) == ["auditor", "canary", "controller", "reconcile", "sweeper"]


def test_no_role_may_call_a_function_past_its_alias(assembly: Assembly) -> None:
    for stack, role in assembly.resources("AWS::IAM::Role"):
        if role.startswith("CustomCDKBucketDeployment"):
            continue
        for statement in assembly.statements(stack, role):
            if "lambda:InvokeFunction" in listed(statement["Action"]):
                resources = named(listed(statement["Resource"]))
                assert not resources & functions(assembly, stack), role


def test_snapstart_is_off_when_deployed(assembly: Assembly) -> None:
    for name, (_, function) in assembly.functions().items():
        assert "SnapStart" not in function, name


def test_a_changed_function_gets_a_version_of_its_own(assembly: Assembly) -> None:
    # CloudFormation publishes a version only when its logical id is new; the CDK puts a hash of
    # code, layers and configuration into it.
    versions = [logical_id for _, logical_id in assembly.resources("AWS::Lambda::Version")]
    hashes = {logical_id[-32:] for logical_id in versions}
    assert len(hashes) == len(versions) == len(NAMES)
    assert all(set(one) <= set("0123456789abcdef") for one in hashes)


def test_the_prewarmed_are_told_with_all_that_a_schedule_needs(assembly: Assembly) -> None:
    told = assembly.parameter("prewarm")
    assert told["alias"] == LIVE
    assert told["functions"] == {name: f"fairgate-{STAGE}-{name}" for name in PREWARMED}
    cache = assembly.only("AWS::ElastiCache::ServerlessCache")
    assert told["cache"] == cache["ServerlessCacheName"]
    limits = cache["CacheUsageLimits"]["ECPUPerSecond"]
    assert (told["cache_ecpu_max"], told["cache_ecpu_min"]) == (
        limits["Maximum"],
        limits["Minimum"],
    )
    assert told["schedule_group"]
    assert told["role_arn"]
    operator = assembly.parameter("operator")["functions"]
    assert operator == {name: f"fairgate-{STAGE}-{name}:{LIVE}" for name in NAMES}


def test_schedules_of_the_group_alone_may_prewarm_and_nothing_else(assembly: Assembly) -> None:
    ((stack, role_id),) = [
        key for key in assembly.resources("AWS::IAM::Role") if key[1].startswith("Prewarming")
    ]
    role = assembly.templates()[stack]["Resources"][role_id]["Properties"]
    (trust,) = role["AssumeRolePolicyDocument"]["Statement"]
    condition = trust["Condition"]["StringEquals"]
    assert set(condition) == {"aws:SourceAccount", "aws:SourceArn"}
    concurrency, cache = assembly.statements(stack, role_id)
    assert set(concurrency["Action"]) == {
        "lambda:PutProvisionedConcurrencyConfig",
        "lambda:DeleteProvisionedConcurrencyConfig",
    }
    aliases = [assembly.behind_alias(stack, one["Ref"]) for one in concurrency["Resource"]]
    assert sorted(aliases) == sorted(PREWARMED)
    assert cache["Action"] == "elasticache:ModifyServerlessCache"
    assert f":serverlesscache:fairgate-{STAGE}-availability" in json.dumps(cache["Resource"])
