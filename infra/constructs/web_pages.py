"""The pages and how buyers sign in, copied into their bucket by each deployment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_s3_deployment as deployment
from constructs import Construct

from infra.acknowledged import acknowledge
from infra.constructs.log_group import log_group
from infra.identity import PAGES_CONFIG, pages_config
from infra.naming import name
from infra.routes import CACHING

if TYPE_CHECKING:
    from aws_cdk import aws_cloudfront as cloudfront
    from aws_cdk import aws_s3 as s3

    from infra.config import Config
    from infra.identity import Provider


class WebPages(Construct):
    """What browsers may keep is as short as what CloudFront keeps: no invalidation is needed."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        config: Config,
        *,
        bucket: s3.Bucket,
        distribution: cloudfront.Distribution,
        provider: Provider | None = None,
    ) -> None:
        super().__init__(scope, construct_id)
        pages = CACHING["catalog"]
        if pages is None:
            raise ValueError("the pages' cache policy is missing")
        copied = deployment.BucketDeployment(
            self,
            "Copy",
            destination_bucket=bucket,
            sources=[
                deployment.Source.asset(str(config.web_dir), exclude=["tests", "*.md"]),
                deployment.Source.json_data(PAGES_CONFIG, pages_config(config, provider)),
            ],
            cache_control=[
                deployment.CacheControl.from_string(
                    f"public, max-age={pages.default_ttl_s}, "
                    f"stale-while-revalidate={pages.stale_while_revalidate_s}"
                )
            ],
            # The CDK's own would outlive the stage, and keep its lines for two years.
            log_group=log_group(self, "Log", config, f"/aws/lambda/{name(config.stage, 'pages')}"),
        )
        copied.node.add_dependency(distribution)  # a first page is served with all its headers
        _explain(copied)


def _explain(copied: deployment.BucketDeployment) -> None:
    """The function that copies is the CDK's, with a role that the CDK writes."""
    function = copied.handler_role.node.scope
    if function is None:
        raise ValueError("the role of the function that copies stands alone")
    acknowledge(function, "L1", "its runtime is what the CDK tests it with")
    managed = "arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
    acknowledge(function, f"IAM4[Policy::{managed}]", "the CDK's own: it may write its log")
    for wildcard in _WILDCARDS:
        acknowledge(
            function, f"IAM5[{wildcard}]", "the CDK's own: from its assets into the pages' bucket"
        )


_ASSETS = "cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>"
_WILDCARDS = (
    *(f"Action::s3:{action}*" for action in ("Abort", "DeleteObject")),
    *(f"Action::s3:{action}*" for action in ("GetBucket", "GetObject", "List")),
    f"Resource::arn:<AWS::Partition>:s3:::{_ASSETS}/*",
    "Resource::<WebBucketE51352C0.Arn>/*",
)
