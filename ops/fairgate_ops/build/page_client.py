"""The operations that the pages call, generated from docs/openapi.json: one function each."""

from __future__ import annotations

import re
from typing import Any

from fairgate_ops.shared.paths import ROOT

OUTPUT = ROOT / "edge" / "web" / "assets" / "js" / "operations.js"
WIDTH = 120  # as edge/format.mjs has it: a longer line is broken
METHODS = ("get", "post", "delete")
_HEAD = """\
// Generated from docs/openapi.json by `make openapi`: edit nothing here.
// Each function makes the operation that `request` of api.js sends.

const part = encodeURIComponent;

const query = (values) => {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length ? `?${new URLSearchParams(given)}` : '';
};

const op = (method, path, answers) => ({ method, path, answers });
"""


def rendered(document: dict[str, Any]) -> str:
    """Return the module's text; the order is the document's."""
    functions = [
        _function(method, path, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    ]
    return "\n".join([_HEAD, *functions])


def _answers(operation: dict[str, Any]) -> str:
    """Say by status what an answer is: its schema's name, a file's media type, or nothing."""
    told = ", ".join(
        f"{status}: '{_named(answer.get('content', {}))}'"
        for status, answer in operation["responses"].items()
        if status.startswith("2")
    )
    return f"{{ {told} }}" if told else "{}"


def _named(content: dict[str, Any]) -> str:
    for kind, told in content.items():
        schema = told.get("schema", {})
        first = schema.get("anyOf", [schema])[0].get("$ref", "")
        return str(first.rpartition("/")[2]) if kind == "application/json" else kind
    return ""


def _function(method: str, path: str, operation: dict[str, Any]) -> str:
    """Path parameters come in the path's order, then those of the query by name."""
    asked = [each["name"] for each in operation.get("parameters", []) if each["in"] == "query"]
    names = re.findall(r"\{(\w+)\}", path)
    given = ", ".join([*names, *([f"{{ {', '.join(asked)} }} = {{}}"] if asked else [])])
    address = re.sub(r"\{(\w+)\}", r"${part(\1)}", path)
    address += f"${{query({{ {', '.join(asked)} }})}}" if asked else ""
    quote = "`" if "${" in address else "'"
    call = f"op('{method.upper()}', {quote}{address}{quote}, {_answers(operation)})"
    made = f"export const {operation['operationId']} = ({given}) => {call};"
    if len(made) > WIDTH:
        made = made.replace(" => op(", " =>\n  op(")
    return f"/** {operation['summary']} */\n{made}\n"
