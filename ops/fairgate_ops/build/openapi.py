"""docs/openapi.json from the table of routes: `python -m fairgate_ops.build.openapi [--check]`.

With it the operations that the pages call.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from http import HTTPStatus
from typing import Any

import msgspec

from fairgate.domain.catalog.event_facts import Declared, declared
from fairgate.domain.catalog.sale_terms import SaleTerms
from fairgate.http import paths
from fairgate.http.problems import Problem
from fairgate.http.views.availability import MESSAGES
from fairgate.http.views.events import EventSummary, EventView
from fairgate.version import version
from fairgate_ops.build import fact_rows, page_client
from fairgate_ops.build.openapi_examples import EXAMPLES, SSE
from fairgate_ops.build.openapi_problems import problem_examples, problem_models, responses_of
from fairgate_ops.build.openapi_tables import (
    ANSWERS,
    BODIES,
    OPERATIONS,
    OPTIONAL_BODIES,
    QUERIES,
    REVALIDATED,
    Answer,
    Answers,
    Messages,
    headers_of,
    shaped,
)
from fairgate_ops.shared.paths import ROOT
from infra.routes import ROUTES, Route

OUTPUT = ROOT / "docs" / "openapi.json"

_SCHEMA = "#/components/schemas/{name}"
# The header of an answer: what it says, and its schema.
_ANSWER_HEADERS: dict[str, tuple[str, str]] = {
    "ETag": ("for If-None-Match", "string"),
    "Location": ("where it is", "string"),
    "Retry-After": ("seconds until asking again may help", "integer"),
    paths.HEADER_ID: ("where in the change log the read stands", "integer"),
    paths.HEADER_SOURCE: ("`cache`, or `table` with the cache gone", "string"),
}
_SERVERS: list[dict[str, Any]] = [
    {
        "url": "https://{host}",
        "description": "A deployment",
        "variables": {"host": {"default": "tickets.example.org"}},
    },
    {"url": "http://127.0.0.1:8080", "description": "What `make up` runs"},
]


def document() -> dict[str, Any]:
    """The OpenAPI 3.1 description of every API route."""
    shown = {m for answers in ANSWERS.values() for m in _models(answers)}
    kinds = [*BODIES.values(), *sorted(shown, key=lambda model: model.__name__), Problem]
    _, components = msgspec.json.schema_components(
        [*kinds, *MESSAGES.values(), *problem_models().values()], ref_template=_SCHEMA
    )
    described: dict[str, Any] = {}
    for route in ROUTES:
        if route.function:
            described.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Fairgate",
            "version": version(),
            "description": "The buyer's way from the waiting room to the ticket: docs/api.md.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": _SERVERS,
        "tags": [{"name": name} for name in sorted({r.function for r in ROUTES if r.function})],
        "paths": described,
        "components": {
            "schemas": _with_facts({name: _named(one) for name, one in components.items()}),
            "examples": problem_examples(),
            "headers": {
                name: {"description": text, "schema": {"type": kind}}
                for name, (text, kind) in _ANSWER_HEADERS.items()
            },
            "securitySchemes": {
                "buyer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
                "session": {"type": "apiKey", "in": "header", "name": paths.HEADER_SESSION},
            },
        },
    }


def _named(schema: dict[str, Any]) -> dict[str, Any]:
    """Say the type of what msgspec only lists: generators of clients ask for it."""
    for name, one in schema.get("properties", {}).items():
        if len(one.get("enum", ())) == 1:
            [value] = one["enum"]
            kind = "string" if isinstance(value, str) else "integer"
            schema["properties"][name] = {"type": kind, "const": value}
        elif one.get("enum"):
            one["type"] = "string"
    return schema


def _with_facts(schemas: dict[str, Any]) -> dict[str, Any]:
    """Add the description, bounds and example of each fact to the views of an event."""
    for view in (EventSummary, EventView):
        properties = schemas[view.__name__]["properties"]
        for one in declared(SaleTerms):
            if one.in_views in properties:
                properties[one.in_views] |= _described(one)
    return schemas


def _described(declaration: Declared) -> dict[str, Any]:
    fact, default = declaration.fact, declaration.default
    if fact.kind == "number":
        shown: dict[str, Any] = {"minimum": fact.least, "maximum": fact.most}
    else:
        shown = {"format": "date-time"} if fact.kind == "moment" else {"maxLength": fact.chars_max}
    return {"description": fact.what, **shown, "examples": [fact.example or default]}


def _operation(route: Route) -> dict[str, Any]:
    known = OPERATIONS[route.method, route.path]
    operation: dict[str, Any] = {
        "operationId": known.id,
        "summary": known.summary,
        "tags": [route.function],
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": shaped(name)}
            for name in re.findall(r"\{(\w+)\}", route.path)
        ]
        + _optional(route),
        "responses": _responses(route) | responses_of(known.refuses),
        "security": _security(route),
    }
    if (body := BODIES.get(route.path)) and route.method == "POST":
        reference = {"$ref": _SCHEMA.format(name=body.__name__)}
        operation["requestBody"] = {
            "required": route.path not in OPTIONAL_BODIES,
            "content": {"application/json": {"schema": reference, "example": EXAMPLES[body]}},
        }
    elif route.path == paths.PAYMENT_WEBHOOK:
        about = "As the provider signs and sends it: docs/payments.md"
        schema = {"type": "object", "description": about}
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema}},
        }
    return operation


def _optional(route: Route) -> list[dict[str, Any]]:
    """Return the parameters of the query and the headers: all may be left out."""
    query = [("query", QUERIES[route.path])] if route.path in QUERIES else []
    headers = [("header", one) for one in headers_of(route.method, route.path)]
    return [
        {"name": name, "in": where, "required": False, "description": text, "schema": schema}
        for where, (name, text, schema) in query + headers
    ]


def _models(answers: Answers) -> list[type]:
    return [m for answer in answers.values() if isinstance(answer, tuple) for m in answer]


def _responses(route: Route) -> dict[str, Any]:
    answers = ANSWERS[route.method, route.path]
    responses = {
        str(status): _response(route, status, answer) for status, answer in answers.items()
    }
    if route.path in REVALIDATED:
        responses["304"] = {"description": "Not Modified", "headers": _headers(["ETag"])}
    return responses


def _response(route: Route, status: int, answer: Answer) -> dict[str, Any]:
    described: dict[str, Any] = {"description": HTTPStatus(status).phrase}
    if isinstance(answer, str):
        kind = {"type": "string"} if answer.endswith("xml") else {}
        described["content"] = {answer: {"schema": kind} if kind else {}}
    elif isinstance(answer, dict):
        stream = {"example": SSE, "x-messages": _messages(answer)}
        described["content"] = {"text/event-stream": stream}
    elif answer is not None:
        models = [{"$ref": _SCHEMA.format(name=model.__name__)} for model in answer]
        schema = models[0] if len(models) == 1 else {"anyOf": models}
        examples = {model.__name__: {"value": EXAMPLES[model]} for model in answer}
        described["content"] = {"application/json": {"schema": schema, "examples": examples}}
    if names := _headers_of(route, status):
        described["headers"] = _headers(names)
    return described


def _headers_of(route: Route, status: int) -> list[str]:
    names = ["Location"] if status == HTTPStatus.TEMPORARY_REDIRECT else []
    if route.path in REVALIDATED:
        names += ["ETag"]
    if route.cache == "live":
        names += [paths.HEADER_SOURCE]
    return names + ([paths.HEADER_ID] if route.path == paths.STATUS_VECTOR else [])


def _headers(names: list[str]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _messages(messages: Messages) -> dict[str, Any]:
    """Return the data of each message: OpenAPI describes streams only from its version 3.2 on."""
    schemas, _ = msgspec.json.schema_components(messages.values(), ref_template=_SCHEMA)
    return dict(zip(messages, schemas, strict=True))


def _security(route: Route) -> list[dict[str, list[str]]]:
    schemes = {paths.HEADER_AUTHORIZATION: "buyer", paths.HEADER_SESSION: "session"}
    needed = {schemes[header]: list[str]() for header in route.credentials}
    return [needed] if needed else []


def rendered() -> str:
    return json.dumps(document(), indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail when the file is out of date")
    made = {OUTPUT: rendered(), page_client.OUTPUT: page_client.rendered(document())}
    made |= fact_rows.pages()
    if parser.parse_args().check:
        return 0 if all(file.read_text("utf-8") == text for file, text in made.items()) else 1
    for file, text in made.items():
        file.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
