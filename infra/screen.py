"""The functions before the pages and before the API's routes that the gate leaves.

It imports nothing of the CDK: the local edges run the same text.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

from infra.routes import ROUTES

SOURCE = Path(__file__).resolve().parents[1] / "edge" / "screen" / "screen.js"
PAGES = SOURCE.with_name("pages.js")
MISSING = SOURCE.with_name("404.html")
WORDS = SOURCE.with_name("404.json")
BYTES_MAX = 10_240  # CloudFront Developer Guide, cloudfront-limits: function size
_EMPTY = "const ROUTES = {};"


def screen_source() -> str:
    """Return the function as it is deployed. Raises ValueError where it cannot be."""
    text = SOURCE.read_text("utf-8").replace("export async function", "async function")
    made = text.replace(_EMPTY, f"const ROUTES = {json.dumps(table(), separators=(',', ':'))};")
    if made == text or len(made.encode()) > BYTES_MAX:
        raise ValueError(f"{SOURCE}: no place for the routes, or more than {BYTES_MAX} bytes")
    return made


def pages_source() -> str:
    """Return the function before the pages as it is deployed, as ``screen_source``."""
    page = MISSING.read_text("utf-8")
    words = json.loads(WORDS.read_text("utf-8"))
    put = {"MISSING": page, "MISSING_POLICY": _policy(page), "WORDS": words}
    text = PAGES.read_text("utf-8").replace("export async function", "async function")
    for name, value in put.items():
        literal = json.dumps(value, separators=(",", ":"))
        made = text.replace(f"const {name} = '';", f"const {name} = {literal};")
        if made == text or len(made.encode()) > BYTES_MAX:
            raise ValueError(f"{PAGES}: no place for {name}, or more than {BYTES_MAX} bytes")
        text = made
    return text


def _policy(page: str) -> str:
    """Return what the page where nothing is may do: have its own style, and nothing else."""
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    own = f"style-src 'sha256-{digest}'"
    return f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def table() -> dict[str, Any]:
    """Return the routes by the parts of their paths, as ``screen.js`` says."""
    tree: dict[str, Any] = {}
    for route in ROUTES:
        if route.function is None or route.gated:
            continue
        node = tree
        for part in route.path.split("/")[1:]:
            node = node.setdefault("*" if part.startswith("{") else part, {})
        for method in route.methods:
            node.setdefault("", {})[method] = [len(route.credentials), *route.query]
    return tree
