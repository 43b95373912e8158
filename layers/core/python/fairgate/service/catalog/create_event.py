"""Create an event, as a draft or published: commit to its draw, and prepare its gate."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from fairgate.domain.gate.draw_proof import commitment_of
from fairgate.domain.gate.gate_config import (
    SAMPLE_VIOLATIONS,
    VERSION,
    Epoch,
    GateConfig,
    Signed,
)
from fairgate.domain.gate.gate_value import WAVED
from fairgate.domain.gate.key_ring import new_kid
from fairgate.domain.gate.pace import first_h
from fairgate.domain.seating.layout import split_layout
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import (
    DependencyUnavailableError,
    MalformedInputError,
    VersionConflictError,
    WrongStateError,
)
from fairgate.service.catalog.creation_run import CreationRun, taken
from fairgate.service.catalog.event_record import event_record
from fairgate.service.catalog.event_request import check_request
from fairgate.service.catalog.event_rows import row_keys, rows_of, write_layout, write_rows
from fairgate.service.catalog.fact_checks import tidy
from fairgate.service.gate.control_gate import GateControl
from fairgate.service.gate.operator_log import WHO_CHARS_MAX, OperatorLog
from fairgate.service.gate.upgrade_gate import first_format
from fairgate.service.shared.keys import CREATION, creation_key, event_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import Creation

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from fairgate.domain.seating.layout import Layout
    from fairgate.domain.seating.venue import Venue
    from fairgate.errors import FairgateError
    from fairgate.ports.outside import Layouts
    from fairgate.ports.table import Check, Table
    from fairgate.ports.world import Clock, SecretStore
    from fairgate.service.catalog.event_request import NewEvent
    from fairgate.service.catalog.event_rows import RowWriter
    from fairgate.service.gate.control_gate import GateChange
    from fairgate.service.gate.gate_values import GateValues

PaceControl = Literal["manual", "auto"]

KEY_BYTES = 32
NONCE_BYTES = 16
BACKOFF_S = (2, 60)  # near the moment of admission and far from it
UNDER_WAY_S = 300  # writing the seats of the largest venues takes less


class GateRules(Struct, frozen=True):
    """An event's gate rules without its keys. The defaults suit a sale of an hour."""

    sale_start_s: int
    tau_s: float = 600.0
    mode: Literal["a", "t"] = "a"
    curve: float = 1.0
    pow_bits: int = 16
    backoff_min_s: int = BACKOFF_S[0]
    backoff_max_s: int = BACKOFF_S[1]
    token_ttl_s: int = 600
    sample: float = 0.01
    sample_admissions: float = 0.0
    sample_violations: float = SAMPLE_VIOLATIONS


class CreatedEvent(Struct, frozen=True):
    """What was created, or would be.

    Attributes:
        request: the request with the commitment to the draw.
        layout: names the venue's published geometry; "" after a dry run.
        completes: a creation of this id broke off before, or its draft was deleted, and its draw
            is kept.
        broke_off: it is a creation or deletion that broke off, or runs in another shell.
        removed: its seats and counters that this chart does not have.
    """

    request: NewEvent
    gate: GateConfig
    layout: str
    completes: bool = False
    removed: int = 0
    broke_off: bool = False


class _Wanted(Struct, frozen=True):
    """What a run is to create, and for whom."""

    request: NewEvent
    venue: Venue
    rules: GateRules
    first: GateConfig
    who: str
    layout: Layout


class EventCreator(Struct, frozen=True):
    """Creates events: layout and seats, gate, catalogue, log.

    Attributes:
        writer: makes one that writes rows while a check holds.
        who: names the operator for the event's log.
        token_bytes: cryptographic randomness, like ``secrets.token_bytes``.
        wait: sleeps before another attempt at the gate, with jitter.
        deployed: the newest format of a gate's value that all of the deployment reads.
        dry_run: everything is checked and nothing written.
    """

    table: Table
    values: GateValues
    writer: Callable[[Check], RowWriter]
    layouts: Layouts
    clock: Clock
    secrets: SecretStore
    who: Callable[[], str]
    token_bytes: Callable[[int], bytes]
    wait: Callable[[int], None]
    deployed: int = VERSION
    dry_run: bool = False

    def create(
        self,
        request: NewEvent,
        venue: Venue,
        rules: GateRules,
        *,
        control: PaceControl = "manual",
        draft: bool = False,
    ) -> CreatedEvent:
        """Write the gate, then the seats, then the event.

        So nobody can see an event without a gate. A repeated creation keeps the draw key, and with
        it the commitment, goes on after the rows of the same chart that are written, and removes
        those of another one. The event's log has an entry before
        the seats are written, and one after. If two run at once, the later one goes on and the
        other writes nothing more.

        Args:
            request: its ``draw_commitment`` and ``control`` are ignored.
            control: who sets the pace, an operator or the controller.
            draft: buyers do not see it and nobody can join, until it is published.

        Raises:
            MalformedInputError: ``errors`` lists everything wrong with the request; or the
                controller would have no sample of the crowd.
            WrongStateError: the id is taken, or somebody else has just begun to create or delete
                it.
            DependencyUnavailableError: repeat it to complete it; or, as the error then says, the
                event is on sale already.

        Cost: two write units a seat and one for its index, two a shard of an area, one file a
            section, a write of the edge's store, five small ones and a handful of reads. After a
            creation that broke off, a scan of the table of seats.
        """
        request = replace(request, **tidy(asdict(request)) | {"control": control})
        if control == "auto" and rules.sample <= 0.0:
            raise MalformedInputError(
                "With --control auto a sample of accounts must be counted: the controller knows the"
                " crowd by nothing else. Give a --sample above 0, or --control manual."
            )
        first = self._first_gate(rules, control, draft=draft)
        check_request(replace(request, draw_commitment=commitment_of(first.draw_key)), venue)
        before = self.table.find(Creation, creation_key(request.event))
        if self.table.find(Event, event_key(request.event)) is not None:
            raise taken(request.event, before)
        who = self.who()
        self.must_not_be_under_way(request.event, before, who)
        tried = self.gates(self.values, dry_run=True).create(request.event, first)
        if self.dry_run:
            committed, completes = _committed(request, tried), tried.before is not None
            would = CreatedEvent(committed, tried.after, layout="", completes=completes)
            return replace(would, broke_off=before is not None)
        left = before is not None or tried.before is not None
        layout, nonce = split_layout(venue), self.token_bytes(NONCE_BYTES).hex()
        run = CreationRun(request.event, nonce, left, layout.hash, alone=not left)
        if before is not None and before.layout == layout.hash and before.rows_by == before.nonce:
            run = replace(run, rows=before.rows, alone=before.alone)
        run.begin(self.table, before, who[:WHO_CHARS_MAX], self.clock.now_ms())
        made = self._complete(run, _Wanted(request, venue, rules, first, who, layout))
        return replace(made, broke_off=before is not None)

    def _complete(self, run: CreationRun, wanted: _Wanted) -> CreatedEvent:
        """Create the event, unless another run begins. Raises WrongStateError if one does.

        Late writes of an overtaken run may appear after the other run has begun. That run
        overwrites them, or removes them after it has written its own rows.
        """
        with run.while_ours():
            change = self.gates(self.values.under(run.is_ours)).create(run.event, wanted.first)
        # A run whose write of the value had no answer reads its own, and completes nobody's.
        completes = run.completes and change.before is not None
        committed, venue, who = _committed(wanted.request, change), wanted.venue, wanted.who
        log = OperatorLog.of(self.table, self.clock, run.event, change.after)
        detail = _detail(committed, venue, wanted.rules)
        log.append(who, "create", "asked", detail)
        try:
            with run.while_ours():
                record, removed = self._write(run, committed, wanted, completes=completes)
            run.publish(self.table, record, change.after, self.clock.now_ms())
        except WrongStateError as error:
            log.append(who, "create", "refused", {"code": error.code, "detail": error.detail})
            raise
        try:
            gate = self._with_present_keys(run.event)
            log.append(who, "create", "done", detail, gate)
        except (DependencyUnavailableError, VersionConflictError) as error:
            raise _on_sale_but(run.event, error) from error
        return CreatedEvent(committed, gate, record.layout, completes, removed)

    def _write(
        self, run: CreationRun, request: NewEvent, wanted: _Wanted, *, completes: bool
    ) -> tuple[Event, int]:
        """Write the chart's rows, and remove other rows and what a deleted draft has left.

        Returns the event to put on sale, and how many rows were removed.
        """
        writer, now = self.writer(run.is_ours), rfc3339(self.clock.now_ms())
        venue, layout = wanted.venue, wanted.layout
        if not run.rows:
            write_layout(layout, self.layouts)
        write_rows(
            rows_of(run.event, venue, now),
            writer=writer,
            written=run.rows,
            note=partial(run.wrote, self.table),
        )
        record = event_record(request, venue, layout.hash, now)
        if not completes:
            return record, 0
        run.forget_versions(self.table)
        run.forget_blocks(self.table)
        if run.alone:
            return record, 0
        return record, writer.remove_others(run.event, row_keys(run.event, venue))

    def gates(self, values: GateValues, *, dry_run: bool = False) -> GateControl:
        return GateControl(values, self.clock, self.wait, dry_run=dry_run)

    def must_not_be_under_way(self, event: str, begun: Creation | None, who: str) -> None:
        """Raise WrongStateError if another operator may still be creating or deleting it."""
        if begun is None or begun.who == who[:WHO_CHARS_MAX]:
            return
        ago_s = (self.clock.now_ms() - begun.at_ms) // 1000
        if ago_s < UNDER_WAY_S:
            raise WrongStateError(
                f"{begun.who} began to create or delete {event} {max(ago_s, 0)} s ago, and may"
                " still be at it. Wait, or choose another id; if that broke off, they can go on at"
                f" once, and you in {UNDER_WAY_S - max(ago_s, 0)} s."
            )

    def _first_gate(self, rules: GateRules, control: PaceControl, *, draft: bool) -> GateConfig:
        """Make new keys, and an H that stands still until the sale start."""
        now_s, version = self.clock.now_ms() // 1000, first_format(self.deployed)
        if version < WAVED and rules.sample_violations != SAMPLE_VIOLATIONS:
            raise WrongStateError(
                "The deployment stores gate values of an older format, which cannot store"
                " --sample-violations. Deploy this version first, or leave it out."
            )
        kid, h = new_kid("t", now_s), first_h(rules.curve, control)
        return GateConfig(
            state="draft" if draft else "open",
            mode=rules.mode,
            curve=rules.curve,
            draw_key=self.token_bytes(KEY_BYTES),
            token_keys={kid: self.token_bytes(KEY_BYTES)},
            token_kid=kid,
            auth_keys=self.secrets.sign_in().auth,
            edge_key=self.token_bytes(KEY_BYTES),
            pow_bits=rules.pow_bits,
            epochs=(
                Epoch(float(min(now_s, rules.sale_start_s - 1)), h, 0.0),
                Epoch(float(rules.sale_start_s), h, 1 / rules.tau_s),
            ),
            backoff_min_s=rules.backoff_min_s,
            backoff_max_s=rules.backoff_max_s,
            token_ttl_s=rules.token_ttl_s,
            sample_queue=rules.sample,
            sample_admission=rules.sample_admissions,
            sample_violations=rules.sample_violations,
            open_until_s=0,
            sale_start_s=rules.sale_start_s,
            token_signed={kid: Signed(now_s)},
            version=version,
        )

    def _with_present_keys(self, event: str) -> GateConfig:
        """Give the gate the present auth keys: they may have been rotated in the meantime.

        Before a new key signs, a rotation gives it to all events in the catalogue. An event that
        enters the catalogue later reads the secret after that.
        """
        auth = self.secrets.sign_in().auth
        gates = self.gates(self.values)
        return gates.change_rules(event, lambda gate: replace(gate, auth_keys=auth)).after


def _on_sale_but(event: str, error: FairgateError) -> DependencyUnavailableError:
    return DependencyUnavailableError(
        f"{event} is on sale with all of its seats: do not create it again. What follows failed:"
        f" {error.detail} Its log says only that its creation was asked for, and its gate may lack"
        f" a key that was rotated meanwhile: `fairgate check {event}` says whether it does."
    )


def _committed(request: NewEvent, change: GateChange) -> NewEvent:
    return replace(request, draw_commitment=commitment_of(change.after.draw_key))


def _detail(request: NewEvent, venue: Venue, rules: GateRules) -> dict[str, object]:
    """Return the log's detail of a creation; the gate's value is a field of its own."""
    return {
        "seats": venue.seat_count(),
        "places": sum(area.capacity for area in venue.areas),
        "sale_starts_at": rfc3339(rules.sale_start_s * 1000),
        "tau_s": rules.tau_s,
        "control": request.control,
        "live_max": request.live_max,
    }


def broken_creations(table: Table, events: Collection[str]) -> list[Creation]:
    """Read the creations that began and are not complete, by the event's id.

    Args:
        events: every id of the catalogue, also of damaged events.

    Cost: one query.
    """
    return [begun for begun in table.query(Creation, CREATION) if begun.sk not in events]
