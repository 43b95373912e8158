"""A failure is found again: by the edge's id of the request, by AWS's id of the call."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from aws_lambda_powertools import Logger
from botocore.exceptions import ClientError

from fairgate.errors import DependencyUnavailableError
from fairgate.http import app as http_app
from fairgate.log_lines import LogLines
from fairgate.request_ids import correlation_id


def event(**headers: str) -> dict[str, Any]:
    return {
        "version": "2.0",
        "rawPath": "/x",
        "headers": headers,
        "requestContext": {
            "requestId": "API1",
            "stage": "$default",
            "http": {"method": "GET", "path": "/x"},
        },
    }


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> io.StringIO:
    stream = io.StringIO()
    # Loggers of one name share the stream of the first.
    monkeypatch.setattr(
        http_app,
        "logger",
        Logger(service=request.node.name, stream=stream, logger_formatter=LogLines()),
    )
    return stream


def test_each_line_names_the_request_and_what_aws_called_its_own(logged: io.StringIO) -> None:
    app = http_app.create_app()

    @app.get("/x")
    def fail() -> None:
        response: Any = {
            "Error": {"Code": "InternalServerError"},
            "ResponseMetadata": {"RequestId": "AWS1"},
        }
        raise DependencyUnavailableError("busy") from ClientError(response, "GetItem")

    answer = http_app.resolve(app, event(**{"x-amz-cf-id": "EDGE1"}), None)
    assert answer["statusCode"] == 503
    assert http_app.resolve(app, event(), None)["statusCode"] == 503
    first, second = (json.loads(line) for line in logged.getvalue().splitlines())
    assert first["aws_request_id"] == second["aws_request_id"] == "AWS1"
    assert first["error"] == "DependencyUnavailableError"
    assert first["correlation_id"] == "EDGE1"
    assert second["correlation_id"] == "API1"  # never that of the request before


def test_a_defect_names_both_as_well(logged: io.StringIO) -> None:
    app = http_app.create_app()

    @app.get("/x")
    def fail() -> None:
        response: Any = {"ResponseMetadata": {"RequestId": "AWS2"}}
        raise ClientError(response, "PutItem")

    assert http_app.resolve(app, event(), None)["statusCode"] == 500
    (line,) = (json.loads(line) for line in logged.getvalue().splitlines())
    assert (line["aws_request_id"], line["correlation_id"]) == ("AWS2", "API1")


def test_an_event_without_any_id_has_none() -> None:
    assert correlation_id({}) == "-"
