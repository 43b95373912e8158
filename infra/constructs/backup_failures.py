"""Tell people of a backup that failed, and of one that was never made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Duration
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets

from infra.constructs.alarms import BELOW, SILENCE_IS_BAD, Alarms, metric
from infra.naming import BACKUPS, name

if TYPE_CHECKING:
    from constructs import Construct


DAYS_SILENT = 2  # a backup of one day may be finished on the next


def watch_backups(scope: Construct, stage: str, alarms: Alarms) -> None:
    """Send what AWS Backup says of failures, and rise where it says nothing.

    Source: AWS Backup Developer Guide, "EventBridge", "CloudWatch".
    """
    day = Duration.days(1)
    vault = {"BackupVaultName": name(stage, BACKUPS)}
    alarms.add(
        "BackupsSilent",
        metric("AWS/Backup", "NumberOfBackupJobsCompleted", vault, period=day),
        f"No daily backup of a table was finished in {DAYS_SILENT} days: AWS Backup, Jobs.",
        threshold=1,
        minutes=DAYS_SILENT * int(day.to_minutes()),
        comparison=BELOW,
        missing=SILENCE_IS_BAD,
    )
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
                alarms.topics["warning"],
                message=events.RuleTargetInput.from_text(
                    "Fairgate: a daily backup failed. AWS Backup, Jobs says why: "
                    + events.EventField.from_path("$.detail.statusMessage")
                ),
            )
        ],
    )
