"""Where CloudFront gathers what all its caches ask the API: one place near the API's region."""

from __future__ import annotations

from aws_cdk import Aws, CfnMapping
from constructs import Construct

# Regions with Origin Shield use their own; the others the one that AWS names for them.
# Source: CloudFront Developer Guide, "Use Amazon CloudFront Origin Shield", "Choosing the AWS
# Region for Origin Shield": all that it lists. Of a region that is in neither list it says nothing;
# there, name one with -c origin_shield_region.
HAVE_IT = (
    "ap-northeast-1",
    "ap-northeast-2",
    "ap-south-1",
    "ap-southeast-1",
    "ap-southeast-2",
    "eu-central-1",
    "eu-west-1",
    "eu-west-2",
    "sa-east-1",
    "us-east-1",
    "us-east-2",
    "us-west-2",
)
NEAREST = {
    "af-south-1": "eu-west-1",
    "ap-east-1": "ap-southeast-1",
    "ca-central-1": "us-east-1",
    "eu-north-1": "eu-west-2",
    "eu-south-1": "eu-central-1",
    "eu-west-3": "eu-west-2",
    "me-south-1": "ap-south-1",
    "us-west-1": "us-west-2",
}


def origin_shield_region(scope: Construct, chosen: str) -> str:
    """Return the region that the context names, or the one for the region of the stack."""
    if chosen:
        return chosen
    regions = {**{region: region for region in HAVE_IT}, **NEAREST}
    mapping = CfnMapping(
        scope,
        "OriginShield",
        mapping={region: {"region": shield} for region, shield in sorted(regions.items())},
    )
    return mapping.find_in_map(Aws.REGION, "region")
