"""Open a session for an admitted token. The origin decides last: it validates the token again,
and redeems it once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fairgate import request_ids
from fairgate.domain.gate import proof_of_work
from fairgate.domain.gate.admission import admission_at, decide, earned_since, operational_time
from fairgate.domain.gate.admission_log import admission_entry
from fairgate.domain.gate.capacity_reached import LOOK_EVERY_S, admission_key
from fairgate.domain.gate.waiting_token import parse_waiting_token
from fairgate.domain.shared.ids import SessionId, UserId
from fairgate.domain.shared.session import LIVE_STATES, live_bucket
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import (
    FairgateError,
    ForbiddenError,
    NotAdmittedError,
    NotFoundError,
    SaleOverError,
    TokenRedeemedError,
    TooEarlyError,
    WrongStateError,
)
from fairgate.ports.table import Action, Put, TransactionRefusedError, Update
from fairgate.service.gate.harder_challenge import harder_challenge
from fairgate.service.gate.user_status import DeskStatus, locked_out, seconds_until
from fairgate.service.sessions.capacity_reached import AdmissionOrder, Candidate, full
from fairgate.service.sessions.capacity_shards import CapacityShards
from fairgate.service.sessions.known_caller import KnownCaller, read_caller
from fairgate.service.sessions.sign_session import OpenedSession, session_again
from fairgate.service.shared.capacity_slot import slot_taken
from fairgate.service.shared.change import under_way
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
from fairgate.service.shared.records.sessions import (
    RedeemedToken,
    Session,
    UserStatus,
)
from fairgate.service.shared.session_terms import as_agreed
from fairgate.service.shared.session_view import read_session

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.domain.gate.waiting_claims import WaitingToken
    from fairgate.ports.outside import ExpiryQueue
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock, Ids, Secrets
    from fairgate.service.shared.records.catalog import Event

# The edge's clock and ours may differ by this much before a valid admission is refused.
CLOCK_SKEW_S = 2
_TOKEN_KEPT_S = 172_800  # redeemed ids outlive every token by far; the TTL tidies after two days
_BUSY_RETRY_S = 5
_SETTLING_RETRY_S = 60  # the provider is asked again every two minutes
_USED_UP = "You have used all your sessions for this event."
_REMINDED_AGAIN_MS = 60_000  # after a lost answer; whoever repeats it for longer costs no reminder

Repeat = Literal["redeemed", "inside"]


class AdmissionRequest(Struct, frozen=True):
    """What a buyer sends to be let in.

    Attributes:
        edge_word: the verified header of the gate, kept for the audit.
        idempotency_key: with it, another token is refused instead of being looked at.
    """

    user: UserId
    token: str
    solution: str
    edge_word: str = ""
    idempotency_key: str = ""


class SessionOpener(Struct, frozen=True):
    """Opens sessions for admitted tokens.

    Attributes:
        noticed: told of an attempt with a token that was redeemed, or by a caller who is inside.

    Cost: one BatchGetItem of three items; one TransactWriteItems of five items; for an event with a
        cap of six, again for each room asked in vain, and what ``AdmissionOrder`` and
        ``CapacityShards`` cost.
        A redeemed token, or a caller who is inside, costs the batch
        and the read of a session.
    """

    table: Table
    clock: Clock
    ids: Ids
    expiry_queue: ExpiryQueue
    noticed: Callable[[Repeat], object] = lambda _repeat: None

    def open(
        self, event: Event, gate: GateConfig, request: AdmissionRequest, secrets: Secrets
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
        candidate = self._admitted(gate, event, request, now_ms)
        waiting = candidate.waiting
        again = IdempotentRequest.of(
            user_key(user), "admission", request.idempotency_key, {"token": waiting.id}
        )
        known = read_caller(self.table, event, waiting)
        if known.is_refused(event, waiting, rfc3339(now_ms)):
            if again is not None:
                again.before(self.table, now_ms)
            return self._answered(known, event, gate, waiting, secrets)
        held = AdmissionOrder(self.table).held_back(event, gate, candidate, known, now_ms)
        entry = admission_entry(
            waiting, request.token, request.edge_word, drawn=candidate.drawn, held=held
        )
        session = SessionId("ses_" + self.ids.hex32())
        record = [again.record(now_ms, {"session": session})] if again is not None else []
        for shard in CapacityShards(self.table).to_ask(event, session, known.threshold, now_ms):
            # Level and rooms may be slow to read. A session whose time had run out when it was
            # written would be due in a minute that the sweeper has left behind.
            now_ms = self.clock.now_ms()
            there = self._session(session, event, waiting, entry, now_ms)
            there = msgspec.structs.replace(there, shard=shard)
            actions = self._actions(event, there, now_ms, flagged=waiting.challenge_level > 0)
            try:
                self.table.transact([*actions, *record], token=_token_of(there))
            except TransactionRefusedError as refused:
                if again is not None:
                    again.answered(refused.reasons[-1])
                if _only_the_shard(refused, actions):
                    continue
                return self._explain(refused, event, gate, waiting, secrets)
            self.expiry_queue.remind(there.id, event.session_s + 1)
            return session_again(there, event, secrets)
        raise full(gate, waiting, now_ms / 1000)

    def _admitted(
        self, gate: GateConfig, event: Event, request: AdmissionRequest, now_ms: int
    ) -> Candidate:
        """Return whom the rule admits, or for whom the gate is open as it is for all."""
        if gate.state in ("soldout", "closed"):
            raise SaleOverError("This sale is over.", state=gate.state)
        waiting = parse_waiting_token(request.token, gate, now_ms // 1000 - CLOCK_SKEW_S)
        if waiting.event != event.id or waiting.sub != request.user:
            raise ForbiddenError("This waiting token belongs to someone or something else.")
        if not proof_of_work.verify(waiting.ch, waiting.pow_bits, request.solution):
            raise TooEarlyError("The solution of the challenge is missing or wrong.")
        now_s = now_ms / 1000 + CLOCK_SKEW_S
        if waiting.boff > now_s:
            raise TooEarlyError("It is not your turn to ask yet.", retry_after_s=_BUSY_RETRY_S)
        earned = replace(waiting, h=earned_since(gate.epochs, waiting))
        decision = decide(gate, earned, now_s)
        if not decision.admitted:
            raise NotAdmittedError("It is not your turn yet.", retry_after_s=_BUSY_RETRY_S)
        drawn = decision.u < decision.probability
        if drawn and event.beacon and not gate.beacon_key:
            # Announced and not there yet: nobody is drawn by numbers that are not the final ones.
            raise NotAdmittedError("The draw is about to be made.", retry_after_s=_BUSY_RETRY_S)
        return Candidate(
            waiting,
            key=admission_key(earned.h, admission_at(decision.u, gate.curve)),
            h=operational_time(gate.epochs, now_s),
            h_next=operational_time(gate.epochs, now_s + LOOK_EVERY_S),
            drawn=drawn,
        )

    def _session(
        self,
        session: SessionId,
        event: Event,
        waiting: WaitingToken,
        entry: dict[str, Any],
        now_ms: int,
    ) -> Session:
        expires_at = rfc3339(now_ms + event.session_s * 1000)
        return Session(
            *session_key(session),
            user_id=UserId(waiting.sub),
            event_id=event.id,
            state="reservation",
            expires_at=expires_at,
            res_count=0,
            live_bucket=live_bucket(expires_at, session),
            opened_at=rfc3339(now_ms),
            token_id=waiting.id,
            admission=entry,
            terms=event.terms,
            correlation_id=request_ids.current(),
        )

    def _actions(
        self, event: Event, session: Session, now_ms: int, *, flagged: bool
    ) -> list[Action]:
        """Build the transaction. ``flagged``: the token stood behind the harder challenge."""
        ttl = now_ms // 1000 + _TOKEN_KEPT_S
        token = RedeemedToken(*token_key(session.token_id), session_id=session.id, ttl=ttl)
        return [
            Put.of(token),
            Update(
                "reservations",
                *user_status_key(session.user_id, event.id),
                condition=USER_MAY_OPEN if flagged else USER_MAY_OPEN + AND_NOT_FLAGGED,
                values={
                    "now": session.opened_at,
                    "none": "",
                    "sessions": event.sessions_limit,
                },
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

    def _explain(
        self,
        refused: TransactionRefusedError,
        event: Event,
        gate: GateConfig,
        waiting: WaitingToken,
        secrets: Secrets,
    ) -> OpenedSession:
        """Return the lost answer's session, or the reason for refusing, from the old items."""
        token, user = refused.reasons[0], refused.reasons[1]
        return self._answered(
            KnownCaller(
                token.old(RedeemedToken) if token.failed else None,
                user.old(UserStatus) if user.failed else None,
            ),
            event,
            gate,
            waiting,
            secrets,
            redeemed=token.failed,
        )

    def _answered(
        self,
        known: KnownCaller,
        event: Event,
        gate: GateConfig,
        waiting: WaitingToken,
        secrets: Secrets,
        *,
        redeemed: bool = False,
    ) -> OpenedSession:
        """Return the session of a token that was redeemed, or raise what the user's status says."""
        if redeemed or known.token is not None:
            self.noticed("redeemed")
            session = None if known.token is None else self._session_of(known.token)
            if session is not None and self._is_live(session, event, waiting.sub):
                # The first answer may have failed because the reminder did.
                if self.clock.now_ms() - epoch_ms(session.opened_at) <= _REMINDED_AGAIN_MS:
                    self.expiry_queue.remind(session.id, event.session_s + 1)
                return session_again(session, as_agreed(self.table, event, session), secrets)
            raise TokenRedeemedError("This waiting token has opened its session already.")
        if known.status is not None:
            raise self._kept_out(known.status, event, gate, waiting)
        raise WrongStateError("The session could not be opened. Please try again.")

    def _kept_out(
        self, status: UserStatus, event: Event, gate: GateConfig, token: WaitingToken
    ) -> FairgateError:
        """Say why the user's status refuses, and until when if it passes. The token stays good."""
        now_ms = self.clock.now_ms()
        if status.live_session and status.live_until > rfc3339(now_ms):
            self.noticed("inside")
            if (settling := self._settling(status, event, now_ms)) is not None:
                return settling
            return NotAdmittedError(
                "You are inside already, perhaps in another window.",
                retry_after_s=seconds_until(status.live_until, now_ms),
                live_session=status.live_session,
            )
        if status.sessions_used >= event.sessions_limit:
            return NotAdmittedError(_USED_UP, sessions_limit=event.sessions_limit)
        judged = DeskStatus.of(status, rfc3339(now_ms))
        if judged.level > 1:
            return locked_out(judged, now_ms)
        asked = harder_challenge(gate, token, judged.noticed, now_ms // 1000)
        return TooEarlyError(
            f"{judged.noticed} Please solve a harder challenge.",
            retry_after_s=gate.backoff_min_s,
            **asked,
        )

    def _settling(self, status: UserStatus, event: Event, now_ms: int) -> NotAdmittedError | None:
        """Say that the user's last order is being settled; None where they are inside indeed.

        Raises DependencyUnavailableError: the session is changing just now.
        """
        try:
            view = read_session(self.table, status.live_session)
        except NotFoundError:
            return None
        order = view.pending_order
        if order is None or view.due_at > rfc3339(now_ms):
            return None
        until = status.live_until
        text = (
            "Your last order is still being settled: the payment provider has not said yet whether"
            f" it has been paid. Its seats stay yours until {until[11:16]} UTC at the latest."
        )
        fields: dict[str, Any] = {"settling_until": until, "order": order.order_id}
        if status.sessions_used >= event.sessions_limit:
            return NotAdmittedError(f"{text} {_USED_UP}", **fields)
        return NotAdmittedError(
            f"{text} Your place in the draw is kept.",
            retry_after_s=min(_SETTLING_RETRY_S, seconds_until(until, now_ms)),
            **fields,
        )

    def _session_of(self, token: RedeemedToken) -> Session:
        """Read what the same transaction wrote. Raises DependencyUnavailableError: not yet seen."""
        session = self.table.find(Session, session_key(token.session_id))
        if session is None:
            raise under_way()
        return session

    def _is_live(self, session: Session, event: Event, user: str) -> bool:
        mine = (session.user_id, session.event_id) == (user, event.id)
        now = rfc3339(self.clock.now_ms())
        return mine and session.state in LIVE_STATES and session.expires_at > now


def _only_the_shard(refused: TransactionRefusedError, actions: Sequence[Action]) -> bool:
    """Tell whether nothing refused but the room, which comes last of what opens a session."""
    last = len(actions) - 1
    return all(reason.failed == (n == last) for n, reason in enumerate(refused.reasons))


def _token_of(session: Session) -> str:
    """Name the write: with each room it is another one."""
    return session.id.removeprefix("ses_") + (
        "" if session.shard is None else f"{session.shard:02d}"
    )
