"""Hold a write or a question to what DynamoDB takes, before any item is looked at.

Source: DynamoDB Developer Guide, "Quotas" ("Expression parameters").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fairgate_lab.engine.expressions import ExpressionError, placeholders
from fairgate_lab.engine.keys import Key, item_key, only_key
from fairgate_lab.engine.refusals import invalid
from fairgate_lab.engine.sizes import number_bytes

EXPRESSION_BYTES_MAX = 4_096


def action_key(body: Mapping[str, Any]) -> Key:
    return item_key(body["Item"]) if "Item" in body else only_key(body["Key"])


def check_placeholders(body: Mapping[str, Any], *texts: str) -> None:
    names = body.get("ExpressionAttributeNames")
    values = body.get("ExpressionAttributeValues")
    if names == {} or values == {}:
        invalid("ExpressionAttributeNames and ExpressionAttributeValues must not be empty")
    for typed in (values or {}).values():
        if "N" in typed:
            number_bytes(typed["N"])
    if any(len(text.encode()) > EXPRESSION_BYTES_MAX for text in texts):
        invalid("Expression size has exceeded the maximum allowed size")
    used, defined = placeholders(*texts), {*(names or ()), *(values or ())}
    if used != defined:
        odd = ", ".join(sorted(used ^ defined))
        invalid(f"expression attributes are unused or undefined: {odd}")


def compiled(compiler: Callable[[str], Any], text: str) -> Any:
    try:
        return compiler(text)
    except ExpressionError as error:
        invalid(str(error))
