"""The origin decides last: validated again, redeemed once, one live session a user."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest
from msgspec import structs

from fairgate.domain.gate import proof_of_work
from fairgate.domain.gate.admission import lottery_number
from fairgate.domain.gate.gate_config import Epoch, GateConfig
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import (
    encode_waiting_token,
    issue_waiting_token,
    parse_waiting_token,
)
from fairgate.domain.orders.order import SETTLING_S, Unit
from fairgate.domain.shared.credential import verify_credential
from fairgate.domain.shared.ids import UserId
from fairgate.domain.shared.session import live_bucket
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import (
    ForbiddenError,
    LockedOutError,
    NotAdmittedError,
    NotFoundError,
    SaleOverError,
    SessionExpiredError,
    TokenRedeemedError,
    TooEarlyError,
    UnauthenticatedError,
    WaitingTokenEndedError,
)
from fairgate.ports.table import Update
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.orders.read_orders import read_live_session
from fairgate.service.sessions.judge_admission import AdmissionRequest
from fairgate.service.sessions.open_session import SessionOpener
from fairgate.service.sessions.sign_session import OpenedSession
from fairgate.service.shared.keys import live_key, user_status_key
from fairgate.service.shared.live_count import counters_from
from fairgate.service.shared.records.orders import Order
from tests.support.world import EVENT, START_MS, World, gate
from tests.unit.checkout.test_checkout_and_settle import begin

pytestmark = pytest.mark.through_boto3


def token_for(rules: GateConfig, user: str = "ann", event: str = EVENT, n: int = 1) -> WaitingToken:
    """Issued an hour of operational time ago, so that P is 1 to the last bit."""
    token = issue_waiting_token(
        rules, event, user, request_id=f"r{n}", ip="127.0.0.1", now_ms=START_MS - 600_000 + n
    )
    return structs.replace(token, boff=START_MS // 1000 - 1, exp=START_MS // 1000 + 600)


def open_it(
    world: World, rules: GateConfig, token: WaitingToken | str, **changes: Any
) -> OpenedSession:
    text = token if isinstance(token, str) else encode_waiting_token(token, rules)
    solution = "0" if isinstance(token, str) else proof_of_work.solve(token.ch, token.pow_bits)
    opener = SessionOpener(world.table, world.clock, world.ids, world.reminders)
    event = changes.pop("event", world.event)
    asked = AdmissionRequest(UserId("ann"), text, solution)
    return opener.open(event, rules, structs.replace(asked, **changes), world.secrets.sign_in())


def test_a_wait_is_measured_once_a_token(world: World) -> None:
    rules = gate(pow_bits=6)
    token = token_for(rules)
    assert open_it(world, rules, token).waited_s == 600  # it was issued ten minutes ago
    assert open_it(world, rules, token).waited_s is None  # the same session again


def test_a_session_opens_when_the_draw_admits(world: World) -> None:
    rules = gate(pow_bits=6)
    opened = open_it(world, rules, token_for(rules))
    credential = verify_credential(opened.credential, world.secrets.current.session, world.clock.ms)
    assert (credential.session, credential.user) == (opened.session, "ann")
    assert world.reminders.sent == [(opened.session, 601)]
    bucket = live_bucket(opened.expires_at, opened.session)
    live = world.item("reservations", live_key(EVENT, bucket))
    assert live is not None
    assert live["live"] == 1


def test_a_token_earns_nothing_from_before_its_issue(world: World) -> None:
    """An edge that had not heard of the doors yet wrote too small an ``h``."""
    slow = gate(epochs=(Epoch(START_MS // 1000 - 600, 0.0, 0.001),))
    honest = structs.replace(token_for(slow), iat=START_MS // 1000 - 10, h=0.59)
    u = lottery_number(slow.number_key, honest.lot)
    assert 1 - math.exp(-0.012) < u < 1 - math.exp(-0.6)  # in with the credit, not without
    for h in (0.59, 0.0):
        with pytest.raises(NotAdmittedError, match="not your turn"):
            open_it(world, slow, structs.replace(honest, h=h))
    early = structs.replace(honest, iat=START_MS // 1000 - 601, h=0.0)
    assert open_it(world, slow, early).session


def test_a_credential_ends_with_its_session(world: World) -> None:
    rules = gate()
    opened = open_it(world, rules, token_for(rules))
    with pytest.raises(SessionExpiredError):
        verify_credential(
            opened.credential, world.secrets.current.session, world.clock.ms + 600_000
        )


def test_who_has_no_session_is_told_how_many_are_left(world: World) -> None:
    """A buyer without any would wait in vain, so the page asks before the wait."""
    event = structs.replace(world.event, sessions_limit=2)
    for left, n in ((2, 1), (1, 2), (0, 3)):
        with pytest.raises(NotFoundError) as none:
            read_live_session(world.table, world.clock, event, "ann")
        assert none.value.fields == {"sessions_left": left}
        assert ("wait in vain" in none.value.detail) == (left == 0)
        if left:
            opened = open_it(world, gate(), token_for(gate(), n=n), event=event)
            view = read_live_session(world.table, world.clock, event, "ann")
            assert view.session.id == opened.session
            world.clock.tick(601)


def test_a_lost_answer_is_given_again_and_opens_nothing_new(world: World) -> None:
    rules = gate()
    token = token_for(rules)
    assert open_it(world, rules, token).session == open_it(world, rules, token).session
    assert [counter.live for counter in counters_from(world.table, EVENT)] == [1]


def test_a_token_gives_no_credential_of_another_event_than_its_sessions(world: World) -> None:
    """Found by the simulator: a user's tokens of two events had one id."""
    rules = gate()
    open_it(world, rules, token_for(rules))
    other = msgspec.structs.replace(world.event, sk="other")
    with pytest.raises(TokenRedeemedError):
        open_it(world, rules, token_for(rules, event="other"), event=other)


def test_a_token_opens_nothing_more_when_its_session_has_ended(world: World) -> None:
    rules = gate()
    token = token_for(rules)
    opened = open_it(world, rules, token)
    SeatReleaser(world.table, world.clock).end_session(opened.session, "cancelled", "ann")
    with pytest.raises(TokenRedeemedError):
        open_it(world, rules, token)


def test_a_second_token_opens_nothing_while_the_user_is_inside(world: World) -> None:
    rules = gate()
    opened = open_it(world, rules, token_for(rules))
    with pytest.raises(NotAdmittedError) as refused:
        open_it(world, rules, token_for(rules, n=2))
    assert refused.value.fields == {"live_session": opened.session}


def order_of_an_ended_checkout(world: World) -> Order:
    """A session whose time to pay is over, while nobody can ask whether it has been paid."""
    opened = open_it(world, gate(), token_for(gate(), n=1))
    mine = verify_credential(opened.credential, world.secrets.current.session, world.clock.ms)
    unit = Unit("seat", world.seat_ids[0], "s", "t", "Seat 1")
    SeatHolder(world.table, world.clock, world.ids).hold(mine, [unit], shards={})
    order = begin(world, mine).order
    world.clock.tick(world.event.checkout_s - 1)
    with pytest.raises(NotAdmittedError, match="inside already"):  # there is a second to pay yet
        open_it(world, gate(), token_for(gate(), n=2))
    world.clock.tick(1)
    return order


def test_a_buyer_whose_last_order_is_being_settled_is_told_so_and_until_when(world: World) -> None:
    order = order_of_an_ended_checkout(world)
    with pytest.raises(NotAdmittedError, match="order is still being settled") as refused:
        open_it(world, gate(), token_for(gate(), n=2))
    until = order.settling_until
    assert refused.value.fields == {"settling_until": until, "order": order.order_id}
    assert f"until {until[11:16]} UTC at the latest" in refused.value.detail
    assert refused.value.retry_after_s == 60
    world.clock.tick(SETTLING_S - 10)
    with pytest.raises(NotAdmittedError) as refused:
        open_it(world, gate(), late_token(world, n=2))
    assert refused.value.retry_after_s == 10
    world.clock.tick(10)  # its locks have run out
    assert open_it(world, gate(), late_token(world, n=2)).session != order.session


def test_a_buyer_with_no_session_left_is_not_asked_to_wait_for_the_settling(world: World) -> None:
    order_of_an_ended_checkout(world)
    event = msgspec.structs.replace(world.event, sessions_limit=1)
    with pytest.raises(NotAdmittedError, match=r"being settled.*used all your sessions") as refused:
        open_it(world, gate(), token_for(gate(), n=2), event=event)
    assert refused.value.retry_after_s is None


def late_token(world: World, n: int) -> WaitingToken:
    now_s = world.clock.ms // 1000
    return structs.replace(token_for(gate(), n=n), boff=now_s - 1, exp=now_s + 600)


def test_sessions_per_sale_are_limited(world: World) -> None:
    rules = gate()
    releaser = SeatReleaser(world.table, world.clock)
    for n in range(3):
        opened = open_it(world, rules, token_for(rules, n=n))
        releaser.end_session(opened.session, "cancelled", "ann")
    with pytest.raises(NotAdmittedError, match="all your sessions"):
        open_it(world, rules, token_for(rules, n=4))


def test_a_refusal_for_capacity_costs_nothing_in_the_draw(world: World) -> None:
    rules = gate()
    world.event = msgspec.structs.replace(world.event, live_max=1)
    bobs = open_it(world, rules, token_for(rules, "bob"), user="bob")
    token = token_for(rules)
    with pytest.raises(NotAdmittedError) as refused:
        open_it(world, rules, token)
    assert refused.value.retry_after_s
    world.clock.tick(700)
    SeatReleaser(world.table, world.clock).end_session(bobs.session, "expired")
    later = structs.replace(token, exp=world.clock.ms // 1000 + 60)
    assert open_it(world, rules, later).state == "reservation"


def stand(world: World, **values: Any) -> None:
    """What the risk desk has written about ann."""
    told = {"deskNoticed": "Six early attempts.", "deskRule": "account"}
    world.table.update(Update("reservations", *user_status_key("ann", EVENT), set=told | values))


def test_refused_while_the_desk_has_locked_the_account_out(world: World) -> None:
    rules = gate()
    stand(world, lockedUntil=rfc3339(world.clock.ms + 60_000))
    token = token_for(rules)
    with pytest.raises(LockedOutError, match="Six early attempts") as refused:
        open_it(world, rules, token)
    assert refused.value.retry_after_s == 60
    world.clock.tick(59.999)
    with pytest.raises(LockedOutError):
        open_it(world, rules, token)
    world.clock.tick(0.001)
    assert open_it(world, rules, token).state == "reservation"


def test_refused_behind_the_easy_challenge_while_the_account_is_flagged(world: World) -> None:
    rules = gate(pow_bits=2)
    stand(world, flaggedUntil=rfc3339(world.clock.ms + 60_000))
    with pytest.raises(TooEarlyError, match="harder challenge") as refused:
        open_it(world, rules, token_for(rules))
    assert refused.value.fields["challenge"]["pow"] == 6  # type: ignore[index]
    assert refused.value.retry_after_s
    text = str(refused.value.fields["token"])
    harder = parse_waiting_token(text, rules, world.clock.ms // 1000)
    world.clock.tick(2)
    with pytest.raises(TooEarlyError):  # the nonce of the easy one is not enough
        open_it(world, rules, text, solution=proof_of_work.solve(harder.ch, 2))
    assert open_it(world, rules, harder).state == "reservation"


@pytest.mark.parametrize(
    ("standing", "passes_s"),
    [
        ({"liveSession": "ses_" + "0" * 32, "liveUntil": 30}, 30),
        ({"lockedUntil": 45}, 45),
        ({"flaggedUntil": 20}, 20),
    ],
)
def test_a_refusal_says_when_to_come_back_and_costs_nothing_in_the_draw(
    world: World, standing: dict[str, Any], passes_s: int
) -> None:
    rules = gate()
    token = token_for(rules)
    until = {
        name: rfc3339(world.clock.ms + value * 1000) if isinstance(value, int) else value
        for name, value in standing.items()
    }
    stand(world, **until)
    before = world.client.scan(TableName="t-reservations")["Items"]
    with pytest.raises((NotAdmittedError, LockedOutError, TooEarlyError)) as refused:
        open_it(world, rules, token)
    assert refused.value.retry_after_s
    assert refused.value.retry_after_s <= passes_s
    assert world.client.scan(TableName="t-reservations")["Items"] == before
    world.clock.tick(passes_s)
    assert open_it(world, rules, token).state == "reservation"


def test_buyers_refused_for_capacity_come_back_at_different_times(world: World) -> None:
    rules = gate()
    world.event = msgspec.structs.replace(world.event, live_max=1)
    open_it(world, rules, token_for(rules, "bob"), user="bob")
    waits = set()
    for n in range(12):
        with pytest.raises(NotAdmittedError) as refused:
            open_it(world, rules, token_for(rules, n=n))
        waits.add(refused.value.retry_after_s)
    assert waits == {1, 2, 3, 4}


def test_the_last_session_of_a_sale_has_no_time_to_come_back(world: World) -> None:
    stand(world, sessionsUsed=3)
    with pytest.raises(NotAdmittedError) as refused:
        open_it(world, gate(), token_for(gate()))
    assert refused.value.retry_after_s is None
    assert refused.value.fields == {"sessions_limit": 3}


def test_refused_when_the_token_is_not_theirs(world: World) -> None:
    rules = gate()
    with pytest.raises(ForbiddenError):
        open_it(world, rules, token_for(rules, "bob"))
    with pytest.raises(ForbiddenError):
        open_it(world, rules, token_for(rules, event="other"))


def test_refused_when_the_draw_has_not_come_to_them(world: World) -> None:
    rules = gate(epochs=(Epoch(START_MS / 1000 - 3600, 0.0, 0.0),))
    with pytest.raises(NotAdmittedError):
        open_it(world, rules, token_for(rules))


def test_refused_before_their_moment_in_the_wave(world: World) -> None:
    rules = gate(sale_start_s=START_MS // 1000 - 1, wave_s=600)
    with pytest.raises(NotAdmittedError):
        open_it(world, rules, structs.replace(token_for(rules), lot=b"\xff" * 16))
    world.clock.ms += 597_000
    open_it(world, rules, structs.replace(token_for(rules), lot=b"\xff" * 16))


def test_refused_when_early_unsolved_expired_forged_or_over(world: World) -> None:
    rules = gate(pow_bits=8)
    token = token_for(rules)
    now_s = START_MS // 1000
    with pytest.raises(TooEarlyError):
        open_it(world, rules, structs.replace(token, boff=now_s + 30))
    with pytest.raises(TooEarlyError):
        open_it(world, rules, token, solution="")
    with pytest.raises(WaitingTokenEndedError):
        open_it(world, rules, structs.replace(token, exp=now_s - 10))
    forged = encode_waiting_token(token, gate(token_keys={"1": b"x" * 32}))
    with pytest.raises(UnauthenticatedError):
        open_it(world, rules, forged)
    with pytest.raises(SaleOverError):
        open_it(world, gate(state="soldout"), token)
