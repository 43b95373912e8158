"""The origin decides last: validate the waiting token again, redeem it once, open a session."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from fairgate.domain.gate import proof_of_work
from fairgate.domain.gate.admission import decide, earned_since
from fairgate.domain.gate.admission_log import admission_entry
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import parse_waiting_token
from fairgate.domain.shared.credential import Credential, sign_credential
from fairgate.domain.shared.ids import EventId, SessionId, UserId
from fairgate.domain.shared.session import live_bucket
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import (
    FairgateError,
    ForbiddenError,
    NotAdmittedError,
    SaleOverError,
    TokenRedeemedError,
    TooEarlyError,
    WrongStateError,
)
from fairgate.ports.table import Put, TransactionRefusedError, Update
from fairgate.service.gate.harder_challenge import harder_challenge
from fairgate.service.gate.user_status import Standing, locked_out, seconds_until
from fairgate.service.shared.due import session_due
from fairgate.service.shared.idempotency import Once
from fairgate.service.shared.keys import (
    keyed,
    live_key,
    owned,
    session_key,
    standing_key,
    token_key,
    user_key,
)
from fairgate.service.shared.live_count import live_now

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.outside import ExpiryQueue
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock, Ids, Secrets

# The edge's clock and ours may differ by this much before a valid admission is refused.
CLOCK_SKEW_S = 2
_TOKEN_KEPT_S = 172_800  # redeemed ids outlive every token by far; the TTL tidies after two days
_BUSY_RETRY_S = 5
_FULL_SPREAD_S = 16  # so that those who found the hall full do not come back as one

# Conditions, named by what they promise at time :now.
MAY_OPEN = (
    "(attribute_not_exists(#liveSession) OR #liveSession = :none OR #liveUntil <= :now)"
    " AND (attribute_not_exists(#sessionsUsed) OR #sessionsUsed < :sessions)"
    " AND (attribute_not_exists(#lockedUntil) OR #lockedUntil <= :now)"
)
# Besides, for a token behind the ordinary challenge.
NOT_FLAGGED = " AND (attribute_not_exists(#flaggedUntil) OR #flaggedUntil <= :now)"


@dataclass(frozen=True)
class OpenedSession:
    session: SessionId
    expires_at: str
    state: str
    hold_limit: int
    credential: str
    event: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class SessionOpener:
    """Opens sessions for admitted tokens.

    Cost: one TransactWriteItems of five items, one query of the live counters.
    """

    table: Table
    clock: Clock
    ids: Ids
    expiry_queue: ExpiryQueue

    def open(
        self,
        *,
        event: dict[str, Any],
        gate: GateConfig,
        user: str,
        token: str,
        solution: str,
        secrets: Secrets,
        edge_word: str = "",
        idempotency_key: str = "",
    ) -> OpenedSession:
        """Redeem ``token`` for a session of ``user``. The token itself makes repeating harmless.

        Args:
            edge_word: the verified header of the gate, kept for the audit.
            idempotency_key: with it, another token is refused instead of being looked at.

        Raises:
            IdempotencyMismatchError: the key came with another token before.
            UnauthenticatedError, ForbiddenError, TooEarlyError: the token is not good for this.
            NotAdmittedError, SaleOverError: with when to come back, if ever.
            LockedOutError, TooEarlyError: the desk's lock-out, or its harder challenge.
            TokenRedeemedError: opened a session before, which is no longer live.
        """
        now_ms = self.clock.now_ms()
        waiting, drawn = self._admitted(gate, event, user, token, solution, now_ms)
        entry = admission_entry(waiting, token, edge_word, drawn=drawn)
        self._refuse_when_full(event, waiting, rfc3339(now_ms))
        session = SessionId("ses_" + self.ids.hex32())
        expires_at = rfc3339(now_ms + event["sessionS"] * 1000)
        once = Once.of(user_key(user), "admission", idempotency_key, {"token": waiting.id})
        try:
            self._write(event, user, waiting, entry, session, now_ms, expires_at, once)
        except TransactionRefusedError as refused:
            if once is not None:
                once.answered(refused.reasons[-1])
            return self._explain(refused, event, gate, waiting, secrets)
        self.expiry_queue.remind(session, event["sessionS"] + 1)
        return opened(session, event, user, expires_at, "reservation", secrets)

    def _admitted(
        self,
        gate: GateConfig,
        event: dict[str, Any],
        user: str,
        token: str,
        solution: str,
        now_ms: int,
    ) -> tuple[WaitingToken, bool]:
        """The token, and whether the rule admits it; otherwise the gate stands open for all."""
        if gate.state in ("soldout", "closed"):
            raise SaleOverError("This sale is over.", state=gate.state)
        waiting = parse_waiting_token(token, gate, now_ms // 1000 - CLOCK_SKEW_S)
        if waiting.event != event["SK"] or waiting.sub != user:
            raise ForbiddenError("This waiting token belongs to someone or something else.")
        if not proof_of_work.verify(waiting.ch, waiting.pow_bits, solution):
            raise TooEarlyError("The solution of the challenge is missing or wrong.")
        now_s = now_ms / 1000 + CLOCK_SKEW_S
        if waiting.boff > now_s:
            raise TooEarlyError("It is not your turn to ask yet.", retry_after_s=_BUSY_RETRY_S)
        earned = replace(waiting, h=earned_since(gate.epochs, waiting))
        decision = decide(gate, earned, now_s)
        if not decision.admitted:
            raise NotAdmittedError("It is not your turn yet.", retry_after_s=_BUSY_RETRY_S)
        drawn = decision.u < decision.probability
        if drawn and event.get("beacon") and not gate.beacon_key:
            # Announced and not there yet: nobody is drawn by numbers that are not the final ones.
            raise NotAdmittedError("The draw is about to be made.", retry_after_s=_BUSY_RETRY_S)
        return waiting, drawn

    def _refuse_when_full(self, event: dict[str, Any], waiting: WaitingToken, now: str) -> None:
        if event["liveMax"] and live_now(self.table, event["SK"], now) >= event["liveMax"]:
            raise NotAdmittedError(
                "The hall is full this moment. Your place in the draw is kept.",
                retry_after_s=_BUSY_RETRY_S + int(waiting.id[-2:], 16) % _FULL_SPREAD_S,
            )

    def _write(
        self,
        event: dict[str, Any],
        user: str,
        waiting: WaitingToken,
        entry: dict[str, Any],
        session: SessionId,
        now_ms: int,
        expires_at: str,
        once: Once | None,
    ) -> None:
        now, event_id = rfc3339(now_ms), event["SK"]
        bucket = live_bucket(expires_at, session)
        ttl = now_ms // 1000 + _TOKEN_KEPT_S
        self.table.transact(
            [
                Put(
                    "reservations",
                    keyed(token_key(waiting.id)) | {"sessionId": session, "ttl": ttl},
                ),
                Update(
                    "reservations",
                    *standing_key(user, event_id),
                    condition=MAY_OPEN if waiting.level else MAY_OPEN + NOT_FLAGGED,
                    values={"now": now, "none": "", "sessions": event["sessionsLimit"]},
                    set={
                        "liveSession": session,
                        "liveUntil": expires_at,
                        **owned(user, event_id, event_id),
                    },
                    add={"sessionsUsed": 1},
                ),
                Put(
                    "reservations",
                    keyed(session_key(session))
                    | owned(user, event_id, session)
                    | {
                        "userId": user,
                        "eventId": event_id,
                        "state": "reservation",
                        "expiresAt": expires_at,
                        "resCount": 0,
                        "liveBucket": bucket,
                        "openedAt": now,
                        "tokenId": waiting.id,
                        "admission": entry,
                    },
                ),
                Update(
                    "reservations", *live_key(event_id, bucket), set={"ttl": ttl}, add={"live": 1}
                ),
                session_due(event_id, session, expires_at, now_ms),
                *([once.record(now_ms, {"session": session})] if once is not None else []),
            ],
            token=session.removeprefix("ses_"),
        )

    def _explain(
        self,
        refused: TransactionRefusedError,
        event: dict[str, Any],
        gate: GateConfig,
        waiting: WaitingToken,
        secrets: Secrets,
    ) -> OpenedSession:
        """The lost answer's session again, or the reason for refusing, from the old items."""
        redeemed, standing = refused.reasons[0], refused.reasons[1]
        if redeemed.failed:
            session = SessionId((redeemed.item or {}).get("sessionId", ""))
            if (found := self._live(session, waiting.sub)) is not None:
                # The first answer may have failed because the reminder did.
                self.expiry_queue.remind(session, event["sessionS"] + 1)
                return session_again(found, event, secrets)
            raise TokenRedeemedError("This waiting token has opened its session already.")
        if standing.failed and standing.item is not None:
            raise self._kept_out(standing.item, event, gate, waiting)
        raise WrongStateError("The session could not be opened. Please try again.")

    def _kept_out(
        self, item: Mapping[str, Any], event: dict[str, Any], gate: GateConfig, token: WaitingToken
    ) -> FairgateError:
        """Why the user's standing refuses, and until when if it passes. The token stays good."""
        now_ms = self.clock.now_ms()
        live, until = item.get("liveSession"), item.get("liveUntil", "")
        if live and until > rfc3339(now_ms):
            return NotAdmittedError(
                "You are inside already, perhaps in another window.",
                retry_after_s=seconds_until(until, now_ms),
                live_session=live,
            )
        if item.get("sessionsUsed", 0) >= event["sessionsLimit"]:
            return NotAdmittedError(
                "You have used all your sessions for this event.",
                sessions_limit=event["sessionsLimit"],
            )
        judged = Standing.of(item, rfc3339(now_ms))
        if judged.level > 1:
            return locked_out(judged, now_ms)
        asked = harder_challenge(gate, token, judged.noticed, now_ms // 1000)
        return TooEarlyError(
            f"{judged.noticed} Please solve a harder challenge.",
            retry_after_s=gate.backoff_min_s,
            **asked,
        )

    def _live(self, session: str, user: str) -> dict[str, Any] | None:
        item = self.table.get("reservations", *session_key(session)) if session else None
        if item is None or item["userId"] != user:
            return None
        live = item["state"] in ("reservation", "checkout")
        return item if live and item["expiresAt"] > rfc3339(self.clock.now_ms()) else None


def opened(
    session: SessionId,
    event: dict[str, Any],
    user: str,
    expires_at: str,
    state: str,
    secrets: Secrets,
) -> OpenedSession:
    """A session with a fresh credential."""
    credential = Credential(
        session,
        EventId(event["SK"]),
        UserId(user),
        expires_at,
        event["holdLimit"],
        event["layout"],
    )
    signed = _signed(credential, secrets)
    return OpenedSession(session, expires_at, state, event["holdLimit"], signed, event["SK"])


def session_again(
    session: dict[str, Any], event: dict[str, Any], secrets: Secrets
) -> OpenedSession:
    """A live session as its user gets it on another device or after a reload."""
    return opened(
        SessionId(session["PK"]),
        event,
        session["userId"],
        session["expiresAt"],
        session["state"],
        secrets,
    )


def credential_until(credential: Credential, expires_at: str, secrets: Secrets) -> str:
    """The same session's credential with a later expiry."""
    return _signed(replace(credential, expires_at=expires_at), secrets)


def _signed(credential: Credential, secrets: Secrets) -> str:
    return sign_credential(credential, secrets.session_kid, secrets.session[secrets.session_kid])
