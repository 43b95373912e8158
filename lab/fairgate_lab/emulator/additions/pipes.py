"""EventBridge Pipes: filters, and queues as targets."""

from __future__ import annotations

import json
from typing import Any

from ministack.core.arn import parse_arn
from ministack.services import eventbridge, pipes
from ministack.services.cloudformation import provisioners

from fairgate_lab.emulator.additions.replace import replace, wrap_create
from fairgate_ops.run.local.patterns import accepts_any

_FILTERS = "FairgateFilters"


def add() -> None:
    replace(pipes, "_deliver_batch", _to_queues)
    wrap_create(provisioners._RESOURCE_HANDLERS, "AWS::Pipes::Pipe", _with_filters)


def _with_filters(create: Any) -> Any:
    def pipe(logical_id: str, properties: dict[str, Any], stack: str) -> Any:
        name, attributes = create(logical_id, properties, stack)
        criteria = properties.get("SourceParameters", {}).get("FilterCriteria", {})
        pipes._pipes[name][_FILTERS] = [
            json.loads(entry["Pattern"]) for entry in criteria.get("Filters", [])
        ]
        return name, attributes

    return pipe


def _to_queues(deliver: Any) -> Any:
    """Carry what passes the filters, one message a record. The pipe's role is not asked."""

    def to_queue(pipe: dict[str, Any], batch: list[dict[str, Any]]) -> bool:
        if pipes._arn_service(pipe["Target"]) != "sqs":
            return bool(deliver(pipe, batch))
        filters = pipe.get(_FILTERS) or [{}]
        wanted = accepts_any(filters)
        for record in batch:
            if wanted(record):
                eventbridge._dispatch_to_sqs(
                    parse_arn(pipe["Target"]), json.dumps(record, default=str)
                )
        return True

    return to_queue
