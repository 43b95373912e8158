"""The Lambda layers: the project's own package, and third-party ones built by `make layers`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from aws_cdk import RemovalPolicy
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from infra.config import LAYERS
from infra.naming import pascal
from infra.reached import unreached_files

if TYPE_CHECKING:
    from pathlib import Path

    from infra.config import Config

RUNTIME = lambda_.Runtime.PYTHON_3_13
ARCHITECTURE = lambda_.Architecture.ARM_64
LEFT_OUT = ["__pycache__", "*.pyc", "*.egg-info"]  # what running it here leaves behind


class Layers(Construct):
    """One set for each stack that has functions.

    A layer version shared across stacks would be an export, and an export in use cannot change:
    the second deployment would fail.
    """

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(scope, construct_id)
        self.core = self._layer(
            "Core",
            lambda_.Code.from_asset(
                str(config.core_dir),
                exclude=[*LEFT_OUT, *_unreached(config.functions_dir, config.core_dir)],
            ),
        )
        self.third_party = {
            layer: self._layer(
                pascal(layer),
                lambda_.Code.from_asset(str(config.layers_dir / layer), exclude=LEFT_OUT),
            )
            for layer in LAYERS
        }

    def _layer(self, construct_id: str, code: lambda_.Code) -> lambda_.LayerVersion:
        return lambda_.LayerVersion(
            self,
            construct_id,
            code=code,
            compatible_runtimes=[RUNTIME],
            compatible_architectures=[ARCHITECTURE],
            removal_policy=RemovalPolicy.DESTROY,
        )


@cache
def _unreached(functions_dir: Path, core_dir: Path) -> tuple[str, ...]:
    """List what only operators' commands use; no function carries it."""
    return tuple(f"python/{name}" for name in unreached_files(functions_dir, core_dir / "python"))
