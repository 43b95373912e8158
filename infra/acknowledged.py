"""What cdk-nag (AwsSolutions) finds and what stays as it is: each with its reason.

The pack itself runs in the tests alone (``tests/infra/test_nag.py``): to an operator who deploys,
these notes are silent. An acknowledgement of nothing fails there, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Acknowledgment, Validations

from infra.naming import PREWARM, name

if TYPE_CHECKING:
    from aws_cdk import Stack
    from aws_cdk import aws_s3 as s3
    from constructs import IConstruct

    from infra.config import Config

ANY = "IAM5[Resource::*]"


def acknowledge(construct: IConstruct, rule: str, reason: str) -> None:
    """Let a finding of a rule, as ``S1``, stand at a construct and those within it."""
    finding = Acknowledgment(id=f"AwsSolutions::AwsSolutions-{rule}", reason=reason)
    Validations.of(construct).acknowledge(finding)


def any_parameter(config: Config) -> str:
    return f"IAM5[Resource::{_ARN.format('ssm')}:parameter/fairgate/{config.stage}/*]"


def any_alarm(config: Config) -> str:
    return f"IAM5[Resource::{_ARN.format('cloudwatch')}:alarm:{name(config.stage, '*')}]"


def any_backup(table: str) -> str:
    return f"IAM5[Resource::{_ARN.format('dynamodb')}:table/{table}/backup/*]"


def any_log_file(stack: Stack, bucket: s3.Bucket) -> str:
    named = stack.get_logical_id(bucket.node.default_child)  # type: ignore[arg-type] # it is a CfnBucket
    return f"IAM5[Resource::<{named}.Arn>/*]"


def any_log_below(stack: Stack, bucket: s3.Bucket, prefix: str) -> str:
    """What lies below a prefix of a bucket of logs."""
    named = stack.get_logical_id(bucket.node.default_child)  # type: ignore[arg-type] # it is a CfnBucket
    return f"IAM5[Resource::<{named}.Arn>/{prefix}/*]"


def any_log_of(function: str) -> tuple[str, str]:
    """Groups of a function whose name CloudFormation makes, and what is in them."""
    groups = f"{_ARN.format('logs')}:log-group:/aws/lambda/*{function}*"
    return f"IAM5[Resource::{groups}]", f"IAM5[Resource::{groups}:*]"


def any_line_of(config: Config, function: str) -> str:
    """What is in the group of a function at CloudFront, whose region is that of CloudFront."""
    group = f"/aws/cloudfront/function/{name(config.stage, function)}-<AWS::Region>"
    arn = _ARN.format("logs").replace("<AWS::Region>", "us-east-1")
    return f"IAM5[Resource::{arn}:log-group:{group}:*]"


def any_stack(config: Config) -> str:
    return f"IAM5[Resource::{_ARN.format('cloudformation')}:stack/{name(config.stage, '*')}/*]"


def any_schedule(config: Config) -> str:
    group = name(config.stage, PREWARM)
    return f"IAM5[Resource::{_ARN.format('scheduler')}:schedule/{group}/*]"


def any_layout(config: Config) -> str:
    """As other stacks name the bucket: by an export, whose name the CDK makes of its path."""
    bucket = f"{name(config.stage, 'edge')}:ExportsOutputFnGetAttLayoutsBucket110A74CAArnA9599427"
    return f"IAM5[Resource::{bucket}/layouts/*]"


def any_job_file(config: Config) -> str:
    bucket = f"{name(config.stage, 'edge')}:ExportsOutputFnGetAttJobFilesBucket194C219CArnE99D6955"
    return f"IAM5[Resource::{bucket}/job_*]"


def any_page(config: Config) -> str:
    return f"IAM5[Resource::{web_export(config)}/e/*]"


def web_export(config: Config) -> str:
    return f"{name(config.stage, 'edge')}:ExportsOutputFnGetAttWebBucketE51352C0Arn57C8897A"


def any_identity() -> str:
    return f"IAM5[Resource::{_ARN.format('ses')}:identity/*]"


_ARN = "arn:<AWS::Partition>:{}:<AWS::Region>:<AWS::AccountId>"
