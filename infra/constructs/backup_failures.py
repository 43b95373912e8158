"""Tell people of a backup that did not come about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets

from infra.naming import BACKUPS, name

if TYPE_CHECKING:
    from aws_cdk import aws_sns as sns
    from constructs import Construct


def watch_backups(scope: Construct, stage: str, topic: sns.ITopic) -> None:
    """Send what AWS Backup says of it. Source: AWS Backup Developer Guide, "EventBridge"."""
    events.Rule(
        scope,
        "BackupFailed",
        rule_name=name(stage, "backup-failed"),
        description="A daily backup of a table did not come about",
        event_pattern=events.EventPattern(
            source=["aws.backup"],
            detail_type=["Backup Job State Change"],
            detail={
                "state": ["ABORTED", "EXPIRED", "FAILED", "PARTIAL"],
                "backupVaultName": [name(stage, BACKUPS)],
            },
        ),
        targets=[
            targets.SnsTopic(
                topic,
                message=events.RuleTargetInput.from_text(
                    "Fairgate: a daily backup failed. AWS Backup, Jobs says why: "
                    + events.EventField.from_path("$.detail.statusMessage")
                ),
            )
        ],
    )
