"""Answer an attempt that opens no new session: with the session it opened before, or a reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from fairgate.domain.shared.session import LIVE_STATES
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import (
    FairgateError,
    NotAdmittedError,
    NotFoundError,
    TokenRedeemedError,
    TooEarlyError,
    WrongStateError,
)
from fairgate.service.gate.harder_challenge import harder_challenge
from fairgate.service.gate.user_status import DeskStatus, locked_out, seconds_until
from fairgate.service.sessions.known_caller import KnownCaller
from fairgate.service.sessions.sign_session import OpenedSession, session_again
from fairgate.service.shared.change import until_whole
from fairgate.service.shared.keys import session_key
from fairgate.service.shared.records.sessions import RedeemedToken, Session, UserStatus
from fairgate.service.shared.session_terms import as_agreed
from fairgate.service.shared.session_view import read_session

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.domain.gate.waiting_claims import WaitingToken
    from fairgate.ports.outside import ExpiryQueue
    from fairgate.ports.table import Table, TransactionRefusedError
    from fairgate.ports.world import Clock, SignInKeys
    from fairgate.service.shared.records.catalog import Event

_SETTLING_RETRY_S = 60  # the provider is asked again every two minutes
_USED_UP = "You have used all your sessions for this event."
_REMINDED_AGAIN_MS = 60_000  # after a lost answer; a request repeated for longer sends no reminder

Repeat = Literal["redeemed", "inside"]


class Attempt(Struct, frozen=True):
    """A valid token that is shown at the origin, with what its answer depends on."""

    event: Event
    gate: GateConfig
    waiting: WaitingToken
    keys: SignInKeys


class AttemptAnswers(Struct, frozen=True):
    """Answers attempts.

    Attributes:
        noticed: is told of a token that was redeemed before, and of a caller with a live session.

    Cost: a read of a session.
    """

    table: Table
    clock: Clock
    expiry_queue: ExpiryQueue
    noticed: Callable[[Repeat], object]

    def explain(self, refused: TransactionRefusedError, attempt: Attempt) -> OpenedSession:
        """Answer by the old items of a refused transaction: the token's and the user's status.

        Returns the session whose answer was lost. Raises the reason for the refusal.
        """
        token, user = refused.reasons[0], refused.reasons[1]
        known = KnownCaller(
            token.old(RedeemedToken) if token.failed else None,
            user.old(UserStatus) if user.failed else None,
        )
        return self.answer(known, attempt, redeemed=token.failed)

    def answer(
        self, known: KnownCaller, attempt: Attempt, *, redeemed: bool = False
    ) -> OpenedSession:
        """Return the session of a redeemed token, or raise what the user's status says.

        Args:
            redeemed: the token was redeemed, although its item could not be read.
        """
        event = attempt.event
        if redeemed or known.token is not None:
            self.noticed("redeemed")
            session = None if known.token is None else self._session_of(known.token)
            if session is not None and self._is_live(session, event, attempt.waiting.sub):
                # The first answer may have failed because the reminder did.
                if self.clock.now_ms() - epoch_ms(session.opened_at) <= _REMINDED_AGAIN_MS:
                    self.expiry_queue.remind(session.id, event.session_s + 1)
                agreed = as_agreed(self.table, event, session)
                return session_again(session, agreed, attempt.keys)
            raise TokenRedeemedError("This waiting token has opened its session already.")
        if known.status is not None:
            raise self._refusal(known.status, attempt)
        raise WrongStateError("The session could not be opened. Please try again.")

    def _refusal(self, status: UserStatus, attempt: Attempt) -> FairgateError:
        """Return why the user's status refuses, and when it ends. The token stays valid."""
        now_ms, event, gate = self.clock.now_ms(), attempt.event, attempt.gate
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
            return locked_out(judged, gate, attempt.waiting, now_ms)
        return TooEarlyError(
            f"{judged.noticed} Please solve a harder challenge.",
            retry_after_s=gate.backoff_min_s,
            **harder_challenge(gate, attempt.waiting, judged.noticed, now_ms // 1000),
        )

    def _settling(self, status: UserStatus, event: Event, now_ms: int) -> NotAdmittedError | None:
        """Return that the user's last order is being settled; None if the session is really live.

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
        """Read the token's session. Raises DependencyUnavailableError: it cannot be seen yet."""
        key = session_key(token.session_id)
        return until_whole(self.clock, lambda: self.table.find(Session, key))

    def _is_live(self, session: Session, event: Event, user: str) -> bool:
        mine = (session.user_id, session.event_id) == (user, event.id)
        now = rfc3339(self.clock.now_ms())
        return mine and session.state in LIVE_STATES and session.expires_at > now
