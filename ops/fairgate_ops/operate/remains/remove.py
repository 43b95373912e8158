"""Remove for good what remains of a stage, with all that it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairgate_ops.operate.remains.find import Place, Remnant

_TOGETHER = 1_000  # of DeleteObjects


def remove(place: Place, remnant: Remnant) -> None:
    """Remove it, with all that it holds. Raises ClientError, WaiterError."""
    match remnant.kind:
        case "table":
            _remove_table(place.here("dynamodb"), remnant.name)
        case "secret":  # at once: else its name is taken for thirty days
            secrets = place.here("secretsmanager")
            secrets.delete_secret(SecretId=remnant.name, ForceDeleteWithoutRecovery=True)
        case "KeyValueStore":
            _remove_store(place.aws("cloudfront", "us-east-1"), remnant.name)
        case "bucket" | "asset bucket":
            _remove_bucket(place.aws("s3", remnant.region), remnant.name)
        case "backup vault":
            _remove_vault(place.here("backup"), remnant.name)
        case "log group":
            place.aws("logs", remnant.region).delete_log_group(logGroupName=remnant.name)
        case "parameter":
            place.here("ssm").delete_parameter(Name=remnant.name)
        case "stack":
            stacks = place.here("cloudformation")
            stacks.delete_stack(StackName=remnant.name)
            stacks.get_waiter("stack_delete_complete").wait(StackName=remnant.name)


def _remove_table(dynamodb: Any, name: str) -> None:
    described = dynamodb.describe_table(TableName=name)["Table"]
    if described.get("DeletionProtectionEnabled"):
        dynamodb.update_table(TableName=name, DeletionProtectionEnabled=False)
        dynamodb.get_waiter("table_exists").wait(TableName=name)
    dynamodb.delete_table(TableName=name)
    dynamodb.get_waiter("table_not_exists").wait(TableName=name)


def _remove_store(cloudfront: Any, name: str) -> None:
    etag = cloudfront.describe_key_value_store(Name=name)["ETag"]
    cloudfront.delete_key_value_store(Name=name, IfMatch=etag)


def _remove_bucket(s3: Any, name: str) -> None:
    """Empty it of every version first: S3 removes no bucket that holds anything."""
    for page in s3.get_paginator("list_object_versions").paginate(Bucket=name):
        held = [*page.get("Versions", ()), *page.get("DeleteMarkers", ())]
        for start in range(0, len(held), _TOGETHER):
            some = held[start : start + _TOGETHER]
            objects = [{"Key": one["Key"], "VersionId": one["VersionId"]} for one in some]
            s3.delete_objects(Bucket=name, Delete={"Objects": objects, "Quiet": True})
    s3.delete_bucket(Bucket=name)


def _remove_vault(backup: Any, name: str) -> None:
    """Remove its backups first: AWS Backup removes no vault that holds any.

    Raises ClientError where the vault is locked and a backup is not old enough.
    """
    points = backup.get_paginator("list_recovery_points_by_backup_vault")
    for page in points.paginate(BackupVaultName=name):
        for point in page["RecoveryPoints"]:
            arn = point["RecoveryPointArn"]
            backup.delete_recovery_point(BackupVaultName=name, RecoveryPointArn=arn)
    backup.delete_backup_vault(BackupVaultName=name)
