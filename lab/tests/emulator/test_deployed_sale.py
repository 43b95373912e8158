"""The templates, executed: every stack in an emulator that enforces IAM, and a sale over them."""

from __future__ import annotations

import datetime as dt

from emulator import grants, sale
from emulator.grant_record import Right
from emulator.parts import PARTS
from fairgate_lab.emulator.system import STAGE, Decision
from infra.functions import BY_NAME

STACKS = {"Data", "Cache", "Edge", "Events", "Api", "Pages", "Watch"}


def test_every_stack_is_created(deployed):
    assert {name: stack.status for name, stack in deployed.stacks.items()} == dict.fromkeys(
        STACKS, "CREATE_COMPLETE"
    )


def test_sale_goes_its_whole_way_when_deployed(deployed):
    before = len(deployed.decisions())
    sale.look_around(deployed)
    gone = sale.check_out_and_go(deployed)
    buyer = sale.buy(deployed)
    sale.order_is_refunded(deployed, buyer)
    sale.pass_a_ticket_on(deployed)
    sale.pass_the_desk(deployed)
    sale.operate(deployed)
    sale.do_jobs(deployed)
    sale.let_time_pass(deployed)
    sale.order_expires(deployed, gone)
    asked = deployed.decisions()[before:]
    assert len({entry.function for entry in asked}) >= 12  # IAM was there to be asked
    assert [entry for entry in asked if not entry.granted] == []


def test_the_canary_goes_its_way_and_says_when_it_may_not_be_signed_in(deployed):
    PARTS["canary"](deployed)
    [right] = [one for one in grants.rights(deployed) if one.function == "canary"]
    assert right.action == "lambda:InvokeFunction"
    verdict = grants.control(deployed, right)
    assert verdict.missed, str(verdict)
    assert "sign-in" in verdict.noticed


def test_functions_share_the_layers_that_they_have(deployed):
    """Each would unpack two thousand files for itself: two gigabytes in all."""
    sale.look_around(deployed)
    mounted = list(deployed.place.logs.glob("ministack-lambda-*/layer_?"))
    assert len(mounted) > len({link.resolve() for link in mounted}) > 1
    assert all(link.is_symlink() and any(link.iterdir()) for link in mounted)


def test_sale_fails_when_one_right_is_missing(deployed):
    """One of the buyers' way, another each day; `make grant-controls` takes each away."""
    by_name = {str(right): right for right in grants.rights(deployed)}
    assert set(grants.SHORT) <= set(by_name)
    today = dt.datetime.now(tz=dt.UTC).date().toordinal()
    right = by_name[grants.SHORT[today % len(grants.SHORT)]]
    verdict = grants.control(deployed, right)
    assert verdict.missed, str(verdict)


def test_every_function_has_a_part_of_the_sale():
    assert set(PARTS) == set(BY_NAME)


class Asked:
    """What functions asked for, as the emulator notes it."""

    def decisions(self):
        table = f"arn:aws:dynamodb:eu-central-1:000000000000:table/fairgate-{STAGE}-seats"
        return [
            Decision(f"fairgate-{STAGE}-seatmap", "dynamodb:Query", f"{table}/index/GSI1", True),
            Decision(f"fairgate-{STAGE}-seatmap", "dynamodb:BatchGetItem", table, False),
            Decision("person", "dynamodb:Query", table, True),
        ]


def test_a_right_counts_as_used_only_where_a_function_was_granted_it():
    assert grants.asked_for(Asked()) == {Right("seatmap", "dynamodb:Query", "seats/index/GSI1")}
