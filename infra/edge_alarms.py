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
    """An alarm on the sum of some figures of a function, or on a share of the requests.

    Attributes:
        figures: of the distribution where ``function`` is empty.
        function: its name in AWS is made of this one.
    """

    figures: tuple[str, ...]
    meaning: str
    severity: Literal["critical", "warning"]
    statistic: Literal["Average", "Sum"]
    threshold: float
    minutes: int
    function: str = ""


def _of(function: str, harm: str) -> dict[str, EdgeAlarm]:
    named = function.capitalize()
    return {
        f"{named}Errors": EdgeAlarm(
            # It throws, or it answers what CloudFront does not take: buyers get an error.
            ("FunctionExecutionErrors", "FunctionValidationErrors"),
            f"The function {function} fails at CloudFront: somebody cannot {harm}.",
            "critical",
            "Sum",
            threshold=10,
            minutes=2,
            function=function,
        ),
        f"{named}Throttles": EdgeAlarm(
            ("FunctionThrottles",),
            f"CloudFront refuses to run the function {function}: too many ask at once, or it takes"
            " too long.",
            "critical",
            "Sum",
            threshold=0,
            minutes=2,
            function=function,
        ),
        f"{named}Compute": EdgeAlarm(
            ("FunctionComputeUtilization",),
            f"The function {function} takes more than 70 percent of the time that CloudFront gives"
            " it.",
            "warning",
            "Average",
            threshold=70,
            minutes=3,
            function=function,
        ),
    }


EDGE_ALARMS = {
    **_of("gate", "join the waiting room or come in"),
    **_of("screen", "choose, pay or see an order"),
    **_of("addresses", "open a page"),
    "EdgeErrors": EdgeAlarm(
        ("5xxErrorRate",),
        f"More than 5 percent of at least {REQUESTS_MIN} requests a minute end in a 5xx at the"
        " edge, whoever made it.",
        "critical",
        "Average",
        threshold=5,
        minutes=3,
    ),
}
