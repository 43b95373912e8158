"""What the requests' logs hold, and what those of the distribution cost.

It imports nothing of the CDK. ``python -m infra.logs`` prints the cost. No log holds what lets
somebody in: neither query strings, which carry sign-in codes, nor cookies or request headers,
which carry tokens; nor an address, a name of a device, or the page that somebody came from.
"""

from __future__ import annotations

# Of the distribution. Source: CloudFront Developer Guide, "Standard logging reference", "Log file
# fields". A URI's stem ends before its query string; ids in it open nothing without a credential.
DISTRIBUTION_FIELDS = (
    "date",
    "time",
    "x-edge-location",
    "x-edge-request-id",
    "cs-method",
    "cs-uri-stem",
    "cs-protocol-version",
    "sc-status",
    "sc-bytes",
    "x-edge-result-type",
    "x-edge-detailed-result-type",
    "time-taken",
    "time-to-first-byte",
    "c-country",
)
# Source: CloudFront Developer Guide, "Configure standard logging (v2)": the account that
# enables it has to call this region, wherever the log goes.
DISTRIBUTION_REGION = "us-east-1"
# By year, month, day and hour of the request: a question about one minute reads one hour.
DISTRIBUTION_PATH = "{DistributionId}/{yyyy}/{MM}/{dd}/{HH}"

# Of the API. A route's key is its pattern, without anybody's ids. Source: API Gateway Developer
# Guide, "Customize HTTP API access logs".
API_FIELDS = {
    "request_id": "$context.requestId",
    # AWS does not say the unit; HTTP APIs were seen to write seconds, REST APIs milliseconds.
    "at_epoch": "$context.requestTimeEpoch",
    "route": "$context.routeKey",
    "status": "$context.status",
    "bytes": "$context.responseLength",
    "latency_ms": "$context.responseLatency",
    "function_ms": "$context.integrationLatency",
    "function_status": "$context.integrationStatus",
    "error": "$context.error.responseType",
    "function_error": "$context.integrationErrorMessage",
    "authorizer_error": "$context.authorizer.error",
}

# One record, as it is delivered (Parquet): modelled. Source of the prices: Amazon CloudWatch
# pricing, "Logs", vended logs delivered to S3, first 10 TB, and 0.03 for Parquet; Amazon S3
# pricing, standard storage; November 2026, US dollars. AWS has announced the delivery to S3 as free
# of charge; its list has a price, so that one is counted.
RECORD_BYTES = 60
DELIVERED_GB, STORED_GB_A_MONTH = 0.28, 0.023
MONTH_DAYS = 30
SPANS_S = {"a minute": 60, "ten minutes": 600, "an hour": 3_600}


def gigabytes(requests_per_s: int, seconds: int) -> float:
    return requests_per_s * seconds * RECORD_BYTES / 1e9


def cost_of(requests_per_s: int, seconds: int, *, days: int) -> float:
    """Model what the distribution's log costs: its delivery, and the keeping for ``days``."""
    a_gb = DELIVERED_GB + STORED_GB_A_MONTH * days / MONTH_DAYS
    return gigabytes(requests_per_s, seconds) * a_gb


def cost_table(requests_per_s: int = 1_000_000, *, days: int = 90) -> str:
    """Return the modelled cost as a table for docs/deploying.md."""
    rows = [
        f"| {span} | {gigabytes(requests_per_s, seconds):,.1f} "
        f"| {cost_of(requests_per_s, seconds, days=days):,.2f} |"
        for span, seconds in SPANS_S.items()
    ]
    head = f"| modelled, at {requests_per_s:,} requests a second, kept {days} days | GB | dollars |"
    return "\n".join([head, "|---|---|---|", *rows])


if __name__ == "__main__":
    print(cost_table())  # noqa: T201 a command prints
