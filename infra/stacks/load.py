"""Where Locust's workers run for a rehearsal: Fargate tasks that a command starts and that end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import CfnOutput, IgnoreMode, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_ecs as ecs
from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_s3_assets import Asset

from infra.acknowledged import acknowledge
from infra.constructs.log_group import log_group
from infra.naming import name

if TYPE_CHECKING:
    from constructs import Construct

    from infra.config import Config

MASTER_PORT = 5557
_VCPU, _MEMORY_MIB = 1, 2048  # one of Locust's workers uses one core
# Both are public, of AWS's own registry, so that nobody needs Docker to deploy.
_AWS_IMAGE = "public.ecr.aws/aws-cli/aws-cli:2.31.13"
_PYTHON_IMAGE = "public.ecr.aws/docker/library/python:3.13.9-slim-bookworm"
_FOLDER = "/load"
# The time limit comes with the command, so a task ends though nobody stops it.
_RUN = (
    "python -m zipfile -e code.zip . && pip install --quiet --no-cache-dir --require-hashes"
    ' -r requirements/load.txt && exec timeout "$@"'
)
_CODE = ("ops", "layers/core/python", "requirements/load.txt")


class LoadStack(Stack):
    """A network of one public subnet, a cluster, one task definition. At rest it costs nothing.

    The tasks have public addresses, because a NAT gateway costs 1 USD a day and 0.045 a gigabyte;
    only they reach the master's port. Their role reads the code, and nothing of the stage.
    """

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(
            scope,
            construct_id,
            stack_name=name(config.stage, "load"),
            description="Fairgate: simulated buyers for a rehearsal",
        )
        network = ec2.Vpc(
            self,
            "Network",
            max_azs=1,
            nat_gateways=0,
            subnet_configuration=[
                ec2.SubnetConfiguration(name="Public", subnet_type=ec2.SubnetType.PUBLIC)
            ],
        )
        acknowledge(network, "VPC7", "tasks of a rehearsal are its only machines, for its minutes")
        workers = ec2.SecurityGroup(self, "Workers", vpc=network, description="Master and workers")
        workers.add_ingress_rule(workers, ec2.Port.tcp(MASTER_PORT), "Workers of Locust")
        cluster = ecs.Cluster(
            self,
            "Machines",
            vpc=network,
            container_insights_v2=ecs.ContainerInsights.DISABLED,
        )
        acknowledge(cluster, "ECS4", "Locust's own figures are read; insights are paid a metric")
        task, logs = self._task(config)
        for key, value in {
            "Cluster": cluster.cluster_arn,
            "Task": task.task_definition_arn,
            "Subnet": network.public_subnets[0].subnet_id,
            "SecurityGroup": workers.security_group_id,
            "LogGroup": logs,
        }.items():
            CfnOutput(self, key, value=value)

    def _task(self, config: Config) -> tuple[ecs.FargateTaskDefinition, str]:
        task = ecs.FargateTaskDefinition(
            self,
            "Locust",
            cpu=_VCPU * 1024,
            memory_limit_mib=_MEMORY_MIB,
            runtime_platform=ecs.RuntimePlatform(
                cpu_architecture=ecs.CpuArchitecture.ARM64,
                operating_system_family=ecs.OperatingSystemFamily.LINUX,
            ),
            volumes=[ecs.Volume(name="load")],
        )
        logged = log_group(self, "Log", config, f"/fairgate/{config.stage}/load")
        log = ecs.LogDrivers.aws_logs(stream_prefix="load", log_group=logged)
        code = self._code(config)
        task.add_to_task_role_policy(
            PolicyStatement(
                actions=["s3:GetObject"],
                resources=[code.bucket.arn_for_objects(code.s3_object_key)],
            )
        )
        fetch = task.add_container(
            "Fetch",
            image=ecs.ContainerImage.from_registry(_AWS_IMAGE),
            essential=False,
            command=["s3", "cp", code.s3_object_url, f"{_FOLDER}/code.zip"],
            logging=log,
        )
        run = task.add_container(
            "Run",
            image=ecs.ContainerImage.from_registry(_PYTHON_IMAGE),
            entry_point=["/bin/sh", "-c", _RUN, "load"],
            command=["1", "false"],  # which the command replaces
            working_directory=_FOLDER,
            logging=log,
        )
        run.add_container_dependencies(
            ecs.ContainerDependency(
                container=fetch, condition=ecs.ContainerDependencyCondition.SUCCESS
            )
        )
        for container in (fetch, run):
            container.add_mount_points(
                ecs.MountPoint(container_path=_FOLDER, source_volume="load", read_only=False)
            )
        return task, logged.log_group_name

    def _code(self, config: Config) -> Asset:
        root = config.core_dir.parents[1]
        kept = [f"!{path}" for path in _CODE]
        return Asset(
            self,
            "Code",
            path=str(root),
            exclude=["**", *kept, "**/__pycache__"],
            ignore_mode=IgnoreMode.DOCKER,
        )
