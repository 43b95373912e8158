"""Which requests the local edge lets through to the API, and which answers it keeps."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import threading

import pytest

from fairgate_lab.bench.availability.viewers import Audience, watch
from infra.headers import EVERYWHERE
from infra.routes import ROUTES, Route
from tests.edge.gate_tools import EVENT
from tests.edge.running_edge import (
    Edge,
    nobody_asks_for,
    signed_in,
)
from tests.support.waiting import wait_until

TAG = '"one"'
SECOND = "public, max-age=0, s-maxage=1, stale-while-revalidate=1"


def test_one_request_reaches_the_api_when_many_ask_for_the_same(edge: Edge) -> None:
    path = "/api/events/cached/availability"
    before = len(edge.api.seen)
    threads = [threading.Thread(target=edge.ask, args=("GET", path)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert edge.api.asked(path, before) == 1


def test_about_one_request_a_second_reaches_the_api_when_hundreds_watch(edge: Edge) -> None:
    """The short form of `make bench-availability`, with seatmap's own words for a hot section."""
    viewers, seconds, every_s = 300, 3, 0.5
    path = "/api/events/watched/changes?section=A"
    edge.api.cache_control = f"{SECOND}, stale-if-error=30"
    before = len(edge.api.seen)
    edge.ask("GET", path, {"accept-encoding": "gzip"})
    audience = Audience(edge.plan.port, path, every_s)
    told = asyncio.run(watch(audience, viewers, seconds))
    assert told["statuses"] == {"200": told["answered"]}
    assert told["answered"] >= 2 * viewers  # far more than the API may see
    assert told["lost"] == 0
    whole_s = (told["to_ms"] - told["from_ms"]) / 1000 + 2 * every_s  # they come, then they watch
    assert 2 <= edge.api.asked(path, before) <= whole_s + 2


PRIVATE = [route for route in ROUTES if route.credentials and not route.gated]
OF_EVENTS = [route for route in ROUTES if "{event}" in route.path and route.function != "operator"]


def addressed(route: Route, event: str = EVENT) -> str:
    return re.sub(r"\{\w+\}", "x1", route.path.replace("{event}", event))


@pytest.mark.parametrize("route", PRIVATE, ids=lambda r: f"{r.method} {r.path}")
def test_who_is_not_signed_in_reaches_no_private_route(edge: Edge, route: Route) -> None:
    before, whole = len(edge.api.seen), signed_in()
    for header in route.credentials:
        without = {name: value for name, value in whole.items() if name != header}
        status, headers, body = edge.ask(route.method, addressed(route), without)
        assert (status, json.loads(body)["code"]) == (401, "unauthenticated")
        assert headers.items() >= {"cache-control": "no-store", **EVERYWHERE}.items()
    for value in ("", "Basic eDp5", "Bearer x", "Bearer a.b.c", whole["authorization"] + "x"):
        status, _, _ = edge.ask(route.method, addressed(route), whole | {"authorization": value})
        assert status == 401
    assert edge.api.asked(addressed(route), before) == 0


@pytest.mark.parametrize("route", OF_EVENTS, ids=lambda r: f"{r.method} {r.path}")
def test_an_event_that_nobody_made_reaches_no_route(edge: Edge, route: Route) -> None:
    before = len(edge.api.seen)
    for event in ("nowhere", "DEMO", "a" * 41, "a%20b", "%2e%2e", "-", f"{EVENT}%0A", "a" * 600):
        status, headers, body = edge.ask(route.method, addressed(route, event), signed_in())
        assert (status, json.loads(body)["code"]) == (404, "not-found"), event
        assert headers["cache-control"] == "no-store"
        assert edge.api.asked(addressed(route, event), before) == 0


@pytest.mark.parametrize(
    "route", [r for r in ROUTES if not r.gated and r.function], ids=lambda r: f"{r.method} {r.path}"
)
def test_a_parameter_that_no_route_takes_goes_no_further(edge: Edge, route: Route) -> None:
    edge.api.cache_control = "no-store"
    path, before = addressed(route), len(edge.api.seen)
    taken = [f"{name}=1" for name in route.query]
    asked = "&".join(["x=1", *taken, "y", "section2=3", "%73ection=4", "constructor=5"])
    status, _, _ = edge.ask(route.method, f"{path}?{asked}", signed_in())
    [seen] = [one["path"] for one in edge.api.seen[before:] if one["path"].startswith(path)]
    assert (status, seen.rstrip("?")) == (200, "?".join([path, *taken]))


def test_parameters_that_no_route_takes_share_one_answer(edge: Edge) -> None:
    for path in ("/api/events/o/status.bin", "/api/events/o", "/api/events/o/sections/A/seats"):
        before = len(edge.api.seen)
        for query in ("", "?x=1", "?section=A", "?section=B&x=2"):
            edge.ask("GET", path + query)
        assert edge.api.asked(path, before) == 1, path


@pytest.mark.parametrize(
    ("method", "path", "status", "allow"),
    [
        ("GET", "/api/nothing", 404, None),
        ("GET", "/api/events/", 404, None),
        ("GET", f"/api/events/{EVENT}//availability", 404, None),
        ("GET", "/api/constructor", 404, None),
        ("GET", "/api/__proto__/toString", 404, None),
        ("OPTIONS", "/api/nothing", 404, None),
        ("POST", f"/api/events/{EVENT}/availability", 405, "GET"),
        ("POST", "/api/events", 405, "GET, HEAD"),
        ("HEAD", f"/api/events/{EVENT}/availability", 405, "GET"),
        ("HEAD", "/api/events/nowhere", 404, None),
        ("PUT", "/api/orders/o/tickets/t/offer", 405, "POST, DELETE"),
        ("OPTIONS", "/api/orders/o/tickets/t/offer", 204, "POST, DELETE"),
    ],
)
def test_what_is_no_route_reaches_nobody(
    edge: Edge, method: str, path: str, status: int, allow: str | None
) -> None:
    before = len(edge.api.seen)
    answered, headers, _ = edge.ask(method, path, signed_in())
    assert (answered, headers.get("allow")) == (status, allow)
    assert edge.api.asked(path, before) == 0


@pytest.mark.parametrize(("event", "methods"), [("f", ["HEAD", "GET"]), ("t", ["GET", "HEAD"])])
def test_a_head_is_answered_as_a_get(edge: Edge, event: str, methods: list[str]) -> None:
    """Whichever comes first, and by the same entry of the cache."""
    path, before = f"/api/events/{event}/layout", len(edge.api.seen)
    answers = {method: edge.ask(method, path) for method in methods}
    (status, headers, body), (_, whole, answer) = answers["HEAD"], answers["GET"]
    assert (status, body) == (200, b"")
    assert answer
    for said in (headers, whole):
        del said["date"], said["x-cache"]
    assert headers == whole
    assert edge.api.asked(path, before) == 1


def test_the_cache_keeps_apart_what_the_key_names_when_queries_differ(edge: Edge) -> None:
    path = "/api/events/queried/availability"
    before = len(edge.api.seen)
    answers = [
        edge.ask("GET", path + query)[2] for query in ("", "?section=A", "?x=1", "?section=B")
    ]
    paths = [json.loads(answer)["path"].replace("?&", "?") for answer in answers]
    assert [p.rstrip("?") for p in paths] == [path, f"{path}?section=A", path, f"{path}?section=B"]
    assert edge.api.asked(path, before) == 3


def test_nothing_is_kept_when_the_route_has_no_cache(edge: Edge) -> None:
    path, before = "/api/orders/ord_1", len(edge.api.seen)
    for _ in range(3):
        edge.ask("GET", path, signed_in())
    assert edge.api.asked(path, before) == 3


def test_a_stale_answer_is_served_when_a_newer_one_is_being_fetched(edge: Edge) -> None:
    path = "/api/events/stale/availability"
    edge.api.cache_control = "public, max-age=1, stale-while-revalidate=30"
    before = len(edge.api.seen)
    edge.ask("GET", path)
    wait_until(lambda: edge.ask("GET", path)[1]["x-cache"] == "STALE", "a stale answer", 10)
    wait_until(lambda: edge.api.asked(path, before) >= 2, "the refresh", 10)


def test_an_answer_that_is_too_old_is_asked_for_again_unless_the_api_fails(edge: Edge) -> None:
    old, tagged, failing = (f"/api/events/{name}/availability" for name in ("o", "t", "f"))
    before = len(edge.api.seen)
    edge.api.cache_control = SECOND
    edge.ask("GET", old)
    edge.api.tag = TAG
    _, _, first = edge.ask("GET", tagged)
    edge.api.tag, edge.api.cache_control = "", f"{SECOND}, stale-if-error=30"
    _, _, good = edge.ask("GET", failing)
    nobody_asks_for(4)  # nginx measures whole seconds: each of the two may be one more
    status, headers, _ = edge.ask("GET", old)
    assert (status, headers["x-cache"]) in [(200, "EXPIRED"), (200, "MISS")]
    assert edge.api.asked(old, before) == 2
    edge.api.tag = TAG
    status, headers, again = edge.ask("GET", tagged)
    assert (status, again, headers["etag"]) == (200, first, TAG)
    asked = [one for one in edge.api.seen[before:] if one["path"].startswith(tagged)]
    assert [one["headers"].get("if-none-match") for one in asked] == [None, TAG]
    edge.api.status, edge.api.tag = 503, ""
    status, _, body = edge.ask("GET", failing)
    assert (status, body) == (200, good)


def test_encodings_are_kept_apart_and_reach_the_api_in_one_spelling_when_cached(edge: Edge) -> None:
    path = "/api/events/encoded/changes"
    before = len(edge.api.seen)
    spellings = ["gzip, deflate, br", "gzip", "br;q=1.0, gzip;q=0.8", "", "identity"]
    answers = [edge.ask("GET", path, {"accept-encoding": spelling}) for spelling in spellings]
    assert [headers.get("content-encoding") for _, headers, _ in answers] == [
        *["gzip"] * 3,
        *[None] * 2,
    ]
    asked = [seen["headers"].get("accept-encoding") for seen in edge.api.seen[before:]]
    assert asked == ["gzip", None]
    assert {gzip.decompress(body) for _, _, body in answers[:3]} != {answers[3][2]}
