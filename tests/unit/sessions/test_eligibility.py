"""Which accounts an event is open to: at admission, and in the count of the crowd."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from fairgate.domain.shared.account import Account
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotEligibleError, WaitingTokenEndedError
from fairgate.service.gate.count_crowd import sampled_cohorts
from tests.support.gated_site import gated
from tests.support.world import EVENT, START_MS, World, gate
from tests.unit.sessions.test_open_session import open_it, token_for

DAY_MS = 86_400_000
OLD = Account(since=rfc3339(START_MS - 30 * DAY_MS)[:10])
YOUNG = Account(since=rfc3339(START_MS - 29 * DAY_MS)[:10])
MEMBER = Account(memberships=["gold", "fan-club"])
REQUIRES: dict[str, dict[str, Any]] = {
    "account-days": {"account_days": 30},
    "verified-phone": {"verified_phone": True},
    "members": {"members": "silver, fan-club"},
}


@pytest.mark.parametrize(
    ("reason", "account", "comes_in"),
    [
        ("account-days", OLD, True),
        ("account-days", YOUNG, False),
        ("account-days", Account(), False),
        ("verified-phone", Account(verified_phone=True), True),
        ("verified-phone", Account(), False),
        ("members", MEMBER, True),
        ("members", Account(memberships=["gold"]), False),
        ("members", Account(), False),
    ],
)
def test_an_account_comes_in_when_the_event_is_open_to_it(
    world: World, reason: str, account: Account, comes_in: bool
) -> None:
    rules = gate()
    event = structs.replace(world.event, **REQUIRES[reason])
    if comes_in:
        assert open_it(world, rules, token_for(rules), event=event, account=account).session
        return
    with pytest.raises(NotEligibleError) as refused:
        open_it(world, rules, token_for(rules), event=event, account=account)
    assert refused.value.fields["reason"] == reason
    assert open_it(world, rules, token_for(rules), account=account).session  # nothing was redeemed


def test_after_a_presale_a_stranger_joins_again_and_a_member_keeps_the_place(world: World) -> None:
    rules = gate()
    ends_ms = START_MS - 60_000
    event = structs.replace(world.event, members="fan-club", members_until=rfc3339(ends_ms))
    early = token_for(rules)
    with pytest.raises(WaitingTokenEndedError):
        open_it(world, rules, early, event=event)
    at_its_end = structs.replace(early, iat=ends_ms // 1000)
    assert open_it(world, rules, at_its_end, event=event).session
    ends = rfc3339(START_MS + DAY_MS)
    again = structs.replace(world.event, members="fan-club", members_until=ends)
    with pytest.raises(NotEligibleError) as refused:
        open_it(world, rules, token_for(rules, n=2), event=again)
    assert refused.value.fields["until"] == ends


def test_an_account_that_may_not_come_in_is_not_counted_and_not_told_that_it_is_sampled(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The edge gives every other account a place: a refusal would name those of the sample."""
    site = gated(world, monkeypatch, gate(sample_queue=1.0))
    event = structs.replace(world.event, verified_phone=True)
    monkeypatch.setattr(world.container.catalog, "published", lambda _event: event)
    status, _, stranger = site.ask("sample-queue")
    assert (status, sampled_cohorts(world.table, EVENT)) == (200, [])
    phone = site.auth("ann", Account(verified_phone=True))
    status, _, body = site.ask("sample-queue", authorization=phone)
    assert (status, stranger.keys(), body["state"]) == (200, body.keys(), "waiting")
    assert [cohort.count for cohort in sampled_cohorts(world.table, EVENT)] == [1]
