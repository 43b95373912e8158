"""Where functions may ask the logs of requests, by the names that the stacks of logs will have."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from aws_cdk import Aws

from infra.logs import DISTRIBUTION_REGION
from infra.naming import access_logs, api_logs, log_reader

if TYPE_CHECKING:
    from infra.config import Config


class LogReader(NamedTuple):
    """A workgroup of Athena's, and the role as which it is asked."""

    workgroup: str
    region: str

    @property
    def role_arn(self) -> str:
        named = log_reader(self.workgroup, self.region)
        return f"arn:{Aws.PARTITION}:iam::{Aws.ACCOUNT_ID}:role/{named}"


def log_readers(config: Config) -> list[LogReader]:
    """Return those of the logs that are switched on, whose stacks are deployed later."""
    found = []
    if config.access_logs:
        group = access_logs(config.stage, config.access_logs)
        found.append(LogReader(group, DISTRIBUTION_REGION))
    if config.api_logs:
        found.append(LogReader(api_logs(config.stage), Aws.REGION))
    return found


def workgroups_text(config: Config) -> str:
    """Spell them for ``settings.LOG_WORKGROUPS``."""
    return ",".join(f"{one.workgroup} {one.region} {one.role_arn}" for one in log_readers(config))
