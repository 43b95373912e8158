"""moto's DynamoDB: its handlers called in place, or through boto3.

Two thirds of a call to moto are spent between botocore and the handler: signing, HTTP, serialising.
Tests that are not about these call the handler, after botocore's validation of the request.
"""

from __future__ import annotations

import copy
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import boto3
from botocore.exceptions import ClientError
from moto import mock_aws
from moto.core.exceptions import JsonRESTError
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.table import Table
from moto.dynamodb.responses import DynamoHandler

from tests.support import moto_faults, requests

_seeded: dict[object, dict[str, Table]] = {}
ACCOUNT, REGION = "123456789012", "eu-central-1"


@contextmanager
def dynamodb(*, through_boto3: bool = False) -> Iterator[Any]:
    """Yield a client of moto without a table."""
    with moto_faults.mended():
        if through_boto3:
            with mock_aws():
                yield boto3.client("dynamodb", region_name=REGION)
        else:
            yield DirectClient()


class _Handler(DynamoHandler):
    """moto's handler, on the tables of one client."""

    def __init__(self, backend: DynamoDBBackend, request: dict[str, Any]) -> None:
        super().__init__()
        self._backend, self.body = backend, request

    @property
    def dynamodb_backend(self) -> DynamoDBBackend:
        return self._backend


class DirectClient:
    """Answers as botocore's ``dynamodb`` client would; its tables are its own."""

    def __init__(self) -> None:
        self.backend = DynamoDBBackend(REGION, ACCOUNT)

    def seed(self, key: object, make: Callable[[], None]) -> None:
        """Have the tables that ``make`` makes; the second time for a key, copies of the first."""
        if key not in _seeded:
            make()
            _seeded[key] = {n: twin_of(table) for n, table in self.backend.tables.items()}
        else:
            self.backend.tables.update({n: twin_of(t) for n, t in _seeded[key].items()})

    def __getattr__(self, operation: str) -> Callable[..., dict[str, Any]]:
        if operation.startswith("_"):
            raise AttributeError(operation)
        return lambda **request: self._call(operation, request)

    def _call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        requests.validate(operation, request)
        requests.check_expressions(request)
        handler = _Handler(self.backend, requests.copied(request))
        with moto_faults.lock:
            try:
                result: Any = getattr(handler, operation)().result
            except JsonRESTError as error:
                raise _translated(error, operation) from error
            return requests.copied(dict(result))


def twin_of(table: Table) -> Table:
    """Copy a table with its items; of what nobody changes, the copy has the table's own."""
    twin: Any = object.__new__(type(table))
    items = {key: copy.deepcopy(part) for key, part in table.items.items()}
    twin.__dict__ = {**table.__dict__, "items": defaultdict(dict, items)}
    if table.stream_shard:
        twin.stream_shard = copy.copy(table.stream_shard)
        twin.stream_shard.table = twin
        twin.stream_shard.items = list(table.stream_shard.items)
    return twin


def _translated(error: JsonRESTError, operation: str) -> ClientError:
    said = json.loads(error.description) if str(error.description).startswith("{") else {}
    code = str(said.pop("__type", error.error_type)).rpartition("#")[2]
    message = said.pop("Message", said.pop("message", str(error.message)))
    response: Any = {
        **said,
        "Error": {"Code": code, "Message": message},
        "ResponseMetadata": {"HTTPStatusCode": 400},
    }
    return ClientError(response, operation)
