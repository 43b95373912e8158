"""The API's list of events: a page at a time, whatever else the catalogue holds."""

from __future__ import annotations

import base64

import pytest
from msgspec.structs import replace

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import MalformedInputError
from fairgate.ports.table import Put, Update
from fairgate.service.catalog import list_events as module
from fairgate.service.catalog.list_events import list_events
from fairgate.service.catalog.read_catalog import OVER_AFTER_MS
from fairgate.service.shared.keys import event_key
from tests.support.world import START_MS, event_on_sale

pytestmark = pytest.mark.table_in_memory
LONG_AGO = rfc3339(START_MS - OVER_AFTER_MS - 1)


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(module, "PAGE_EVENTS", 3)
    monkeypatch.setattr(module, "LOOKED_AT_MAX", 8)
    monkeypatch.setattr(module, "READ_AT_ONCE", 4)


@pytest.fixture
def table(world):
    """A table with the event ``show``."""
    return world.table


def add(table, *events, **changes):
    for event in events:
        _pk, sk = event_key(event)
        table.transact([Put.of(replace(event_on_sale(**changes), sk=sk))])


def pages(table):
    """The ids of each page, by following the cursors."""
    found, after = [], ""
    for _ in range(20):
        page = list_events(table, START_MS, after)
        found.append([sale.id for sale in page.events])
        after = page.after
        if not after:
            return found
    raise AssertionError("the list has no end")


def test_pages_have_each_event_once_in_order(table):
    add(table, *"abcdefgh")
    found = pages(table)
    assert [event for page in found for event in page] == [*"abcdefgh", "show"]
    assert [len(page) for page in found] == [3, 3, 3]


def test_what_is_over_hidden_or_a_draft_fills_no_page(table):
    add(table, "a", "z")
    add(table, "b", state="draft")
    add(table, "c", hidden=True)
    add(table, "d", state="closed", starts_at=LONG_AGO)
    assert pages(table) == [["a", "show", "z"]]


def test_a_page_reads_so_many_items_and_no_more(table, monkeypatch):
    add(table, *(f"a{n:02}" for n in range(20)), state="closed", starts_at=LONG_AGO)
    add(table, "z")
    read = []
    query = type(table)._pages

    def counted(self, *arguments, **options):
        for items in query(self, *arguments, **options):
            read.append(len(items))
            yield items

    monkeypatch.setattr(type(table), "_pages", counted)
    first = list_events(table, START_MS)
    assert (first.events, sum(read)) == ([], 8)
    assert pages(table)[-1] == ["show", "z"]


def test_no_cursor_names_a_draft_or_a_hidden_event(table):
    """Anyone reads one, and moves the place where a page ends by beginning after any id."""
    add(table, *(f"c{n:02}" for n in range(0, 20, 2)), state="closed", starts_at=LONG_AGO)
    add(table, *(f"c{n:02}" for n in range(1, 20, 2)), state="draft")
    add(table, *(f"d{n:02}" for n in range(20)), hidden=True)
    secret = {f"c{n:02}" for n in range(1, 20, 2)} | {f"d{n:02}" for n in range(20)}
    for start in ["b", *(f"c{n:02}" for n in range(20)), *(f"d{n:02}" for n in range(20))]:
        after = list_events(table, START_MS, cursor(b"1" + start.encode())).after
        named = base64.urlsafe_b64decode(after + "==").decode()[1:]
        assert named not in secret
    assert [event for page in pages(table) for event in page] == ["show"]


def test_a_damaged_event_is_left_out_and_ends_nothing(table):
    add(table, *"abcd")
    table.update(Update("catalog", *event_key("b"), set={"tiers": "?"}))
    assert pages(table) == [["a", "c", "d"], ["show"]]


def cursor(text):
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


@pytest.mark.parametrize(
    "after",
    ["a", "!!", "é", cursor(b"2show"), cursor(b"1"), cursor(b"1Show"), cursor(b"1a\n"), "A" * 400],
)
def test_a_cursor_of_another_kind_is_refused(table, after):
    with pytest.raises(MalformedInputError):
        list_events(table, START_MS, after)
    assert list_events(table, START_MS, cursor(b"1r")).events[0].id == "show"
