"""Judge at the origin whether a waiting token admits its buyer now, whatever the edge has said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from fairgate.domain.catalog.eligibility import require_eligible, require_joined_since_presale
from fairgate.domain.gate import proof_of_work
from fairgate.domain.gate.admission import admission_at, decide, earned_since, operational_time
from fairgate.domain.gate.capacity_reached import LOOK_EVERY_S, admission_key
from fairgate.domain.gate.waiting_token import parse_waiting_token
from fairgate.domain.shared.account import Account
from fairgate.domain.shared.ids import UserId
from fairgate.errors import ForbiddenError, NotAdmittedError, SaleOverError, TooEarlyError

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.domain.gate.waiting_claims import WaitingToken
    from fairgate.service.shared.records.catalog import Event

# The clocks of edge and origin may differ by this much before a valid admission is refused.
CLOCK_SKEW_S = 2
_BUSY_RETRY_S = 5


class AdmissionRequest(Struct, frozen=True):
    """What a buyer sends to be admitted.

    Attributes:
        edge_word: the verified header of the gate, kept for the audit.
        idempotency_key: with it, another token is refused instead of being looked at.
        account: what the identity provider says of the account.
    """

    user: UserId
    token: str
    solution: str
    edge_word: str = ""
    idempotency_key: str = ""
    account: Account = Account()


class Admission(Struct, frozen=True):
    """A buyer whom the rule admits, or for whom the gate stands open.

    Attributes:
        waiting: the token as it was read.
        key: κ, the H at which the rule admits this buyer.
        h, h_next: H now and at the next look at the capacity, each CLOCK_SKEW_S ahead.
        drawn: True where the rule admits, False where the gate only stands open for everybody.
    """

    waiting: WaitingToken
    key: float
    h: float
    h_next: float
    drawn: bool


def judge_admission(
    gate: GateConfig, event: Event, request: AdmissionRequest, now_ms: int
) -> Admission:
    """Return the admission of a valid token.

    Raises:
        SaleOverError: the sale is sold out, closed, or past its end.
        NotEligibleError: the event is not open to this account.
        WaitingTokenEndedError: the account joined before the presale ended, and is no member.
        UnauthenticatedError, ForbiddenError: the token is invalid, or is another user's or event's.
        TooEarlyError: the challenge is not solved, or the token says to ask later.
        NotAdmittedError: the rule does not admit yet, or the announced beacon is not mixed in.
    """
    state = "closed" if event.ended(now_ms) else gate.state
    if state in ("soldout", "closed"):
        raise SaleOverError("This sale is over.", state=state)
    require_eligible(event, request.account, now_ms)
    waiting = parse_waiting_token(request.token, gate, now_ms // 1000 - CLOCK_SKEW_S)
    if waiting.event != event.id or waiting.sub != request.user:
        raise ForbiddenError("This waiting token belongs to someone or something else.")
    require_joined_since_presale(event, request.account, waiting.iat)
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
        # The final numbers need the beacon's value: nobody is drawn before it is mixed in.
        raise NotAdmittedError("The draw is about to be made.", retry_after_s=_BUSY_RETRY_S)
    return Admission(
        waiting,
        key=admission_key(earned.h, admission_at(decision.u, gate.curve)),
        h=operational_time(gate.epochs, now_s),
        h_next=operational_time(gate.epochs, now_s + LOOK_EVERY_S),
        drawn=drawn,
    )
