"""What leads up to the guard of the number by which a refund is sent."""

from __future__ import annotations

from typing import Any

from fairgate.errors import RefusedForNowError
from simulation.guard_stories import Story


def is_refused_for_now(story: Story, table: Any) -> None:
    story.owed().world.payments.refuse["refund"] = RefusedForNowError("no balance")
    story.refunder(table).send(story.mine.session, story.placed.order_id, "pay1")
