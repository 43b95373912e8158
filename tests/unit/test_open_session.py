"""The origin decides last: validated again, redeemed once, one live session a user."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from fairgate.domain import proof_of_work
from fairgate.domain.credential import verify_credential
from fairgate.domain.gate_config import Epoch, GateConfig
from fairgate.domain.waiting_token import (
    WaitingToken,
    encode_waiting_token,
    issue_waiting_token,
)
from fairgate.errors import (
    ForbiddenError,
    NotAdmittedError,
    SaleOverError,
    SessionExpiredError,
    TokenRedeemedError,
    TooEarlyError,
    UnauthenticatedError,
)
from fairgate.service.keys import live_key
from fairgate.service.open_session import OpenedSession, SessionOpener
from fairgate.service.release_seats import SeatReleaser
from tests.support.world import EVENT, START_MS, World, gate


def token_for(rules: GateConfig, user: str = "ann", event: str = EVENT, n: int = 1) -> WaitingToken:
    """Issued an hour of operational time ago, so that P is 1 to the last bit."""
    token = issue_waiting_token(
        rules, event, user, request_id=f"r{n}", ip="127.0.0.1", now_ms=START_MS - 600_000 + n
    )
    return dataclasses.replace(token, boff=START_MS // 1000 - 1, exp=START_MS // 1000 + 600)


def open_it(
    world: World, rules: GateConfig, token: WaitingToken | str, **changes: Any
) -> OpenedSession:
    text = token if isinstance(token, str) else encode_waiting_token(token, rules)
    solution = "0" if isinstance(token, str) else proof_of_work.solve(token.ch, token.pow_bits)
    opener = SessionOpener(world.table, world.clock, world.ids, world.reminders)
    arguments = {
        "event": world.event,
        "gate": rules,
        "user": "ann",
        "token": text,
        "solution": solution,
        "secrets": world.secrets.kept,
    }
    return opener.open(**(arguments | changes))


def test_a_session_opens_when_the_draw_admits(world: World) -> None:
    rules = gate(pow_bits=6)
    opened = open_it(world, rules, token_for(rules))
    credential = verify_credential(opened.credential, world.secrets.kept.session, world.clock.ms)
    assert (credential.session, credential.user) == (opened.session, "ann")
    assert world.reminders.sent == [(opened.session, 601)]
    live = world.table.get("reservations", *live_key(EVENT, opened.expires_at[:16]))
    assert live is not None
    assert live["live"] == 1


def test_a_credential_ends_with_its_session(world: World) -> None:
    rules = gate()
    opened = open_it(world, rules, token_for(rules))
    with pytest.raises(SessionExpiredError):
        verify_credential(opened.credential, world.secrets.kept.session, world.clock.ms + 600_000)


def test_a_lost_answer_is_given_again_and_opens_nothing_new(world: World) -> None:
    rules = gate()
    token = token_for(rules)
    assert open_it(world, rules, token).session == open_it(world, rules, token).session
    live = world.table.query("reservations", f"{EVENT}#LIVE")
    assert [item["live"] for item in live] == [1]


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


def test_sessions_per_sale_are_limited(world: World) -> None:
    rules = gate()
    releaser = SeatReleaser(world.table, world.clock)
    for n in range(3):
        opened = open_it(world, rules, token_for(rules, n=n))
        releaser.end_session(opened.session, "cancelled", "ann")
    with pytest.raises(NotAdmittedError, match="all your sessions"):
        open_it(world, rules, token_for(rules, n=4))


def test_the_hall_being_full_costs_nothing_in_the_draw(world: World) -> None:
    rules = gate()
    world.event["liveMax"] = 1
    open_it(world, rules, token_for(rules, "bob"), user="bob")
    token = token_for(rules)
    with pytest.raises(NotAdmittedError) as refused:
        open_it(world, rules, token)
    assert refused.value.retry_after_s
    world.clock.tick(700)
    later = dataclasses.replace(token, exp=world.clock.ms // 1000 + 60)
    assert open_it(world, rules, later).state == "reservation"


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


def test_refused_when_early_unsolved_expired_forged_or_over(world: World) -> None:
    rules = gate(pow_bits=8)
    token = token_for(rules)
    now_s = START_MS // 1000
    with pytest.raises(TooEarlyError):
        open_it(world, rules, dataclasses.replace(token, boff=now_s + 30))
    with pytest.raises(TooEarlyError):
        open_it(world, rules, token, solution="")
    with pytest.raises(UnauthenticatedError):
        open_it(world, rules, dataclasses.replace(token, exp=now_s - 10))
    forged = encode_waiting_token(token, gate(token_keys={"1": b"x" * 32}))
    with pytest.raises(UnauthenticatedError):
        open_it(world, rules, forged)
    with pytest.raises(SaleOverError):
        open_it(world, gate(state="soldout"), token)
