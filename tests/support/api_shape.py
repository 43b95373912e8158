"""What of the API a page of another version depends on, and answers as another version gives them.

``python -m tests.support.api_shape > tests/data/api/<version>.json`` writes down a release's.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "data" / "api"
Shape = Mapping[str, Any]
# Fields that are gone, and that no page of the last release reads: 0.2.0's waiting.js reads them of
# a problem, where they still are. ``possible`` was always an object; 0.2.0's document called it a
# number, and its pages ask only whether it is there.
UNREAD = {
    "PlaceView.level",
    "PlaceView.noticed",
    "PlaceView.advice",
    "NoSeatsFoundProblem.possible",
}


def shape_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return each operation's required inputs and answers, and each schema's properties by type."""
    operations = {
        f"{method.upper()} {path}": {
            "body": _named(operation.get("requestBody", {})),
            "required": sorted(
                one["name"] for one in operation.get("parameters", ()) if one.get("required")
            ),
            "answers": {
                status: _named(answer) for status, answer in operation["responses"].items()
            },
        }
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in ("get", "post", "delete", "put", "patch")
    }
    schemas = {
        name: {
            "required": sorted(schema.get("required", ())),
            "properties": {
                field: _type_of(told) for field, told in schema.get("properties", {}).items()
            },
        }
        for name, schema in document["components"]["schemas"].items()
    }
    return {"operations": operations, "schemas": schemas}


def _named(part: Mapping[str, Any]) -> str:
    """Name the schema of a body; "" if it has none."""
    for told in part.get("content", {}).values():
        if "$ref" in told.get("schema", {}):
            return str(told["schema"]["$ref"].rpartition("/")[2])
    return ""


def _type_of(told: Mapping[str, Any]) -> str:
    """Say the type in one word, as far as a page may rely on it."""
    if "$ref" in told:
        return str(told["$ref"].rpartition("/")[2])
    if "anyOf" in told:
        return " or ".join(sorted(_type_of(one) for one in told["anyOf"]))
    kind = told.get("type", "any")
    return f"list of {_type_of(told.get('items', {}))}" if kind == "array" else str(kind)


def released() -> str:
    """Name the last release, by the changelog."""
    found = re.search(
        r"^## \[(\d+\.\d+\.\d+)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    assert found
    return found[1]


def today() -> dict[str, Any]:
    return shape_of(json.loads((ROOT / "docs" / "openapi.json").read_text("utf-8")))


def former(version: str) -> dict[str, Any]:
    shape: dict[str, Any] = json.loads((FOLDER / f"{version}.json").read_text("utf-8"))
    return shape


def breaks(before: Shape, now: Shape) -> Iterator[str]:
    """List what a page of the version before relies on and would miss."""
    for name, operation in before["operations"].items():
        kept = now["operations"].get(name)
        if kept is None:
            yield f"{name} is gone"
            continue
        for one in sorted(_asked(now, kept) - _asked(before, operation)):
            yield f"{name} asks for {one}"
        for status, schema in operation["answers"].items():
            if kept["answers"].get(status, "gone") != schema and status < "4":
                yield f"{name} answers {status} as {kept['answers'].get(status, 'nothing')}"
    for name, schema in before["schemas"].items():
        fields = now["schemas"].get(name, {"properties": {}})["properties"]
        for field, kind in schema["properties"].items():
            if fields.get(field) != kind and f"{name}.{field}" not in UNREAD:
                yield f"{name}.{field} was {kind}, is {fields.get(field, 'gone')}"


def _asked(shape: Shape, operation: Shape) -> set[str]:
    """Return what a request must have: parameters, and fields of its body."""
    body = shape["schemas"].get(operation["body"], {"required": []})
    return {*operation["required"], *body["required"]}


def added(before: Shape, now: Shape) -> set[str]:
    """Name the fields of answers that the version before had in none of its answers."""
    known = {field for schema in before["schemas"].values() for field in schema["properties"]}
    return {
        field
        for name, schema in now["schemas"].items()
        for field in set(schema["properties"])
        - set(before["schemas"].get(name, schema)["properties"])
        if not name.endswith("Request")
    } - known


def without(value: Any, fields: set[str]) -> Any:
    """Return JSON without these fields, at any depth."""
    if isinstance(value, dict):
        return {k: without(v, fields) for k, v in value.items() if k not in fields}
    return [without(one, fields) for one in value] if isinstance(value, list) else value


def with_strange(value: Any) -> Any:
    """Return JSON with a field in each object that nobody knows, but in maps of objects by id."""
    if isinstance(value, dict):
        known = {k: with_strange(v) for k, v in value.items()}
        is_map = all(isinstance(v, dict) for v in value.values())
        return known if is_map else known | {"a_later_field": {"of": ["any", 1]}}
    return [with_strange(one) for one in value] if isinstance(value, list) else value


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "openapi.json"
    made = shape_of(json.loads(path.read_text("utf-8")))
    lines = [
        f' "{part}": {{\n'
        + ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(made[part].items()))
        + "\n }"
        for part in made
    ]
    print("{\n" + ",\n".join(lines) + "\n}")
