"""What leads up to the guards of an appeal and its answer; test_sale_guards.py takes each away."""

from __future__ import annotations

from typing import Any

from fairgate.domain.shared.times import rfc3339
from fairgate.service.gate.appeals import Appeals
from fairgate.service.gate.desk_by_hand import PersonAtDesk
from fairgate.service.orders.erase_buyer import BuyerEraser
from fairgate.service.orders.find_buyer import items_of_account
from fairgate.service.shared.keys import appeal_key
from fairgate.service.shared.records.gate import DeskAppeal
from simulation.guard_acts import Act
from simulation.guard_stories import FUTURE, PAST, Change, Story, changed, set_status
from tests.support.world import EVENT, START_MS, gate

LOCKED, LONGER = rfc3339(START_MS + 600_000), rfc3339(START_MS + 3_600_000)


def _locked_out(story: Story) -> None:
    set_status("bob", lockedUntil=LOCKED, deskRule="account", deskNoticed="Early.")(story, ())


def appeals(story: Story, table: Any) -> None:
    _locked_out(story)
    Appeals(table, story.world.clock).ask(EVENT, "bob", "It was my cat.")


def lifts(story: Story, table: Any) -> None:
    _locked_out(story)
    PersonAtDesk(table, story.world.clock, "olga").pardon(EVENT, "bob", "a cat")


def locks_out_longer(story: Story, table: Any) -> None:
    _locked_out(story)
    person = PersonAtDesk(table, story.world.clock, "olga")
    person.extend(story.world.event, gate(), "bob", LONGER, "a farm")


def erases_an_appeal(story: Story, table: Any) -> None:
    appeals(story, story.world.table)
    found = items_of_account(story.world.table, [EVENT], "bob").all
    texts = [one for one in found if isinstance(one, DeskAppeal)]
    BuyerEraser(table, story.world.clock).erase_appeals(texts)


def set_appeal(**values: Any) -> Change:
    return changed("reservations", lambda _story: appeal_key(EVENT, "bob", LOCKED), **values)


LOCKING_OUT: dict[str, tuple[Act, Change]] = {
    "appeals.USER_MAY_APPEAL: #lockedUntil = :until": (appeals, set_status("bob", lockedUntil="")),
    "appeals.USER_MAY_APPEAL: attribute_not_exists(#appealedUntil) OR #appealedUntil <> :until": (
        appeals,
        set_status("bob", appealedUntil=LOCKED),
    ),
    "desk_by_hand.APPEAL_AS_READ: attribute_not_exists(#appealedUntil)"
    " OR #appealedUntil = :appealed": (lifts, set_status("bob", appealedUntil=LOCKED)),
    "desk_by_hand.LOCK_MAY_BE_EXTENDED: attribute_not_exists(#lockedUntil)"
    " OR #lockedUntil < :until": (locks_out_longer, set_status("bob", lockedUntil=FUTURE)),
    "desk_by_hand.LOCK_MAY_BE_EXTENDED: attribute_not_exists(#appealedUntil)"
    " OR #appealedUntil = :appealed": (locks_out_longer, set_status("bob", appealedUntil=LOCKED)),
    "erase_buyer.APPEAL_HAS_TEXT: #text = :text": (erases_an_appeal, set_appeal(text=PAST)),
}
