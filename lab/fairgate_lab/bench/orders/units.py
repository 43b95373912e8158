"""Count the read units of calls: as the engine says, and by AWS's rule from what was read.

Source: DynamoDB Developer Guide, "DynamoDB read and write operations" and "DynamoDB item sizes and
formats": 4 KB a unit of a strong read, 8 KB of another; a query's items are added up before they
are rounded, a batch's are not.
"""

from __future__ import annotations

import math
from typing import Any

from fairgate_lab.engine.sizes import item_bytes

UNIT_BYTES = 4_096


class MeteredClient:
    """Stands between the adapter and a client, and asks each call what it consumed.

    Attributes:
        calls: how many there were.
        by_rule, by_engine: read units; the engine's is 0 where it does not count such calls.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self.calls = 0
        self.by_rule = 0.0
        self.by_engine = 0.0

    def query(self, **request: Any) -> dict[str, Any]:
        answer = self._asked("query", request)
        size = sum(map(item_bytes, answer["Items"]))
        share = 1.0 if request.get("ConsistentRead") else 0.5
        self.by_rule += max(1, math.ceil(size / UNIT_BYTES)) * share
        return answer

    def get_item(self, **request: Any) -> dict[str, Any]:
        answer = self._asked("get_item", request)
        self.by_rule += max(1, math.ceil(item_bytes(answer.get("Item", {})) / UNIT_BYTES))
        return answer

    def batch_get_item(self, **request: Any) -> dict[str, Any]:
        answer = self._asked("batch_get_item", request)
        for items in answer["Responses"].values():
            self.by_rule += sum(math.ceil(item_bytes(item) / UNIT_BYTES) for item in items)
        return answer

    def _asked(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        self.calls += 1
        call = getattr(self._client, operation)
        answer: dict[str, Any] = call(**request, ReturnConsumedCapacity="TOTAL")
        consumed = answer.get("ConsumedCapacity") or []
        each = consumed if isinstance(consumed, list) else [consumed]
        self.by_engine += sum(float(one["CapacityUnits"]) for one in each)
        return answer
