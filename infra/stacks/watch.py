"""Who is told what, when; and what is deployed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import CfnOutput, Stack
from aws_cdk import aws_ssm as ssm

from fairgate.domain.gate.gate_config import VERSION
from infra.constructs.alarms import Alarms
from infra.constructs.backup_failures import watch_backups
from infra.constructs.budget import Budget
from infra.constructs.dashboard import Dashboard, dashboard_address
from infra.constructs.edge_logs import EdgeLogs
from infra.constructs.own_alarms import OwnAlarms
from infra.constructs.slo_alarms import watch_journeys
from infra.constructs.user_pool_client import keys_in_use
from infra.naming import deployed_parameter, gate_format_parameter, name
from infra.stacks.service_alarms import (
    watch_api,
    watch_cache,
    watch_functions,
    watch_logs,
    watch_pipes,
    watch_queues,
    watch_tables,
)

if TYPE_CHECKING:
    from constructs import Construct

    from infra.config import Config
    from infra.stacks.api import ApiStack
    from infra.stacks.cache import CacheStack
    from infra.stacks.edge import EdgeStack
    from infra.stacks.events import EventsStack


class WatchStack(Stack):
    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        config: Config,
        *,
        cache: CacheStack,
        edge: EdgeStack,
        events: EventsStack,
        api: ApiStack,
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            stack_name=name(config.stage, "watch"),
            description="Fairgate: alarms, logs of the edge, and what is deployed",
        )
        self._tell_gate_format(config.stage)
        alarms = Alarms(self, "Alarms", config)
        self._tell_deployed(config, alarms, cache)
        OwnAlarms(alarms, config.stage, config.crowd, canary=bool(config.canary_event)).add()
        if config.canary_event:
            watch_journeys(alarms, config.stage)
        if config.backup_days:
            watch_backups(self, config.stage, alarms)
        watch_queues(alarms, events)
        watch_pipes(alarms, events)
        watch_functions(alarms, events, api)
        watch_tables(alarms, config)
        watch_cache(alarms, cache)
        watch_api(alarms, edge)
        if config.api_logs:
            watch_logs(alarms, config.stage)
        EdgeLogs(self, "EdgeLogs", config)
        Dashboard(
            self,
            "Dashboard",
            config,
            queues=events.queues,
            tables=config.tables,
            api_id=edge.api.api_id,
            distribution_id=edge.distribution.distribution_id,
        )
        CfnOutput(
            self,
            "DashboardUrl",
            value=dashboard_address(self, config.stage),
            description="The sale at a glance",
        )
        if config.budget_dollars:
            Budget(self, "Budget", config)

    def _tell_deployed(self, config: Config, alarms: Alarms, cache: CacheStack) -> None:
        ssm.StringParameter(
            self,
            "Deployed",
            parameter_name=deployed_parameter(config.stage),
            description="What `fairgate doctor` compares with what there is",
            string_value=self.to_json_string(
                {
                    "topics": {
                        severity: topic.topic_arn for severity, topic in alarms.topics.items()
                    },
                    "cache": cache.cache.name,
                    "cache_ecpu_min": config.cache_ecpu_min or 0,
                    "api_rate": config.api_rate,
                    "concurrency": config.concurrency,
                    "mail_sender": config.mail_sender,
                    "edge_alarms": config.edge_alarms,
                    "firewall": bool(config.web_acl_arn),
                    "sells": config.sells,
                    "oidc_jwks_url": keys_in_use(self, config),
                }
            ),
        )

    def _tell_gate_format(self, stage: str) -> None:
        """Say it in the stack that is deployed last, when gate and functions all read it."""
        ssm.StringParameter(
            self,
            "GateFormat",
            parameter_name=gate_format_parameter(stage),
            description="The newest format of a gate's value that this deployment reads",
            string_value=str(VERSION),
        )
