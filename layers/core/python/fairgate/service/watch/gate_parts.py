"""Make the figures of an event's gate: state and pace, edges, keys, the last actions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairgate.domain.gate.gate_phase import phase_of
from fairgate.domain.gate.pace import slope_at, to_come
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import TooEarlyError
from fairgate.service.gate.log_plans import CONTROLLER
from fairgate.service.gate.operator_log import entry_of, without_buyer
from fairgate.service.gate.rotate_keys import ring_of
from fairgate.service.shared.keys import log_entry_key, store_comparison_key
from fairgate.service.shared.records.gate import LogRecord, StoreComparison
from fairgate.service.watch.figures import (
    Act,
    ActFigures,
    EdgeFigures,
    GateFigures,
    KeyFigures,
    PlannedPace,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.domain.gate.key_ring import KeyRing
    from fairgate.service.gate.operator_log import LogEntry
    from fairgate.service.watch.look import Look

ACTS_SHOWN = 5


def gate_part(look: Look, pace: Act | None) -> GateFigures:
    """Raises NotFoundError, MalformedInputError, DependencyUnavailableError."""
    gate, sale = look.gate, look.sale
    live = look.sessions().live if sale.live_max else 0
    full = bool(sale.live_max) and live >= sale.live_max
    phase = phase_of(gate.state, gate.sale_start_s, gate.open_until_s, look.now_s, is_full=full)
    slope = slope_at(gate, look.now_s)
    planned = [
        PlannedPace(rfc3339(round(e.start_s * 1000)), 1 / e.slope if e.slope else None)
        for e in to_come(gate, look.now_s)
    ]
    return GateFigures(
        at=look.now,
        state=gate.state,
        phase=phase.name,
        phase_until=None if phase.until_s is None else rfc3339(phase.until_s * 1000),
        sale_starts_at=rfc3339(gate.sale_start_s * 1000),
        control=sale.control,
        curve=gate.curve,
        tau_s=1 / slope if slope else None,
        planned=planned,
        set_by=None if pace is None else pace.who,
        set_act=None if pace is None else pace.act,
        set_at=None if pace is None else pace.at,
    )


def edge_part(look: Look) -> EdgeFigures:
    """Raises NotFoundError, DependencyUnavailableError."""
    value = look.value()
    compared = look.table.find(StoreComparison, store_comparison_key())
    return EdgeFigures(
        at=look.now,
        changed_at=rfc3339(value.at_ms),
        heard=look.sale.gate_behind == 0,
        late_at=rfc3339(value.late_ms) if value.late_ms else None,
        compared_at=None if compared is None else rfc3339(compared.at_ms),
    )


def key_part(look: Look) -> KeyFigures:
    """Show the names of keys only. Raises NotFoundError, MalformedInputError."""
    late_s = look.now_ms // 1000 if look.sale.gate_behind > 0 else -(-look.value().late_ms // 1000)
    ring = ring_of(look.gate, late_s)
    signed = ring.signed.get(ring.signing)
    due, due_at_s = key_due(ring, look.now_ms // 1000)
    return KeyFigures(
        at=look.now,
        signing=ring.signing,
        since=rfc3339(signed.began_s * 1000) if signed and signed.began_s else None,
        other=ring.other or None,
        due=due,
        due_at=None if due_at_s is None else rfc3339(due_at_s * 1000),
    )


def key_due(ring: KeyRing, now_s: int) -> tuple[str | None, int | None]:
    if not ring.other:
        return None, None
    step, check = ("switch", ring.check_switch) if ring.pending else ("retire", ring.check_retire)
    try:
        check(now_s)
    except TooEarlyError as early:
        return step, now_s + (early.retry_after_s or 0)
    return step, now_s


def act_part(look: Look) -> ActFigures:
    """Read the log from the newest known entry on. Raises DependencyUnavailableError.

    Of several plans of the controller in a row, only the newest is shown.

    Cost: one query.
    """
    before = look.before.acts
    known = [*(before.acts or ())]
    first = log_entry_key(look.sale.id, known[0].number if known else 1)
    read = [entry_of(record) for record in look.table.query(LogRecord, first.pk, sk_from=first.sk)]
    pace = next((_act(e) for e in reversed(read) if _sets_pace(e)), before.pace)
    newest = [_act(entry) for entry in reversed(read)]
    acts = [*newest, *(act for act in known if act.number < _oldest(newest))]
    rows = [act for act, after in zip(acts, [None, *acts], strict=False) if not _again(act, after)]
    return ActFigures(at=look.now, acts=rows[:ACTS_SHOWN], pace=pace)


def _oldest(acts: Sequence[Act]) -> float:
    """Return the number of the oldest; infinity: there is none."""
    return acts[-1].number if acts else math.inf


def _sets_pace(entry: LogEntry) -> bool:
    """Say whether it wrote the gate. The controller's entries do not contain the value."""
    return entry.phase == "done" and (entry.gate is not None or entry.who == CONTROLLER)


def _again(act: Act, after: Act | None) -> bool:
    return after is not None and act.who == after.who == CONTROLLER


def _act(entry: LogEntry) -> Act:
    """Return it for everybody who looks at figures."""
    entry = without_buyer(entry)
    names = {*entry.__struct_fields__} & {*Act.__struct_fields__}
    return Act(**{name: getattr(entry, name) for name in names})
