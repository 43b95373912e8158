"""What each operation's refusals look like: a model a code, with the members that it carries."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec

from fairgate.errors import FairgateError
from fairgate.http.problems import STATUS, Problem
from fairgate.http.views.problems import OWN
from fairgate_ops.build.openapi_examples import MEMBERS, REQUEST_ID
from fairgate_ops.build.openapi_tables import EVERYWHERE

if TYPE_CHECKING:
    from fairgate_ops.build.openapi_tables import Refusals

_INTERNAL = "internal"  # a defect of ours: http/problems.py
_PROBLEMS = "application/problem+json"


@cache
def problem_models() -> dict[str, type[Problem]]:
    """Return the model of each code's problem, by code: status and code are what they must be."""
    made = {kind.code: _model(kind.code, status, OWN.get(kind)) for kind, status in STATUS.items()}
    return made | {_INTERNAL: _model(_INTERNAL, HTTPStatus.INTERNAL_SERVER_ERROR, None)}


def _model(code: str, status: int, own: type[Problem] | None) -> type[Problem]:
    name = "".join(word.capitalize() for word in code.split("-")) + "Problem"
    fixed = [("code", Literal[code]), ("status", Literal[int(status)])]
    made = msgspec.defstruct(name, fixed, bases=(own or Problem,), frozen=True, kw_only=True)
    return cast("type[Problem]", made)  # by its base


def responses_of(refuses: Refusals) -> dict[str, Any]:
    """Return the responses of an operation's refusals, by status; a defect of ours is among them.

    Args:
        refuses: the errors beside EVERYWHERE.
    """
    kinds: dict[str, type[FairgateError] | None] = {k.code: k for k in (*refuses, *EVERYWHERE)}
    by_status: dict[int, list[str]] = defaultdict(list)
    for code in sorted([*kinds, _INTERNAL]):
        kind = kinds.get(code)
        by_status[HTTPStatus.INTERNAL_SERVER_ERROR if kind is None else STATUS[kind]].append(code)
    return {str(status): _response(status, codes) for status, codes in sorted(by_status.items())}


def _response(status: int, codes: list[str]) -> dict[str, Any]:
    references = {code: f"#/components/schemas/{problem_models()[code].__name__}" for code in codes}
    schema: dict[str, Any]
    if len(codes) == 1:
        schema = {"$ref": references[codes[0]]}
    else:
        schema = {
            "oneOf": [{"$ref": reference} for reference in references.values()],
            "discriminator": {"propertyName": "code", "mapping": references},
        }
    examples = {code: {"$ref": f"#/components/examples/{code}"} for code in codes}
    described: dict[str, Any] = {
        "description": HTTPStatus(status).phrase,
        "content": {_PROBLEMS: {"schema": schema, "examples": examples}},
    }
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        described["headers"] = {"Retry-After": {"$ref": "#/components/headers/Retry-After"}}
    return described


def problem_examples() -> dict[str, Any]:
    """Return an example of each code's problem, by code."""
    statuses = {kind.code: status for kind, status in STATUS.items()}
    statuses[_INTERNAL] = HTTPStatus.INTERNAL_SERVER_ERROR
    return {code: {"value": _example(code, statuses[code])} for code in sorted(statuses)}


def _example(code: str, status: int) -> dict[str, Any]:
    """Return a problem as ``http/problems.py`` writes it."""
    title = code.replace("-", " ").capitalize()
    kind = f"urn:fairgate:problem:{code}"
    told = {"type": kind, "title": title, "status": int(status), "code": code}
    later = status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
    told |= {"detail": f"{title}.", "request_id": REQUEST_ID}
    return told | ({"retry_after": 5} if later else {}) | MEMBERS.get(code, {})
