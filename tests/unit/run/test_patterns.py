"""Event patterns in the local run pass what EventBridge's would."""

from __future__ import annotations

import pytest

from fairgate_ops.run.local.patterns import accepts_any, matches
from infra.feeds import MAILED_CHANGES, PAID_ORDERS, SEAT_CHANGES


def order(before, after, sk="O#ord_1", name="MODIFY"):
    images = {"NewImage": {"state": {"S": after}}, "OldImage": {"state": {"S": before}}}
    return {"eventName": name, "dynamodb": {"Keys": {"SK": {"S": sk}}, **images}}


@pytest.mark.parametrize(
    ("record", "accepted"),
    [
        (order("pending", "paid"), True),
        (order("paid", "paid"), False),
        (order("pending", "failed"), False),
        (order("pending", "paid", sk="S#ses_1"), False),
        (order("pending", "paid", name="INSERT"), False),
        ({"eventName": "MODIFY", "dynamodb": {"Keys": {"SK": {"S": "O#1"}}}}, False),
    ],
)
def test_an_order_passes_when_it_turns_paid(record, accepted):
    assert accepts_any(PAID_ORDERS)(record) is accepted


@pytest.mark.parametrize(("name", "accepted"), [("MODIFY", True), ("INSERT", False)])
def test_a_seat_s_changes_pass_and_its_creation_does_not(name, accepted):
    assert accepts_any(SEAT_CHANGES)({"eventName": name}) is accepted


def changed(old, new, sk="O#ord_1", name="MODIFY"):
    images = {
        image: {field: {"S": value} for field, value in fields.items()}
        for image, fields in (("OldImage", old), ("NewImage", new))
    }
    return {"eventName": name, "dynamodb": {"Keys": {"SK": {"S": sk}}, **images}}


TIME = "2030-06-01T18:00:00.000Z"


@pytest.mark.parametrize(
    ("record", "accepted"),
    [
        (changed({}, {"updatedAt": TIME}), True),
        (changed({}, {"cancelledAt": TIME}), True),
        (changed({"cancelledAt": TIME}, {"cancelledAt": TIME, "state": "refunded"}), False),
        (changed({}, {"state": "pending", "lastAttempt": "declined"}), True),
        (changed({}, {"state": "paid", "lastAttempt": "declined"}), False),
        (changed({"state": "pending"}, {"state": "paid"}), False),
        (changed({"state": "paid"}, {"state": "ticketed"}), False),
        (changed({"state": "owed"}, {"state": "pending"}, "F#ord_1#pay_1"), True),
        (changed({"state": "owed"}, {"state": "refused"}, "F#ord_1#pay_1"), False),
        (changed({}, {"state": "owed"}, "F#ord_1#pay_1", "INSERT"), False),
        (changed({}, {"updatedAt": TIME}, "S#ses_1"), False),
    ],
)
def test_what_becomes_of_an_order_passes_to_the_mails_and_buying_it_does_not(record, accepted):
    assert accepts_any(MAILED_CHANGES)(record) is accepted


def test_absence_can_be_asked_for():
    assert matches({"a": {"b": [{"exists": False}]}}, {"a": {}})
    assert not matches({"a": {"b": [{"exists": True}]}}, {"a": {}})


def test_an_unknown_operator_is_refused():
    with pytest.raises(ValueError, match="not known"):
        matches({"a": [{"cidr": "10.0.0.0/8"}]}, {"a": "10.0.0.1"})
