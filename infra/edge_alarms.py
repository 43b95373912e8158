"""What is watched of CloudFront, whose figures are in one region alone.

It imports nothing of the CDK.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Source: CloudFront Developer Guide, "Types of metrics for CloudFront".
NAMESPACE, REGION = "AWS/CloudFront", "us-east-1"
REQUESTS_MIN = 100  # a minute: of few, a share says nothing


def edge_suffix(distribution: str) -> str:
    """Return the end of all their names: that region has the alarms of several regions' stages."""
    return f"-{distribution.lower()}"


@dataclass(frozen=True)
class EdgeAlarm:
    """An alarm on one figure of the gate, or on a share of the distribution's requests."""

    figure: str
    meaning: str
    severity: Literal["critical", "warning"]
    statistic: Literal["Average", "Sum"]
    threshold: float
    minutes: int
    of_gate: bool = True


EDGE_ALARMS = {
    "GateErrors": EdgeAlarm(
        "FunctionExecutionErrors",
        "The gate fails at CloudFront: who joins the waiting room gets an error.",
        "critical",
        "Sum",
        threshold=10,
        minutes=2,
    ),
    "GateThrottles": EdgeAlarm(
        "FunctionThrottles",
        "CloudFront refuses to run the gate: too many ask at once, or it takes too long.",
        "critical",
        "Sum",
        threshold=0,
        minutes=2,
    ),
    "GateCompute": EdgeAlarm(
        "FunctionComputeUtilization",
        "The gate takes more than 70 percent of the time that CloudFront gives it.",
        "warning",
        "Average",
        threshold=70,
        minutes=3,
    ),
    "EdgeErrors": EdgeAlarm(
        "5xxErrorRate",
        f"More than 5 percent of at least {REQUESTS_MIN} requests a minute end in a 5xx at the"
        " edge, whoever made it.",
        "critical",
        "Average",
        threshold=5,
        minutes=3,
        of_gate=False,
    ),
}
