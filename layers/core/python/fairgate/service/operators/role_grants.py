"""Give somebody a role for one event only, take it back, and find the roles that somebody has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.auth_token import GROUP
from fairgate.domain.shared.ids import USER_ID, EventId
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import MalformedInputError, NotFoundError
from fairgate.ports.table import TransactionRefusedError, Update
from fairgate.service.shared.conditions import GRANT_IS_IN_FORCE
from fairgate.service.shared.keys import GRANTS, grants_of, role_grant_key
from fairgate.service.shared.records.operators import RoleGrant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

USER, GROUP_OF = "user:", "group:"
# Groups of other names are in no sign-in's token: service/gate/exchange_identity.py.
_GROUP = re.compile(rf"(?=fairgate-){GROUP.pattern}")


def user_named(user: str) -> str:
    """Name an account in a grant. Raises MalformedInputError."""
    if not USER_ID.fullmatch(user):
        raise MalformedInputError(f"“{user[:60]}” is no account's id, as the sign-in has it.")
    return f"{USER}{user}"


def group_named(group: str) -> str:
    """Name a group of the sign-in in a grant. Raises MalformedInputError."""
    if not _GROUP.fullmatch(group):
        raise MalformedInputError(
            f"“{group[:60]}” is no group of operators: fairgate- and letters, as in the sign-in."
        )
    return f"{GROUP_OF}{group}"


class RoleGrants(Struct, frozen=True):
    """The roles of all events. Every change counts at the next request."""

    table: Table
    clock: Clock

    def grant(self, event: str, role: str, who: str, *, by: str, until: str = "") -> RoleGrant:
        """Grant it, or grant it anew until another time. Cost: a write."""
        given = RoleGrant(
            *role_grant_key(event, role, who),
            event_id=EventId(event),
            role=role,
            who=who,
            by=by,
            at=rfc3339(self.clock.now_ms()),
            until=until,
        )
        said = {"eventId": event, "role": role, "who": who, "by": by, "at": given.at}
        self.table.update(
            Update("catalog", *given.key, set=said | {"until": until, "revokedAt": ""})
        )
        return given

    def revoke(self, event: str, role: str, who: str, *, by: str) -> None:
        """Take it back. Cost: a write.

        Raises NotFoundError: there is no such grant, or it is revoked.
        """
        revoked = {"revokedAt": rfc3339(self.clock.now_ms()), "by": by}
        gone = Update(
            "catalog",
            *role_grant_key(event, role, who),
            condition=GRANT_IS_IN_FORCE,
            values={"none": ""},
            set=revoked,
        )
        try:
            self.table.update(gone)
        except TransactionRefusedError as refused:
            raise NotFoundError(
                f"{who} does not have the role {role} at {event}: `access list {event}` shows who"
                " has one."
            ) from refused

    def of_event(self, event: str) -> list[RoleGrant]:
        """Read the grants of an event, also those that have ended; strongly consistent."""
        return self.table.query(RoleGrant, GRANTS, grants_of(event))

    def roles_at(self, event: str, sub: str, groups: Sequence[str]) -> frozenset[str]:
        """Return the roles that a sign-in has at an event by grants. Cost: a query."""
        return self._roles(self.of_event(event), sub, groups).get(event, frozenset())

    def roles_of(self, sub: str, groups: Sequence[str]) -> dict[str, frozenset[str]]:
        """Return the events at which a sign-in has roles by grants, with the roles.

        Cost: a query of the grants of all events.
        """
        return self._roles(self.table.query(RoleGrant, GRANTS), sub, groups)

    def _roles(
        self, grants: Sequence[RoleGrant], sub: str, groups: Sequence[str]
    ) -> dict[str, frozenset[str]]:
        now = rfc3339(self.clock.now_ms())
        names = {f"{USER}{sub}", *(f"{GROUP_OF}{group}" for group in groups)}
        found: dict[str, frozenset[str]] = {}
        for one in grants:
            if one.who in names and one.counts(now):
                found[one.event_id] = found.get(one.event_id, frozenset()) | {one.role}
        return found
