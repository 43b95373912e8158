"""Pages of events, their list and map at a running edge."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from fairgate.adapters.aws.files import PAGE
from fairgate.domain.gate.gate_config import page_key
from fairgate.service.catalog.write_pages import LIST, MAP
from tests.edge.gate_tools import EVENT
from tests.edge.running_edge import Edge, reset


def test_an_event_has_its_own_page_once_it_is_written_and_marked(edge: Edge) -> None:
    reset(edge.plan)
    files = {
        f"e/{EVENT}.html": b"its own",
        LIST: b'{"events": []}' + b" " * 2_000,
        MAP: b"<urlset/>",
    }
    (edge.plan.web_root / "e").mkdir(exist_ok=True)
    for path, body in files.items():
        (edge.plan.web_root / path).write_bytes(body)
    _, _, general = edge.ask("GET", "/")
    assert edge.ask("GET", f"/e/{EVENT}")[2] == general
    mark = edge.plan.kvs_dir / quote(page_key(EVENT), safe="")
    mark.write_text("1")
    try:
        status, headers, body = edge.ask("GET", f"/e/{EVENT}")
    finally:
        mark.unlink()
    assert (status, headers["cache-control"], body) == (200, PAGE, b"its own")
    assert headers["content-type"].startswith("text/html")
    assert "script-src 'self'" in headers["content-security-policy"]


@pytest.mark.parametrize(("path", "kind"), [(LIST, "application/json"), (MAP, "application/xml")])
def test_list_and_map_are_files_that_are_compressed_and_asked_for_by_their_tag(
    edge: Edge, path: str, kind: str
) -> None:
    (edge.plan.web_root / path).write_bytes(b" " * 2_000)
    status, headers, _ = edge.ask("GET", f"/{path}?x=1", {"accept-encoding": "gzip"})
    assert (status, headers["content-encoding"], headers["cache-control"]) == (200, "gzip", PAGE)
    assert headers["content-type"].startswith(kind)
    status, _, body = edge.ask("GET", f"/{path}", {"if-none-match": headers["etag"]})
    assert (status, body) == (304, b"")


def test_robots_are_told_where_the_map_is(edge: Edge) -> None:
    status, headers, body = edge.ask("GET", "/robots.txt")
    assert (status, headers["content-type"]) == (200, "text/plain")
    assert body.endswith(f"Sitemap: https://127.0.0.1:{edge.plan.port}/sitemap.xml\n".encode())


def test_a_page_says_where_nothing_is(edge: Edge) -> None:
    asked = {"accept-language": "ja,en;q=0.5"}
    status, headers, body = edge.ask("GET", "/nothing-here.html", asked)
    assert (status, headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert (headers["content-language"], headers["vary"]) == ("ja", "accept-language")
    assert "このアドレスにページはありません" in body.decode()
    assert "style-src 'sha256-" in headers["content-security-policy"]
