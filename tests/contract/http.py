"""API Gateway HTTP API v2 events, and the handlers by their folder's name, behind its routes.

Both go through ``infra/routes.py``, as every request does in AWS and in the local run: what has no
row there is a 404 before any handler sees it, whatever rules the handler has.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from infra import routes

ROOT = Path(__file__).parents[2]


@cache
def function(name: str) -> ModuleType:
    """The module functions/<name>/handler.py, as the Lambda runtime would import it."""
    path = ROOT / "functions" / name / "handler.py"
    spec = importlib.util.spec_from_file_location(f"function_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    vars(module)["handler"] = _behind_routes(name, module.handler)
    return module


def row_of(method: str, path: str) -> routes.Route | None:
    """The row that API Gateway would choose for this request; None where it answers 404 itself."""
    for row in routes.ROUTES:
        pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(row.path))
        if row.function and row.method == method and re.fullmatch(pattern, path):
            return row
    return None


def _behind_routes(
    name: str, handler: Callable[[dict[str, Any], object], dict[str, Any]]
) -> Callable[[dict[str, Any], object], dict[str, Any]]:
    @wraps(handler)
    def routed(event: dict[str, Any], context: object) -> dict[str, Any]:
        http = event["requestContext"]["http"]
        row = row_of(http["method"], http["path"])
        if row and row.function != name:
            pytest.fail(
                f"{http['method']} {http['path']} goes to the function {row.function!r} in "
                f"infra/routes.py, and this test calls {name!r}: correct the row or the test."
            )
        return handler(event, context)

    return routed


def request(
    method: str,
    path: str,
    body: object = None,
    query: str = "",
    **headers: str,
) -> dict[str, Any]:
    """An event of payload format 2.0. ``body``: text as it is, anything else as JSON.

    Fails when no row has its address.
    """
    row = row_of(method, path)
    if row is None:
        pytest.fail(
            f"infra/routes.py has no row for {method} {path}: it would be a 404 everywhere. "
            "Add a Route to ROUTES."
        )
    return _event(f"{row.method} {row.path}", method, path, body, query, headers)


def stray_request(method: str, path: str) -> dict[str, Any]:
    """An event of an address that no row has, on purpose."""
    assert row_of(method, path) is None, f"infra/routes.py has a row for {method} {path}"
    return _event("$default", method, path, None, "", {})


def _event(
    route: str, method: str, path: str, body: object, query: str, headers: dict[str, str]
) -> dict[str, Any]:
    text = body if isinstance(body, str) or body is None else json.dumps(body)
    pairs = dict(pair.split("=", 1) for pair in query.split("&")) if query else None
    return {
        "version": "2.0",
        "routeKey": route,
        "rawPath": path,
        "rawQueryString": query,
        "queryStringParameters": pairs,
        "headers": {name.replace("_", "-"): value for name, value in headers.items()},
        "requestContext": {
            "requestId": "req-1",
            "stage": "$default",
            "http": {"method": method, "path": path, "sourceIp": "127.0.0.1"},
        },
        "body": text,
        "isBase64Encoded": False,
    }
