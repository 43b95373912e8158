"""Change an item that a run of a function has taken, as long as that run has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.ports.table import TransactionRefusedError, Update

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.jobs import Job
    from fairgate.service.shared.records.operators import ActAnswer


def write_as_run(table: Table, ours: ActAnswer | Job, condition: str, **attributes: object) -> bool:
    """Set attributes; return False where ``condition``, on ``:run``, does not hold any more.

    Cost: a write.
    """
    write = Update(
        "reservations", *ours.key, condition=condition, values={"run": ours.run}, set=attributes
    )
    try:
        table.update(write)
    except TransactionRefusedError:
        return False
    return True
