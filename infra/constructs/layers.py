"""The Lambda layers: the project's own package, and third-party ones built by `make layers`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Annotations, RemovalPolicy
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from infra import bytecode
from infra.config import LAYERS
from infra.naming import pascal
from infra.shipped import shipped

if TYPE_CHECKING:
    from pathlib import Path

    from infra.config import Config

RUNTIME = lambda_.Runtime.PYTHON_3_13
ARCHITECTURE = lambda_.Architecture.ARM_64


class Layers(Construct):
    """One set for each stack that has functions.

    A layer version shared across stacks would be an export, and an export in use cannot change:
    the second deployment would fail.
    """

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(scope, construct_id)
        self.shipped = shipped(config.functions_dir, config.core_dir)
        if not self.shipped.compiled:
            Annotations.of(self).add_warning_v2("fairgate:bytecode", bytecode.MISSING)
        self.core = self._layer("Core", self.shipped.core)
        self.third_party = {
            layer: self._layer(pascal(layer), config.layers_dir / layer) for layer in LAYERS
        }

    def _layer(self, construct_id: str, folder: Path) -> lambda_.LayerVersion:
        bytecode.check(folder)
        return lambda_.LayerVersion(
            self,
            construct_id,
            code=lambda_.Code.from_asset(str(folder)),
            compatible_runtimes=[RUNTIME],
            compatible_architectures=[ARCHITECTURE],
            removal_policy=RemovalPolicy.DESTROY,
        )
