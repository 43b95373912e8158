"""Change an event's gate: state, pace, keys. Each change writes the whole value conditionally.

H stays continuous: a change of slope is an epoch that starts late enough for every edge to have it.
A change of state applies as soon as an edge has it. The catalogue is written first; edges get the
value at once, or when their store answers again.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from fairgate.domain.gate.draft import State
from fairgate.domain.gate.gate_config import (
    ADMITTING,
    GateConfig,
    dump_gate,
    gate_at,
    gate_document,
    gate_key,
    parse_gate,
    with_identity,
)
from fairgate.domain.gate.pace import (
    bent,
    last_slope,
    paced,
    slope_at,
    slope_of,
    stopped,
    with_sale_start,
)
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError, MalformedInputError, WrongStateError
from fairgate.service.gate.update_value import update
from fairgate.service.shared.event_update import no_event
from fairgate.service.shared.seen_version import gate_written, must_be_seen_gate

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.ports.outside import GateStore
    from fairgate.ports.world import Clock

LEAD_S = 60.0  # a KeyValueStore takes tens of seconds to reach every edge: median 31 s measured
LEAD_MAX_S = 3_600.0
RETRY_AFTER_S = 10  # the controller's next run copies to the edges' store what it lacks
OPEN_UNTIL_MAX_S = 86_400.0  # a gate must not stand open for ever by mistake
_LATER = "The controller tries again every ten seconds; then run this again."
_NOT_ON_SALE = "Nothing is on sale: run this again, which goes on from here."
_HIDDEN = "(hidden)"
_NAMES: dict[State, str] = {
    "open": "open",
    "draining": "draining",
    "paused": "paused",
    "soldout": "sold out",
    "closed": "closed",
    "draft": "a draft",
}


class GateChange(Struct, frozen=True):
    """A change of the gate, written or only tried.

    Attributes:
        before: None for a first value.
        spread: whether the edges' store has the value; else the controller copies it there.
    """

    before: GateConfig | None
    after: GateConfig
    spread: bool = True


class GateControl(Struct, frozen=True):
    """Changes one event's gate.

    Attributes:
        wait: sleeps before another attempt, with jitter.
        dry_run: changes are checked and returned, but not written.
    """

    store: GateStore
    clock: Clock
    wait: Callable[[int], None]
    dry_run: bool = False

    def read(self, event: str) -> GateConfig:
        """Read the gate, with the state in force now. Raises NotFoundError."""
        return self._now(parsed(event, self.store.read(gate_key(event))[0]))

    def set_tau(
        self,
        event: str,
        tau_s: float,
        *,
        starts_in_s: float = LEAD_S,
        if_tau_s: float | None = None,
    ) -> GateChange:
        """Set the pace: ``tau_s`` after the start, 1/e of the crowd still waits (curve 1).

        Plans for later are given up. A draft keeps the time of its publication.

        Args:
            if_tau_s: change it only if this is the last pace that was set.

        Raises:
            NotFoundError, MalformedInputError.
            WrongStateError: nobody is admitted now, or the last pace is not ``if_tau_s``.
            LimitExceededError: too many changes are still to come.
        """
        slope = slope_of(tau_s)
        expected = None if if_tau_s is None else slope_of(if_tau_s)
        now_s, start_s = self._moments(starts_in_s)

        def change(gate: GateConfig) -> GateConfig:
            must_be(gate, event, *ADMITTING, "draft")
            if expected is not None and not math.isclose(last_slope(gate), expected):
                raise WrongStateError(
                    f"The last pace set for {event} is τ {1 / last_slope(gate):g} s, not"
                    f" τ {if_tau_s:g} s: somebody has changed it. Nothing was changed."
                )
            return paced(gate, start_s, slope, now_s)

        return self._change(event, change)

    def pause(self, event: str, *, starts_in_s: float = LEAD_S) -> GateChange:
        """Admit nobody as soon as an edge has it. Waiting counts until the epoch.

        Raises: NotFoundError, WrongStateError.
        """
        return self._stop(event, "paused", ADMITTING, starts_in_s)

    def drain(self, event: str) -> GateChange:
        """Issue no new tokens as soon as an edge has it; admit waiting buyers at this pace.

        Raises: NotFoundError, WrongStateError.
        """

        def change(gate: GateConfig) -> GateConfig:
            if gate.state == "draining":
                return gate
            must_be(gate, event, "open")
            return replace(gate, state="draining")

        return self._change(event, change)

    def open_until(
        self, event: str, until_s: int | None, *, starts_in_s: float = LEAD_S
    ) -> GateChange:
        """Admit every valid token until then, whatever its number; None ends it now.

        The capacity limit still applies, and a pause still stops admission.

        Raises:
            NotFoundError.
            MalformedInputError: past, too soon for every edge to have it, or over a day away.
            WrongStateError: nobody is admitted now, or the sale has not started; of None: it is a
                draft, and would lose the time of its publication.
        """
        now_s, known_s = self._moments(starts_in_s)
        if until_s is not None and not known_s < until_s <= now_s + OPEN_UNTIL_MAX_S:
            first, last = (rfc3339(round(s * 1000)) for s in (known_s, now_s + OPEN_UNTIL_MAX_S))
            raise MalformedInputError(
                f"The gate can stand open until a time after {first}, when every edge has it, and"
                f" up to {last}."
            )

        def change(gate: GateConfig) -> GateConfig:
            if until_s is not None or gate.state == "draft":
                must_be(gate, event, *ADMITTING)
            if until_s is None:
                return replace(gate, open_until_s=0)
            if now_s < gate.sale_start_s:
                raise WrongStateError(
                    f"The sale of {event} starts at {rfc3339(gate.sale_start_s * 1000)}. Everybody"
                    " would be admitted before it: suspend the draw after the sale start."
                )
            return replace(gate, open_until_s=until_s)

        return self._change(event, change)

    def sold_out(self, event: str, *, starts_in_s: float = LEAD_S) -> GateChange:
        """Stop admission and show that all is sold; ``resume`` goes on when seats come back."""
        return self._stop(event, "soldout", (*ADMITTING, "paused"), starts_in_s)

    def close(self, event: str, *, starts_in_s: float = LEAD_S) -> GateChange:
        """End the sale, for good."""
        return self._stop(event, "closed", (*ADMITTING, "paused", "soldout"), starts_in_s)

    def resume(
        self, event: str, *, tau_s: float | None = None, starts_in_s: float = LEAD_S
    ) -> GateChange:
        """Go on from the H of the pause, at ``tau_s`` or at the pace before the pause.

        A draining waiting room takes newcomers again, and keeps its pace if none is given.

        Raises:
            NotFoundError, MalformedInputError.
            WrongStateError: open or closed, or there was no pace and none is given.
        """
        now_s, start_s = self._moments(starts_in_s)

        def change(gate: GateConfig) -> GateConfig:
            if gate.state == "open" and (
                tau_s is None or slope_at(gate, start_s) == slope_of(tau_s)
            ):
                return gate  # a write that was answered late and tried again
            if gate.state == "draining" and tau_s is None:
                return replace(gate, state="open")
            must_be(gate, event, "draining", "paused", "soldout")
            slope = slope_of(tau_s) if tau_s is not None else last_slope(gate)
            if slope == 0.0:
                raise WrongStateError(f"{event} has no pace to return to: say which, with τ.")
            return paced(replace(gate, state="open"), start_s, slope, now_s)

        return self._change(event, change)

    def open(
        self,
        event: str,
        *,
        sale_start_s: int | None = None,
        tau_s: float | None = None,
        starts_in_s: float = LEAD_S,
    ) -> GateChange:
        """Set the sale start: to ``sale_start_s`` (epoch seconds), or to ``starts_in_s`` from now.

        Raises:
            NotFoundError, MalformedInputError.
            WrongStateError: the sale has started, or starts before every edge can have the change.
        """
        now_s, start_s = self._moments(starts_in_s)
        sale_start = math.ceil(start_s) if sale_start_s is None else sale_start_s
        if sale_start < start_s:
            earliest = rfc3339(math.ceil(start_s) * 1000)
            raise MalformedInputError(
                f"The sale can start from {earliest} on, so that every edge has it."
            )

        def change(gate: GateConfig) -> GateConfig:
            must_be(gate, event, "open", "paused")
            if gate.sale_start_s <= now_s:
                raise WrongStateError(
                    f"The sale of {event} started at {rfc3339(gate.sale_start_s * 1000)}."
                    " Use `event resume` after a pause, `tau set` to change the pace."
                )
            if gate.sale_start_s < start_s and sale_start != gate.sale_start_s:
                raise WrongStateError(
                    f"The sale of {event} starts at {rfc3339(gate.sale_start_s * 1000)}, too soon"
                    " for every edge to get another time. Use `event pause` instead."
                )
            slope = slope_of(tau_s) if tau_s is not None else last_slope(gate)
            opened = replace(gate, state="open", sale_start_s=sale_start)
            return with_sale_start(opened, sale_start, slope, now_s)

        return self._change(event, change)

    def bend(
        self, event: str, start_s: float, slope: float, wave_s: int | None = None
    ) -> GateChange:
        """Grow by ``slope`` from ``start_s`` on, if anybody is admitted: for the controller.

        Args:
            wave_s: spreads first attempts over this time from the sale start; None: as it is.
        """
        now_s = self.clock.now_ms() / 1000

        def change(gate: GateConfig) -> GateConfig:
            if gate.state not in ADMITTING:
                return gate
            if wave_s is not None:
                gate = replace(gate, wave_s=wave_s)
            if start_s <= gate.sale_start_s:
                return with_sale_start(gate, gate.sale_start_s, slope, now_s)
            return bent(gate, start_s, slope, now_s)

        return self._change(event, change)

    def change_rules(self, event: str, change: Callable[[GateConfig], GateConfig]) -> GateChange:
        """Make any other change. Raises NotFoundError and what ``change`` raises."""
        return self._change(event, change)

    def create(self, event: str, first: GateConfig) -> GateChange:
        """Write the event's first value. An existing value keeps its keys and its draw.

        So a repeated creation keeps the commitment of one that broke off.

        Raises DependencyUnavailableError: edges do not have it, so the event must not go on sale.
        """

        def change(before: str | None) -> str:
            if before is None:
                return dump_gate(first)
            return dump_gate(with_identity(first, parse_gate(before)))

        return must_spread(self._write(event, change), _NOT_ON_SALE)

    def spread_from_s(self, event: str) -> int:
        """Return when edges last got a value late, in epoch seconds; now, while one is missing.

        0: never. Anything written before counts as unknown to all edges until then.
        """
        return -(-self.store.spread_from_ms(gate_key(event)) // 1000)

    def _stop(
        self, event: str, state: State, allowed: tuple[State, ...], starts_in_s: float
    ) -> GateChange:
        now_s, start_s = self._moments(starts_in_s)

        def change(gate: GateConfig) -> GateConfig:
            if gate.state == state:
                return gate
            must_be(gate, event, *allowed)
            # Also the pace of a sale start to come: H must not grow during a pause.
            return stopped(replace(gate, state=state), start_s, now_s)

        return self._change(event, change)

    def _now(self, gate: GateConfig) -> GateConfig:
        return gate_at(gate, self.clock.now_ms() / 1000)

    def _moments(self, starts_in_s: float) -> tuple[float, float]:
        """Return now and the change's start, the same for all attempts of a write."""
        if not 0 <= starts_in_s <= LEAD_MAX_S:
            raise MalformedInputError(f"A change starts in 0 to {LEAD_MAX_S:.0f} seconds.")
        now_s = self.clock.now_ms() / 1000
        return now_s, now_s + starts_in_s

    def _change(self, event: str, change: Callable[[GateConfig], GateConfig]) -> GateChange:
        def changed(text: str | None) -> str:
            return dump_gate(change(self._now(parsed(event, text))))

        return self._write(event, changed)

    def _write(self, event: str, change: Callable[[str | None], str]) -> GateChange:
        key = gate_key(event)

        def checked(before: str | None) -> str:
            if before is not None:
                must_be_seen_gate(event, parsed(event, before))
            after = change(before)
            parse_gate(after)  # the edge must be able to read it
            return after

        if self.dry_run:
            before, spread = self.store.read(key)[0], True
            after = checked(before)
        else:
            before, after = update(self.store, key, checked, wait=self.wait)
            gate_written(event)
            spread = self.store.spread(key, late=before == after)
        return GateChange(None if before is None else parse_gate(before), parse_gate(after), spread)


def must_spread(change: GateChange, then: str = _LATER) -> GateChange:
    """Return the change. Raises DependencyUnavailableError: edges do not have it yet."""
    if change.spread:
        return change
    raise DependencyUnavailableError(
        "The change is written, and the KeyValueStore has not taken it: edges do not have it yet."
        f" {then}",
        retry_after_s=RETRY_AFTER_S,
    )


def redacted(gate: GateConfig) -> dict[str, Any]:
    """Return the gate's document without its keys: for people, logs and dry runs."""
    value = gate_document(gate)
    for name in ("d", "g", "u"):
        if name in value:
            value[name] = _HIDDEN
    for name in ("t", "a"):
        value[name] = dict.fromkeys(value[name], _HIDDEN)
    return value


def parsed(event: str, text: str | None) -> GateConfig:
    if text is None:
        raise no_event(event)
    try:
        return parse_gate(text)
    except MalformedInputError as error:
        raise MalformedInputError(
            f"{event}: {error.detail}", errors=error.fields["errors"]
        ) from error


def must_be(gate: GateConfig, event: str, *states: State) -> None:
    if gate.state in states:
        return
    advice = {
        "open": "`event pause` stops it for a while.",
        "draining": "`event resume` lets newcomers in again.",
        "paused": "`event resume` sets it going, at another pace if you like.",
        "soldout": "`event resume` opens it again when seats have come back.",
        "closed": "A closed sale stays closed; create another event.",
        "draft": "`event publish` shows it to buyers.",
    }
    raise WrongStateError(f"{event} is {_NAMES[gate.state]}. {advice[gate.state]}")
