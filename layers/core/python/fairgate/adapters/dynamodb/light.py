"""Make the calls of ``DynamoTable`` and of bulk writers without the SDK."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.adapters.aws.client import CONNECT_TIMEOUT_S, READ_TIMEOUT_S, SdkClient, by_sdk
from fairgate.settings import aws_access

if TYPE_CHECKING:
    from fairgate.settings import AwsAccess

_TARGET = "DynamoDB_20120810"


class LightDynamo:
    """Has the methods, requests, answers and errors of botocore's client; makes one try."""

    def __init__(self, access: AwsAccess) -> None:
        from fairgate.adapters.aws.json_protocol import AwsJson

        self._json = AwsJson(
            access,
            "dynamodb",
            _TARGET,
            connect_timeout_s=CONNECT_TIMEOUT_S,
            read_timeout_s=READ_TIMEOUT_S,
            instead=lambda: by_sdk("dynamodb", **_SDK),
        )

    def transact_write_items(self, **request: Any) -> dict[str, Any]:
        return self._json.call("TransactWriteItems", request)

    def update_item(self, **request: Any) -> dict[str, Any]:
        return self._json.call("UpdateItem", request)

    def get_item(self, **request: Any) -> dict[str, Any]:
        return self._json.call("GetItem", request)

    def batch_get_item(self, **request: Any) -> dict[str, Any]:
        return self._json.call("BatchGetItem", request)

    def query(self, **request: Any) -> dict[str, Any]:
        return self._json.call("Query", request)

    def scan(self, **request: Any) -> dict[str, Any]:
        return self._json.call("Scan", request)

    def batch_write_item(self, **request: Any) -> dict[str, Any]:
        return self._json.call("BatchWriteItem", request)

    def close(self) -> None:
        self._json.close()


class SdkDynamo:
    """Has botocore's methods, with the time-outs that fit the request; makes one try."""

    def __init__(self) -> None:
        self._sdk = SdkClient("dynamodb", **_SDK)

    def __getattr__(self, operation: str) -> Any:
        return getattr(self._sdk.client(), operation)


def dynamodb_client() -> Any:
    """Return the light client if the environment names the keys, otherwise botocore's.

    Neither tries again by itself; the adapter does, within one budget.
    """
    access = aws_access("dynamodb")
    return LightDynamo(access) if access is not None else SdkDynamo()


_SDK: dict[str, Any] = {"parameter_validation": False, "max_pool_connections": 16}  # threads
