"""Price a whole sale, by CloudFront's usage prices and by its flat-rate plans. Modelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate import metrics
from fairgate_ops.operate.capacity import access
from fairgate_ops.operate.capacity.plan import (
    CALL_S,
    ECPU_A_CHANGE,
    ECPU_A_READ,
    FOUND_AGAIN,
    PASSED_ON,
    PASSING_CALLS,
    RENEWED_EVERY_H,
    catalogue_readers,
    rates_at_origin,
)
from infra.cognito_plans import PLANS, dollars_a_month
from infra.firewall import ACL_A_MONTH, MILLION_REQUESTS, RULE_A_MONTH
from infra.functions import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate_ops.operate.capacity.inputs import Inputs

_MILLION, _GB = 1e6, 1e9
HOURS_A_MONTH = 730
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
WAF_REQUEST = MILLION_REQUESTS / _MILLION
# Amazon EventBridge pricing: Pipes, what passes a filter. Amazon SQS pricing: standard queues; a
# message is sent, received and deleted.
PIPED, QUEUED = 0.40 / _MILLION, 3 * 0.40 / _MILLION
# Amazon CloudWatch pricing: logs taken in, standard class, and vended logs delivered to S3 as
# Parquet.
LOG_GB, DELIVERED_LOG_GB = 0.50, 0.28
# Modelled: what a call leaves in the logs of its function and of the API, Lambda's own lines with
# it; and a compressed line of the distribution's log, as in infra/logs.py.
LOG_BYTES_A_CALL, EDGE_LOG_BYTES = 2_000, 60
TRACE = 5.00 / _MILLION  # AWS X-Ray pricing: traces recorded
# Of calls; and the first of each second. Source: AWS X-Ray Developer Guide, "AWS Lambda".
TRACED_SHARE = 0.05
METRIC_MONTH = 0.30  # Amazon CloudWatch pricing: a custom metric, by the hour; the first 10,000
ECPU = 0.0023 / _MILLION  # Amazon ElastiCache pricing: serverless, Valkey
DECIDED_SHARE = 0.95  # of the edge's requests, by gate or screen; the rest are pages; modelled
MEMORY_GB = 1.0  # of the functions that a sale calls most, infra/functions.py
MESSAGES_AN_ORDER = 2  # to the ticketer, for its tickets and for its mail
# Of each of UserAuthentication and UserToken: one request a sign-in. Source: Amazon Cognito
# Developer Guide, "Quotas"; What's New of 25 January 2024: a request a second more, for a month.
COGNITO_PER_S, COGNITO_CATEGORIES, COGNITO_RATE_MONTH = 120, 2, 20.00
COGNITO_REQUESTS = 5  # that a sign-in makes at its pages, as infra/firewall.py has it


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


def sale_cost(inputs: Inputs, counted: Mapping[str, float] | None = None) -> list[Cost]:
    """Make a row for each thing that AWS charges for, from the first page to the last ticket.

    Who signs the buyers in is priced by ``sign_in_costs``.

    Args:
        counted: how often actions happened, where that is known; the others are modelled.
    """
    requests, gb = edge_requests(inputs), edge_gb(inputs)
    decided = requests * DECIDED_SHARE
    calls = calls_a_sale(inputs, counted)
    origin = sum(calls.values())
    seconds = sum(count * CALL_S[name] for name, count in calls.items())
    actions = {**access.actions_a_sale(inputs, catalogue_readers(inputs)), **(counted or {})}
    written, read = access.units_by_table(inputs, actions)
    changes = access.items_written("seat", inputs, actions) - actions["creation"]  # no changes
    hours = inputs.sign_in_hours + inputs.sale_hours
    traces = origin * TRACED_SHARE + len(FUNCTIONS) * hours * 3_600
    sale_metrics = custom_metrics() - len(metrics_at_rest())
    return [
        _cost("CloudFront, requests", requests, "requests", CLOUDFRONT_REQUEST),
        _cost("CloudFront, data out", gb, "GB", CLOUDFRONT_GB),
        _cost("CloudFront Functions", decided, "calls", FUNCTION_CALL),
        _cost("KeyValueStore, reads", decided, "reads", STORE_READ),
        _cost("WAF, on where a stage sells", requests, "requests", WAF_REQUEST),
        _cost("HTTP API", origin, "requests", HTTP_API_REQUEST),
        _cost("Lambda, requests", origin, "requests", LAMBDA_REQUEST),
        _cost("Lambda, duration", seconds * MEMORY_GB, "GB-s", LAMBDA_GB_S),
        _cost("DynamoDB, writes", sum(written.values()), "write units", WRITE_UNIT),
        _cost("DynamoDB, reads", sum(read.values()), "read units", READ_UNIT),
        _cost(
            "Cache, commands",
            calls["seatmap"] * ECPU_A_READ + changes * ECPU_A_CHANGE,
            "ECPU",
            ECPU,
        ),
        _cost(
            "Pipes and queues",
            changes + actions["payment"] * MESSAGES_AN_ORDER,
            "messages",
            PIPED + QUEUED,
        ),
        _cost("X-Ray", traces, "traces", TRACE),
        _cost(
            f"Custom metrics, for {hours:g} hours",
            sale_metrics,
            "metrics",
            METRIC_MONTH * hours / HOURS_A_MONTH,
        ),
        _cost("Logs of functions and API", origin * LOG_BYTES_A_CALL / _GB, "GB", LOG_GB),
        _cost(
            "Log of the distribution, where it is on",
            requests * EDGE_LOG_BYTES / _GB,
            "GB",
            DELIVERED_LOG_GB,
        ),
    ]


def calls_a_sale(inputs: Inputs, counted: Mapping[str, float] | None = None) -> dict[str, float]:
    """Return how often each function is called in the whole sale, named as in the worst second."""
    actions = {**access.actions_a_sale(inputs, 0), **(counted or {})}
    return {
        "sign-ins": inputs.waiting,
        "renewals": inputs.waiting * inputs.sale_hours / RENEWED_EVERY_H,
        "sessions": actions["opening"],
        "holds": actions["hold"],
        "orders": actions["checkout"],
        "webhooks": actions["payment"],
        "seatmap": rates_at_origin(inputs)["seatmap"] * inputs.sale_hours * 3_600,
        "desk": actions["counting"],
        "asked": actions["asked"],
        "ticket pictures": inputs.seats,
        "passed on": inputs.seats * PASSED_ON * PASSING_CALLS,
        "found again": actions["payment"] * FOUND_AGAIN,
    }


def sign_in_costs(inputs: Inputs) -> list[Cost]:
    """Make a row for each provider that may sign the crowd in, with what Cognito needs beside it.

    The first costs nothing here: it is the organiser's own.
    """
    more_per_s = max(0.0, rates_at_origin(inputs)["sign-ins"] - COGNITO_PER_S)
    requests = inputs.waiting * COGNITO_REQUESTS
    wall = ACL_A_MONTH + RULE_A_MONTH + requests * WAF_REQUEST
    return [
        Cost("the organiser's own provider", inputs.waiting, "accounts", 0.0),
        *(
            Cost(
                f"Cognito's plan {plan}",
                inputs.waiting,
                "accounts",
                dollars_a_month(plan, inputs.waiting),
            )
            for plan in PLANS
        ),
        Cost(
            "with Cognito: what it must take above 120 sign-ins a second, for a month",
            more_per_s * COGNITO_CATEGORIES,
            "requests a second",
            more_per_s * COGNITO_CATEGORIES * COGNITO_RATE_MONTH,
        ),
        Cost("with Cognito: its own WAF web ACL, where `waf=on`", requests, "requests", wall),
    ]


def custom_metrics() -> int:
    """Count the metrics that the functions emit; each function's is one of its own."""
    return len(metrics.EMITTED_BY) + sum(map(len, metrics.EMITTED_BY_SEVERAL.values()))


def metrics_at_rest() -> list[str]:
    """Name those of the functions that the clock calls, without those of events on sale."""
    on_sale = {
        metrics.QUEUE_WAITING,
        metrics.WAIT_EXPECTED,
        metrics.SESSIONS_LIVE,
        metrics.SESSIONS_TARGET,
    }
    timers = {function.name for function in FUNCTIONS if function.trigger == "timer"}
    by_clock = [name for name, by in metrics.EMITTED_BY.items() if by in timers]
    by_clock.append(metrics.SEATS_DAMAGED)  # by the auditor; by others only when there are any
    return [name for name in by_clock if name not in on_sale]


def _cost(what: str, amount: float, unit: str, price: float) -> Cost:
    return Cost(what, amount, unit, amount * price)
