"""Price a whole sale, by CloudFront's usage prices and by its flat-rate plans. Modelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate_ops.operate.capacity.plan import (
    FOUND_AGAIN,
    PASSED_ON,
    PASSING_CALLS,
    RENEWED_EVERY_H,
    needs,
    rates_at_origin,
)

if TYPE_CHECKING:
    from fairgate_ops.operate.capacity.plan import Inputs

_MILLION, _GB = 1e6, 1e9
# US dollars, us-east-1, viewers in North America and Europe, without free tiers or discounts, as of
# June 2026. Change them here when AWS changes them.
# Amazon CloudFront pricing: on demand, HTTPS requests; data transfer out, first 10 TB.
CLOUDFRONT_REQUEST = 0.0100 / 10_000
CLOUDFRONT_GB = 0.085
HTTP_API_REQUEST = 1.00 / _MILLION  # Amazon API Gateway pricing: HTTP APIs, first 300 million
# AWS Lambda pricing: Arm.
LAMBDA_REQUEST = 0.20 / _MILLION
LAMBDA_GB_S = 0.0000133334
# Amazon DynamoDB pricing: on demand, standard table class.
READ_UNIT = 0.125 / _MILLION
WRITE_UNIT = 0.625 / _MILLION
FUNCTION_CALL = 0.10 / _MILLION  # Amazon CloudFront pricing: CloudFront Functions
STORE_READ = 0.03 / _MILLION  # the same: KeyValueStore, reads within functions
WAF_REQUEST = 0.60 / _MILLION  # AWS WAF pricing: requests; ACL and rules are some dollars a month
# Amazon EventBridge pricing: Pipes, what passes a filter. Amazon SQS pricing: standard queues; a
# message is sent, received and deleted.
PIPED, QUEUED = 0.40 / _MILLION, 3 * 0.40 / _MILLION
# Amazon CloudWatch pricing: logs taken in, standard class, and vended logs delivered to S3.
LOG_GB, DELIVERED_LOG_GB = 0.50, 0.25
# Modelled: what a call leaves in the logs of its function and of the API, Lambda's own lines with
# it; and a compressed line of the distribution's log, as in infra/logs.py.
LOG_BYTES_A_CALL, EDGE_LOG_BYTES = 2_000, 60
GATED_SHARE = 0.6  # of the edge's requests, that the gate decides; modelled
MEMORY_GB = 1.0  # of the functions that a sale calls most, infra/functions.py
CHANGES_A_SEAT = 2  # held and sold, or held and given back; and as often an order or its mail
HOLDS_A_TICKETED = 1.3  # holds for each that becomes an order; modelled


@dataclass(frozen=True)
class Cost:
    what: str
    amount: float
    unit: str
    dollars: float


@dataclass(frozen=True)
class FlatPlan:
    """A CloudFront flat-rate plan, by month and distribution.

    Source: CloudFront Developer Guide, flat-rate-pricing-plan, as public reports of November 2025
    to February 2026 agree; AWS's own price page could not be read here.
    """

    name: str
    dollars: int
    requests: float
    gb: float

    def carries(self, requests: float, gb: float) -> bool:
        return requests <= self.requests and gb <= self.gb


FLAT_PLANS = (
    FlatPlan("Free", 0, 1e6, 100),
    FlatPlan("Pro", 15, 10e6, 50_000),
    FlatPlan("Business", 200, 125e6, 50_000),
    FlatPlan("Premium", 1_000, 500e6, 50_000),
)


def edge_requests(inputs: Inputs) -> float:
    return inputs.waiting * inputs.requests_a_waiting_buyer


def edge_gb(inputs: Inputs) -> float:
    return edge_requests(inputs) * inputs.answer_bytes / _GB


def sale_cost(inputs: Inputs) -> list[Cost]:
    """Make a row for each thing that AWS charges for, from the first page to the last ticket."""
    requests, gb = edge_requests(inputs), edge_gb(inputs)
    gated = requests * GATED_SHARE
    origin = _origin_requests(inputs)
    need = needs(inputs)
    seconds_a_call = sum(need.concurrency.values()) / need.api_requests_per_s
    holds = inputs.seats / inputs.seats_a_hold * HOLDS_A_TICKETED
    writes = holds * sum(need.write_units.values()) / inputs.holds_per_s
    reads = holds * sum(need.read_units.values()) / inputs.holds_per_s
    return [
        _cost("CloudFront, requests", requests, "requests", CLOUDFRONT_REQUEST),
        _cost("CloudFront, data out", gb, "GB", CLOUDFRONT_GB),
        _cost("CloudFront Functions", gated, "calls", FUNCTION_CALL),
        _cost("KeyValueStore, reads", gated, "reads", STORE_READ),
        _cost("WAF, where it is attached", requests, "requests", WAF_REQUEST),
        _cost("HTTP API", origin, "requests", HTTP_API_REQUEST),
        _cost("Lambda, requests", origin, "requests", LAMBDA_REQUEST),
        _cost("Lambda, duration", origin * seconds_a_call * MEMORY_GB, "GB-s", LAMBDA_GB_S),
        _cost("DynamoDB, writes", writes, "write units", WRITE_UNIT),
        _cost("DynamoDB, reads", reads, "read units", READ_UNIT),
        _cost(
            "Pipes and queues",
            holds * (inputs.seats_a_hold + 1) * CHANGES_A_SEAT,
            "messages",
            PIPED + QUEUED,
        ),
        _cost("Logs of functions and API", origin * LOG_BYTES_A_CALL / _GB, "GB", LOG_GB),
        _cost(
            "Log of the distribution, where it is on",
            requests * EDGE_LOG_BYTES / _GB,
            "GB",
            DELIVERED_LOG_GB,
        ),
    ]


def _origin_requests(inputs: Inputs) -> float:
    rates = rates_at_origin(inputs)
    orders = inputs.seats / inputs.seats_a_hold
    bought = orders * HOLDS_A_TICKETED * (1 + inputs.admissions_per_s / inputs.holds_per_s)
    asked = orders * (2 + inputs.orders_asked_per_s / inputs.checkouts_per_s)
    asked += inputs.seats * (1 + PASSED_ON * PASSING_CALLS) + orders * FOUND_AGAIN
    looked = rates["seatmap"] * inputs.sale_hours * 3_600
    signed_in = inputs.waiting * (1 + inputs.sale_hours / RENEWED_EVERY_H)
    return bought + asked + looked + signed_in + edge_requests(inputs) * inputs.desk_share


def _cost(what: str, amount: float, unit: str, price: float) -> Cost:
    return Cost(what, amount, unit, amount * price)
