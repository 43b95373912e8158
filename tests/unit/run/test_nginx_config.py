"""The local edge's nginx configuration: gated and cached as the table of routes says."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from fairgate.domain.catalog.brand_files import TYPES
from fairgate_ops.run.local.nginx import EdgePlan, render_nginx, render_node_routes
from infra.routes import CACHING, ROUTES

PLAN = EdgePlan(
    port=8080,
    api_upstream="127.0.0.1:9000",
    web_root=Path("/srv/web"),
    layouts_root=Path("/srv/layouts"),
    kvs_dir=Path("/srv/kvs"),
    gate_js=Path("/srv/gate.js"),
    run_dir=Path("/srv/run"),
    extra_upstreams={"/idp/": "127.0.0.1:9001", "/api/payments/webhook": "127.0.0.1:9002"},
    front_door="known-to-two",
)


def locations() -> list[tuple[str, str]]:
    blocks = re.findall(r"location ~ (\S+) \{\n(.*?)\n        \}", render_nginx(PLAN), re.DOTALL)
    assert blocks
    return blocks


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_a_route_is_gated_and_cached_as_the_table_says_when_rendered(route: object) -> None:
    from infra.routes import Route

    assert isinstance(route, Route)
    path = re.sub(r"\{\w+\+?\}", "x1", route.path)
    body = next(body for pattern, body in locations() if re.search(pattern, path))
    assert ("js_content gate.handle" in body) == route.gated
    api = route.origin == "api"
    assert ("js_content screen.screen" in body) == (api and not route.gated)
    passed_on = "/.fairgate/forward" if route.gated else "/.fairgate/screened"
    then = passed_on if route.cache == "none" else f"@{route.cache}"
    assert (f"set $fairgate_then {then};" in body) == api
    node = json.loads(render_node_routes(PLAN))["routes"]
    first = next(entry for entry in node if re.search(entry["pattern"], path))
    assert first["gated"] == route.gated
    assert (first["cache"] is not None) == (CACHING[route.cache] is not None)


def test_files_of_a_brand_have_their_types_when_rendered() -> None:
    types = json.loads(render_node_routes(PLAN))["types"]
    for name, kind in TYPES.items():
        assert types[name.partition(".")[2]] == kind
        assert f"{kind} {name.partition('.')[2]};" in render_nginx(PLAN)


def test_each_cache_policy_has_a_place_that_keeps_when_rendered() -> None:
    kept = re.findall(r"location @(\w+) \{\n(.*?)\n        \}", render_nginx(PLAN), re.DOTALL)
    assert {name for name, body in kept if "proxy_cache fairgate" in body} == {
        policy for policy, caching in CACHING.items() if caching
    }


def test_the_gates_word_is_set_by_the_gate_alone_when_rendered() -> None:
    said = re.findall(r"proxy_set_header x-fairgate-edge (\S+);", render_nginx(PLAN))
    assert said.count("$fairgate_edge") == 1
    assert set(said) == {'""', "$fairgate_edge"}
    assert len(said) == len(re.findall("proxy_pass ", render_nginx(PLAN)))


def test_the_api_alone_hears_the_edges_value_when_rendered() -> None:
    text = render_nginx(PLAN)
    assert 'set $fairgate_front_door "known-to-two";' in text
    blocks = re.findall(r"proxy_pass (\S+);(.*?)proxy_read_timeout", text, re.DOTALL)
    assert len(blocks) == len(re.findall("proxy_pass ", text))
    for upstream, body in blocks:
        value = '""' if "9001" in upstream else "$fairgate_front_door"
        assert f"proxy_set_header x-fairgate-front-door {value};" in body, upstream
    assert json.loads(render_node_routes(PLAN))["frontDoor"] == "known-to-two"


def test_everything_is_written_below_the_run_folder_when_rendered() -> None:
    text = render_nginx(PLAN)
    for directive in (
        "pid",
        "error_log",
        "proxy_temp_path",
        "client_body_temp_path",
        "proxy_cache_path",
    ):
        assert re.search(rf"\b{directive} /srv/run/", text), directive
    assert "listen 127.0.0.1:8080" in text
    assert "daemon off;" in text


@pytest.mark.parametrize("path", ["relative", "/with space", "/semi;colon", "/brace{", "/dollar$x"])
def test_a_path_is_refused_when_nginx_could_misread_it(path: str) -> None:
    with pytest.raises(ValueError, match="absolute"):
        render_nginx(replace(PLAN, web_root=Path(path)))
