"""The pages and how buyers sign in, copied into their bucket by each deployment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_s3_deployment as deployment
from constructs import Construct

from infra.identity import PAGES_CONFIG, pages_config
from infra.routes import CACHING

if TYPE_CHECKING:
    from aws_cdk import aws_cloudfront as cloudfront
    from aws_cdk import aws_s3 as s3

    from infra.config import Config


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
                deployment.Source.json_data(PAGES_CONFIG, pages_config(config)),
            ],
            cache_control=[
                deployment.CacheControl.from_string(
                    f"public, max-age={pages.default_ttl_s}, "
                    f"stale-while-revalidate={pages.stale_while_revalidate_s}"
                )
            ],
        )
        copied.node.add_dependency(distribution)  # a first page is served with all its headers
