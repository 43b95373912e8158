"""What a caller may do: by the groups of the sign-in, and by the grants of one event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.errors import ForbiddenError
from fairgate.service.operators.role_grants import RoleGrants
from fairgate_ops.operate.api.roles import MAY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.bootstrap import Container
    from fairgate_ops.operate.api.caller import Caller

# They concern other events than the one that they name, so no grant gives them.
BEYOND = frozenset({"event create", "event clone"})
LIST = "event list"


def must_be_allowed(world: Container, caller: Caller, act: str, event: Any) -> None:
    """Check that the caller may do the act at the event that it names, before anything is read.

    So an event that is not theirs is refused as one that there is not.

    Raises ForbiddenError.
    """
    if MAY[act].intersection(caller.roles):
        return
    if isinstance(event, str) and event and act not in BEYOND:
        grants = RoleGrants(world.table, world.clock)
        if MAY[act].intersection(grants.roles_at(event, caller.sub, caller.groups)):
            return
    may = " or ".join(sorted(MAY[act]))
    raise ForbiddenError(f"“{act}” needs another role: {may}.")


def events_of(world: Container, caller: Caller, act: str) -> Mapping[str, frozenset[str]] | None:
    """Return the events at which alone the caller may do the act; None: at all.

    Raises ForbiddenError: at none.
    """
    if MAY[act].intersection(caller.roles):
        return None
    grants = RoleGrants(world.table, world.clock).roles_of(caller.sub, caller.groups)
    if found := {event: roles for event, roles in grants.items() if MAY[act] & roles}:
        return found
    raise ForbiddenError(f"“{act}” needs another role: {' or '.join(sorted(MAY[act]))}.")
