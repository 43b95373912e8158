"""The simulator's table as a client, for tests that make thousands of calls.

It asks botocore's own validation of every request, and takes a tenth of moto's time, because it
compiles an expression once. lab/tests/simulation/test_sale_engine.py compares it with moto.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from fairgate.adapters.dynamodb.schema import TABLES, TableSchema, create_table_request
from fairgate_lab.engine.dynamodb import MemoryDynamo
from fairgate_lab.engine.refusals import client_error
from tests.support.requests import copied, validate

# What the engine would pass over in silence. A test that needs it runs on moto.
NOT_ANSWERED = frozenset(
    {
        "AttributesToGet",
        "FilterExpression",
        "ProjectionExpression",
        "ReturnConsumedCapacity",
        "ReturnValues",
        "Segment",
        "Select",
        "TotalSegments",
    }
)


def _refuse_unanswered(operation: str, request: dict[str, Any]) -> None:
    asked = NOT_ANSWERED & request.keys()
    if operation == "scan":
        asked -= {"FilterExpression"}
    if asked:
        raise NotImplementedError(f"{operation}: {', '.join(sorted(asked))}: run it on moto")


class MemoryClient:
    """Answers as botocore's ``dynamodb`` client would; its tables are those of the schema."""

    def __init__(self) -> None:
        self._schemas: dict[str, TableSchema] = {}
        self._engine = self._made()
        self._lock = threading.RLock()

    def create_table(self, **request: Any) -> dict[str, Any]:
        """Make an empty table, before any has an item. Its definition is a schema's."""
        name = request["TableName"]
        if name in self._schemas:
            raise client_error("ResourceInUseException", f"Table already exists: {name}")
        (self._schemas[name],) = (
            schema for schema in TABLES if create_table_request(schema, name) == request
        )
        self._engine = self._made()
        return {}

    def _made(self) -> MemoryDynamo:
        # No token grows old: no test of a use-case sends one again after ten minutes.
        return MemoryDynamo(self._schemas, lambda: 0)

    def __getattr__(self, operation: str) -> Callable[..., dict[str, Any]]:
        if operation.startswith("_"):
            raise AttributeError(operation)
        call = getattr(self._engine, operation)

        def checked(**request: Any) -> dict[str, Any]:
            validate(operation, request)
            _refuse_unanswered(operation, request)
            with self._lock:
                return copied(call(**copied(request)))

        return checked
