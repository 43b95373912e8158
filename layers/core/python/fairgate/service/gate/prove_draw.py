"""Announce a beacon, mix its value in, reveal the draw key: each once, each in its order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fairgate.domain.gate.draw_proof import beacon_key, check_beacon_value, keeps_commitment
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import (
    MalformedInputError,
    NotFoundError,
    VersionConflictError,
    WrongStateError,
)
from fairgate.ports.table import TransactionRefusedError
from fairgate.service.gate.control_gate import must_spread
from fairgate.service.shared.event_update import event_update
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Beacon, Event

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.gate.control_gate import GateControl

SOURCE_CHARS_MAX = 200


class DrawProofs(Struct, frozen=True):
    """Binds an event's draw and opens it. The catalogue item carries what everyone may know.

    Cost: a handful of reads and at most two conditional writes.
    """

    table: Table
    clock: Clock
    control: GateControl

    def announce(self, event: str, source: str, at_ms: int, *, lead_s: float) -> Beacon:
        """Name the public value that will decide the numbers, before it exists.

        From then on the origin admits nobody by the draw until the value is mixed in. That the
        source is named first is what keeps anyone from choosing among beacons.

        Args:
            source: where everyone will find the value, like "drand quicknet round 12345678".
            at_ms: when it will come into being.
            lead_s: how long every edge and function needs to hear of it.

        Raises:
            NotFoundError, MalformedInputError.
            WrongStateError: another one was announced, or doors are too near or have opened.
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
        """Draw every number anew from the committed key and ``value``; nobody was drawn before.

        Making it again with the same value completes what broke off.

        Raises:
            NotFoundError, MalformedInputError.
            DependencyUnavailableError: edges do not have it yet.
            WrongStateError: none is announced, it does not exist yet, another value is mixed in,
                or the draw is over.
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
        """Publish the draw key, in hex, once nobody can be drawn with it any more.

        A sold-out event is closed for good by it: seats that come back could otherwise be drawn
        for with a key that everyone knows.

        Raises:
            NotFoundError.
            WrongStateError: the sale goes on, or the key is not the one committed to.
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
        """Read what everyone may know of it, and more. Raises NotFoundError."""
        sale = self.table.find(Event, event_key(event))
        if sale is None:
            raise NotFoundError(f"There is no event {event}. `event list` shows what there is.")
        return sale

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
    if gate.state not in ("open", "paused") or now_ms / 1000 + lead_s > gate.sale_start_s:
        raise WrongStateError(
            f"A beacon is announced before the sale; {event} starts at {sale_start}"
            f" and everyone must hear of it {lead_s:g} s before."
        )
    if at_ms <= now_ms:
        raise MalformedInputError(
            "This moment is past: the value may exist already. Name one that is still to come."
        )
    if at_ms / 1000 + lead_s > gate.sale_start_s:
        raise MalformedInputError(
            f"The value must be there {lead_s:g} s before the sale ({sale_start}), or everyone"
            " waits for it. Choose an earlier value, or a later sale with `event open --at`."
        )
