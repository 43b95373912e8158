"""Announce, mix in, reveal: each once, each in its order, and the draw key stays what it was."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from fairgate.domain.gate import gate_config
from fairgate.domain.gate.admission import lottery_number, lottery_ticket
from fairgate.domain.gate.draw_proof import (
    beacon_key,
    commitment_of,
    keeps_commitment,
    parse_draw_key,
    time_of,
)
from fairgate.domain.gate.gate_config import Epoch, GateConfig, dump_gate, gate_key, parse_gate
from fairgate.domain.shared.jws import b64url
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import (
    FairgateError,
    MalformedInputError,
    NotFoundError,
    VersionConflictError,
    WrongStateError,
)
from fairgate.http.views.events import BeaconView, event_view
from fairgate.ports.table import Update
from fairgate.service.gate.control_gate import GateControl, redacted
from fairgate.service.gate.prove_draw import DrawProofs
from fairgate.service.gate.rotate_keys import TokenKeyRotation
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Beacon, Event
from fairgate_lab.engine.table import InterleavedTable
from tests.support.world import EVENT, START_MS, World, gate

KEY = b"d" * 32
SALE_START = START_MS // 1000 + 3600
AT = START_MS + 1_800_000
LEAD = 60.0


@pytest.fixture
def sale(world: World) -> World:
    """Doors in an hour, the draw committed to."""
    start = START_MS / 1000
    level = gate(
        sale_start_s=SALE_START, epochs=(Epoch(start, 0.0, 0.0), Epoch(SALE_START, 0.0, 1 / 60))
    )
    world.edge_config.values[gate_key(EVENT)] = dump_gate(level)
    commit = Update(
        "catalog", "EVENT", EVENT, set={"drawCommitment": commitment_of(KEY)}, add={"version": 1}
    )
    world.table.update(commit)
    return world


def control_of(world: World) -> GateControl:
    return GateControl(world.edge_config, world.clock, lambda _attempt: None)


def proofs_of(world: World, **changes: Any) -> DrawProofs:
    made = DrawProofs(world.table, world.clock, control_of(world))
    return structs.replace(made, **changes)


def gate_of(world: World) -> GateConfig:
    return parse_gate(world.edge_config.values[gate_key(EVENT)])


def item_of(world: World) -> dict[str, Any]:
    item = world.item("catalog", ("EVENT", EVENT))
    assert item is not None
    return item


def event_of(world: World) -> Event:
    event = world.table.find(Event, event_key(EVENT))
    assert event is not None
    return event


def test_numbers_are_drawn_with_the_beacon_and_tickets_stay(sale: World) -> None:
    proofs, before = proofs_of(sale), gate_of(sale)
    proofs.announce(EVENT, "drand  quicknet\nround 7", AT, lead_s=LEAD)
    assert gate_of(sale) == before
    sale.clock.ms = AT
    assert proofs.mix_in(EVENT, "cafe").value == "cafe"
    after = gate_of(sale)
    assert after == structs.replace(before, beacon_key=beacon_key(KEY, EVENT, "cafe"))
    lot = lottery_ticket(before, EVENT, "ann", "")
    assert lottery_ticket(after, EVENT, "ann", "") == lot
    assert lottery_number(after.number_key, lot) != lottery_number(before.number_key, lot)
    shown = event_view(event_of(sale))
    assert shown.draw_beacon == BeaconView(
        source="drand quicknet round 7", at="2027-01-15T08:30:00.000Z", value="cafe"
    )
    assert shown.draw_key_revealed is None


def test_the_beacons_key_is_hidden_like_every_key(sale: World) -> None:
    key = beacon_key(KEY, EVENT, "cafe")
    mixed = structs.replace(gate_of(sale), beacon_key=key)
    assert b64url(key) in dump_gate(mixed)
    assert b64url(key) not in str(redacted(mixed))


def test_an_event_without_a_beacon_draws_with_the_committed_key(sale: World) -> None:
    assert gate_of(sale).number_key == gate_of(sale).draw_key == KEY
    assert "u" not in redacted(gate_of(sale))
    assert event_view(event_of(sale)).draw_beacon is None


def test_the_draw_key_is_never_changed_by_anything_an_operator_can_do(sale: World) -> None:
    proofs, control = proofs_of(sale), control_of(sale)
    rotation = TokenKeyRotation(control, sale.clock, lambda count: b"n" * count)
    proofs.announce(EVENT, "a lottery", AT, lead_s=LEAD)
    sale.clock.ms = AT
    steps = [
        lambda: proofs.mix_in(EVENT, "1"),
        lambda: rotation.add(EVENT),
        lambda: rotation.switch(EVENT),
        lambda: control.open(EVENT, sale_start_s=SALE_START + 600),
        lambda: control.set_tau(EVENT, 30.0),
        lambda: control.pause(EVENT),
        lambda: control.resume(EVENT, tau_s=60.0),
        lambda: control.drain(EVENT),
        lambda: control.create(EVENT, gate(draw_key=b"x" * 32)),
        lambda: rotation.retire(EVENT),
        lambda: control.sold_out(EVENT),
        lambda: control.close(EVENT),
        lambda: proofs.reveal(EVENT),
    ]
    for step in steps:
        step()
        assert gate_of(sale).draw_key == KEY
        assert gate_of(sale).number_key == beacon_key(KEY, EVENT, "1")
        sale.clock.tick(130 if step != steps[-5] else 500)  # the old key waits for its tokens


def test_a_second_announcement_is_refused_and_the_same_one_changes_nothing(sale: World) -> None:
    proofs = proofs_of(sale)
    proofs.announce(EVENT, "the first", AT, lead_s=LEAD)
    version = item_of(sale)["version"]
    assert proofs.announce(EVENT, "the first", AT, lead_s=LEAD).source == "the first"
    assert item_of(sale)["version"] == version
    for source, at in (("the second", AT), ("the first", AT + 1)):
        with pytest.raises(WrongStateError, match="choosing the draw"):
            proofs.announce(EVENT, source, at, lead_s=LEAD)


@pytest.mark.parametrize(
    ("source", "at", "refusal"),
    [
        ("", AT, MalformedInputError),
        ("x" * 201, AT, MalformedInputError),
        ("bell \x07", AT, MalformedInputError),
        ("exists", START_MS, MalformedInputError),
        ("after doors", SALE_START * 1000, MalformedInputError),
        ("too near", (SALE_START - 59) * 1000, MalformedInputError),
    ],
)
def test_an_announcement_is_refused_when_it_binds_nothing(
    sale: World, source: str, at: int, refusal: type[FairgateError]
) -> None:
    with pytest.raises(refusal):
        proofs_of(sale).announce(EVENT, source, at, lead_s=LEAD)
    assert "beacon" not in item_of(sale)


@pytest.mark.parametrize("seconds", [3541, 3600, 9000])
def test_an_announcement_is_refused_when_the_sale_starts_soon_or_has_started(
    sale: World, seconds: int
) -> None:
    sale.clock.tick(seconds)
    with pytest.raises(WrongStateError, match="before the sale"):
        proofs_of(sale).announce(EVENT, "late", sale.clock.ms + 1000, lead_s=LEAD)


def test_a_value_is_refused_when_no_beacon_was_announced(sale: World) -> None:
    with pytest.raises(WrongStateError, match="draw announce"):
        proofs_of(sale).mix_in(EVENT, "cafe")


def test_a_value_is_refused_before_it_can_exist(sale: World) -> None:
    proofs = proofs_of(sale)
    proofs.announce(EVENT, "a lottery", AT, lead_s=LEAD)
    sale.clock.ms = AT - 1
    with pytest.raises(WrongStateError, match="not its value"):
        proofs.mix_in(EVENT, "cafe")
    assert gate_of(sale).beacon_key == b""


@pytest.mark.parametrize("value", ["", " x", "x ", "ä", "a\nb", "x" * 257])
def test_a_value_is_refused_when_it_cannot_be_copied_exactly(sale: World, value: str) -> None:
    with pytest.raises(MalformedInputError):
        proofs_of(sale).mix_in(EVENT, value)


def test_another_value_is_refused_and_the_same_value_completes(sale: World) -> None:
    proofs = proofs_of(sale)
    proofs.announce(EVENT, "a lottery", AT, lead_s=LEAD)
    sale.clock.ms = AT
    before = sale.edge_config.values[gate_key(EVENT)]
    proofs.mix_in(EVENT, "cafe")
    sale.edge_config.values[gate_key(EVENT)] = before  # the catalogue has it, the gate does not
    with pytest.raises(WrongStateError, match="no other value"):
        proofs.mix_in(EVENT, "babe")
    assert gate_of(sale).beacon_key == b""
    proofs.mix_in(EVENT, "cafe")
    assert gate_of(sale).beacon_key == beacon_key(KEY, EVENT, "cafe")


def test_a_value_is_refused_when_the_sale_has_ended(sale: World) -> None:
    proofs = proofs_of(sale)
    proofs.announce(EVENT, "a lottery", AT, lead_s=LEAD)
    control_of(sale).close(EVENT)
    sale.clock.ms = AT
    with pytest.raises(WrongStateError, match="closed"):
        proofs.mix_in(EVENT, "cafe")
    assert event_of(sale).beacon == Beacon(
        source="a lottery", at=rfc3339(AT), announced_at=rfc3339(START_MS), value=""
    )
    proofs.reveal(EVENT)


@pytest.mark.parametrize("state", ["open", "draining", "paused"])
def test_the_key_is_kept_while_anyone_can_still_be_drawn(sale: World, state: Any) -> None:
    changed = structs.replace(gate_of(sale), state=state)
    sale.edge_config.values[gate_key(EVENT)] = dump_gate(changed)
    with pytest.raises(WrongStateError, match="event close"):
        proofs_of(sale).reveal(EVENT)
    assert event_view(event_of(sale)).draw_key_revealed is None


@pytest.mark.parametrize("ending", ["sold_out", "close"])
def test_the_key_is_published_after_the_end_and_the_end_is_final(sale: World, ending: str) -> None:
    control = control_of(sale)
    getattr(control, ending)(EVENT)
    revealed = proofs_of(sale).reveal(EVENT)
    assert event_view(event_of(sale)).draw_key_revealed == revealed == KEY.hex()
    assert keeps_commitment(parse_draw_key(revealed), item_of(sale)["drawCommitment"])
    assert proofs_of(sale).reveal(EVENT) == revealed
    with pytest.raises(WrongStateError, match="stays closed"):
        control.resume(EVENT, tau_s=60.0)


def test_a_key_that_was_not_committed_to_is_not_published(sale: World) -> None:
    other = structs.replace(gate_of(sale), draw_key=b"x" * 32, state="closed")
    sale.edge_config.values[gate_key(EVENT)] = dump_gate(other)
    with pytest.raises(WrongStateError, match="not the one"):
        proofs_of(sale).reveal(EVENT)
    assert event_view(event_of(sale)).draw_key_revealed is None


def test_nothing_is_written_by_a_dry_run(sale: World) -> None:
    dry = proofs_of(sale, control=structs.replace(control_of(sale), dry_run=True))
    dry.announce(EVENT, "a lottery", AT, lead_s=LEAD)
    control_of(sale).sold_out(EVENT)
    dry.reveal(EVENT)
    assert "beacon" not in item_of(sale)
    assert "drawKeyRevealed" not in item_of(sale)
    assert gate_of(sale).state == "soldout"


def test_two_announcements_at_once_leave_one(sale: World, monkeypatch: pytest.MonkeyPatch) -> None:
    rival = proofs_of(sale)

    def first(*_key: str) -> None:
        rival.announce(EVENT, "theirs", AT, lead_s=LEAD)

    update = sale.table.update
    table = InterleavedTable(sale.table, first)

    def meanwhile(action: Update) -> None:
        first()
        update(action)

    monkeypatch.setattr(table, "update", meanwhile)
    with pytest.raises(VersionConflictError):
        proofs_of(sale, table=table).announce(EVENT, "ours", AT, lead_s=LEAD)
    assert item_of(sale)["beacon"]["source"] == "theirs"


def test_an_unknown_event_is_said_to_be_unknown(sale: World) -> None:
    proofs = proofs_of(sale)
    for act in (
        lambda: proofs.announce("none", "x", AT, lead_s=LEAD),
        lambda: proofs.mix_in("none", "x"),
        lambda: proofs.reveal("none"),
    ):
        with pytest.raises(NotFoundError):
            act()


def test_a_commitment_is_kept_by_one_key_in_either_spelling() -> None:
    import hashlib

    digest = hashlib.sha256(KEY).digest()
    for text in (digest.hex(), digest.hex().upper(), b64url(digest)):
        assert keeps_commitment(KEY, text)
        assert not keeps_commitment(b"e" * 32, text)
    assert not keeps_commitment(KEY, "")
    assert not keeps_commitment(KEY, "not a commitment")


def test_operational_time_is_inverted_past_a_pause() -> None:
    epochs = ((0.0, 0.0, 0.0), (100.0, 0.0, 0.1), (200.0, 10.0, 0.0), (300.0, 10.0, 0.5))
    assert [time_of(epochs, h) for h in (0.0, 5.0, 10.0, 15.0)] == [0.0, 150.0, 200.0, 310.0]
    assert time_of(epochs[:3], 10.5) is None
    assert time_of((), 1.0) is None


@pytest.mark.parametrize("value", ["", "short", "A" * 44, 5, None])
def test_a_gate_with_a_damaged_beacon_key_is_refused(sale: World, value: object) -> None:
    with pytest.raises(MalformedInputError, match="u: must be"):
        gate_config.gate_of(gate_config.gate_document(gate_of(sale)) | {"u": value})


def test_the_fullest_gate_still_fits_its_value_with_a_beacon(sale: World) -> None:
    """Two keys of each kind, six epochs with every digit that a double has."""
    epochs = tuple(
        Epoch(START_MS / 1000 + n * 60.123, n * 0.123456789012345, 1 / 777) for n in range(6)
    )
    keys = {"t1800000000": b"1" * 32, "t1800003600": b"2" * 32}
    full = gate(
        token_keys=keys,
        token_kid="t1800000000",
        auth_keys={"a1800000000": b"1" * 32, "a1800003600": b"2" * 32},
        epochs=epochs,
        curve=1.333333333333333,
        sample_queue=0.012345,
        open_until_s=SALE_START,
        beacon_key=b"b" * 32,
    )
    assert parse_gate(dump_gate(full)) == full
