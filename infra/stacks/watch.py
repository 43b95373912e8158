"""Who is told what, when; and what is deployed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Stack
from aws_cdk import aws_ssm as ssm

from fairgate.domain.gate.gate_config import VERSION
from infra.constructs.alarms import Alarms
from infra.constructs.own_alarms import OwnAlarms
from infra.naming import gate_format_parameter, name
from infra.stacks.service_alarms import (
    watch_api,
    watch_cache,
    watch_functions,
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
            description="Fairgate: alarms, and what is deployed",
        )
        self._tell_gate_format(config.stage)
        alarms = Alarms(self, "Alarms", config)
        OwnAlarms(alarms, config.stage).add()
        watch_queues(alarms, events)
        watch_pipes(alarms, events)
        watch_functions(alarms, events, api)
        watch_tables(alarms, config)
        watch_cache(alarms, cache)
        watch_api(alarms, edge)

    def _tell_gate_format(self, stage: str) -> None:
        """Say it in the stack that is deployed last, when gate and functions all read it."""
        ssm.StringParameter(
            self,
            "GateFormat",
            parameter_name=gate_format_parameter(stage),
            description="The newest format of a gate's value that this deployment reads",
            string_value=str(VERSION),
        )
