"""What a destroyed stage left behind is found by name, and removed only when its name is typed."""

from __future__ import annotations

import functools
import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from fairgate_ops.operate.remains import __main__ as remains
from fairgate_ops.operate.remains import find
from fairgate_ops.shared.secret_file import SECRET_NAMES

REGION, STAGE = "eu-central-1", "dev"
SESSION = boto3.Session()


@functools.cache
def client_of(service: str, region: str) -> Any:
    """One for all tests here: making one costs more than all that is asked of it."""
    made: Any = SESSION  # its stubs know services by literal names alone
    keys = {"aws_access_key_id": "testing", "aws_secret_access_key": "testing"}
    return made.client(service, region_name=region, **keys)


class Stores:
    """CloudFront's KeyValueStores, a page at a time, which moto does not know."""

    def __init__(self, *names: str) -> None:
        self.names = list(names)

    def list_key_value_stores(self, Marker: str = "0") -> Any:  # noqa: N803 as AWS spells it
        at = int(Marker)
        items = [{"Name": name} for name in self.names[at : at + 1]]
        more = {"NextMarker": str(at + 1)} if at + 1 < len(self.names) else {}
        return {"KeyValueStoreList": {"Items": items, **more}}

    def describe_key_value_store(self, Name: str) -> Any:  # noqa: N803
        assert Name in self.names
        return {"ETag": "e1"}

    def delete_key_value_store(self, Name: str, IfMatch: str) -> None:  # noqa: N803
        assert IfMatch == "e1"
        self.names.remove(Name)


class Vaults:
    """AWS Backup's vaults with what they hold, a page each; moto knows no backups in them."""

    def __init__(self) -> None:
        self.held: dict[str, list[str]] = {}
        self.locked = False

    def get_paginator(self, name: str) -> Any:
        return {
            "list_backup_vaults": Pages(
                lambda: ({"BackupVaultList": [{"BackupVaultName": name}]} for name in self.held)
            ),
            "list_recovery_points_by_backup_vault": Pages(
                lambda BackupVaultName: (  # noqa: N803 as AWS spells it
                    {"RecoveryPoints": [{"RecoveryPointArn": arn}]}
                    for arn in list(self.held[BackupVaultName])
                )
            ),
        }[name]

    def delete_recovery_point(self, BackupVaultName: str, RecoveryPointArn: str) -> None:  # noqa: N803
        if self.locked:
            raise refused("InvalidRequestException", "DeleteRecoveryPoint")
        self.held[BackupVaultName].remove(RecoveryPointArn)

    def delete_backup_vault(self, BackupVaultName: str) -> None:  # noqa: N803
        if self.held[BackupVaultName]:
            raise refused("InvalidRequestException", "DeleteBackupVault")
        del self.held[BackupVaultName]


@dataclass(frozen=True)
class Pages:
    paginate: Callable[..., Iterator[Any]]


def refused(code: str, call: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": code}}, call)


class Stacks:
    """CloudFormation's stacks of a region; each was deployed by the CDK."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def get_paginator(self, name: str) -> Any:
        assert name == "describe_stacks"
        return self

    def paginate(self) -> Any:
        needs = [{"ParameterKey": "BootstrapVersion"}]
        for name in self.names:
            yield {
                "Stacks": [
                    {"StackName": name, "StackStatus": "UPDATE_COMPLETE", "Parameters": needs},
                    {"StackName": f"{name}-before", "StackStatus": "DELETE_COMPLETE"},
                ]
            }

    def delete_stack(self, StackName: str) -> None:  # noqa: N803
        self.names.remove(StackName)

    def get_waiter(self, name: str) -> Any:
        assert name == "stack_delete_complete"
        return self

    def wait(self, StackName: str) -> None:  # noqa: N803
        assert StackName not in self.names


class Account:
    """An account in moto, with something of a stage in it."""

    def __init__(self) -> None:
        self.stacks = {REGION: Stacks(), find.US: Stacks()}
        self.vaults = Vaults()
        self.stores = Stores("theirs", f"fairgate-dev-gate-{REGION}", "fairgate-dev-gate-us-west-2")

    def aws(self, service: str, region: str) -> Any:
        if service == "cloudformation":
            return self.stacks[region]
        if service == "backup":
            return self.vaults
        return self.stores if service == "cloudfront" else client_of(service, region)

    def here(self, service: str) -> Any:
        return self.aws(service, REGION)

    def fill(self, stage: str) -> None:
        for table in ("seats", "seats-restored"):
            self.here("dynamodb").create_table(
                TableName=f"fairgate-{stage}-{table}",
                KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
                AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}],
                BillingMode="PAY_PER_REQUEST",
                DeletionProtectionEnabled=True,
            )
        for secret in SECRET_NAMES:
            name = f"fairgate/{stage}/{secret}"
            self.here("secretsmanager").create_secret(Name=name, SecretString="x")
        self.bucket(f"fairgate-{stage}-edge-webbucket-1", REGION)
        self.vaults.held[f"fairgate-{stage}-backups"] = ["monday", "tuesday"]
        self.here("logs").create_log_group(logGroupName=f"/aws/lambda/fairgate-{stage}-holds")
        for region in (REGION, "us-west-2"):
            name = f"/aws/cloudfront/function/fairgate-{stage}-gate-{region}"
            self.aws("logs", find.US).create_log_group(logGroupName=name)
        self.here("ssm").put_parameter(Name=f"/fairgate/{stage}/x", Value="x", Type="String")

    def bucket(self, name: str, region: str) -> None:
        s3 = self.aws("s3", region)
        where = {"CreateBucketConfiguration": {"LocationConstraint": region}}
        s3.create_bucket(Bucket=name, **(where if region != find.US else {}))
        s3.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
        for body in (b"1", b"2"):
            s3.put_object(Bucket=name, Key="a", Body=body)
        s3.delete_object(Bucket=name, Key="a")  # a marker: it looks empty

    def stack(self, name: str, region: str = REGION) -> None:
        self.stacks[region].names.append(name)

    def names(self) -> set[str]:
        return {
            *self.here("dynamodb").list_tables()["TableNames"],
            *(
                secret["Name"]
                for secret in self.here("secretsmanager").list_secrets()["SecretList"]
            ),
            *(bucket["Name"] for bucket in self.here("s3").list_buckets()["Buckets"]),
            *(
                group["logGroupName"]
                for region in (REGION, find.US)
                for group in self.aws("logs", region).describe_log_groups()["logGroups"]
            ),
            *(p["Name"] for p in self.here("ssm").describe_parameters()["Parameters"]),
            *self.stores.names,
            *self.vaults.held,
        }


@pytest.fixture
def account():
    with mock_aws():
        made = Account()
        made.fill(STAGE)
        yield made


def run(account: Account, *more: str) -> int:
    return remains.main(["--stage", STAGE, "--region", REGION, *more], account.aws)


def test_what_remains_is_listed_and_left(account, capsys):
    before = account.names()
    assert run(account) == 1
    shown = capsys.readouterr().out
    assert "13 remain" in shown
    assert "fairgate-dev-seats-restored" in shown
    assert "backup vault  fairgate-dev-backups  (eu-central-1)" in shown
    assert account.names() == before


def test_all_of_the_stage_is_removed_and_nothing_else(account, capsys):
    ours = {name for name in account.names() if name != "theirs" and "us-west-2" not in name}
    account.fill("devel")
    account.bucket("fairgate-dev-edge-webbucket-2", "us-west-2")
    others = account.names() - ours
    assert run(account, "--remove", "--yes", STAGE) == 0
    assert account.names() == others
    assert run(account) == 0
    assert "Nothing of the stage dev remains" in capsys.readouterr().out


class Terminal(io.StringIO):
    """What a person types."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("said", ["", "yes", "devel"])
def test_nothing_is_removed_unless_its_name_is_typed(account, monkeypatch, said):
    before = account.names()
    assert run(account, "--remove", "--yes", said) == 1
    monkeypatch.setattr(sys, "stdin", Terminal(f"{said}\n"))
    assert run(account, "--remove") == 1
    assert account.names() == before


def test_the_name_may_be_typed_at_a_terminal_only(account, monkeypatch, capsys):
    before = account.names()
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{STAGE}\n"))
    assert run(account, "--remove") == 1
    assert account.names() == before
    assert "--yes dev" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", Terminal(f"{STAGE}\n"))
    assert run(account, "--remove") == 0
    assert "whom you\nowe" in capsys.readouterr().err


def test_nothing_is_removed_while_a_stack_stands(account, capsys):
    account.stack("fairgate-dev-data")
    before = account.names()
    assert run(account, "--remove", "--yes", STAGE) == 1
    assert account.names() == before
    assert "fairgate-dev-data" in capsys.readouterr().err


def test_the_log_of_requests_goes_only_when_nobody_writes_it(account, capsys):
    logs = "fairgate-dev-access-logs-logsbucket-1"
    account.bucket(logs, find.US)
    account.stack("fairgate-dev-access-logs-e1abc", find.US)
    assert run(account, "--remove", "--yes", STAGE) == 0
    assert logs in account.names()
    assert "fairgate-dev-access-logs-e1abc" in capsys.readouterr().out
    account.aws("cloudformation", find.US).delete_stack(StackName="fairgate-dev-access-logs-e1abc")
    assert run(account, "--remove", "--yes", STAGE) == 0
    assert logs not in account.names()


def test_the_toolkit_stays_while_anybody_needs_it(account, capsys):
    assets = f"{find.TOOLKIT_BUCKET}123456789012-{REGION}"
    account.bucket(assets, REGION)
    account.stack(find.TOOLKIT)
    account.stack("somebody-elses")
    assert run(account, "--toolkit", "--remove", "--yes", STAGE) == 1
    assert "somebody-elses" in capsys.readouterr().err
    assert {assets, "fairgate-dev-seats"} <= account.names()
    account.here("cloudformation").delete_stack(StackName="somebody-elses")
    assert run(account, "--toolkit", "--remove", "--yes", STAGE) == 0
    assert assets not in account.names()
    assert account.stacks[REGION].names == []


def test_one_that_cannot_be_removed_stops_no_other(account, monkeypatch, capsys):
    def refuse(_s3: Any, name: str) -> None:
        raise account.here("s3").exceptions.ClientError({"Error": {"Code": "No"}}, name)

    monkeypatch.setattr("fairgate_ops.operate.remains.remove._remove_bucket", refuse)
    assert run(account, "--remove", "--yes", STAGE) == 1
    assert {name for name in account.names() if "fairgate-dev" in name} == {
        "fairgate-dev-edge-webbucket-1",
        "fairgate-dev-gate-us-west-2",
        "/aws/cloudfront/function/fairgate-dev-gate-us-west-2",
    }
    assert "1 remain" in capsys.readouterr().err


def test_a_locked_vault_stays_with_its_backups_and_stops_no_other(account, capsys):
    account.vaults.locked = True
    assert run(account, "--remove", "--yes", STAGE) == 1
    assert account.vaults.held == {"fairgate-dev-backups": ["monday", "tuesday"]}
    assert not any("seats" in name for name in account.names())
    told = capsys.readouterr().err
    assert "not removed: backup vault  fairgate-dev-backups" in told
    assert "1 remain" in told
    account.vaults.locked = False
    assert run(account, "--remove", "--yes", STAGE) == 0
    assert account.vaults.held == {}


@pytest.mark.parametrize("stage", ["", "Dev", "dev-", "a" * 13, "*"])
def test_no_name_is_taken_that_no_stage_has(account, stage):
    with pytest.raises(SystemExit):
        remains.main(["--stage", stage, "--region", REGION], account.aws)
