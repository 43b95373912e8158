"""API Gateway HTTP API v2 events, and the handlers by their folder's name."""

from __future__ import annotations

import importlib.util
import json
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

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
    return module


def request(
    method: str, path: str, body: object = None, query: str = "", **headers: str
) -> dict[str, Any]:
    """An event of payload format 2.0. ``body``: text as it is, anything else as JSON."""
    text = body if isinstance(body, str) or body is None else json.dumps(body)
    pairs = dict(pair.split("=", 1) for pair in query.split("&")) if query else None
    return {
        "version": "2.0",
        "routeKey": "$default",
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
