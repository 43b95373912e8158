"""Records of operators: their requests over HTTP, and their roles at single events."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fairgate.domain.shared.ids import EventId
from fairgate.service.shared.records import CatalogRecord, ReservationsRecord


class ActAnswer(ReservationsRecord, frozen=True, kw_only=True):
    """An operator's act under an Idempotency-Key: that it began, then its answer.

    Attributes:
        payload: fingerprint of what was asked.
        run: names the request that does it; another one with the same key has another.
        busy_until: until then a function may still be doing it.
        until: from then on, another act may have the key.
        answer: JSON; "" until it is done.
    """

    payload: str
    run: str
    at: str
    busy_until: str
    until: str
    ttl: int
    answer: str = ""


class RoleGrant(CatalogRecord, frozen=True, kw_only=True):
    """A role that somebody has at one event; who it is and which role, the sort key says, too.

    Attributes:
        who: ``user:<account>`` or ``group:<group of the sign-in>``.
        by: the operator who granted or revoked it last.
        until: RFC 3339; "": until it is revoked.
        revoked_at: "" while it is in force.
    """

    event_id: EventId
    role: str
    who: str
    by: str
    at: str
    until: str = ""
    revoked_at: str = ""

    def counts(self, now: str) -> bool:
        """Say whether it is in force; ``now`` is RFC 3339."""
        return not self.revoked_at and (not self.until or now < self.until)


class PendingAct(ReservationsRecord, frozen=True, kw_only=True):
    """What an operator asked for and another one has to confirm; the sort key is its hash.

    Attributes:
        arguments: JSON, as they were given.
        confirm, if_match: of the request.
        by: the account that asked, with the groups of its sign-in then.
        confirmed_by: the one that confirmed, "" before.
        until: RFC 3339; from then on nobody can confirm it.
    """

    act: str
    arguments: str
    confirm: str
    if_match: str
    by: str
    at: str
    until: str
    ttl: int
    groups: Sequence[str] = ()
    confirmed_by: str = ""

    @property
    def given(self) -> dict[str, Any]:
        """Return the arguments."""
        found: dict[str, Any] = json.loads(self.arguments)
        return found


class Rehearsal(ReservationsRecord, frozen=True, kw_only=True):
    """A simulated crowd that an operator asked for; the sort key is the copy where it buys.

    Attributes:
        of: the event that was copied.
        script: what is done while they buy.
        by: the operator who asked.
        state: ``asked``, ``running`` once somebody brings the crowd, then ``ended``.
        arrived, tickets, gone: buyers so far; gone: without a ticket.
    """

    of: str
    buyers: int
    script: str
    by: str
    at: str
    state: str
    ttl: int
    arrived: int = 0
    tickets: int = 0
    gone: int = 0


class ApiToken(CatalogRecord, frozen=True, kw_only=True):
    """A token by which a program acts in a role; the token itself is stored nowhere.

    Attributes:
        hashed: SHA-256 of its secret part, hex.
        event_id: the event it is for; "": all.
        revoked_at: "" while it is in force.
    """

    hashed: str
    event_id: str
    role: str
    by: str
    at: str
    until: str
    revoked_at: str = ""

    def counts(self, now: str) -> bool:
        """Say whether it is in force; ``now`` is RFC 3339."""
        return not self.revoked_at and now < self.until
