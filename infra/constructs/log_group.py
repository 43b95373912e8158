"""Logs of the stage: kept as long as the context says, and gone with their stack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import RemovalPolicy
from aws_cdk import aws_logs as logs

from infra.naming import name

if TYPE_CHECKING:
    from constructs import Construct

    from infra.config import Config


def log_group(
    scope: Construct, construct_id: str, config: Config, log_group_name: str
) -> logs.LogGroup:
    return logs.LogGroup(
        scope,
        construct_id,
        log_group_name=log_group_name,
        retention=retention(config.log_retention_days),
        removal_policy=RemovalPolicy.DESTROY,
    )


def delivered_log_group(
    scope: Construct, construct_id: str, config: Config, what: str
) -> logs.LogGroup:
    """Take what a service of AWS delivers.

    Under this prefix no deployment makes the account's resource policy for log delivery longer,
    which has a bound. Source: CloudWatch Logs User Guide, "Enable logging from AWS services".
    """
    return log_group(scope, construct_id, config, f"/aws/vendedlogs/{name(config.stage, what)}")


def retention(days: int) -> logs.RetentionDays:
    """The nearest period that CloudWatch offers, not shorter. Raises ValueError past ten years."""
    offered = {
        7: logs.RetentionDays.ONE_WEEK,
        30: logs.RetentionDays.ONE_MONTH,
        90: logs.RetentionDays.THREE_MONTHS,
        180: logs.RetentionDays.SIX_MONTHS,
        400: logs.RetentionDays.THIRTEEN_MONTHS,
        3653: logs.RetentionDays.TEN_YEARS,
    }
    for offer, retention in offered.items():
        if days <= offer:
            return retention
    raise ValueError(f"CloudWatch keeps logs for ten years at most, not {days} days")
