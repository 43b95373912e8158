"""The availability cache and the network around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Stack

from infra.constructs.availability_cache import AvailabilityCache
from infra.constructs.network import Network
from infra.naming import name

if TYPE_CHECKING:
    from constructs import Construct

    from infra.config import Config


class CacheStack(Stack):
    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(
            scope,
            construct_id,
            stack_name=name(config.stage, "cache"),
            description="Fairgate: availability cache and its network",
        )
        self.network = Network(self, "Network", config)
        self.cache = AvailabilityCache(self, "Availability", config, self.network)
