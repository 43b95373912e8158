"""Names of what an account has once for all regions."""

from __future__ import annotations

from aws_cdk import Aws

from infra.naming import name


def global_name(stage: str, what: str) -> str:
    """``fairgate-prod-gate-eu-central-1``: the same stage may exist in two regions."""
    return f"{name(stage, what)}-{Aws.REGION}"
