"""The files of events: written where they differ, marked once, made up for when they are lost."""

from __future__ import annotations

import json
import re
from typing import Any, cast

import pytest
from msgspec.structs import replace

from fairgate.domain.gate.gate_config import page_key
from fairgate.errors import DependencyUnavailableError, NotFoundError, VersionConflictError
from fairgate.http.views.events_file import events_file
from fairgate.service.catalog.read_catalog import Catalog
from fairgate.service.catalog.write_pages import INDEX, LIST, MAP, WRITTEN, PageWriter, page_path
from fairgate.service.gate.gate_values import GateValues
from fairgate.service.shared.failures import Failure
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event
from fairgate_lab.engine.layouts import MemorySite
from fairgate_lab.engine.outside import MemoryEdgeConfig
from tests.support.pages_build import WEB
from tests.support.world import event_on_sale

INDEX_PAGE = (WEB / "index.html").read_bytes()
NOW = "2026-01-01T00:00:00.000Z"


class Site(MemorySite):
    """Notes what is written; fails for one path."""

    def __init__(self) -> None:
        super().__init__()
        self.files[INDEX] = INDEX_PAGE
        self.written: list[str] = []
        self.fails: dict[str, Exception] = {}

    def write(self, path: str, body: bytes) -> None:
        if path in self.fails:
            raise self.fails[path]
        self.written.append(path)
        super().write(path, body)


class Place:
    """The files and the edges' store of one stage, and runs over its events."""

    def __init__(self) -> None:
        self.site, self.edges, self.store = Site(), MemoryEdgeConfig(), "store-1"
        self.read_all, self.hour = 0, "12"

    def run(self, *sales: Event, over: tuple[Event, ...] = (), steps: int = 99) -> list[Failure]:
        """Run once; what is written is in ``site.written``."""
        self.site.written.clear()
        left = iter(range(steps))

        def every() -> Catalog:
            self.read_all += 1
            return Catalog([*sales, *over], [])

        writer = PageWriter(
            *(self.site, self.values().mark_page, self.store, "https://tickets.example"),
            hour=self.hour,
            listing=lambda listed: events_file(NOW, listed),
        )
        return writer.write(Catalog(list(sales), []), every, lambda: next(left, None) is not None)

    def values(self) -> GateValues:
        nothing = cast("Any", None)  # a mark asks neither table nor clock
        return GateValues(nothing, self.edges, nothing, nothing)

    def text(self, path: str) -> str:
        return self.site.files[path].decode()


@pytest.fixture
def place() -> Place:
    return Place()


def sale(event: str, **changes: Any) -> Event:
    _pk, sk = event_key(event)
    return replace(event_on_sale(name=f"The {event}", **changes), sk=sk)


def test_each_event_has_a_page_that_edges_are_told_of(place: Place) -> None:
    assert place.run(sale("a"), sale("b")) == []
    assert place.site.written == [LIST, MAP, "e/a.html", "e/b.html", WRITTEN]
    assert "<title>The a – The Hall</title>" in place.text("e/a.html")
    assert set(place.edges.values) == {page_key("a"), page_key("b")}


def test_nothing_is_written_twice(place: Place) -> None:
    place.run(sale("a"))
    version = place.edges.version
    assert place.run(sale("a")) == []
    assert place.site.written == []
    assert (place.edges.version, place.read_all) == (version, 1)


def test_what_changes_is_written_and_nothing_else(place: Place) -> None:
    place.run(sale("a"), sale("b"))
    place.run(sale("a"), sale("b", state="soldout", starts_at="2030-06-01T18:00:00.000Z"))
    assert place.site.written == [LIST, "e/b.html", WRITTEN]
    assert "schema.org/SoldOut" in place.text("e/b.html")


def test_a_release_of_the_pages_renews_those_of_past_events_too(place: Place) -> None:
    place.run(sale("a"), over=(sale("past"),))
    place.site.files[INDEX] = INDEX_PAGE.replace(b"/assets/app.css", b"/assets/app-2.css")
    place.run(sale("a"), over=(sale("past"),))
    assert {"e/a.html", "e/past.html"} <= set(place.site.written)
    assert "/assets/app-2.css" in place.text("e/past.html")
    assert place.read_all == 2
    assert "past" not in place.text(LIST) + place.text(MAP)


def test_a_past_event_tells_nothing_once_it_is_hidden(place: Place) -> None:
    place.run(sale("a"), over=(sale("past"),))
    place.run(sale("a"), over=(sale("past", hidden=True),))
    assert (place.site.written, place.read_all) == ([], 1)
    place.hour = "13"
    place.run(sale("a"), over=(sale("past", hidden=True),))
    assert place.site.written == ["e/past.html", WRITTEN]
    assert "The past" not in place.text("e/past.html")


def test_what_one_run_has_no_time_for_the_next_ones_do(place: Place) -> None:
    sales = [sale(name) for name in "abc"]
    place.run(*sales, steps=3)
    assert place.site.written == [LIST, MAP, "e/a.html", WRITTEN]
    for _ in range(3):
        place.run(*sales, steps=5)
    assert {page_path(name) for name in "abc"} <= set(place.site.files)


def test_hidden_events_and_drafts_leave_list_and_map_and_tell_nothing(place: Place) -> None:
    place.run(sale("a"))
    place.run(sale("a", hidden=True), sale("secret", state="draft"))
    assert "noindex" in place.text("e/a.html")
    for path in ("e/a.html", "e/secret.html", LIST):
        assert "The a" not in place.text(path)
        assert "The secret" not in place.text(path)
    assert "/e/" not in place.text(MAP)


def test_the_map_names_each_page_and_the_list_what_the_api_says(place: Place) -> None:
    place.run(sale("a"), sale("b"))
    pages = re.findall("<loc>(.*)</loc>", place.text(MAP))
    assert pages == [f"https://tickets.example/{path}" for path in ("", "e/a", "e/b")]
    assert [one["event"] for one in json.loads(place.text(LIST))["events"]] == ["a", "b"]


@pytest.mark.parametrize(
    "error", [DependencyUnavailableError("away"), VersionConflictError("other"), KeyError("ours")]
)
def test_a_page_that_fails_holds_no_other_up_and_is_tried_again(
    place: Place, error: Exception
) -> None:
    place.site.fails["e/a.html"] = error
    (failed,) = place.run(sale("a"), sale("b"))
    assert (failed.what, failed.error) == ("e/a.html", type(error).__name__)
    assert "e/b.html" in place.site.written
    assert page_key("a") not in place.edges.values
    place.site.fails.clear()
    assert place.run(sale("a"), sale("b")) == []
    assert "e/a.html" in place.site.written
    assert page_key("a") in place.edges.values


@pytest.mark.parametrize("lost", [WRITTEN, "all"])
def test_files_that_are_lost_are_written_anew(place: Place, lost: str) -> None:
    place.run(sale("a"))
    for path in [WRITTEN] if lost == WRITTEN else list(place.site.files):
        del place.site.files[path]
    place.site.files[INDEX] = INDEX_PAGE
    place.run(sale("a"))
    assert "e/a.html" in place.site.written


def test_a_damaged_note_of_what_is_written_is_no_obstacle(place: Place) -> None:
    place.site.files[WRITTEN] = b"{"
    assert place.run(sale("a")) == []
    assert "e/a.html" in place.site.written


def test_another_store_of_the_edges_gets_its_marks(place: Place) -> None:
    place.run(sale("a"))
    place.edges, place.store = MemoryEdgeConfig(), "store-2"
    place.run(sale("a"))
    assert page_key("a") in place.edges.values


@pytest.mark.parametrize(("page", "error"), [(None, NotFoundError), (b"<html></html>", ValueError)])
def test_without_pages_nothing_is_written(
    place: Place, page: bytes | None, error: type[Exception]
) -> None:
    place.site.files = {} if page is None else {INDEX: page}
    with pytest.raises(error):
        place.run(sale("a"))
    assert place.site.written == []


def test_a_file_of_too_many_events_has_the_next_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairgate.http.views.events_file.EVENTS_MAX", 2)
    starts = {"past": "2025-12-01", "soon": "2026-02-01", "late": "2027-01-01"}
    sales = [sale(event, starts_at=f"{day}T18:00:00.000Z") for event, day in starts.items()]
    assert [one["event"] for one in json.loads(events_file(NOW, sales))["events"]] == [
        "soon",
        "late",
    ]
