"""Build the cache's network: no internet access, and endpoints to AWS only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_ec2 as ec2
from constructs import Construct

from infra.constructs.log_group import delivered_log_group

if TYPE_CHECKING:
    from infra.config import Config

CACHE_PORT = 6379


class Network(Construct):
    """Isolated subnets in two zones, for the cache and the functions beside it.

    DynamoDB and S3 are reached through gateway endpoints, which cost nothing. Of the interface
    endpoints, about 7 dollars a month and zone each, only Secrets Manager's is needed: the holds
    function reads the session keys. None for SQS (Lambda's pollers fetch the invalidator's
    messages), none for CloudWatch (logs and metrics leave by Lambda's own path), no NAT gateway.
    """

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(scope, construct_id)
        self.vpc = ec2.Vpc(
            self,
            "Vpc",
            max_azs=2,
            nat_gateways=0,
            subnet_configuration=[
                ec2.SubnetConfiguration(
                    name="Isolated", subnet_type=ec2.SubnetType.PRIVATE_ISOLATED, cidr_mask=20
                )
            ],
        )
        # By id, not by name: an account's names are its own, and which zone is refused is not.
        for subnet, zone in zip(self.vpc.isolated_subnets, config.zones, strict=False):
            made = subnet.node.default_child
            if not isinstance(made, ec2.CfnSubnet):
                raise TypeError("a subnet is made by a CfnSubnet")
            made.availability_zone = None
            made.availability_zone_id = zone
        # Only what was refused: in a network without a way in or out, that is a mistake of ours.
        self.vpc.add_flow_log(
            "Refused",
            destination=ec2.FlowLogDestination.to_cloud_watch_logs(
                delivered_log_group(self, "RefusedLog", config, "network")
            ),
            traffic_type=ec2.FlowLogTrafficType.REJECT,
        )
        self.vpc.add_gateway_endpoint("DynamoDb", service=ec2.GatewayVpcEndpointAwsService.DYNAMODB)
        self.vpc.add_gateway_endpoint("S3", service=ec2.GatewayVpcEndpointAwsService.S3)
        # Lambda's network interfaces; they outlive single functions, so the group is made here.
        self.functions = ec2.SecurityGroup(
            self, "Functions", vpc=self.vpc, description="Functions that use the cache"
        )
        secrets = ec2.SecurityGroup(
            self,
            "SecretsManagerDoor",
            vpc=self.vpc,
            description="Secrets Manager, from the functions",
            allow_all_outbound=False,
        )
        secrets.add_ingress_rule(self.functions, ec2.Port.tcp(443), "HTTPS from the functions")
        self.vpc.add_interface_endpoint(
            "SecretsManager",
            service=ec2.InterfaceVpcEndpointAwsService.SECRETS_MANAGER,
            security_groups=[secrets],
            open=False,
        )
