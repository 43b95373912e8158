"""What a crowd of viewers costs in AWS: ``python -m fairgate_lab.bench availability-cost``.

Modelled: the inputs below times the prices below. What the benchmark measured (requests at the
API, bytes, processor time) replaces its inputs by ``--measured FILE``, the file of
``availability --json FILE``; ``--set NAME=VALUE`` sets any of them.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Part
from fairgate_lab.bench.kit.measure import BenchError
from fairgate_ops.operate.capacity import cost as prices

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from _typeshed import DataclassInstance

    from fairgate_lab.bench.kit.benchmark import Options

T = TypeVar("T", bound="DataclassInstance")
_GB = 1e9
_MILLION = 1e6


@dataclass(frozen=True)
class Prices:
    """US dollars, as in the model of a whole sale, and what only this model needs; June 2026."""

    cloudfront_request: float = prices.CLOUDFRONT_REQUEST
    cloudfront_gb: float = prices.CLOUDFRONT_GB
    http_api_request: float = prices.HTTP_API_REQUEST
    lambda_request: float = prices.LAMBDA_REQUEST
    lambda_gb_s: float = prices.LAMBDA_GB_S
    read_unit: float = prices.READ_UNIT
    pipe_request: float = prices.PIPED
    sqs_request: float = prices.QUEUED / 3  # a message is sent, received and deleted
    # Amazon ElastiCache pricing: Serverless, Valkey.
    ecpu: float = 0.0023 / _MILLION
    cache_gb_hour: float = 0.084


@dataclass(frozen=True)
class Inputs:
    """What the model assumes. Those marked (measured) come from ``--measured``."""

    viewers: int = 1_000_000
    seconds: float = 600.0
    look_every_s: float = 1.1  # at a hot section: HOT_S of reading_pace, and the answer's way
    loads_a_viewer: float = 6.0  # of the counts and of sections' seats, without following
    hot_sections: int = 50  # that somebody looks at in any one second
    caches: int = 13  # regional edge caches that ask the API, each for itself
    api_per_s: float = 0.7  # (measured) requests at the API for a key and a cache
    follow_bytes: float = 800.0  # (measured) one answer of `changes`, headers too
    load_bytes: float = 1_000.0  # (measured) one answer of `seats`, headers too
    read_cpu_ms: float = 0.35  # (measured) of the handler on a whole core
    read_valkey_us: float = 75.0  # (measured)
    change_cpu_ms: float = 0.07  # (measured) of the invalidator, ten together
    change_valkey_us: float = 42.0  # (measured)
    changes_per_s: float = 200.0
    changes_a_batch: int = 10
    memory_gb: float = 0.5  # of the functions, infra/functions.py
    core_gb: float = 1.769  # at which Lambda gives a whole core: Lambda Developer Guide
    ecpu_us: float = 3.0  # of Valkey's time, as AWS's own worked example has it
    cache_gb: float = 0.1  # the least that ElastiCache Serverless charges for
    section_read_units: float = 10.0  # a query of 500 seats of the index, 150 bytes each
    refills: int = 200  # each section once


@dataclass(frozen=True)
class Cost:
    """One thing that AWS charges for."""

    what: str
    amount: float
    unit: str
    dollars: float


def costs(inputs: Inputs, prices: Prices) -> list[Cost]:
    """Make a row for each thing that AWS charges for."""
    looks = inputs.viewers * inputs.seconds / inputs.look_every_s
    loads = inputs.viewers * inputs.loads_a_viewer
    egress_gb = (looks * inputs.follow_bytes + loads * inputs.load_bytes) / _GB
    reads = api_reads(inputs)
    changes = inputs.changes_per_s * inputs.seconds
    batches = changes / inputs.changes_a_batch
    read_gb_s = reads * _billed_s(inputs.read_cpu_ms, inputs) * inputs.memory_gb
    change_ms = inputs.change_cpu_ms * inputs.changes_a_batch
    change_gb_s = batches * _billed_s(change_ms, inputs) * inputs.memory_gb
    valkey_us = reads * inputs.read_valkey_us + changes * inputs.change_valkey_us
    ecpus = valkey_us / inputs.ecpu_us
    cache_gb_hours = inputs.cache_gb * inputs.seconds / 3600
    read_units = inputs.refills * inputs.section_read_units
    # A batch is sent, received and deleted; a pipe is charged for each batch that it takes.
    queue = 3 * batches
    return [
        _cost("CloudFront, requests", looks + loads, "requests", prices.cloudfront_request),
        _cost("CloudFront, data out", egress_gb, "GB", prices.cloudfront_gb),
        _cost("HTTP API", reads, "requests", prices.http_api_request),
        _cost("Lambda, requests", reads + batches, "requests", prices.lambda_request),
        _cost("Lambda, duration", read_gb_s + change_gb_s, "GB-s", prices.lambda_gb_s),
        _cost("ElastiCache, processing", ecpus, "ECPU", prices.ecpu),
        _cost("ElastiCache, data", cache_gb_hours, "GB-hours", prices.cache_gb_hour),
        _cost("DynamoDB, refills", read_units, "read units", prices.read_unit),
        _cost("Pipe", batches, "requests", prices.pipe_request),
        _cost("SQS", queue, "requests", prices.sqs_request),
    ]


def api_reads(inputs: Inputs) -> float:
    """Count the requests that reach the API: each cache asks for each key that is looked at."""
    keys = 2 + 2 * inputs.hot_sections  # the event's and the sections' changes, counts and seats
    return inputs.api_per_s * keys * inputs.caches * inputs.seconds


def uncached(inputs: Inputs, prices: Prices) -> float:
    """Price the same looks, each answered by the API from the table's index; dollars."""
    looks = inputs.viewers * (inputs.seconds / inputs.look_every_s + inputs.loads_a_viewer)
    each = (
        prices.http_api_request
        + prices.lambda_request
        + _billed_s(2 * inputs.read_cpu_ms, inputs) * inputs.memory_gb * prices.lambda_gb_s
        + inputs.section_read_units * prices.read_unit
    )
    return looks * each


def measured(inputs: Inputs, figures: Mapping[str, Any]) -> Inputs:
    """Replace inputs by what was measured; a part that was not run leaves them."""
    known: dict[str, float] = {}
    if "hot" in figures:
        changes, seats = figures["hot"]
        known["api_per_s"] = max(changes["origin_per_s"], seats["origin_per_s"])
        known["follow_bytes"], known["load_bytes"] = changes["answer_bytes"], seats["answer_bytes"]
    if "speed" in figures:
        reads = figures["speed"]["reads"]
        (follow,) = (read for read in reads if "changes" in read["way"])
        known["read_cpu_ms"] = follow["own_us"] / 1000
        known["read_valkey_us"] = follow["valkey_us"]
        applied = {one["batch"]: one for one in figures["speed"]["changes"]}
        known["change_cpu_ms"] = applied[inputs.changes_a_batch]["handler_us"] / 1000
        known["change_valkey_us"] = applied[inputs.changes_a_batch]["valkey_us"]
    return replace(inputs, **known)  # type: ignore[arg-type] # all of them floats


def shown(inputs: Inputs, prices: Prices) -> Part:
    """Show each cost, both totals and the inputs."""
    parts = costs(inputs, prices)
    total = sum(cost.dollars for cost in parts)
    looks = inputs.viewers * (inputs.seconds / inputs.look_every_s + inputs.loads_a_viewer)
    rows: list[Sequence[object]] = [
        (cost.what, f"{cost.amount:,.1f} {cost.unit}", f"{cost.dollars:,.2f}") for cost in parts
    ]
    rows.append(("**together**", f"hit rate {1 - api_reads(inputs) / looks:.4%}", f"{total:,.2f}"))
    rows.append(("each look from the table instead", "", f"{uncached(inputs, prices):,.2f}"))
    title = (
        f"Modelled: {inputs.viewers:,} viewers for {inputs.seconds / 60:.0f} minutes, "
        "US dollars, prices of June 2026."
    )
    return Part(title, ("what", "how much", "$"), rows)


def changed(inputs: T, words: Sequence[str]) -> T:
    """Set the inputs that ``NAME=VALUE`` words name. Raises BenchError for an unknown one."""
    given = dict(word.partition("=")[::2] for word in words)
    known = {one.name: int if one.type == "int" else float for one in fields(inputs)}
    if unknown := given.keys() - known.keys():
        raise BenchError(f"no such input: {', '.join(sorted(unknown))}")
    return replace(inputs, **{name: known[name](value) for name, value in given.items()})


def shown_inputs(inputs: DataclassInstance) -> Part:
    """Show what the model assumes."""
    rows = [(one.name, f"{getattr(inputs, one.name):,.4g}") for one in fields(inputs)]
    return Part("Inputs.", ("input", "value"), rows)


def _billed_s(cpu_ms: float, inputs: Inputs) -> float:
    """A function with a share of a core takes longer, and is billed in whole milliseconds."""
    return math.ceil(cpu_ms * inputs.core_gb / inputs.memory_gb) / 1000


def _cost(what: str, amount: float, unit: str, price: float) -> Cost:
    return Cost(what, amount, unit, amount * price)


def measure(options: Options, _folder: Path) -> Iterator[Part]:
    """Make the prices of the inputs: what is set counts before what was measured."""
    inputs = Inputs()
    if options.measured:
        try:
            figures = json.loads(options.measured.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise BenchError(f"{options.measured}: {error}") from error
        inputs = measured(inputs, figures)
    inputs = changed(inputs, options.set)
    yield shown(inputs, Prices())
    yield shown_inputs(inputs)


BENCHMARK = Benchmark(
    about="What a crowd of viewers costs in AWS's prices. Modelled.",
    measure=measure,
    options={
        "measured": Option(None, "of availability --json"),
        "set": Option((), "NAME=VALUE of inputs"),
    },
)
