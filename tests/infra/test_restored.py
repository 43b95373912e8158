"""A table that was restored takes the damaged one's place; the keys stay what they are."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from fairgate import settings
from fairgate.ports.world import SecretName
from infra.option_values import ConfigError
from tests.infra.test_synthesis import config_of

from .conftest import STAGE, Assembly, named
from .stages import RESTORED

OWN = f"fairgate-{STAGE}-seats"


def tables_variables(assembly: Assembly) -> set[str]:
    functions = assembly.functions().values()
    variables = [function["Environment"]["Variables"] for _, function in functions]
    return {one[settings.SEATS_TABLE] for one in variables if settings.SEATS_TABLE in one}


def pipe_of_seats(assembly: Assembly) -> Any:
    (pipe,) = [
        resource["Properties"]["Source"]
        for (_, logical_id), resource in assembly.resources("AWS::Pipes::Pipe").items()
        if logical_id.startswith("SeatChanges")
    ]
    return pipe


def test_no_table_is_held_in_place_by_an_export(assembly: Assembly) -> None:
    exported = [
        name
        for name, output in assembly.templates()["Data"].get("Outputs", {}).items()
        if "Table" in "".join(named(output["Value"]))
    ]
    assert exported == []
    # The check sees exports: the secret has one.
    assert assembly.templates()["Data"]["Outputs"]


def test_everything_uses_the_restored_table_when_the_context_names_it(
    assembly: Assembly, restored: Assembly
) -> None:
    assert tables_variables(assembly) == {OWN}
    assert tables_variables(restored) == {RESTORED["seats_table"]}
    assert restored.parameter("operator")["tables"]["seats"] == RESTORED["seats_table"]
    assert pipe_of_seats(restored) == RESTORED["seats_stream"]
    for stack, template in restored.templates().items():
        if stack != "Data":
            text = json.dumps(template).replace(RESTORED["seats_table"], "")
            assert OWN not in text, stack


def test_the_damaged_table_stays_untouched_when_another_takes_its_place(
    assembly: Assembly, restored: Assembly
) -> None:
    tables = [
        {
            logical_id: {k: v for k, v in resource.items() if k != "Metadata"}
            for logical_id, resource in made.templates()["Data"]["Resources"].items()
            if resource["Type"] == "AWS::DynamoDB::GlobalTable"
        }
        for made in (assembly, restored)
    ]
    for before, after in zip(tables[0].values(), tables[1].values(), strict=True):
        assert before["Properties"]["TableName"] == after["Properties"]["TableName"]
        assert before["DeletionPolicy"] == after["DeletionPolicy"] == "RetainExceptOnCreate"
    assert set(tables[0]) == set(tables[1])


def test_pipes_read_the_stream_that_the_tables_own_stack_tells(assembly: Assembly) -> None:
    (parameter,) = named(pipe_of_seats(assembly))
    told = assembly.templates()["Events"]["Parameters"][parameter]
    assert told["Type"] == "AWS::SSM::Parameter::Value<String>"
    (value,) = [
        one["Value"]
        for one in assembly.properties("AWS::SSM::Parameter")
        if one["Name"] == told["Default"]
    ]
    assert value["Fn::GetAtt"][1] == "StreamArn"


def test_pipes_begin_with_the_oldest_record_that_is_kept_and_mails_with_the_next(
    assembly: Assembly,
) -> None:
    # A deployment must not mail what happened before it.
    starts = {
        logical_id.partition("Pipe")[0]: pipe["Properties"]["SourceParameters"][
            "DynamoDBStreamParameters"
        ]["StartingPosition"]
        for (_, logical_id), pipe in assembly.resources("AWS::Pipes::Pipe").items()
    }
    assert starts == {
        "SeatChanges": "TRIM_HORIZON",
        "PaidOrders": "TRIM_HORIZON",
        "MailedChanges": "LATEST",
    }


def test_no_template_generates_the_keys_anew(assembly: Assembly, restored: Assembly) -> None:
    # CloudFormation writes a new value whenever GenerateSecretString changes: that would take
    # every key away. So it is this, in whatever template, for ever.
    # Source: CloudFormation, AWS::SecretsManager::Secret.
    for made in (assembly, restored):
        secrets = made.keys_secrets()
        assert secrets.keys() == set(get_args(SecretName))
        for _, secret in secrets.values():
            assert secret["Properties"]["GenerateSecretString"] == {
                "SecretStringTemplate": "{}",
                "GenerateStringKey": "placeholder",
            }


def test_a_restored_table_is_refused_without_its_own_stream(tmp_path: Any) -> None:
    for stream in ("", RESTORED["seats_stream"].replace("-restored", "")):
        with pytest.raises(ConfigError, match="seats_table goes with seats_stream"):
            config_of(tmp_path, seats_table=RESTORED["seats_table"], seats_stream=stream)
    with pytest.raises(ConfigError, match="only for a seats_table of another name"):
        config_of(tmp_path, seats_stream=RESTORED["seats_stream"])
    config = config_of(tmp_path, **RESTORED, catalog_table="another")
    assert config.tables["seats"] == RESTORED["seats_table"]
    assert config.tables["catalog"] == "another"
    assert config.tables["reservations"] == "fairgate-prod-reservations"
