"""The local run logs what AWS logs, under the same names."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from fairgate_ops.run.local.access_log import RequestLogs
from fairgate_ops.run.local.api_events import Answer, Request
from fairgate_ops.run.local.nginx import render_nginx
from infra.log_queries import COLUMNS
from tests.unit.run.test_nginx_config import PLAN


def test_nginx_logs_the_columns_of_the_distributions_log(tmp_path: Path) -> None:
    text = render_nginx(replace(PLAN, request_log=tmp_path / "edge.jsonl"))
    [line] = re.findall(r"log_format fairgate escape=json '(.*)';", text)
    assert list(json.loads(line)) == list(COLUMNS["edge_requests"])
    assert not re.search(r"\$(arg_|args|http_|remote_addr|cookie|query_string|request\b)", line)
    assert "access_log off;" in render_nginx(PLAN)


@pytest.mark.parametrize("took_s", [0.0123, None])
def test_the_api_host_logs_the_columns_of_the_apis_log(
    tmp_path: Path, took_s: float | None
) -> None:
    log = tmp_path / "api.jsonl"
    request = Request("GET", "/api/events?x=secret", {}, (), b"", "127.0.0.1")
    logs = RequestLogs(requests=log)
    logs.note(request, "GET /api/events", "r", 1.5, Answer(200, body=b"{}"), took_s=took_s)
    line = json.loads(log.read_text())
    assert list(line) == list(COLUMNS["api_requests"])
    assert (line["at_epoch"], line["bytes"]) == ("2", "2")
    assert line["function_ms"] == ("12" if took_s else "-")
    assert "secret" not in log.read_text()
