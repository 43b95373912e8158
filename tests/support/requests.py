"""Hold a request to DynamoDB to what botocore and DynamoDB take, for the clients of tests."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import cache
from typing import Any

import botocore.session
from botocore import xform_name
from botocore.exceptions import ParamValidationError
from botocore.model import Shape
from botocore.validate import ParamValidator

from fairgate_lab.engine.requests import check_placeholders

EXPRESSIONS = (
    "ConditionExpression",
    "FilterExpression",
    "KeyConditionExpression",
    "ProjectionExpression",
    "UpdateExpression",
)


@cache
def _inputs() -> dict[str, Shape]:
    model = botocore.session.Session().get_service_model("dynamodb")
    shapes = {name: model.operation_model(name).input_shape for name in model.operation_names}
    return {xform_name(name): shape for name, shape in shapes.items() if shape is not None}


class _Validator(ParamValidator):
    """botocore's own, which needs no look at the one text of most attributes' values."""

    def _validate(self, params: Any, shape: Shape, errors: Any, name: str) -> None:
        if shape.name == "AttributeValue" and type(params) is dict and len(params) == 1:
            ((kind, value),) = params.items()
            if kind in ("S", "N") and type(value) is str:
                return
        checked: Any = super()  # whose stubs lack what is called
        checked._validate(params, shape, errors, name)


def validate(operation: str, request: dict[str, Any]) -> None:
    """Raise what botocore raises for a parameter that the operation does not have or take."""
    report = _Validator().validate(request, _inputs()[operation])
    if report.has_errors():
        raise ParamValidationError(report=report.generate_report())


def check_expressions(request: dict[str, Any]) -> None:
    """Refuse placeholders that no expression uses, as DynamoDB does; moto looks at names only."""
    for body in _bodies(request):
        check_placeholders(body, *(body[name] for name in EXPRESSIONS if name in body))


def _bodies(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield request
    for action in request.get("TransactItems", ()):
        yield from action.values()


def copied(data: dict[str, Any]) -> dict[str, Any]:
    """Copy plain data, as if it had been sent: five times as fast as ``copy.deepcopy``."""
    copied: dict[str, Any] = pickle.loads(pickle.dumps(data, pickle.HIGHEST_PROTOCOL))  # noqa: S301
    return copied
