"""What concerns every event stands in the log of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate_ops.operate.target import Target

NOWHERE = "There is no event yet, so no log has it."


def logged_in(target: Target, events: Sequence[str]) -> list[str]:
    """Leave out events whose gate cannot be read, and with it the key of their log.

    What concerns all of them must be possible all the same.
    """
    from fairgate.errors import MalformedInputError, NotFoundError

    control, readable = target.control(), []
    for event in events:
        try:
            control.read(event)
        except (MalformedInputError, NotFoundError):
            continue
        readable.append(event)
    return readable
