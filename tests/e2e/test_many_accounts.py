"""What an event requires of accounts, in the running system."""

from __future__ import annotations

import time

import pytest

from tests.e2e.selling import sell
from tests.e2e.shopper import Shopper
from tests.support.waiting import wait_until

OLD_MEMBER = {"created": "2020-01-01", "phone": "on", "memberships": "fan-club gold"}


def refusal(shopper: Shopper) -> tuple[str, str]:
    """Queue and ask as a page that hides what it knows; return code and reason of the refusal."""
    answers = [shopper.queue()]

    def refused() -> bool:
        if answers[-1].status == 403:  # at once: an account of the sample
            return True
        if time.time() >= shopper.waiting["boff"]:
            answers.append(shopper.attempt())
            assert answers[-1].status in (202, 403), answers[-1]
        return answers[-1].status == 403

    wait_until(refused, "a refusal", within_s=30, every_s=0.1)
    return answers[-1].body["code"], answers[-1].body["reason"]


@pytest.mark.parametrize(
    ("event", "requires", "facts", "reason"),
    [
        ("of-age", {"account_days": 30}, {"created": "2200-01-01"}, "account-days"),
        ("with-phone", {"verified_phone": True}, {}, "verified-phone"),
        ("club", {"members": "gold"}, {"memberships": "silver"}, "members"),
    ],
)
def test_only_the_accounts_that_an_event_requires_come_in(system, event, requires, facts, reason):
    sell(system, event, 40, **requires)
    stranger = Shopper(system.base_url, event).sign_in(facts=facts)
    assert refusal(stranger) == ("not-eligible", reason)
    buyer = Shopper(system.base_url, event).sign_in(facts=OLD_MEMBER)
    assert buyer.queue().status == 200
    buyer.wait_for_admission()
    assert f"Sign-ins say what {event} requires." in system.ran("check", event).stdout
