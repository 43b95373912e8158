"""An update replaces nothing that holds something: logical ids and names stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import Assembly
from .kept import KEPT, Kept
from .test_deploying import GLOBAL_NAMES, _text

KINDS = {kept.kind for kept in KEPT}
# The property that names it; another one is a replacement, by CloudFormation's reference of each.
NAMED_BY = {
    **GLOBAL_NAMES,
    "AWS::ApiGatewayV2::Api": ("Name",),
    "AWS::DynamoDB::GlobalTable": ("TableName",),
    "AWS::ElastiCache::ServerlessCache": ("ServerlessCacheName",),
    "AWS::SNS::Topic": ("TopicName",),
    "AWS::SQS::Queue": ("QueueName",),
    "AWS::SecretsManager::Secret": ("Name",),
}


def holding(templates: dict[str, dict[str, Any]]) -> Iterator[tuple[str, str, str, str]]:
    for stack, template in templates.items():
        for logical_id, resource in template["Resources"].items():
            if resource["Type"] in KINDS:
                value: Any = resource.get("Properties", {})
                for step in NAMED_BY.get(resource["Type"], ("",)):
                    value = value.get(step, "")
                yield stack, logical_id, resource["Type"], _text(value, "<region>")


def test_whatever_holds_something_keeps_its_logical_id_and_its_name(assembly: Assembly) -> None:
    assert sorted(holding(assembly.templates())) == sorted(kept[:4] for kept in KEPT)


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.logical_id)
def test_a_renamed_construct_is_noticed(assembly: Assembly, kept: Kept) -> None:
    templates = assembly.templates()
    resources = templates[kept.stack]["Resources"]
    resources[f"{kept.logical_id}Anew"] = resources.pop(kept.logical_id)
    assert sorted(holding(templates)) != sorted(kept[:4] for kept in KEPT)


@pytest.mark.parametrize(
    "kept", [kept for kept in KEPT if kept.name], ids=lambda kept: kept.logical_id
)
def test_another_name_is_noticed(assembly: Assembly, kept: Kept) -> None:
    templates = assembly.templates()
    properties = templates[kept.stack]["Resources"][kept.logical_id]["Properties"]
    properties[NAMED_BY[kept.kind][-1]] = "another"
    assert sorted(holding(templates)) != sorted(kept[:4] for kept in KEPT)


def test_data_is_imported_by_no_stack_but_for_its_secrets(assembly: Assembly) -> None:
    """CloudFormation removes no export that is imported, and so would refuse to change a table."""
    outputs = assembly.templates()["Data"].get("Outputs", {})
    exported = [output["Value"] for output in outputs.values() if "Export" in output]
    secrets = [logical_id for logical_id, _ in assembly.keys_secrets().values()]
    assert sorted(value["Ref"] for value in exported) == sorted(secrets)
