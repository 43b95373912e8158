"""What a caller may do: by the groups of the sign-in, by grants of one event, or by a token."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from fairgate.domain.shared.ids import EVENT_ID
from fairgate.errors import ForbiddenError
from fairgate.service.operators.role_grants import RoleGrants
from fairgate_ops.operate.api.roles import MAY

if TYPE_CHECKING:
    from fairgate.bootstrap import Container
    from fairgate_ops.operate.api.caller import Caller

# They concern other events than the one that they name, so a role at one event does not give them.
BEYOND = frozenset({"event create", "event clone", "event rehearse"})
LIST = "event list"
ANYWHERE = frozenset({"job show", "job list"})  # for who may it at any event: the act shows what


def roles_at(world: Container, caller: Caller, event: str) -> frozenset[str]:
    """Return the roles that the caller has at this event beside those at every one.

    Cost: a query; none for a token.
    """
    if caller.is_token:
        return caller.at.get(event, frozenset())
    if not EVENT_ID.fullmatch(event):  # a table refuses long keys in its way
        return frozenset()
    return RoleGrants(world.table, world.clock).roles_at(event, caller.sub, caller.groups)


def roles_by_event(world: Container, caller: Caller) -> Mapping[str, frozenset[str]]:
    """Return the same of all events. Cost: a query; none for a token."""
    if caller.is_token:
        return caller.at
    return RoleGrants(world.table, world.clock).roles_of(caller.sub, caller.groups)


def must_be_allowed(world: Container, caller: Caller, act: str, event: Any) -> None:
    """Check that the caller may do the act at the event that it names, before anything is read.

    So an event that is not theirs is refused as one that there is not.

    Raises ForbiddenError.
    """
    if not may(world, caller, act, event):
        raise _needs(act)


def may(world: Container, caller: Caller, act: str, event: Any) -> bool:
    """Say whether the caller may do the act at the event that it names."""
    if MAY[act].intersection(caller.roles):
        return True
    named = isinstance(event, str) and event and act not in BEYOND
    return bool(named and MAY[act].intersection(roles_at(world, caller, event)))


def events_of(world: Container, caller: Caller, act: str) -> Mapping[str, frozenset[str]] | None:
    """Return the events at which alone the caller may do the act; None: at all.

    Raises ForbiddenError: at none.
    """
    if MAY[act].intersection(caller.roles):
        return None
    every = roles_by_event(world, caller)
    if found := {event: roles for event, roles in every.items() if MAY[act] & roles}:
        return found
    raise _needs(act)


class Allowed(Struct, frozen=True):
    """What a caller may do, read once: for lists that have something of many events."""

    roles: frozenset[str]
    events: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, world: Container, caller: Caller) -> Allowed:
        return cls(frozenset(caller.roles), roles_by_event(world, caller))

    def may(self, act: str, event: str) -> bool:
        """Say whether the caller may do the act at the event; "": at none."""
        roles = self.roles if act in BEYOND else self.roles | self.events.get(event, frozenset())
        return bool(MAY.get(act, frozenset()) & roles)


def _needs(act: str) -> ForbiddenError:
    return ForbiddenError(f"“{act}” needs another role: {' or '.join(sorted(MAY[act]))}.")
