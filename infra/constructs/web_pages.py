"""The pages and how buyers sign in, copied into their bucket by each deployment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_s3_deployment as deployment
from constructs import Construct

from fairgate.adapters.aws.files import PAGE, PINNED
from infra.acknowledged import acknowledge, web_export
from infra.constructs.log_group import log_group
from infra.identity import PAGES_CONFIG, pages_config
from infra.naming import name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aws_cdk import aws_s3 as s3

    from infra.config import Config
    from infra.identity import Provider


INDEX = "index.html"
CONSOLE = "console.html"


class WebPages(Construct):
    """First the assets of this release, beside those of all before; then the page that names them.

    An asset's name has the hash of its content (``edge/web/build.mjs``), so browsers and CloudFront
    keep it for good. Nothing is removed: a page that was opened before an update still finds what
    it has not loaded yet. A release is about 0.5 MB, so a thousand cost about a cent a month.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        config: Config,
        *,
        bucket: s3.IBucket,
        provider: Provider | None = None,
    ) -> None:
        super().__init__(scope, construct_id)
        self._bucket = bucket
        # The CDK's own would outlive the stage, and keep its lines for two years.
        self._log = log_group(self, "Log", config, f"/aws/lambda/{name(config.stage, 'copies')}")
        files = deployment.Source.asset(str(config.web_dir), exclude=[INDEX, CONSOLE])
        assets = self._copied("Assets", [files], PINNED)
        named = [
            *(
                deployment.Source.data(page, (config.web_dir / page).read_text("utf-8"))
                for page in (INDEX, CONSOLE)
            ),
            deployment.Source.json_data(PAGES_CONFIG, pages_config(config, provider)),
        ]
        self._copied("Page", named, PAGE).node.add_dependency(assets)
        _explain(assets, config)

    def _copied(
        self, construct_id: str, sources: Sequence[deployment.ISource], kept: str
    ) -> deployment.BucketDeployment:
        return deployment.BucketDeployment(
            self,
            construct_id,
            destination_bucket=self._bucket,
            sources=sources,
            cache_control=[deployment.CacheControl.from_string(kept)],
            prune=False,
            log_group=self._log,
        )


def _explain(copied: deployment.BucketDeployment, config: Config) -> None:
    """The function that copies is the CDK's, with a role that the CDK writes."""
    function = copied.handler_role.node.scope
    if function is None:
        raise ValueError("the role of the function that copies stands alone")
    acknowledge(function, "L1", "its runtime is what the CDK tests it with")
    managed = "arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
    acknowledge(function, f"IAM4[Policy::{managed}]", "the CDK's own: it may write its log")
    for wildcard in (*_WILDCARDS, f"Resource::{web_export(config)}/*"):
        acknowledge(
            function, f"IAM5[{wildcard}]", "the CDK's own: from its assets into the pages' bucket"
        )


_ASSETS = "cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>"
_WILDCARDS = (
    *(f"Action::s3:{action}*" for action in ("Abort", "DeleteObject")),
    *(f"Action::s3:{action}*" for action in ("GetBucket", "GetObject", "List")),
    f"Resource::arn:<AWS::Partition>:s3:::{_ASSETS}/*",
)
