"""Refuse a call as DynamoDB does, with the errors that botocore makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from botocore.exceptions import ClientError


class UnfitError(Exception):
    """Reports that an item, as it is, does not take its update; of a transaction the others may."""


def client_error(code: str, message: str, **fields: Any) -> ClientError:
    response: Any = {
        "Error": {"Code": code, "Message": message},
        "ResponseMetadata": {"HTTPStatusCode": 400},
        **fields,
    }
    return ClientError(response, "DynamoDB")


def canceled(reasons: Sequence[Mapping[str, Any]]) -> ClientError:
    codes = ", ".join(str(reason["Code"]) for reason in reasons)
    return client_error(
        "TransactionCanceledException",
        f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]",
        CancellationReasons=list(reasons),
    )


def invalid(message: str) -> NoReturn:
    raise client_error("ValidationException", message)
