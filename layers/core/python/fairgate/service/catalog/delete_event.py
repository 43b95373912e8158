"""Delete a draft with its seats, as if it had never been created; its layout and log stay.

draft ──event removed──► a creation that began, by this run ──rows removed──► nothing

A deletion that breaks off leaves what a broken-off creation leaves: `event delete` or `event
create` completes it. A published event is never deleted: places in its waiting room are stored
nowhere, so nobody can know that it has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from fairgate.errors import WrongStateError
from fairgate.ports.table import Delete, Update
from fairgate.service.catalog.create_event import NONCE_BYTES
from fairgate.service.catalog.creation_run import CreationRun
from fairgate.service.gate.control_gate import must_spread
from fairgate.service.gate.operator_log import WHO_CHARS_MAX
from fairgate.service.shared.change import Write
from fairgate.service.shared.conditions import CREATION_IS_OURS, EVENT_AS_READ
from fairgate.service.shared.event_update import change_event, no_event
from fairgate.service.shared.keys import creation_key, event_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import Creation

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.service.catalog.create_event import EventCreator
    from fairgate.service.gate.control_gate import GateControl


def delete_event(
    creator: EventCreator, control: GateControl, event: str, *, starts_in_s: float
) -> int:
    """Delete a draft, or complete a deletion or creation that broke off; return the rows removed.

    Args:
        creator: what made it; its dry run checks and writes nothing.
        starts_in_s: how long a change takes to reach every edge.

    Raises:
        NotFoundError.
        WrongStateError: it is published, or will be before every edge can know that it is not; or
            another operator may still be creating or deleting it.
        DependencyUnavailableError: repeat it to complete it.

    Cost: a scan of the table of seats; a write unit or two for each seat.
    """
    table, now_ms = creator.table, creator.clock.now_ms()
    begun = table.find(Creation, creation_key(event))
    run = CreationRun(event, creator.token_bytes(NONCE_BYTES).hex(), completes=True)
    if table.find(Event, event_key(event)) is not None:
        _must_be_draft(control.read(event), event)
        if creator.dry_run:
            return 0
        _withdraw(control, event, now_ms / 1000 + starts_in_s)
        _remove(creator, run)
    elif begun is None:
        raise no_event(event)
    else:
        who = creator.who()
        creator.must_not_be_under_way(event, begun, who)
        if creator.dry_run:
            return 0
        run.begin(table, begun, who[:WHO_CHARS_MAX], now_ms)
        _shut(creator, run)
    with run.while_ours():
        removed = creator.writer(run.is_ours).remove_others(event, ())
        run.forget_blocks(table)
        ended = Delete(
            "catalog",
            *creation_key(event),
            condition=CREATION_IS_OURS,
            values={"nonce": run.nonce},
        )
        table.transact([ended])
    return removed


def _remove(creator: EventCreator, run: CreationRun) -> None:
    """Remove the event if it is a draft as it was read, and begin the run that removes its rows."""

    def decide(sale: Event) -> Write[None]:
        if sale.state != "draft" or sale.open_until:
            raise _published(run.event)
        gone = Delete(
            "catalog", *sale.key, condition=EVENT_AS_READ, values={"version": sale.version}
        )
        begun = {"atMs": creator.clock.now_ms(), "who": creator.who()[:WHO_CHARS_MAX]}
        ours = Update("catalog", *creation_key(run.event), set=begun | {"nonce": run.nonce})
        return Write(None, [gone, ours])

    change_event(creator.table, creator.clock, run.event, decide)


def _shut(creator: EventCreator, run: CreationRun) -> None:
    """Let nobody in by the gate that a creation has left, which may be one that publishes."""
    control = creator.gates(creator.values.under(run.is_ours))
    with run.while_ours():
        left = control.change_rules(
            run.event, lambda gate: replace(gate, state="draft", open_until_s=0)
        )
    must_spread(left)


def _withdraw(control: GateControl, event: str, known_s: float) -> None:
    """Take back a publication to come: edges keep the value of an event that is deleted."""

    def withdrawn(gate: GateConfig) -> GateConfig:
        _must_be_draft(gate, event)
        if 0 < gate.open_until_s <= known_s:
            raise _published(event)
        return replace(gate, open_until_s=0)

    must_spread(control.change_rules(event, withdrawn))


def _must_be_draft(gate: GateConfig, event: str) -> None:
    if gate.state != "draft":
        raise _published(event)


def _published(event: str) -> WrongStateError:
    return WrongStateError(
        f"{event} is published, or is about to be: buyers may have joined. `event hide` takes it"
        " out of the list, `event close` ends its sale, `event cancel` gives all money back."
    )
