"""Make a deployment ready ahead of the sale start, and give back afterwards what it costs.

Nothing here is in a template, so a deployment neither sees nor undoes it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from fairgate.adapters.dynamodb.client import table_names
from fairgate.errors import FairgateError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate_ops.operate.capacity.plan import Needs
    from fairgate_ops.operate.target import Target

ALIAS = "live"
PROVISIONED = ("holds", "sessions")
STACKS = ("data", "cache", "edge", "events", "api", "watch")
# What a table on demand takes from the start; DynamoDB refuses to warm one to less.
WARM_MIN = {"Read": 12_000, "Write": 4_000}
ECPU_MIN = 1_000  # the least minimum that a serverless cache takes
_NO_PROVISIONED = "ResourceNotFoundException"


@dataclass(frozen=True)
class Step:
    """One thing to do; ``done`` says whether it was, and ``why`` it was not."""

    name: str
    text: str
    do: Callable[[], object]
    done: bool = False
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"step": self.name, "text": self.text, "done": self.done, "why": self.why}


@dataclass(frozen=True)
class Deployment:
    """The deployment that is warmed.

    Attributes:
        aws: builds the client of a service.
        cache: the availability cache's name.
        cache_least: ECPU a second that its template has it stand ready for; 0: none.
    """

    target: Target
    stage: str
    aws: Callable[[str], Any]
    cache: str
    cache_least: int = 0

    def named(self, what: str) -> str:
        return f"fairgate-{self.stage}-{what}"


def warming(at: Deployment, needs: Needs, *, freeze: bool) -> list[Step]:
    """List what is done ahead of the sale start, the slowest first."""
    steps = [
        Step(
            f"table {key}",
            f"warm {table} and its indexes to {_text(_wanted(needs, key))}; never given back,"
            " charged once",
            partial(_warm, at, table, _wanted(needs, key)),
        )
        for key, table in table_names(at.target.world.settings).items()
        if key in needs.write_units
    ]
    for function in PROVISIONED:
        count = max(1, math.ceil(needs.concurrency[function]))
        steps.append(
            Step(
                f"concurrency of {function}",
                f"keep {count} environments of {function} ready",
                partial(_provision, at, function, count),
            )
        )
    ecpu = max(ECPU_MIN, math.ceil(needs.ecpu_per_s), at.cache_least)
    steps.append(
        Step(
            "cache",
            f"let the cache stand ready for {ecpu:,} ECPU a second, as far as its maximum lets it",
            partial(_least_ecpu, at, ecpu),
        )
    )
    return [*steps, *(_frozen(at, frozen=True) if freeze else [])]


def giving_back(at: Deployment) -> list[Step]:
    """List what is taken back after the sale; doing it twice does no harm."""
    steps = [
        Step(
            f"concurrency of {function}",
            f"keep no environments of {function} ready",
            partial(_none_provisioned, at, function),
        )
        for function in PROVISIONED
    ]
    text = f"let the cache grow with its load again, from {at.cache_least:,} ECPU a second"
    least = Step("cache", text, partial(_least_ecpu, at, at.cache_least))
    return [*steps, least, *_frozen(at, frozen=False)]


def run_steps(steps: Sequence[Step]) -> list[Step]:
    """Do each on its own: what fails is named, the rest is done."""
    return [_ran(step) for step in steps]


def _ran(step: Step) -> Step:
    try:
        step.do()
    except ClientError as error:
        code, message = error.response["Error"]["Code"], error.response["Error"].get("Message", "")
        return replace(step, why=f"{error.operation_name} was refused ({code}): {message}")
    except BotoCoreError as error:
        return replace(step, why=f"no answer: {error}")
    except FairgateError as error:
        return replace(step, why=error.detail)
    except Exception as error:  # noqa: BLE001 one step, and a defect in it, holds no other one up
        return replace(step, why=f"{type(error).__name__}, which is a defect of ours")
    return replace(step, done=True)


def _wanted(needs: Needs, key: str) -> dict[str, int]:
    return {
        "Read": max(WARM_MIN["Read"], math.ceil(needs.read_units[key])),
        "Write": max(WARM_MIN["Write"], math.ceil(needs.write_units[key])),
    }


def _text(wanted: Mapping[str, int]) -> str:
    return f"{wanted['Read']:,} reads and {wanted['Write']:,} writes a second"


def _warm(at: Deployment, table: str, wanted: Mapping[str, int]) -> None:
    """Raise what is lower: warm throughput cannot be lowered, and asking for less is an error."""
    dynamodb = at.aws("dynamodb")
    described = dynamodb.describe_table(TableName=table)["Table"]
    change: dict[str, Any] = {}
    if raised := _raised(described, wanted):
        change["WarmThroughput"] = raised
    indexes = [
        {"Update": {"IndexName": index["IndexName"], "WarmThroughput": raised}}
        for index in described.get("GlobalSecondaryIndexes", ())
        if (raised := _raised(index, wanted))
    ]
    if indexes:
        change["GlobalSecondaryIndexUpdates"] = indexes
    if change:
        dynamodb.update_table(TableName=table, **change)


def _raised(described: Mapping[str, Any], wanted: Mapping[str, int]) -> dict[str, int]:
    """Both figures where one is too low, as AWS takes them together; none where neither is."""
    now = {
        kind: described.get("WarmThroughput", {}).get(f"{kind}UnitsPerSecond", 0) for kind in wanted
    }
    if all(now[kind] >= units for kind, units in wanted.items()):
        return {}
    return {f"{kind}UnitsPerSecond": max(now[kind], units) for kind, units in wanted.items()}


def _provision(at: Deployment, function: str, count: int) -> None:
    at.aws("lambda").put_provisioned_concurrency_config(
        FunctionName=at.named(function),
        Qualifier=ALIAS,
        ProvisionedConcurrentExecutions=count,
    )


def _none_provisioned(at: Deployment, function: str) -> None:
    client = at.aws("lambda")
    try:
        client.delete_provisioned_concurrency_config(
            FunctionName=at.named(function), Qualifier=ALIAS
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != _NO_PROVISIONED:
            raise


def _least_ecpu(at: Deployment, ecpu: int) -> None:
    """Keep storage and maximum as they are: what is left out of the limits is taken away."""
    client = at.aws("elasticache")
    found = client.describe_serverless_caches(ServerlessCacheName=at.cache)
    limits = dict(found["ServerlessCaches"][0].get("CacheUsageLimits", {}))
    units = dict(limits.get("ECPUPerSecond", {}))
    least = min(ecpu, units.get("Maximum", ecpu))
    if least == units.get("Minimum", 0):
        return
    units.pop("Minimum", None)
    limits["ECPUPerSecond"] = units | ({"Minimum": least} if least else {})
    client.modify_serverless_cache(ServerlessCacheName=at.cache, CacheUsageLimits=limits)


def _frozen(at: Deployment, *, frozen: bool) -> list[Step]:
    """One policy a stack. CloudFormation knows no way to take one away: another replaces it."""
    policy = json.dumps(
        {
            "Statement": [
                {
                    "Effect": "Deny" if frozen else "Allow",
                    "Action": "Update:*",
                    "Principal": "*",
                    "Resource": "*",
                }
            ]
        }
    )
    text = "refuse changes of what the stack has" if frozen else "take changes again"
    return [
        Step(
            f"stack {stack}",
            text,
            partial(_set_policy, at, stack, policy),
        )
        for stack in STACKS
    ]


def _set_policy(at: Deployment, stack: str, policy: str) -> None:
    at.aws("cloudformation").set_stack_policy(StackName=at.named(stack), StackPolicyBody=policy)
