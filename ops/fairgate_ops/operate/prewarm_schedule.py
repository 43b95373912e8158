"""Let EventBridge Scheduler make ready ahead of the sale start, and give back afterwards.

Source: EventBridge Scheduler User Guide, Using universal targets: each schedule is one call of AWS.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from fairgate_ops.operate.prewarm import ECPU_MIN, Deployment, Step

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate_ops.operate.capacity.plan import Needs

_TARGET = "arn:aws:scheduler:::aws-sdk:"
_EXISTS = "ConflictException"
_RETRIES, _TOO_LATE_S = 5, 900


@dataclass(frozen=True)
class Hours:
    """When it is made ready, and when it is given back, in epoch seconds."""

    ready_s: float
    back_s: float


@dataclass(frozen=True)
class _Call:
    what: str
    at_s: float
    action: str
    parameters: Mapping[str, Any]


def scheduling(at: Deployment, event: str, needs: Needs, hours: Hours) -> list[Step]:
    """List the schedules that are written; again, they are moved to other hours.

    Tables are not among them, as their warmth is not given back, nor is the freeze.
    """
    parameter = at.aws("ssm").get_parameter(Name=f"/fairgate/{at.stage}/prewarm")
    may = json.loads(parameter["Parameter"]["Value"])
    found = at.aws("elasticache").describe_serverless_caches(ServerlessCacheName=may["cache"])
    limits = found["ServerlessCaches"][0].get("CacheUsageLimits", {})
    return [
        Step(
            call.what,
            f"call {call.action} at {_utc(call.at_s)}",
            partial(_write, at, may, event, call),
        )
        for call in _calls(may, limits, needs, hours)
    ]


def _calls(
    may: Mapping[str, Any], limits: Mapping[str, Any], needs: Needs, hours: Hours
) -> Iterator[_Call]:
    for function, name in may["functions"].items():
        which = {"FunctionName": name, "Qualifier": may["alias"]}
        count = max(1, math.ceil(needs.concurrency[function]))
        ready = which | {"ProvisionedConcurrentExecutions": count}
        put, delete = "putProvisionedConcurrencyConfig", "deleteProvisionedConcurrencyConfig"
        yield _Call(f"{function}-ready", hours.ready_s, f"lambda:{put}", ready)
        yield _Call(f"{function}-back", hours.back_s, f"lambda:{delete}", which)
    own = may.get("cache_ecpu_min", 0)  # of the template; those from before the option have none
    least = min(max(ECPU_MIN, math.ceil(needs.ecpu_per_s), own), may["cache_ecpu_max"])
    most = {"Maximum": may["cache_ecpu_max"]}
    for what, at_s, units in (
        ("cache-ready", hours.ready_s, most | {"Minimum": least}),
        ("cache-back", hours.back_s, most | ({"Minimum": own} if own else {})),
    ):
        changed = {
            "ServerlessCacheName": may["cache"],
            "CacheUsageLimits": {**limits, "ECPUPerSecond": units},
        }
        yield _Call(what, at_s, "elasticache:modifyServerlessCache", changed)


def _write(at: Deployment, may: Mapping[str, Any], event: str, call: _Call) -> None:
    """A schedule goes by itself once it has run; one that is there is moved."""
    scheduler = at.aws("scheduler")
    schedule = {
        # An id may be longer than a schedule's name.
        "Name": f"{call.what}-{hashlib.sha256(event.encode()).hexdigest()[:16]}",
        "GroupName": may["schedule_group"],
        "Description": f"fairgate prewarm schedule, {call.what}",
        "ScheduleExpression": f"at({_utc(call.at_s)})",
        "ScheduleExpressionTimezone": "UTC",
        "FlexibleTimeWindow": {"Mode": "OFF"},
        "ActionAfterCompletion": "DELETE",
        "Target": {
            "Arn": _TARGET + call.action,
            "RoleArn": may["role_arn"],
            "Input": json.dumps(call.parameters),
            "RetryPolicy": {
                "MaximumRetryAttempts": _RETRIES,
                "MaximumEventAgeInSeconds": _TOO_LATE_S,
            },
        },
    }
    try:
        scheduler.create_schedule(**schedule)
    except ClientError as error:
        if error.response["Error"]["Code"] != _EXISTS:
            raise
        scheduler.update_schedule(**schedule)


def _utc(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, UTC).strftime("%Y-%m-%dT%H:%M:%S")
