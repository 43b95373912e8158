"""Announce a beacon, mix its value in, reveal the draw key: each once, in this order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fairgate.domain.gate.draw_proof import beacon_key, check_beacon_value, keeps_commitment
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import MalformedInputError, VersionConflictError, WrongStateError
from fairgate.ports.table import TransactionRefusedError
from fairgate.service.gate.control_gate import must_spread
from fairgate.service.shared.event_update import event_update, read_event
from fairgate.service.shared.records.catalog import Beacon, Event

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.gate.control_gate import GateControl

SOURCE_CHARS_MAX = 200


class DrawProofs(Struct, frozen=True):
    """Binds an event's draw to a public value, and publishes its key after the end.

    Cost: a handful of reads and at most two conditional writes.
    """

    table: Table
    clock: Clock
    control: GateControl

    def announce(self, event: str, source: str, at_ms: int, *, lead_s: float) -> Beacon:
        """Name the public value that will decide the numbers, before it exists.

        The origin then admits nobody by the draw until the value is mixed in. The source is named
        first so that nobody can choose among beacons.

        Args:
            source: where everyone will find the value, like "drand quicknet round 12345678".
            at_ms: when the value will exist.
            lead_s: how long a change takes to reach every edge and function.

        Raises:
            NotFoundError, MalformedInputError.
            WrongStateError: another one was announced, or the sale starts too soon or has started.
        """
        now_ms = self.clock.now_ms()
        source = " ".join(source.split())
        if not (0 < len(source) <= SOURCE_CHARS_MAX and source.isprintable()):
            raise MalformedInputError(f"A source is 1 to {SOURCE_CHARS_MAX} printable characters.")
        sale, gate = self.event(event), self.control.read(event)
        at = rfc3339(at_ms)
        if (known := sale.beacon) is not None:
            if (known.source, known.at) == (source, at):
                return known
            raise WrongStateError(
                f"{event} waits for “{known.source}” of {known.at}. A beacon is announced"
                " once: choosing again would be choosing the draw."
            )
        _must_be_before_sale_start(event, gate, now_ms, at_ms, lead_s)
        beacon = Beacon(source=source, at=at, announced_at=rfc3339(now_ms), value="")
        self._write(sale, {"beacon": beacon.as_map()})
        return beacon

    def mix_in(self, event: str, value: str) -> Beacon:
        """Draw every number from the committed key and ``value``; nobody was drawn before.

        Repeating it with the same value completes an interrupted call.

        Raises:
            NotFoundError, MalformedInputError.
            DependencyUnavailableError: edges do not have it yet.
            WrongStateError: no beacon is announced, its value does not exist yet, another value is
                mixed in, or the sale is over.
        """
        check_beacon_value(value)
        sale = self.event(event)
        beacon = sale.beacon
        if beacon is None:
            raise WrongStateError(
                f"No beacon is announced for {event}. A value that was not named before it"
                " existed proves nothing: `draw announce` first."
            )
        now_ms = self.clock.now_ms()
        if now_ms < epoch_ms(beacon.at):
            raise WrongStateError(
                f"“{beacon.source}” comes into being at {beacon.at}: this is not its value."
            )
        if beacon.value not in ("", value):
            raise WrongStateError(f"{event} is drawn with “{beacon.value}” and no other value.")
        _must_not_be_over(event, self.control.read(event))
        if not beacon.value:
            beacon = msgspec.structs.replace(beacon, value=value, mixed_at=rfc3339(now_ms))
            self._write(sale, {"beacon": beacon.as_map()})

        def mixed(gate: GateConfig) -> GateConfig:
            _must_not_be_over(event, gate)
            return replace(gate, beacon_key=beacon_key(gate.draw_key, event, value))

        must_spread(self.control.change_rules(event, mixed))
        return beacon

    def reveal(self, event: str) -> str:
        """Publish the draw key, in hex, after the end of the sale.

        This closes a sold-out event for good: nobody may draw for returned seats with a public key.

        Raises:
            NotFoundError.
            WrongStateError: the sale goes on, or the key does not match the commitment.
        """
        sale, gate = self.event(event), self.control.read(event)
        if gate.state not in ("soldout", "closed"):
            raise WrongStateError(
                f"{event} is {gate.state}. Whoever knows the key knows every number, so it is"
                " published after the end: `event close` first."
            )
        if not keeps_commitment(gate.draw_key, sale.draw_commitment):
            raise WrongStateError(
                f"The draw key of {event} is not the one that was committed to; nothing was"
                " published. Find out who changed it: `event log`, and the Catalog table's trail."
            )
        if gate.state == "soldout":
            self.control.close(event)
            sale = self.event(event)  # which the closing has changed
        key = gate.draw_key.hex()
        if sale.draw_key_revealed != key:
            rules = {"drawMode": gate.mode, "drawCurve": gate.curve}
            self._write(sale, {"drawKeyRevealed": key, **rules})
        return key

    def event(self, event: str) -> Event:
        """Read the event. Raises NotFoundError."""
        return read_event(self.table, event)

    def _write(self, sale: Event, changes: dict[str, Any]) -> None:
        if self.control.dry_run:
            return
        try:
            self.table.update(event_update(sale, changes))
        except TransactionRefusedError as error:
            raise VersionConflictError(
                f"Somebody changed {sale.id} at the same moment. Please run it again."
            ) from error


def _must_not_be_over(event: str, gate: GateConfig) -> None:
    if gate.state == "closed":
        raise WrongStateError(f"{event} is closed: nobody will be drawn any more.")


def _must_be_before_sale_start(
    event: str, gate: GateConfig, now_ms: int, at_ms: int, lead_s: float
) -> None:
    sale_start = rfc3339(gate.sale_start_s * 1000)
    if gate.state not in ("draft", "open", "paused") or now_ms / 1000 + lead_s > gate.sale_start_s:
        raise WrongStateError(
            f"A beacon is announced before the sale; {event} starts at {sale_start}"
            f" and every edge must have it {lead_s:g} s before."
        )
    if at_ms <= now_ms:
        raise MalformedInputError(
            "This moment is past: the value may exist already. Name one that is still to come."
        )
    if at_ms / 1000 + lead_s > gate.sale_start_s:
        raise MalformedInputError(
            f"The value must be there {lead_s:g} s before the sale ({sale_start}), or everybody"
            " waits for it then. Choose an earlier one, or `event open --at` a later time."
        )
