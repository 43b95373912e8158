"""The operations that the pages call, generated from docs/openapi.json: one function each."""

from __future__ import annotations

import re
from typing import Any

from fairgate_ops.shared.paths import ROOT

OUTPUT = ROOT / "edge" / "web" / "assets" / "js" / "operations.js"
WIDTH = 120  # as edge/format.mjs has it: a longer line is broken
BREAK = ",\n  "
METHODS = ("get", "post", "delete")
_HEAD = """\
// Generated from docs/openapi.json by `make openapi`: edit nothing here.
// Each function makes the operation that `request` of api.js sends.

const part = encodeURIComponent;

const query = (values) => {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length ? `?${new URLSearchParams(given)}` : '';
};
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


def _function(method: str, path: str, operation: dict[str, Any]) -> str:
    """Path parameters come in the path's order, then those of the query by name."""
    asked = [each["name"] for each in operation.get("parameters", []) if each["in"] == "query"]
    names = re.findall(r"\{(\w+)\}", path)
    given = ", ".join([*names, *([f"{{ {', '.join(asked)} }} = {{}}"] if asked else [])])
    address = re.sub(r"\{(\w+)\}", r"${part(\1)}", path)
    address += f"${{query({{ {', '.join(asked)} }})}}" if asked else ""
    quote = "`" if "${" in address else "'"
    name, path_text = operation["operationId"], f"{quote}{address}{quote}"
    fields = [f"method: '{method.upper()}'", f"path: {path_text}"]
    made = f"export const {name} = ({given}) => ({{ {', '.join(fields)} }});"
    if len(made) > WIDTH:
        made = f"export const {name} = ({given}) => ({{\n  {BREAK.join(fields)}\n}});"
    return f"/** {operation['summary']} */\n{made}\n"
