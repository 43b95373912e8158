"""An event is created with its gate first, whole, and from where it broke off."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.gate.draw_proof import commitment_of
from fairgate.domain.gate.gate_config import (
    SAMPLE_VIOLATIONS,
    VERSION_BEFORE,
    gate_key,
    parse_gate,
)
from fairgate.domain.gate.pace import STEADY_H
from fairgate.domain.seating.parse_venue import parse_venue
from fairgate.errors import DependencyUnavailableError, MalformedInputError, WrongStateError
from fairgate.ports.record import Key, decode
from fairgate.ports.table import Check, Put, Refusal, TransactionRefusedError
from fairgate.service.catalog.create_event import EventCreator, GateRules
from fairgate.service.catalog.event_request import NewEvent
from fairgate.service.catalog.event_rows import units_to_write
from fairgate.service.gate.gate_values import GateValues
from fairgate.service.gate.operator_log import OperatorLog
from fairgate.service.shared.keys import CREATION, creation_key, event_key, gate_value_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import GateValueRecord
from fairgate_lab.engine.clock import START_MS, MemoryClock
from fairgate_lab.engine.layouts import MemoryLayouts
from fairgate_lab.engine.outside import MemoryEdgeConfig
from fairgate_lab.engine.secrets import MemorySecrets
from tests.support.charts import chart

GATE = gate_key("gala")
SALE_START_S = START_MS // 1000 + 60
REQUEST = NewEvent(
    event="gala",
    name="Gala",
    sale_starts_at="2030-06-01T20:00:00+02:00",
    currency="EUR",
    prices_minor={"stalls": 4500, "standing": 2500},
    draw_commitment="",
)


@dataclass
class MemoryTables:
    """The table and the writer in one, and whether the gate stood whenever the event was seen.

    Attributes:
        breaks_at: a table whose next write fails, once; the gate's own value is written.
    """

    edge: MemoryEdgeConfig
    items: dict = field(default_factory=dict)
    breaks_at: str = ""
    seen_without_gate: bool = False

    def put_many(self, records):
        for record in records:
            self._put(record.table, record.item())

    def remove_others(self, event, keep):
        others = [
            (table, *key)
            for table, *key in self.items
            if table == "seats" and key[0].startswith(f"{event}#") and Key(*key) not in keep
        ]
        for place in others:
            del self.items[place]
        return len(others)

    def put_new(self, record):
        self._put_new(record.table, record.item())

    def exists(self, kind, key):
        return (kind.table, *key) in self.items

    def find(self, kind, key):
        item = self.items.get((kind.table, *key))
        return None if item is None else decode(kind, item)

    def query(self, kind, pk):
        return [
            decode(kind, item)
            for (table, partition, _), item in sorted(self.items.items())
            if (table, partition) == (kind.table, pk)
        ]

    def update(self, action):
        before = self.items.get((action.table, action.pk, action.sk), {})
        known = before.get("version")
        if "version" in action.values and known != action.values["version"]:
            raise TransactionRefusedError([Refusal("ConditionalCheckFailed", before)])
        added = {name: before.get(name, 0) + by for name, by in action.add.items()}
        key = {"PK": action.pk, "SK": action.sk}
        self._put(action.table, before | key | dict(action.set) | added)

    def transact(self, actions, _token=None):
        for action in actions:
            if isinstance(action, Check):  # nobody else creates anything here
                continue
            if isinstance(action, Put):
                self._put_new(action.table, dict(action.item))
            else:
                self.update(action)

    def _put_new(self, table, item):
        if (table, item["PK"], item["SK"]) in self.items:
            raise TransactionRefusedError([Refusal("ConditionalCheckFailed", item)])
        self._put(table, item)

    def _put(self, table, item):
        if table == self.breaks_at and item["PK"] not in {gate_value_key("gala").pk, CREATION}:
            self.breaks_at = ""
            raise DependencyUnavailableError("gone")
        self.items[table, item["PK"], item["SK"]] = item
        if ("catalog", "EVENT", "gala") in self.items and GATE not in self.edge.values:
            self.seen_without_gate = True

    @property
    def event(self):
        return self.find(Event, event_key("gala"))


def test_who_sets_the_pace_is_known_when_the_creation_breaks_off_after_the_event():
    """It cannot be made again then: nobody would notice that the controller leaves it alone."""
    tables, creator = world()
    update = tables.update

    def break_off(action):
        if tables.event is not None:
            raise DependencyUnavailableError("gone")
        update(action)

    tables.update = break_off
    with pytest.raises(DependencyUnavailableError):
        create(creator, control="auto")
    assert tables.event.control == "auto"


class UnreachableEdge(MemoryEdgeConfig):
    def write(self, key, value, etag):
        raise DependencyUnavailableError(f"gone: {key} {len(value)} {etag}")


class LateEdge(MemoryEdgeConfig):
    """Says that it has written, and writes when it is read the next time: a gate too late."""

    def __init__(self):
        super().__init__()
        self.late, self.reads = {}, itertools.count(1)

    def read(self, key):
        if next(self.reads) > 1:
            self.values |= self.late
        return super().read(key)

    def write(self, key, value, etag):
        self.late[key] = value
        return etag


def world(edge=None, **changes):
    edge = edge or MemoryEdgeConfig()
    tables = MemoryTables(edge, **changes)
    return tables, creator_of(tables)


def creator_of(tables, *, dry_run=False):
    numbers = itertools.count()
    clock = MemoryClock()
    return EventCreator(
        table=tables,
        values=GateValues(tables, tables.edge, clock, lambda _attempt: None),
        writer=lambda _check: tables,
        layouts=MemoryLayouts(),
        clock=clock,
        secrets=MemorySecrets(),
        who=lambda: "ops@here",
        token_bytes=lambda count: next(numbers).to_bytes(2, "big") * (count // 2),
        wait=lambda _attempt: None,
        dry_run=dry_run,
    )


def hall():
    return parse_venue(chart("little-hall.venue.json"))


def create(creator, request=REQUEST, **more):
    return creator.create(request, hall(), GateRules(SALE_START_S, tau_s=300.0), **more)


def test_the_event_its_gate_its_history_and_its_log_agree():
    tables, creator = world()
    created = create(creator, control="auto")
    gate = parse_gate(tables.edge.values[GATE])
    event = tables.event
    assert created.gate == gate
    assert event.draw_commitment == commitment_of(gate.draw_key)
    assert event.draw_commitment == created.request.draw_commitment
    assert (event.layout, event.control) == (created.layout, "auto")
    assert [e.slope for e in gate.epochs] == [0.0, 1 / 300]
    assert event.epochs_log[1][0] == gate.sale_start_s == SALE_START_S
    assert len({gate.draw_key, gate.edge_key, *gate.token_keys.values()}) == 3
    log = OperatorLog.of(tables, creator.clock, "gala", gate)
    asked, done = log.read()
    assert [(e.who, e.act, e.phase) for e in (asked, done)] == [
        ("ops@here", "create", phase) for phase in ("asked", "done")
    ]
    assert done.detail == asked.detail
    assert (done.detail["tau_s"], done.detail["control"]) == (300.0, "auto")
    assert asked.gate is None
    assert (done.gate or {})["s"] == "open"
    assert log.check([asked, done]) == []


def test_units_are_the_seats_and_the_counters():
    tables, creator = world()
    create(creator)
    assert sum(table == "seats" for table, _, _ in tables.items) == units_to_write(hall())


@pytest.mark.parametrize("breaks_at", ["seats", "catalog"])
def test_no_event_is_on_sale_when_the_creation_breaks_off_after_its_gate(breaks_at):
    tables, creator = world(breaks_at=breaks_at)
    with pytest.raises(DependencyUnavailableError):
        create(creator)
    assert GATE in tables.edge.values
    assert tables.event is None
    assert not tables.seen_without_gate


def test_nothing_is_on_sale_when_the_edges_cannot_have_the_gate():
    tables, creator = world(UnreachableEdge())
    with pytest.raises(
        DependencyUnavailableError, match="Nothing is on sale: run this again"
    ) as away:
        create(creator)
    assert "controller" not in away.value.detail  # which brings what the catalogue has
    assert [key[1:] for key in tables.items] == [creation_key("gala"), gate_value_key("gala")]
    assert tables.edge.values == {}
    first = tables.find(GateValueRecord, gate_value_key("gala")).value
    tables.edge = MemoryEdgeConfig()
    created = create(creator_of(tables))
    assert created.gate.draw_key == parse_gate(first).draw_key
    assert not tables.seen_without_gate


def test_no_event_is_ever_seen_without_its_gate():
    tables, creator = world()
    create(creator)
    assert not tables.seen_without_gate


def test_control_a_gate_that_comes_after_the_catalogue_is_noticed():
    tables, creator = world(LateEdge())
    create(creator)
    assert tables.event is not None
    assert tables.seen_without_gate


def test_a_creation_that_broke_off_keeps_its_draw_when_it_is_made_again():
    tables, creator = world(breaks_at="seats")
    with pytest.raises(DependencyUnavailableError):
        create(creator)
    first = parse_gate(tables.edge.values[GATE])
    created = create(creator)
    assert created.gate.draw_key == first.draw_key
    assert tables.event.draw_commitment == commitment_of(first.draw_key)


def test_nothing_is_written_when_it_is_a_dry_run():
    tables, _ = world()
    created = create(creator_of(tables, dry_run=True))
    assert created.layout == ""
    assert created.request.draw_commitment == commitment_of(created.gate.draw_key)
    assert tables.items == tables.edge.values == {}


def test_the_gate_is_left_alone_when_the_id_is_taken():
    tables, creator = world()
    create(creator)
    gate, event = dict(tables.edge.values), tables.event
    with pytest.raises(WrongStateError, match="choose another id"):
        create(creator)
    assert (tables.edge.values, tables.event) == (gate, event)


def test_nothing_is_written_when_the_request_is_wrong():
    tables, creator = world()
    wrong = replace(REQUEST, hold_limit=0, prices_minor={"stalls": 4500})
    with pytest.raises(MalformedInputError) as refused:
        create(creator, wrong)
    listed: Any = refused.value.fields["errors"]
    assert {e["where"] for e in listed} >= {
        "hold_limit",
        "prices_minor.standing",
    }
    assert tables.items == tables.edge.values == {}


def test_the_desks_share_and_the_length_of_sessions_are_what_the_operator_says():
    tables, creator = world()
    rules = GateRules(SALE_START_S, tau_s=300.0, sample_violations=0.25)
    request = replace(REQUEST, session_s=600, session_mean_s=240)
    creator.create(request, hall(), rules)
    assert parse_gate(tables.edge.values[GATE]).sample_violations == 0.25
    assert tables.event.session_mean_s == 240


def test_nobody_says_how_long_sessions_last_where_the_operator_does_not():
    tables, creator = world()
    create(creator)
    assert tables.event.session_mean_s == 0
    assert parse_gate(tables.edge.values[GATE]).sample_violations == SAMPLE_VIOLATIONS


@pytest.mark.parametrize("mean_s", [-1, 9, 601])
def test_a_mean_beyond_the_limit_of_a_session_is_refused(mean_s):
    _, creator = world()
    with pytest.raises(MalformedInputError) as refused:
        create(creator, replace(REQUEST, session_s=600, session_mean_s=mean_s))
    listed: Any = refused.value.fields["errors"]
    assert [e["where"] for e in listed] == ["session_mean_s"]


@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_a_share_of_violations_that_is_none_is_refused(share):
    tables, creator = world()
    with pytest.raises(MalformedInputError):
        creator.create(REQUEST, hall(), GateRules(SALE_START_S, sample_violations=share))
    assert tables.items == tables.edge.values == {}


def test_a_share_of_violations_is_refused_where_the_deployment_could_not_keep_it():
    tables, creator = world()
    older = replace(creator, deployed=VERSION_BEFORE)
    with pytest.raises(WrongStateError, match="--sample-violations"):
        older.create(REQUEST, hall(), GateRules(SALE_START_S, sample_violations=0.25))
    assert tables.items == tables.edge.values == {}


@pytest.mark.parametrize(
    ("curve", "control", "h"),
    [(3.0, "manual", STEADY_H), (3.0, "auto", 0.0), (1.0, "manual", 0.0), (1.0, "auto", 0.0)],
)
def test_h_begins_where_it_says_whether_a_steep_pace_stays(curve, control, h):
    _tables, creator = world()
    rules = GateRules(SALE_START_S, tau_s=300.0, curve=curve)
    gate = creator.create(REQUEST, hall(), rules, control=control).gate
    assert [epoch.h for epoch in gate.epochs] == [h, h]


def test_a_controller_without_a_sample_is_refused_and_nothing_is_written():
    tables, creator = world()
    rules = GateRules(SALE_START_S, tau_s=300.0, sample=0.0)
    with pytest.raises(MalformedInputError, match="sample") as refused:
        creator.create(REQUEST, hall(), rules, control="auto")
    assert "--control manual" in refused.value.detail
    assert not tables.items
    assert not tables.edge.values


def test_an_operator_needs_no_sample():
    _tables, creator = world()
    rules = GateRules(SALE_START_S, tau_s=300.0, sample=0.0)
    assert creator.create(REQUEST, hall(), rules).gate.sample_queue == 0.0
