"""Daily backups of the tables, apart from them: point-in-time recovery goes with its table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_backup as backup
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from constructs import Construct

from infra.acknowledged import acknowledge, any_backup
from infra.constructs.tables import tables_in_use
from infra.naming import BACKUPS, name

if TYPE_CHECKING:
    from infra.config import Config

HOUR = 3  # UTC


class Backups(Construct):
    """A plan and a vault for the tables in use.

    Where the stage sells, nobody deletes a backup before its time. The lock is of governance mode:
    an administrator may lift it, so that a stage that was deployed by mistake can go. Compliance
    mode could never be undone.
    """

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(scope, construct_id)
        arns = [table.table_arn for table in tables_in_use(self, config).values()]
        kept = Duration.days(config.backup_days or 0)
        vault = backup.BackupVault(
            self,
            "Vault",
            backup_vault_name=name(config.stage, BACKUPS),
            lock_configuration=backup.LockConfiguration(min_retention=kept)
            if config.sells
            else None,
            removal_policy=RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
        )
        plan = backup.BackupPlan(
            self,
            "Plan",
            backup_plan_name=name(config.stage, BACKUPS),
            backup_plan_rules=[
                backup.BackupPlanRule(
                    rule_name="daily",
                    backup_vault=vault,
                    schedule_expression=events.Schedule.cron(hour=str(HOUR), minute="0"),
                    delete_after=kept,
                )
            ],
        )
        plan.add_selection(
            "Tables",
            resources=[backup.BackupResource.from_arn(arn) for arn in arns],
            role=self._role(config, vault, arns),
            disable_default_backup_policy=True,
        )

    def _role(self, config: Config, vault: backup.BackupVault, arns: list[str]) -> iam.Role:
        """Allow it for these tables alone.

        Source: AWS Managed Policy Reference, AWSBackupServiceRolePolicyForBackup, its parts for
        DynamoDB and vaults; that policy allows them for all resources of the account.
        """
        role = iam.Role(
            self,
            "Role",
            assumed_by=iam.ServicePrincipal("backup.amazonaws.com"),
            description="What AWS Backup may do with the tables",
            inline_policies={
                "Exact": iam.PolicyDocument(
                    statements=[
                        iam.PolicyStatement(
                            actions=[
                                "dynamodb:CreateBackup",
                                "dynamodb:DescribeTable",
                                "dynamodb:ListTagsOfResource",
                                "dynamodb:StartAwsBackupJob",
                            ],
                            resources=arns,
                        ),
                        iam.PolicyStatement(
                            actions=["dynamodb:DeleteBackup", "dynamodb:DescribeBackup"],
                            resources=[f"{arn}/backup/*" for arn in arns],
                        ),
                        iam.PolicyStatement(
                            actions=["backup:CopyIntoBackupVault", "backup:DescribeBackupVault"],
                            resources=[vault.backup_vault_arn],
                        ),
                    ]
                )
            },
        )
        for table in config.tables.values():
            acknowledge(role, any_backup(table), "AWS numbers the backups of a table")
        return role
