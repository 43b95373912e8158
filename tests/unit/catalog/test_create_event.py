"""An event is created with its gate first, complete, and with what the operator asks for."""

from __future__ import annotations

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
from fairgate.errors import (
    DependencyUnavailableError,
    FairgateError,
    MalformedInputError,
    WrongStateError,
)
from fairgate.service.catalog.create_event import CreatedEvent, EventCreator, GateRules
from fairgate.service.catalog.event_rows import units_to_write
from fairgate.service.gate.operator_log import OperatorLog
from fairgate.service.shared.keys import creation_key, event_key, gate_value_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import GateValueRecord
from fairgate_lab.engine.clock import START_MS
from fairgate_lab.engine.outside import MemoryEdgeConfig
from tests.support.creations import GALA, REQUEST, Hall, first_of, one_hall
from tests.support.world import NAMES

GATE = gate_key(GALA)
SALE_START_S = START_MS // 1000 + 60
RULES = GateRules(SALE_START_S, tau_s=300.0)


class Late(MemoryEdgeConfig):
    """Says that it has written, and does not."""

    def write(self, key: str, value: str, etag: str) -> str:
        assert (key, bool(value)) == (GATE, True)
        return etag


class Unreachable(MemoryEdgeConfig):
    def write(self, key: str, value: str, etag: str) -> str:
        raise DependencyUnavailableError(f"gone: {key} {len(value)} {etag}")


def sale_of(hall: Hall) -> Event | None:
    return hall.table().find(Event, event_key(GALA))


def create(
    hall: Hall, request: Any = REQUEST, rules: GateRules = RULES, **how: Any
) -> CreatedEvent:
    control = how.pop("control", "manual")
    creator: EventCreator = replace(first_of(hall).creator(), **how)
    return creator.create(request, one_hall(), rules, control=control)


def written(hall: Hall) -> list[Any]:
    return [dict(hall.edge.values), *(list(hall.engine.items(name)) for name in NAMES.values())]


def test_the_event_its_gate_its_history_and_its_log_agree() -> None:
    hall = Hall()
    created = create(hall, control="auto")
    gate, event = parse_gate(hall.edge.values[GATE]), sale_of(hall)
    assert event is not None
    assert created.gate == gate
    assert event.draw_commitment == commitment_of(gate.draw_key)
    assert event.draw_commitment == created.request.draw_commitment
    assert (event.layout, event.control) == (created.layout, "auto")
    assert [e.slope for e in gate.epochs] == [0.0, 1 / 300]
    assert event.epochs_log[1][0] == gate.sale_start_s == SALE_START_S
    assert len({gate.draw_key, gate.edge_key, *gate.token_keys.values()}) == 3
    assert len(hall.rows()) == units_to_write(one_hall())
    log = OperatorLog.of(hall.table(), hall.clock, GALA, gate)
    asked, done = log.read()
    assert [(e.who, e.act, e.phase) for e in (asked, done)] == [
        ("ann@desk", "create", phase) for phase in ("asked", "done")
    ]
    assert done.detail == asked.detail
    assert (done.detail["tau_s"], done.detail["control"]) == (300.0, "auto")
    assert asked.gate is None
    assert (done.gate or {})["s"] == "open"
    assert log.check([asked, done]) == []


@pytest.mark.parametrize("edge", [MemoryEdgeConfig(), Late()], ids=["in time", "control"])
def test_no_event_is_on_sale_before_its_gate_is_at_the_edges(edge: MemoryEdgeConfig) -> None:
    hall, seen = Hall(edge=edge), []
    run = first_of(hall)
    run.reads_too = True
    run.tell = lambda _call: seen.append(sale_of(hall) is not None and GATE not in edge.values)
    run()
    assert run.created is not None
    assert any(seen) == isinstance(edge, Late)


def test_nothing_is_on_sale_when_the_edges_cannot_have_the_gate() -> None:
    hall = Hall(edge=Unreachable())
    with pytest.raises(
        DependencyUnavailableError, match="Nothing is on sale: run this again"
    ) as away:
        create(hall)
    assert "controller" not in away.value.detail  # it copies only what is in the catalogue
    keys = {(item["PK"]["S"], item["SK"]["S"]) for item in hall.engine.items(NAMES["catalog"])}
    assert keys == {creation_key(GALA), gate_value_key(GALA)}
    assert hall.rows() == {}
    first = hall.table().find(GateValueRecord, gate_value_key(GALA))
    assert first is not None
    hall.edge = MemoryEdgeConfig()
    assert create(hall).gate.draw_key == parse_gate(first.value).draw_key


def test_nothing_is_written_when_it_is_a_dry_run() -> None:
    hall = Hall()
    before = written(hall)
    created = create(hall, dry_run=True)
    assert created.layout == ""
    assert created.request.draw_commitment == commitment_of(created.gate.draw_key)
    assert written(hall) == before


def test_the_gate_is_left_alone_when_the_id_is_taken() -> None:
    hall = Hall()
    create(hall)
    before = written(hall)
    with pytest.raises(WrongStateError, match="choose another id"):
        create(hall)
    assert written(hall) == before


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"hold_limit": 0, "prices_minor": {"stalls": 4500}}, {"prices_minor.standing"}),
        *(({"session_s": 600, "session_mean_s": s}, {"session_mean_s"}) for s in (-1, 9, 601)),
    ],
)
def test_nothing_is_written_when_the_request_is_wrong(
    changes: dict[str, Any], where: set[str]
) -> None:
    hall = Hall()
    before = written(hall)
    with pytest.raises(MalformedInputError) as refused:
        create(hall, replace(REQUEST, **changes))
    listed: Any = refused.value.fields["errors"]
    assert {error["where"] for error in listed} >= where
    assert written(hall) == before


@pytest.mark.parametrize(
    ("rules", "how", "error", "match"),
    [
        ({"sample_violations": -0.1}, {}, MalformedInputError, "sv"),
        ({"sample_violations": 1.5}, {}, MalformedInputError, "sv"),
        (
            {"sample_violations": 0.25},
            {"deployed": VERSION_BEFORE},
            WrongStateError,
            "--sample-violations",
        ),
        ({"sample": 0.0}, {"control": "auto"}, MalformedInputError, "--control manual"),
    ],
)
def test_rules_that_the_gate_cannot_keep_are_refused(
    rules: dict[str, Any], how: dict[str, Any], error: type[FairgateError], match: str
) -> None:
    hall = Hall()
    before = written(hall)
    with pytest.raises(error, match=match):
        create(hall, REQUEST, replace(RULES, **rules), **how)
    assert written(hall) == before


def test_the_gate_and_the_event_have_what_the_operator_says() -> None:
    hall = Hall()
    rules = replace(RULES, sample_violations=0.25, sample=0.0)
    gate = create(hall, replace(REQUEST, session_s=600, session_mean_s=240), rules).gate
    event = sale_of(hall)
    assert event is not None
    assert event.session_mean_s == 240
    assert (gate.sample_violations, gate.sample_queue) == (0.25, 0.0)
    usual = Hall()
    assert create(usual).gate.sample_violations == SAMPLE_VIOLATIONS
    event = sale_of(usual)
    assert event is not None
    assert event.session_mean_s == 0


@pytest.mark.parametrize(
    ("curve", "control", "h"),
    [(3.0, "manual", STEADY_H), (3.0, "auto", 0.0), (1.0, "manual", 0.0), (1.0, "auto", 0.0)],
)
def test_h_begins_where_a_steep_pace_of_an_operator_stays_steady(
    curve: float, control: str, h: float
) -> None:
    gate = create(Hall(), REQUEST, replace(RULES, curve=curve), control=control).gate
    assert [epoch.h for epoch in gate.epochs] == [h, h]
