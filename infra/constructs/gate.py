"""The gate, the screen, and what stands before the pages: CloudFront Functions with one store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import RemovalPolicy
from aws_cdk import aws_cloudfront as cloudfront
from constructs import Construct

from infra.constructs.global_names import global_name
from infra.screen import pages_source, screen_source

if TYPE_CHECKING:
    from infra.config import Config


class Gate(Construct):
    """Deployed with an empty store: until an event is written to it, the gate answers 404."""

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(scope, construct_id)
        self.store = cloudfront.KeyValueStore(
            self,
            "Store",
            key_value_store_name=global_name(config.stage, "gate"),
            comment="One value per event: state, keys, epochs (docs/gate.md)",
        )
        # It holds the draw's key, which nothing else in AWS holds.
        self.store.apply_removal_policy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE)
        self.function = cloudfront.Function(
            self,
            "Function",
            function_name=global_name(config.stage, "gate"),
            comment="The waiting room (docs/gate.md)",
            code=cloudfront.FunctionCode.from_file(file_path=str(config.gate_file)),
            runtime=cloudfront.FunctionRuntime.JS_2_0,
            key_value_store=self.store,
        )
        self.screen = cloudfront.Function(
            self,
            "Screen",
            function_name=global_name(config.stage, "screen"),
            comment="Before all other routes of the API (docs/gate.md)",
            code=cloudfront.FunctionCode.from_inline(screen_source()),
            runtime=cloudfront.FunctionRuntime.JS_2_0,
            key_value_store=self.store,
        )
        self.pages = cloudfront.Function(
            self,
            "Pages",
            function_name=global_name(config.stage, "addresses"),
            comment="Before the pages: addresses of events, robots.txt, what is not there",
            code=cloudfront.FunctionCode.from_inline(pages_source()),
            runtime=cloudfront.FunctionRuntime.JS_2_0,
            key_value_store=self.store,
        )
