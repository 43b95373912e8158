"""Every write of an order needs the version that was read, and leaves alone what has moved on.

Between an act's reading and its writing somebody else writes the order. The write is refused; the
act reads again, and decides by what is there then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from fairgate.ports.table import Action
from fairgate_lab.simulate.sale import guards
from simulation.erase_stories import erases
from simulation.guard_acts import (
    Act,
    cancels,
    checks_out_again,
    corrects_the_address,
    counts_a_card,
    declines,
    ends,
    gives_a_place_back,
    hears_of_a_dispute,
    hears_that_a_refund_came_back,
    issues,
    looks,
    mails,
    makes_void,
    opens_page,
    refunds,
    refunds_a_part,
    refunds_beside,
    settles,
    settles_too_late,
    waits_for_a_turn,
)
from simulation.guard_stories import FUTURE, PAST, Story, set_order
from simulation.passing_stories import drops_codes, offers, takes_over, withdraws
from simulation.test_sale_guards import GUARDS, ORDER_VERSION, WRITTEN, Case, fate, story_of
from tests.support.world import World

# Each write of an order needs the version that it read: by the module that makes it.
WRITERS: Mapping[str, Sequence[Case]] = {
    "ask_payment": [(looks, WRITTEN)],
    "await_turn": [(waits_for_a_turn, WRITTEN)],
    "change_address": [(checks_out_again, WRITTEN), (corrects_the_address, WRITTEN)],
    "cancel_order": [(cancels, WRITTEN)],
    "disputes": [(hears_of_a_dispute, WRITTEN)],
    "drop_codes": [(drops_codes, WRITTEN)],
    "erase_buyer": [(erases, WRITTEN)],
    "hand_over": [(takes_over, WRITTEN)],
    "issue_tickets": [(issues, WRITTEN)],
    "mail_tickets": [(mails, WRITTEN)],
    "offer_ticket": [(offers, WRITTEN), (withdraws, WRITTEN)],
    "open_payment": [(opens_page, WRITTEN)],
    "refund_part": [(refunds_a_part, WRITTEN)],
    "refunds": [
        (refunds, WRITTEN),
        (hears_that_a_refund_came_back, WRITTEN, 2),
        (refunds_beside, WRITTEN),
    ],
    "release_seats": [(ends, WRITTEN)],
    "return_place": [(gives_a_place_back, WRITTEN)],
    "settle_held": [(counts_a_card, WRITTEN)],
    "settle_payment": [(settles, WRITTEN), (settles_too_late, WRITTEN), (declines, WRITTEN)],
    "void_tickets": [(makes_void, WRITTEN)],
}
ACTS = {case[0].__name__: case for cases in WRITERS.values() for case in cases}


@pytest.mark.parametrize("act", ACTS)
def test_a_write_of_an_order_needs_the_version_that_was_read(world: World, act: str) -> None:
    assert fate(world, ACTS[act]) == "refused"


@pytest.mark.parametrize("act", ACTS)
def test_an_older_version_is_written_over_when_the_guard_is_gone(world: World, act: str) -> None:
    with GUARDS[ORDER_VERSION].without():
        assert fate(world, ACTS[act]) == "committed"


def test_every_writer_of_an_order_is_in_the_list() -> None:
    """Another way to write one is caught by whole sales: its version does not advance."""
    found = {
        path.stem
        for path in guards.SERVICES.rglob("*.py")
        if "order_changed(" in path.read_text("utf-8")
    }
    assert found - {"order_update"} == set(WRITERS)


# What has moved on so far that the act must not write it: by the act and what it finds.
_PAID, _ENDED, _DISPUTED = {"state": "paid"}, {"state": "cancelled"}, {"state": "disputed"}
MOVED_ON: Sequence[tuple[Act, Mapping[str, str]]] = [
    (looks, _PAID),
    (looks, {"askedAt": FUTURE}),
    (checks_out_again, _PAID),
    (corrects_the_address, {"erasedAt": PAST}),
    (cancels, _DISPUTED),
    (gives_a_place_back, _DISPUTED),
    (makes_void, _ENDED),
    (refunds_a_part, _DISPUTED),
    (erases, _DISPUTED),
    (erases, {"erasedAt": PAST}),
    (opens_page, _PAID),
    (waits_for_a_turn, _PAID),
    (ends, _PAID),
    (declines, _PAID),
    (issues, _ENDED),
    (mails, _ENDED),
    (mails, {"mailedAt": PAST}),
    (offers, _ENDED),
    (withdraws, _ENDED),
    (takes_over, _ENDED),
]


@pytest.mark.parametrize(("act", "found"), MOVED_ON)
def test_an_order_that_has_moved_on_is_left_alone(
    world: World, act: Act, found: Mapping[str, str]
) -> None:
    story, told = story_of(world, (act, set_order(version=99, **found)))
    assert (told, story.stored().version) == ("refused", 99)


@pytest.mark.parametrize(
    "case",
    [
        (hears_that_a_refund_came_back, set_order(version=99, state="charged_back"), 2),
        (hears_that_a_refund_came_back, set_order(version=99, paymentId="pay2"), 2),
        (refunds, set_order(version=99, paymentId="pay2")),
        (refunds_beside, set_order(version=99, **_ENDED)),
    ],
)
def test_a_refund_changes_no_state_of_an_order_that_it_does_not_concern(
    world: World, case: Case
) -> None:
    states: list[str] = []

    def change(story: Story, actions: Sequence[Action]) -> None:
        case[1](story, actions)
        states.append(story.stored().state)

    story, told = story_of(world, (case[0], change, *case[2:]))
    assert (told, [story.stored().state]) == ("refused", states)
