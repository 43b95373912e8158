"""What leads up to the guards of an erasure; test_sale_guards.py takes each away."""

from __future__ import annotations

from typing import Any

from fairgate.domain.orders.erasure import KEPT_YEARS
from fairgate.service.orders.erase_buyer import BuyerEraser
from fairgate.service.orders.void_tickets import TicketVoider
from fairgate.service.shared.keys import document_key
from simulation.guard_acts import Act, bills, issues
from simulation.guard_stories import Change, Story, changed

YEARS_S = 20 * 366 * 86_400


def erases(story: Story, table: Any) -> None:
    """An order that admits nobody any more, and of which nothing is owed."""
    issues(story, story.world.table)
    TicketVoider(story.world.table, story.world.clock).void(story.stored())
    BuyerEraser(table, story.world.clock).erase(story.order_key)


def erases_an_invoice(story: Story, table: Any) -> None:
    """Long after the law kept it."""
    bills(story, story.world.table)
    story.world.clock.tick(YEARS_S)
    eraser = BuyerEraser(table, story.world.clock)
    eraser.erase_documents(eraser.read(story.order_key), KEPT_YEARS)


def set_invoice(**values: Any) -> Change:
    return changed(
        "reservations", lambda story: document_key(story.placed.order_id, "invoice"), **values
    )


ERASING: dict[str, tuple[Act, Change]] = {
    "erase_buyer.DOCUMENT_NAMES_BUYER: #buyer = :buyer": (
        erases_an_invoice,
        set_invoice(buyer="other"),
    ),
}
