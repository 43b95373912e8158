"""The CDK application. Synthesises offline: no credentials, no look-ups, no account named."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
# The shipped package holds the names that the stacks spell: settings, paths, table schema.
sys.path[:0] = [str(ROOT), str(ROOT / "layers/core/python")]

import aws_cdk as cdk  # noqa: E402 after the path

from infra.config import Config  # noqa: E402
from infra.option_values import ConfigError  # noqa: E402
from infra.system import build  # noqa: E402


def main() -> None:
    app = cdk.App()
    region = os.environ.get("CDK_DEFAULT_REGION", "")  # which the CDK's command sets
    try:
        given = app.node.get_all_context()
        config = Config.from_context(app.node.try_get_context, ROOT, region, given)
    except ConfigError as error:
        sys.exit(f"error: {error}")
    build(app, config)
    app.synth()


if __name__ == "__main__":
    main()
