"""The pages, in the distribution's bucket: deployed when all that they ask is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Stack

from infra.constructs.user_pool_client import provider_in_use
from infra.constructs.web_pages import WebPages
from infra.naming import name

if TYPE_CHECKING:
    from constructs import Construct

    from infra.config import Config
    from infra.stacks.api import ApiStack
    from infra.stacks.edge import EdgeStack


class PagesStack(Stack):
    def __init__(
        self, scope: Construct, construct_id: str, config: Config, *, edge: EdgeStack, api: ApiStack
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            stack_name=name(config.stage, "pages"),
            description="Fairgate: the pages",
        )
        provider = provider_in_use(self, config) if config.sign_in == "cognito" else None
        WebPages(self, "Pages", config, bucket=edge.web, provider=provider)
        self.add_stack_dependency(api)
