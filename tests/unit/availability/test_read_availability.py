"""Reading availability: from the cache, else the table, within a budget that is shared."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from fairgate.domain.seating.status_vector import AVAILABLE, BLOCKED
from fairgate.errors import DependencyUnavailableError, NotFoundError
from fairgate.ports.availability import (
    CacheUnavailableError,
    PlaceChanges,
    Position,
    SeatChanges,
    Window,
)
from fairgate.service.availability.inventory import KNOWN_MS, Inventory, inventory_in
from fairgate.service.availability.read_availability import AvailabilityReader
from fairgate.service.availability.shared_reads import SHARED_MS, Flights, TableBudget
from fairgate.service.catalog.read_catalog import CatalogReader
from fairgate.service.shared.cache_breaker import CACHE_RETRY_MS
from fairgate_lab.engine.clock import MemoryClock
from tests.support.availability import EVENT, FakeTable
from tests.support.waiting import patience_s, wait_until


class GoneCache:
    """Counts how often it was asked in vain."""

    def __init__(self):
        self.asked = 0

    def __getattr__(self, name):
        def gone(*_args):
            self.asked += 1
            raise CacheUnavailableError(name)

        return gone


@pytest.fixture
def clock():
    return MemoryClock()


@pytest.fixture
def table():
    return FakeTable({"a": 3, "b": 2}, {"floor": [40, 60]})


def reader_of(cache, table, clock, **options):
    return AvailabilityReader(cache, table, CatalogReader(table, clock), clock, **options)


def test_reads_come_from_the_table_and_say_so_when_the_cache_is_gone(table, clock):
    table.seats["a"][1] |= {"availability": "reserved"}
    reader = reader_of(GoneCache(), table, clock)
    section = reader.section(EVENT, "a")
    assert (section.codes, section.source) == (bytes([0, 2, 0]), "table")
    counts = reader.counts(EVENT)
    assert counts.sections == {"a": (3, 2), "b": (2, 2)}
    assert counts.areas == {"floor": (200, 100)}
    assert counts.source == "table"
    venue = reader.venue(EVENT)
    assert (venue.sections, venue.source) == ({"a": bytes([0, 2, 0]), "b": bytes(2)}, "table")


def test_the_tables_answer_is_shared_for_a_moment_when_the_cache_is_gone(table, clock):
    reader = reader_of(GoneCache(), table, clock)
    asked_at_ms = clock.ms
    for _ in range(5):
        clock.ms += SHARED_MS // 5 - 1
        assert reader.section(EVENT, "a").as_of_ms == asked_at_ms + SHARED_MS // 5 - 1
    assert len(table.queries) == 1
    clock.ms += SHARED_MS
    reader.section(EVENT, "a")
    assert len(table.queries) == 2


def test_a_cache_that_failed_is_left_alone_for_a_while(table, clock):
    cache = GoneCache()
    reader = reader_of(cache, table, clock)
    for _ in range(20):
        reader.section(EVENT, "a")
    assert cache.asked == 1
    clock.ms += CACHE_RETRY_MS
    reader.section(EVENT, "a")
    assert cache.asked == 2


def test_reads_are_refused_kindly_when_the_tables_budget_is_spent(table, clock):
    reader = reader_of(
        GoneCache(), table, clock, budget=TableBudget(clock, per_s=1, burst=1, at_once=1)
    )
    reader.section(EVENT, "a")
    with pytest.raises(DependencyUnavailableError) as refused:
        reader.section(EVENT, "b")
    assert refused.value.retry_after_s == 1
    clock.ms += 1_000
    assert reader.section(EVENT, "b").codes == bytes(2)


class Counting(TableBudget):
    """Notes whether each read is counted against the leases."""

    def __init__(self, clock):
        super().__init__(clock)
        self.counted = []

    def spend(self, *, counted=False):
        self.counted.append(counted)
        return super().spend(counted=counted)


def test_reads_of_the_table_in_place_of_the_cache_are_leased(table, clock):
    budget = Counting(clock)
    reader = reader_of(GoneCache(), table, clock, budget=budget)
    reader.section(EVENT, "a")
    assert budget.counted == [True]
    reader.counts(EVENT)  # the other section, and the area
    assert budget.counted == [True] * 3


def test_no_more_readers_than_allowed_are_at_the_table_at_once(clock):
    table = FakeTable({f"s{n}": 1 for n in range(12)})
    inside, most, lock = 0, 0, threading.Lock()
    full = threading.Barrier(3)

    def enter():
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        full.wait(patience_s(5))
        with lock:
            inside -= 1

    table.before_answer = enter
    reader = reader_of(GoneCache(), table, clock, budget=TableBudget(clock, at_once=3))
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(lambda n: reader.section(EVENT, f"s{n}"), range(12)))
    assert most == 3


def test_all_callers_get_the_first_callers_result():
    flights: Flights[int] = Flights()
    results = iter([7, ValueError("no")])

    def work():
        waiting = vars(flights._under_way["key"]._condition)["_waiters"]
        wait_until(lambda: len(waiting) == 7, "seven others")
        result = next(results)
        if isinstance(result, Exception):
            raise result
        return result

    with ThreadPoolExecutor(8) as pool:
        assert [f.result() for f in [pool.submit(flights.join, "key", work) for _ in range(8)]] == [
            7
        ] * 8
        failures = [pool.submit(flights.join, "key", work) for _ in range(8)]
        assert {str(f.exception()) for f in failures} == {"no"}
    assert flights._under_way == {}


def test_a_section_is_not_read_again_when_another_filled_it_meanwhile(table, clock):
    class FilledMeanwhile(GoneCache):
        answers = [None, bytes([2, 2, 2])]  # noqa: RUF012 one test, one cache

        def codes(self, _event, _sections, _now_ms):
            return [self.answers.pop(0)]

        def places(self, _event):
            return Inventory({"a": 3}, {"a": []}, {}, 0, over=False).document()

        def position(self, _event, _section):
            return Position(1, 0)

    section = reader_of(FilledMeanwhile(), table, clock).section(EVENT, "a")
    assert (section.codes, section.source, table.queries) == (bytes([2, 2, 2]), "cache", [])


@pytest.mark.parametrize("document", [b'{"sections": {}}', b'{"sections": {}, "later": 1}', b"[]"])
def test_a_document_of_another_version_is_read_again(table, clock, document):
    class OfAnother(GoneCache):
        kept = b""

        def places(self, _event):
            return document

        def keep_places(self, _event, body):
            self.kept = body

    cache = OfAnother()
    assert reader_of(cache, table, clock).section(EVENT, "a").source == "table"
    assert inventory_in(cache.kept) is not None


@pytest.mark.parametrize(("ids_ms_ago", "again_s"), [([], 5), ([500, 8_000], 1), ([8_000], 2)])
def test_followers_come_back_by_the_time_since_the_last_change(table, clock, ids_ms_ago, again_s):
    class Quiet(GoneCache):
        def places(self, _event):
            return Inventory({"a": 3}, {"a": []}, {}, 0, over=False).document()

        def seat_changes(self, _event, _section, _reach_ms):
            return SeatChanges(window, [(until - ms * 1_000, 0, 1) for ms in ids_ms_ago])

        def place_changes(self, _event, _reach_ms):
            return PlaceChanges(window, {f"a{ms}": until - ms * 1_000 for ms in ids_ms_ago}, {})

    until = clock.ms * 1_000
    window = Window(until - 15_000_000, until)
    clock.ms += 3_600_000
    reader = reader_of(Quiet(), table, clock)
    assert reader.seat_changes(EVENT, "a").again_s == again_s
    assert reader.place_changes(EVENT).again_s == max(3, again_s)


@pytest.mark.parametrize("section", ["zz", "A", "a:b", "", "a" * 10_000, "a}b{"])
def test_an_unknown_section_is_not_found_before_the_table_is_asked(table, clock, section):
    with pytest.raises(NotFoundError):
        reader_of(GoneCache(), table, clock).section(EVENT, section)
    assert table.queries == []


@pytest.mark.parametrize("event", ["no-such", "NO", "a}b", ""])
def test_an_unknown_event_is_not_found(table, clock, event):
    with pytest.raises(NotFoundError):
        reader_of(GoneCache(), table, clock).counts(event)


def test_a_seat_is_blocked_when_the_table_lacks_it(table, clock):
    del table.seats["a"][1:]
    section = reader_of(GoneCache(), table, clock).section(EVENT, "a")
    assert section.codes == bytes([AVAILABLE, BLOCKED, BLOCKED])


class CountingCache:
    """Holds nothing, and counts what it is asked."""

    def __init__(self):
        self.asked = []

    def places(self, event):
        self.asked.append(event)

    def keep_places(self, event, _document):
        self.asked.append(event)


@pytest.mark.parametrize("read", ["section", "blocks", "seat_changes"])
def test_made_up_sections_cost_no_read_when_the_event_is_known(table, clock, read):
    cache = CountingCache()
    reader = reader_of(cache, table, clock)
    for number in range(100):
        with pytest.raises(NotFoundError):
            getattr(reader, read)(EVENT, f"made-up-{number}")
    assert len(cache.asked) == 2  # what exists: read once, and kept for the others
    assert table.queries == []
    clock.ms += KNOWN_MS + 1
    with pytest.raises(NotFoundError):
        getattr(reader, read)(EVENT, "made-up")
    assert len(cache.asked) == 4


def test_made_up_events_are_read_once(table, clock):
    cache = CountingCache()
    reader = reader_of(cache, table, clock)
    for _ in range(100):
        with pytest.raises(NotFoundError):
            reader.counts("unknown")
    assert cache.asked == ["unknown"]
