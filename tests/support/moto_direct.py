"""moto's DynamoDB handlers called in place: no signing, no HTTP, no serialising.

Two thirds of a call to moto are spent between botocore and the handler; ten thousand steps of the
state machine are not about that part, nor are most tests of a use-case. It touches moto's
internals: the pin is exact, and lab/tests/property/test_sale_machine.py compares an answer with the
whole way's.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import boto3
from botocore.exceptions import ClientError
from moto import mock_aws
from moto.core.exceptions import JsonRESTError
from moto.dynamodb.responses import DynamoHandler

from tests.support import lengths
from tests.support.memory_client import MemoryClient
from tests.support.moto_transactions import sound_transactions

ACCOUNT, REGION = "123456789012", "eu-central-1"


@contextmanager
def dynamodb(*, through_boto3: bool, on_moto: bool = False) -> Iterator[Any]:
    """Yield a client without a table: boto3's on moto, or another.

    The other is the table in memory; at full length, or where a test needs more of AWS than tables
    (``on_moto``), it is moto's handlers.
    """
    if not (through_boto3 or on_moto or lengths.LONG):
        yield MemoryClient()
        return
    with mock_aws(), sound_transactions():
        yield boto3.client("dynamodb", region_name=REGION) if through_boto3 else DirectClient()


class DirectClient:
    """Answers as botocore's ``dynamodb`` client would, within ``mock_aws``."""

    def __getattr__(self, operation: str) -> Callable[..., dict[str, Any]]:
        if operation.startswith("_"):
            raise AttributeError(operation)
        return lambda **request: self._call(operation, request)

    def _call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        handler = DynamoHandler()
        handler.current_account, handler.region = ACCOUNT, REGION
        handler.body = request
        try:
            result: Any = getattr(handler, operation)().result
        except JsonRESTError as error:
            raise _translated(error, operation) from error
        return copy.deepcopy(dict(result))


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
