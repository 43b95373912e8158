"""What an event's waiting room does just now, for the commands that show or end it."""

from __future__ import annotations

from typing import Any

from fairgate.domain.gate.gate_config import GateConfig
from fairgate.domain.gate.gate_phase import GatePhase, phase_of
from fairgate.domain.shared.times import rfc3339
from fairgate.service.gate.look_at_room import RoomFigures, look_at_room
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.live_count import live_now
from fairgate.service.shared.readable import find_readable
from fairgate.service.shared.records.catalog import Event
from fairgate_ops.operate.target import Target


def phase_now(target: Target, event: str, gate: GateConfig) -> GatePhase:
    """Return the phase by the gate as it was read just now, and by how many shop."""
    now_ms = target.world.clock.now_ms()
    sale = find_readable(target.world.table, Event, event_key(event))
    full = sale is not None and is_full(target, sale)
    return phase_of(gate.state, gate.sale_start_s, gate.open_until_s, now_ms / 1000, is_full=full)


def is_full(target: Target, sale: Event) -> bool:
    """Say whether as many shop as may. Cost: a query for each partition of counters."""
    if not sale.live_max:
        return False
    now = rfc3339(target.world.clock.now_ms())
    return live_now(target.world.table, sale.id, now) >= sale.live_max


def phase_data(phase: GatePhase) -> dict[str, Any]:
    """Return the phase as ``--json`` has it."""
    until = None if phase.until_s is None else rfc3339(phase.until_s * 1000)
    return {"phase": phase.name, "phase_until": until}


def closing_ends(target: Target, event: str) -> str:
    """Return what a sale's end ends: ``Closes final for good: 412 live, about 9,300 waiting.``

    A damaged event can be closed, too: then nobody knows how many are inside.
    """
    sale = find_readable(target.world.table, Event, event_key(event))
    if sale is None:
        return (
            f"Closes {event} for good: the event is damaged, how many shop and wait is not known."
        )
    return f"Closes {event} for good: {room_text(room_now(target, sale))}."


def room_now(target: Target, sale: Event, gate: GateConfig | None = None) -> RoomFigures:
    """Count who shops and estimate who waits. Cost: two queries a partition of counters.

    Args:
        gate: as it was read just now; None: it is read.
    """
    table, now_ms = target.world.table, target.world.clock.now_ms()
    live = live_now(table, sale.id, rfc3339(now_ms))
    gate = gate or target.control().read(sale.id)
    return look_at_room(table, sale, gate, now_ms / 1000, live)


def phase_with(gate: GateConfig, room: RoomFigures, now_s: float) -> GatePhase:
    """Return the phase by what was read of gate and room."""
    full = 0 < room.live_max <= room.live
    return phase_of(gate.state, gate.sale_start_s, gate.open_until_s, now_s, is_full=full)


def room_text(room: RoomFigures) -> str:
    """Return ``412 of 5,000 live, about 9,300 waiting``."""
    live = f"{room.live:,} of {room.live_max:,} live" if room.live_max else f"{room.live:,} live"
    if room.waiting is None:
        return f"{live}, how many wait is not counted"
    return f"{live}, about {round(room.waiting):,} waiting"
