"""docs/openapi.json says what the table of routes says, and enough of it to make a client."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import fields
from openapi_spec_validator import OpenAPIV31SpecValidator

from fairgate.http import paths
from fairgate.http.problems import STATUS, Problem
from fairgate.http.views.problems import OWN
from fairgate_ops.build import fact_rows, page_client
from fairgate_ops.build.openapi import OUTPUT, document, rendered
from fairgate_ops.build.openapi_examples import MEMBERS
from fairgate_ops.build.openapi_problems import problem_models
from fairgate_ops.build.openapi_tables import OPERATIONS
from infra.routes import ROUTES
from tests.contract.described import complaint, described, validator

ROOT = Path(__file__).parents[2]
# Of operators' commands and of the importers: no buyer is answered with them.
COMMANDS_ONLY = {("MalformedInputError", "errors_total"), ("WrongStateError", "written")}
UNTOLD = ("retry_after_s", "provider_code", "refund_id")  # a header, and what only we go by
BASE = {one.name for one in fields(Problem)}


def operations() -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in described()["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def test_the_committed_description_is_up_to_date() -> None:
    assert OUTPUT.read_text("utf-8") == rendered(), "run `make openapi`"


def test_the_rows_about_an_event_are_up_to_date() -> None:
    for file, text in fact_rows.pages().items():
        assert file.read_text("utf-8") == text, "run `make openapi`"


def test_the_pages_call_what_the_description_says_and_nothing_else() -> None:
    made = page_client.rendered(document())
    assert page_client.OUTPUT.read_text("utf-8") == made, "run `make openapi`"
    texts = {page.name: page.read_text("utf-8") for page in page_client.OUTPUT.parent.rglob("*.js")}
    assert "`/api/events/${event}`" in texts.pop("early.js")  # it is too short for an import
    assert paths.EVENT == "/api/events/{event}"
    del texts[page_client.OUTPUT.name]
    assert [name for name, text in texts.items() if "/api/" in text] == []


def test_every_api_route_is_described_and_no_other() -> None:
    routes = {(route.method, route.path) for route in ROUTES if route.function}
    assert set(OPERATIONS) == routes
    told = {(m.upper(), p) for p, methods in document()["paths"].items() for m in methods}
    assert told == routes


def test_the_description_is_valid_openapi() -> None:
    assert [str(error) for error in OpenAPIV31SpecValidator(document()).iter_errors()] == []


def test_a_description_that_is_not_valid_is_noticed() -> None:
    broken = document()
    broken["paths"]["/api/events/{event}"]["get"]["parameters"] = []
    assert list(OpenAPIV31SpecValidator(broken).iter_errors())


def test_each_operation_has_an_id_of_its_own_to_name_a_function_by() -> None:
    named = [operation["operationId"] for _, operation in operations()]
    assert len(set(named)) == len(named)
    assert all(re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", one) for one in named)


def whole(example: dict[str, Any]) -> dict[str, Any]:
    """Follow what stands among the components."""
    name = example.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = described()["components"]["examples"][name] if name else example
    return found


def examples() -> Iterator[tuple[str, dict[str, Any], Any]]:
    for name, operation in operations():
        told = [*operation["responses"].values()]
        told += [operation["requestBody"]] if "requestBody" in operation else []
        for content in (one.get("content", {}) for one in told):
            for kind, media in content.items():
                if "json" not in kind or name.endswith("/webhook"):
                    continue
                shown = [whole(one)["value"] for one in media.get("examples", {}).values()]
                shown += [media["example"]] if "example" in media else []
                assert shown, f"{name} shows no example of {kind}"
                for one in shown:
                    yield name, media["schema"], one


def test_each_example_is_what_its_schema_says() -> None:
    shown = list(examples())
    assert shown
    for name, schema, example in shown:
        assert [f"{name}: {e.message}" for e in validator(schema).iter_errors(example)] == []


def test_an_example_with_a_member_that_no_model_has_is_noticed() -> None:
    _, schema, example = next(examples())
    assert list(validator(schema).iter_errors(example | {"price": 1}))


# --- problems


def raised() -> Iterator[tuple[str, str]]:
    """Each error that the shipped code makes, with each member that it gives by name."""
    known = {kind.__name__ for kind in STATUS}
    sources = [*(ROOT / "layers/core/python").rglob("*.py"), *(ROOT / "functions").rglob("*.py")]
    for source in sources:
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                for keyword in node.keywords:
                    if node.func.id in known and keyword.arg:
                        yield node.func.id, keyword.arg


def test_each_member_that_an_error_is_given_is_in_its_problems_model() -> None:
    models = {kind.__name__: OWN.get(kind, Problem) for kind in STATUS}
    given = {(k, m) for k, m in raised() if m not in UNTOLD}
    assert ("SaleOverError", "state") in given
    told = {(name, one.name) for name, model in models.items() for one in fields(model)}
    assert given - told - COMMANDS_ONLY == set()


def test_each_member_of_a_model_is_given_somewhere() -> None:
    sources = (ROOT / "layers/core/python/fairgate").rglob("*.py")
    text = "\n".join(
        s.read_text("utf-8") for s in sources if s.parts[-2:] != ("views", "problems.py")
    )
    own = {one.name for model in OWN.values() for one in fields(model)} - BASE
    assert {name for name in own if not re.search(rf'"{name}"|\b{name}=', text)} == set()


def test_each_code_has_a_model_that_fixes_its_status() -> None:
    models = problem_models()
    assert set(models) == {kind.code for kind in STATUS} | {"internal"}
    assert set(MEMBERS) <= set(models)
    schema = described()["components"]["schemas"]["SeatsTakenProblem"]
    assert schema["properties"]["status"]["const"] == 409
    assert {"seats", "code", "request_id"} <= set(schema["required"])


@pytest.mark.parametrize(
    ("status", "body", "why"),
    [
        (418, "{}", "is not described so"),
        (200, '{"events": [1]}', "is not of type"),
        (200, '{"events": [], "after": null, "more": 1}', "Additional properties"),
    ],
)
def test_an_answer_that_is_not_described_is_noticed(status: int, body: str, why: str) -> None:
    headers = {"content-type": "application/json"}
    said = complaint("GET /api/events", {"statusCode": status, "headers": headers, "body": body})
    assert why in said
