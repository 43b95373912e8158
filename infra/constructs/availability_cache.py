"""The availability cache: Valkey, serverless. It advises; losing it loses nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Fn
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_elasticache as elasticache
from constructs import Construct

from fairgate.adapters.valkey.access import access_string
from infra.constructs.network import CACHE_PORT, Network
from infra.naming import CACHE, CACHE_USER, name

if TYPE_CHECKING:
    from infra.config import Config


class AvailabilityCache(Construct):
    """ElastiCache Serverless, encrypted in transit, reached by the functions' group alone, who sign
    in as one user with the commands that they use (docs/adr/0028).

    No snapshots: it is rebuilt from the table, which is the truth. Its usage is bounded, so a
    runaway writer meets a limit and not a bill. A minimum is charged day and night: as a rule it is
    `fairgate prewarm` that sets one ahead of the sale start, and gives it back to this one.
    """

    def __init__(
        self, scope: Construct, construct_id: str, config: Config, network: Network
    ) -> None:
        super().__init__(scope, construct_id)
        door = ec2.SecurityGroup(
            self,
            "Door",
            vpc=network.vpc,
            description="The cache, from the functions",
            allow_all_outbound=False,
        )
        # 6379 answers writes and strongly consistent reads, 6380 reads from replicas.
        # Source: ElastiCache User Guide, Getting started with serverless caches.
        door.add_ingress_rule(
            network.functions, ec2.Port.tcp_range(CACHE_PORT, CACHE_PORT + 1), "Valkey over TLS"
        )
        self.name = name(config.stage, CACHE)
        self.bytes_max = config.cache_gb_max * 1024**3
        self.ecpu_max = config.cache_ecpu_max  # a second
        users = self._users(config)
        cache = elasticache.CfnServerlessCache(
            self,
            "Cache",
            serverless_cache_name=self.name,
            engine="valkey",
            major_engine_version="8",
            description="Seat status and counts by section; advisory, rebuilt from the table",
            subnet_ids=[subnet.subnet_id for subnet in network.vpc.isolated_subnets],
            security_group_ids=[door.security_group_id],
            user_group_id=users.ref,
            cache_usage_limits=elasticache.CfnServerlessCache.CacheUsageLimitsProperty(
                data_storage=elasticache.CfnServerlessCache.DataStorageProperty(
                    maximum=config.cache_gb_max, unit="GB"
                ),
                ecpu_per_second=elasticache.CfnServerlessCache.ECPUPerSecondProperty(
                    maximum=config.cache_ecpu_max, minimum=config.cache_ecpu_min
                ),
            ),
            snapshot_retention_limit=0,
        )
        self.arn = cache.attr_arn
        # Two s: TLS, which serverless always speaks. How it is read: adapters/valkey/connection.py.
        self.url = Fn.join(
            "",
            [
                f"valkeys://{self.user}@",
                cache.attr_endpoint_address,
                ":",
                cache.attr_endpoint_port,
                f"?iam={self.name}",
            ],
        )

    def _users(self, config: Config) -> elasticache.CfnUserGroup:
        """Make the one user there is, known by IAM: there is no password, and no default user.

        Source: ElastiCache User Guide, "Authenticating with IAM": its name has to be its id.
        """
        self.user = name(config.stage, CACHE_USER)
        user = elasticache.CfnUser(
            self,
            "User",
            engine="valkey",
            user_id=self.user,
            user_name=self.user,
            access_string=access_string(),
            authentication_mode={"Type": "iam"},
        )
        self.user_arn = user.attr_arn
        group = elasticache.CfnUserGroup(
            self,
            "Users",
            engine="valkey",
            user_group_id=name(config.stage, CACHE),
            user_ids=[user.ref],
        )
        group.add_resource_dependency(user)
        return group
