"""All stacks of one deployment, in the order in which they are deployed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Tags

from infra.stacks.access_logs import AccessLogsStack
from infra.stacks.api import ApiStack
from infra.stacks.api_logs import ApiLogsStack
from infra.stacks.cache import CacheStack
from infra.stacks.data import DataStack
from infra.stacks.edge import EdgeStack
from infra.stacks.edge_alarms import EdgeAlarmsStack
from infra.stacks.events import EventsStack
from infra.stacks.firewall import FirewallStack
from infra.stacks.load import LoadStack
from infra.stacks.pages import PagesStack
from infra.stacks.sign_in import SignInStack
from infra.stacks.watch import WatchStack

if TYPE_CHECKING:
    from constructs import Construct

    from infra.config import Config


def build(scope: Construct, config: Config) -> None:
    """Each stack leans on those before it, never the other way round."""
    data = DataStack(scope, "Data", config)
    cache = CacheStack(scope, "Cache", config)
    edge = EdgeStack(scope, "Edge", config)
    if config.waf:  # deployed before the distribution that names it, and destroyed after it
        edge.add_stack_dependency(FirewallStack(scope, "Firewall", config))
    if config.sign_in == "cognito":
        edge.add_stack_dependency(SignInStack(scope, "SignIn", config))  # it tells the pool
    events = EventsStack(scope, "Events", config, data=data, cache=cache, edge=edge)
    api = ApiStack(scope, "Api", config, backends=events.backends, api=edge.api)
    PagesStack(scope, "Pages", config, edge=edge, api=api)
    watch = WatchStack(scope, "Watch", config, cache=cache, edge=edge, events=events, api=api)
    if config.access_logs:
        AccessLogsStack(scope, "AccessLogs", config)
    if config.api_logs:
        ApiLogsStack(scope, "ApiLogs", config).add_stack_dependency(api)
    if config.edge_alarms:
        # It tells Slack of their topics.
        watch.add_stack_dependency(EdgeAlarmsStack(scope, "EdgeAlarms", config))
    if config.load_workers:
        LoadStack(scope, "Load", config)
    Tags.of(scope).add("fairgate:stage", config.stage)
