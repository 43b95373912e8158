"""What an event requires of accounts, in the running system."""

from __future__ import annotations

import pytest

from fairgate.domain.shared.ids import OrderId, session_of_order
from fairgate_ops.run.laws.check import check
from fairgate_ops.run.local.local_config import LocalConfig
from tests.e2e.selling import books, refusal, sell
from tests.e2e.shopper import Shopper
from tests.support.waiting import wait_until

OLD_MEMBER = {"created": "2020-01-01", "phone": "on", "memberships": "fan-club gold"}


@pytest.mark.parametrize(
    ("event", "requires", "facts", "reason"),
    [
        ("of-age", {"account_days": 30}, {"created": "2200-01-01"}, "account-days"),
        ("with-phone", {"verified_phone": True}, {}, "verified-phone"),
        ("club", {"members": "gold"}, {"memberships": "silver"}, "members"),
    ],
)
def test_only_the_accounts_that_an_event_requires_come_in(system, event, requires, facts, reason):
    sell(system, event, 80, **requires)
    stranger = Shopper(system.base_url, event).sign_in(facts=facts)
    assert refusal(stranger) == ("not-eligible", reason)
    buyer = Shopper(system.base_url, event).sign_in(facts=OLD_MEMBER)
    assert buyer.queue().status == 200
    buyer.wait_for_admission()
    assert f"Sign-ins say what {event} requires." in system.ran("check", event).stdout


def test_an_address_and_a_card_buy_so_many_places_whatever_the_accounts(system):
    sell(system, "limits", 80, ask_address=True, address_limit=3, card_limit=3)
    home = {"name": "Ann", "street": "Quay 1", "postcode": "", "city": "Hamburg", "country": "DE"}
    ann, bob = Shopper(system.base_url, "limits"), Shopper(system.base_url, "limits")
    ann.asked = {"postal_address": home}
    ann.buy(2)
    bob.asked = {"postal_address": home | {"name": "Bob", "street": "QUAY 1."}}
    bob.walk_in()
    assert bob.hold_best(2).status == 201
    refused = bob.checkout()
    assert (refused.status, refused.body["code"], refused.body["limit"]) == (
        422,
        "limit-exceeded",
        3,
    )
    bob.asked = {"postal_address": home | {"street": "Quay 2"}}
    assert bob.checkout().status == 201
    bob.pay()  # with the card that Ann has paid with
    wait_until(lambda: bob.order_now()["last_attempt"] == "card-limit", "the card to be refused")
    assert not [one for one in books(system)["captures"] if one["order"] == bob.order]
    assert bob.checkout().status == 201
    bob.pay(card="5555 5555 5555 4444")
    bob.order_becomes("ticketed")
    assert len([one for one in books(system)["captures"] if one["order"] == bob.order]) == 1
    report = check(LocalConfig.read(system.run_dir), within_s=30, with_cache=False)
    ours = [session_of_order(OrderId(one.order)) for one in (ann, bob)]
    assert [v for v in report.violations if any(one in str(v) for one in (*ours, "limits"))] == []
