"""Hold what a handler answers against docs/openapi.json."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from fairgate_ops.build.openapi import document

_UNROUTED = "$default"


@cache
def described() -> dict[str, Any]:
    return document()


def validator(schema: dict[str, Any]) -> Draft202012Validator:
    """One that finds what ``#/components/…`` names; a member that no model has is refused."""
    return Draft202012Validator({**schema, "components": _closed()})


@cache
def _closed() -> dict[str, Any]:
    schemas = described()["components"]["schemas"]
    closed = {
        name: {**schema, "additionalProperties": False} if "properties" in schema else schema
        for name, schema in schemas.items()
    }
    return {"schemas": closed}


def complaint(route: str, answer: dict[str, Any]) -> str:
    """Say what of an answer to ``GET /api/…`` the document does not describe; "" for nothing."""
    if route == _UNROUTED:
        return ""
    method, _, path = route.partition(" ")
    told = described()["paths"][path][method.lower()]["responses"]
    status = str(answer["statusCode"])
    if status not in told:
        return f"{route} answers {status} and is not described so: {answer['body']}"
    headers = {k.lower(): v for k, v in (answer.get("headers") or {}).items()}
    headers |= {k.lower(): v[0] for k, v in (answer.get("multiValueHeaders") or {}).items()}
    kinds = told[status].get("content", {})
    kind = headers.get("content-type", "")
    if not kinds:
        return ""
    if kind not in kinds:
        return f"{route} answers {status} as {kind!r}, described are {sorted(kinds)}"
    if "json" not in kind:
        return ""
    errors = list(validator(kinds[kind]["schema"]).iter_errors(json.loads(answer["body"])))
    return f"{route} answers {status}: {errors[0]}" if errors else ""
