"""The seat map's function on a cache and a table of the test's choosing, called by HTTP events."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl

from fairgate import bootstrap
from fairgate.bootstrap import Container
from fairgate.http.views.availability import MESSAGES
from fairgate.settings import from_environment
from fairgate_ops.run.local.api_events import LambdaContext
from fairgate_ops.run.local.api_host import load_handlers
from fairgate_ops.shared.paths import ROOT
from tests.contract.shapes import fits
from tests.support.availability import EVENT, FakeTable

SEATS = f"/api/events/{EVENT}/sections/a/seats"
COUNTS = f"/api/events/{EVENT}/availability"
STATUS_BIN = f"/api/events/{EVENT}/status.bin"
CHANGES = f"/api/events/{EVENT}/changes"


def small_table():
    """Two sections of six and three seats, and an area in two shards."""
    return FakeTable({"a": 6, "b": 3}, {"floor": [40, 60]})


def seatmap_on(cache, table, clock, monkeypatch):
    """Return what asks the deployed handler for a path, with headers by keyword."""
    container = Container(from_environment({}), cache=cache, table=table, clock=clock)
    monkeypatch.setattr(bootstrap, "container", lambda: container)
    handler = load_handlers(ROOT / "functions", ["seatmap"])["seatmap"]
    return lambda path, **headers: call(handler, path, headers)


def call(handler, path, headers):
    path, _, query = path.partition("?")
    http = {"method": "GET", "path": path, "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1"}
    event = {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": query,
        "queryStringParameters": dict(parse_qsl(query)),
        "headers": {name.replace("_", "-"): value for name, value in headers.items()},
        "requestContext": {"http": http, "requestId": "r-1", "stage": "$default"},
        "isBase64Encoded": False,
    }
    return handler(event, LambdaContext("seatmap", "r-1", 30))


def events_of(answer):
    """The stream's messages as (id, name, data); first what precedes them."""
    first, *blocks = answer["body"].removesuffix("\n\n").split("\n\n")
    retry, _, rest = first.partition("\n")
    messages = []
    for block in [rest, *blocks]:
        fields = dict(line.split(": ", 1) for line in block.split("\n"))
        name, data = fields["event"], json.loads(fields["data"])
        assert fits(data, MESSAGES[name]), f"no model of a {name} message says {data}"
        messages.append((int(fields.get("id", 0)), name, data))
    return retry, messages
