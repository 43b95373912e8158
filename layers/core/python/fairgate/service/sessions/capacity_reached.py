"""Admit in the order of the draw while capacity is reached: keep an event's admission threshold E.

Each attempt reads the threshold with what it reads anyway; one attempt in two seconds advances it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.gate.capacity_reached import (
    AdmissionThreshold,
    CapacityLook,
    advanced,
    back_at,
    is_due,
    threshold_at,
    wait_s,
)
from fairgate.domain.gate.waiting_token import encode_waiting_token, postponed
from fairgate.domain.shared.session import live_from
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError, NotAdmittedError
from fairgate.ports.record import DamagedItemError
from fairgate.ports.table import TransactionRefusedError, Update
from fairgate.service.sessions.admission_threshold import attributes_of, threshold_of
from fairgate.service.sessions.capacity_shards import CapacityShards
from fairgate.service.shared.conditions import THRESHOLD_AS_READ
from fairgate.service.shared.keys import admission_threshold_key
from fairgate.service.shared.live_count import SessionCounts, counters_from

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.domain.gate.waiting_claims import WaitingToken
    from fairgate.ports.table import Table
    from fairgate.service.sessions.judge_admission import Admission
    from fairgate.service.sessions.known_caller import KnownCaller
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.sessions import AdmissionThresholdRecord

_KEPT_S = 172_800  # the TTL deletes a threshold that nobody has read for two days
_WAY_BACK_JITTER = 1.2
_FULL = "All places in the shop are taken at the moment. Your place in the draw is kept."


class AdmissionOrder(Struct, frozen=True):
    """Decides whose attempt is next while more buyers are admitted than the capacity allows.

    It keeps the order. The capacity limit itself is kept by the shards (``CapacityShards``), in the
    transaction that opens a session.

    Cost: where the threshold is due, a query for each of the partitions of live counters, what
        ``CapacityShards`` reads and one UpdateItem. The caller reads the threshold anyway.
    """

    table: Table

    def held_back(
        self, event: Event, gate: GateConfig, admission: Admission, known: KnownCaller, now_ms: int
    ) -> float | None:
        """Return d = H − E, by how much capacity holds admissions back, for one that may go on.

        None without a capacity limit, and where the threshold could not be read: then sessions
        open in the order of the attempts, up to the limit.

        Raises NotAdmittedError: with the same place, and the second at which to ask again.
        """
        if not event.live_max:
            return None
        now_s = now_ms / 1000
        threshold: AdmissionThreshold | None = None
        # Nobody is drawn while the gate stands open for all: keys are not the order then.
        if known.is_read and gate.open_until_s <= now_s:
            threshold = None if known.threshold is None else threshold_of(known.threshold)
            if threshold is None or is_due(threshold, now_s):
                threshold = self._advance(event, gate, admission, known.threshold, now_ms)
        holds = threshold is not None and not threshold.follows
        if holds and admission.waiting.boff > now_s:
            # The gate's grace for clocks would be a head start here.
            raise _refusal(gate, admission.waiting, admission.waiting.boff, now_s)
        wait = wait_s(threshold, admission.key, admission.h, now_s) if holds else 0.0
        if wait > 0.0:
            raise full(gate, admission.waiting, now_s, wait)
        return (
            None if threshold is None else admission.h - threshold_at(threshold, admission.h, now_s)
        )

    def _advance(
        self,
        event: Event,
        gate: GateConfig,
        admission: Admission,
        record: AdmissionThresholdRecord | None,
        now_ms: int,
    ) -> AdmissionThreshold:
        """Advance the threshold by the sessions that are live, and write it if nobody else has."""
        now, now_s = rfc3339(now_ms), now_ms / 1000
        oldest = live_from(now) if record is None else min(live_from(now), record.bucket)
        counts = SessionCounts(counters_from(self.table, event.id, oldest))
        live = sum(counter.live for counter in counts.counters if counter.sk >= live_from(now))
        live = max(live, self._slots_used(event, now_ms))
        opened = 0 if record is None else counts.opened_from(record.bucket) - record.opened
        threshold = advanced(
            None if record is None else threshold_of(record),
            CapacityLook(
                now_s=now_s,
                h=admission.h,
                h_next=admission.h_next,
                live=live,
                live_max=event.live_max,
                opened=max(0, opened),
                session_s=float(event.session_mean_s or event.session_s),
                back_s=gate.backoff_max_s * _WAY_BACK_JITTER,
                stood=record is not None and has_stood(gate, record.at_ms / 1000, now_s),
            ),
        )
        # A session that opens from now on is counted in this bucket or a later one.
        bucket = live_from(rfc3339(now_ms + event.session_s * 1000))
        update = Update(
            "reservations",
            *admission_threshold_key(event.id),
            condition=THRESHOLD_AS_READ,
            values={"read": 0 if record is None else record.at_ms},
            set=attributes_of(threshold)
            | {"bucket": bucket, "opened": counts.opened_from(bucket)}
            | {"ttl": now_ms // 1000 + _KEPT_S},
        )
        try:
            self.table.update(update)
        except (TransactionRefusedError, DependencyUnavailableError):
            # Another attempt has just advanced it, or the table is throttled: the result is good
            # for this attempt in both cases.
            return threshold
        return threshold

    def _slots_used(self, event: Event, now_ms: int) -> int:
        """Count the used capacity slots, allocating first if the limit has changed.

        Returns 0 where the shards cannot be read.
        """
        try:
            shards = CapacityShards(self.table).dealt(event, now_ms)
        except (DependencyUnavailableError, DamagedItemError):
            return 0
        return sum(shard.inside for shard in shards)


def full(
    gate: GateConfig, waiting: WaitingToken, now_s: float, wait: float = 0.0
) -> NotAdmittedError:
    """Return a refusal for lack of capacity: with the same place, and when to ask again."""
    bounds = gate.backoff_min_s, gate.backoff_max_s
    return _refusal(gate, waiting, back_at(wait, waiting.id, now_s, bounds), now_s)


def has_stood(gate: GateConfig, since_s: float, now_s: float) -> bool:
    """Say whether H stood still at some time after the sale started, or the draw was suspended.

    A buyer who was refused before that was then held by the gate, or passed without the order.
    """
    since_s = max(since_s, gate.sale_start_s)
    ends = [epoch.start_s for epoch in gate.epochs[1:]] + [math.inf]
    still = any(
        epoch.slope == 0.0 and epoch.start_s < now_s and end_s > since_s
        for epoch, end_s in zip(gate.epochs, ends, strict=True)
    )
    return still or gate.open_until_s > since_s


def _refusal(gate: GateConfig, waiting: WaitingToken, boff: int, now_s: float) -> NotAdmittedError:
    """Return a refusal with the same place, dated to when the buyer is to ask again."""
    return NotAdmittedError(
        _FULL,
        retry_after_s=max(1, math.ceil(boff - now_s)),
        token=encode_waiting_token(postponed(waiting, gate, boff), gate),
        boff=boff,
    )
