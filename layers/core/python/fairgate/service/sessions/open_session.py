"""Open a session for an admitted token: redeem it once, in one transaction with the session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from fairgate import request_ids
from fairgate.domain.gate.admission_log import admission_entry
from fairgate.domain.shared.ids import SessionId, UserId
from fairgate.domain.shared.session import live_bucket
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Action, Put, TransactionRefusedError, Update
from fairgate.service.sessions.answer_attempt import Attempt, AttemptAnswers, Repeat
from fairgate.service.sessions.capacity_reached import AdmissionOrder, full
from fairgate.service.sessions.capacity_shards import CapacityShards
from fairgate.service.sessions.judge_admission import AdmissionRequest, judge_admission
from fairgate.service.sessions.known_caller import read_caller
from fairgate.service.sessions.sign_session import OpenedSession, session_again
from fairgate.service.shared.capacity_slot import slot_taken
from fairgate.service.shared.conditions import AND_NOT_FLAGGED, USER_MAY_OPEN
from fairgate.service.shared.due import session_due
from fairgate.service.shared.idempotency import IdempotentRequest
from fairgate.service.shared.keys import (
    live_key,
    session_key,
    token_key,
    user_key,
    user_status_key,
)
from fairgate.service.shared.records.sessions import RedeemedToken, Session

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.domain.gate.waiting_claims import WaitingToken
    from fairgate.ports.outside import ExpiryQueue
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock, Ids, SignInKeys
    from fairgate.service.shared.records.catalog import Event

_TOKEN_KEPT_S = 172_800  # redeemed ids outlive every token; the TTL deletes them after two days


class SessionOpener(Struct, frozen=True):
    """Opens sessions for admitted tokens.

    Attributes:
        noticed: is told of a token that was redeemed before, and of a caller with a live session.

    Cost: one BatchGetItem of three items; one TransactWriteItems of five items. For an event with a
        capacity limit of six, repeated for each full shard, and what ``AdmissionOrder`` and
        ``CapacityShards`` cost. A redeemed token, or a caller with a live session, costs the batch
        and the read of a session.
    """

    table: Table
    clock: Clock
    ids: Ids
    expiry_queue: ExpiryQueue
    noticed: Callable[[Repeat], object] = lambda _repeat: None

    def open(
        self, event: Event, gate: GateConfig, request: AdmissionRequest, keys: SignInKeys
    ) -> OpenedSession:
        """Redeem the request's token for a session. The token itself makes repeating harmless.

        Raises:
            IdempotencyMismatchError: the key came with another token before.
            UnauthenticatedError, ForbiddenError, TooEarlyError: the token is not good for this.
            NotAdmittedError, SaleOverError: with when to come back, if ever.
            LockedOutError, TooEarlyError: the desk's lock-out, or its harder challenge.
            TokenRedeemedError: opened a session before, which is no longer live.
        """
        now_ms, user = self.clock.now_ms(), request.user
        admission = judge_admission(gate, event, request, now_ms)
        waiting = admission.waiting
        attempt = Attempt(event, gate, waiting, keys)
        answers = AttemptAnswers(self.table, self.clock, self.expiry_queue, self.noticed)
        again = IdempotentRequest.of(
            user_key(user), "admission", request.idempotency_key, {"token": waiting.id}
        )
        known = read_caller(self.table, event, waiting)
        if known.is_refused(event, waiting, rfc3339(now_ms)):
            if again is not None:
                again.before(self.table, now_ms)
            return answers.answer(known, attempt)
        held = AdmissionOrder(self.table).held_back(event, gate, admission, known, now_ms)
        entry = admission_entry(
            waiting, request.token, request.edge_word, drawn=admission.drawn, held=held
        )
        session = SessionId("ses_" + self.ids.hex32())
        record = [again.record(now_ms, {"session": session})] if again is not None else []
        for shard in CapacityShards(self.table).to_ask(event, session, known.threshold, now_ms):
            # Threshold and shards may be slow to read. A session whose time had run out when it
            # was written would be due in a minute that the sweeper has finished.
            now_ms = self.clock.now_ms()
            there = replace(_session(session, event, waiting, entry, now_ms), shard=shard)
            actions = _actions(event, there, now_ms, flagged=waiting.challenge_level > 0)
            try:
                self.table.transact([*actions, *record], token=_token_of(there))
            except TransactionRefusedError as refused:
                if again is not None:
                    again.answered(refused.reasons[-1])
                if _only_the_shard(refused, actions):
                    continue
                return answers.explain(refused, attempt)
            self.expiry_queue.remind(there.id, event.session_s + 1)
            opened = session_again(there, event, keys)
            return replace(opened, waited_s=now_ms // 1000 - waiting.iat)
        raise full(gate, waiting, now_ms / 1000)


def _session(
    session: SessionId, event: Event, waiting: WaitingToken, entry: dict[str, Any], now_ms: int
) -> Session:
    expires_at = rfc3339(now_ms + event.session_s * 1000)
    return Session(
        *session_key(session),
        user_id=UserId(waiting.sub),
        event_id=event.id,
        state="reservation",
        expires_at=expires_at,
        res_count=0,
        live_bucket=live_bucket(expires_at, session, event.live_counters),
        opened_at=rfc3339(now_ms),
        token_id=waiting.id,
        admission=entry,
        terms=event.terms,
        correlation_id=request_ids.current(),
    )


def _actions(event: Event, session: Session, now_ms: int, *, flagged: bool) -> list[Action]:
    """Build the transaction. ``flagged``: the token has the harder challenge."""
    ttl = now_ms // 1000 + _TOKEN_KEPT_S
    token = RedeemedToken(*token_key(session.token_id), session_id=session.id, ttl=ttl)
    return [
        Put.of(token),
        Update(
            "reservations",
            *user_status_key(session.user_id, event.id),
            condition=USER_MAY_OPEN if flagged else USER_MAY_OPEN + AND_NOT_FLAGGED,
            values={"now": session.opened_at, "none": "", "sessions": event.sessions_limit},
            set={"liveSession": session.id, "liveUntil": session.expires_at},
            add={"sessionsUsed": 1},
        ),
        Put.of(session),
        Update(
            "reservations",
            *live_key(event.id, session.live_bucket),
            set={"ttl": ttl},
            add={"live": 1, "opened": 1},
        ),
        session_due(event.id, session.id, session.expires_at, now_ms),
        *slot_taken(session),
    ]


def _only_the_shard(refused: TransactionRefusedError, actions: Sequence[Action]) -> bool:
    """Say whether only the capacity shard refused, which is the last of the actions."""
    last = len(actions) - 1
    return all(reason.failed == (n == last) for n, reason in enumerate(refused.reasons))


def _token_of(session: Session) -> str:
    """Name the write: with each capacity shard it is another one."""
    return session.id.removeprefix("ses_") + (
        "" if session.shard is None else f"{session.shard:02d}"
    )
