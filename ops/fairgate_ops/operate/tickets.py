"""Check tickets at a door, with or without a network, and list those that no longer admit."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from fairgate.domain.orders.order import VOID_STATES
from fairgate.domain.tickets.ticket import verify
from fairgate.errors import MalformedInputError, UnauthenticatedError

if TYPE_CHECKING:
    from fairgate_ops.operate.target import Target

KEY_BYTES = 32
_TICKET = re.compile(r"tkt_[0-9a-f]{16}")


@dataclass(frozen=True)
class Door:
    """Judges the codes of one run.

    Attributes:
        key: the Ed25519 public key that verifies tickets.
        event: refuse tickets of any other; None: admit all events.
        void: tickets that were cancelled or made void, or whose money a bank takes back.
    """

    key: bytes
    event: str | None = None
    void: Collection[str] = ()

    def __post_init__(self) -> None:
        """Raises MalformedInputError when the key is not one."""
        if len(self.key) != KEY_BYTES:
            raise no_key()

    def judge(self, codes: Sequence[str]) -> list[dict[str, Any]]:
        """One verdict a code; a ticket that comes again is refused."""
        from fairgate.adapters.tickets.ed25519 import verifier

        check, seen = verifier(self.key), set[str]()
        return [self._verdict(code, check, seen) for code in codes]

    def _verdict(
        self, code: str, check: Callable[[bytes, bytes], Any], seen: set[str]
    ) -> dict[str, Any]:
        try:
            ticket = verify(code, check)
        except UnauthenticatedError:
            return {"code": code, "valid": False, "why": "not signed with this key"}
        why = ""
        if self.event and ticket.event != self.event:
            why = f"for another event: {ticket.event}"
        elif ticket.ticket in self.void:
            why = "cancelled, disputed or made void"
        elif ticket.ticket in seen:
            why = "scanned before in this run"
        seen.add(ticket.ticket)
        return {"code": code, "valid": not why, "why": why, **asdict(ticket)}


def void_list(target: Target, event: str) -> list[str]:
    """The event's tickets that no longer admit anyone, sorted. Raises NotFoundError.

    Cost: a read of the whole table of reservations; run it before a sale, not during one.
    """
    from fairgate_ops.operate.tables import Tables

    target.world.catalog.event(event)
    void: set[str] = set()
    for order in Tables.of(target).orders(event, *VOID_STATES, "ticketed"):
        if order.state in VOID_STATES:
            void |= {entry.ticket for entry in order.tickets}
        void |= {ticket for place in order.returned for ticket in place.tickets}
        void |= {one.ticket for one in order.voided} | {one.ticket for one in order.passed}
    return sorted(void)


def parse_void_list(document: Any) -> frozenset[str] | None:
    """The tickets of a document that ``ticket void-list`` wrote; None for any other."""
    tickets = document.get("void") if isinstance(document, dict) else None
    if not isinstance(tickets, list) or not all(
        isinstance(t, str) and _TICKET.fullmatch(t) for t in tickets
    ):
        return None
    return frozenset(tickets)


def no_key() -> MalformedInputError:
    return MalformedInputError("--public-key is 32 bytes as base64url, as `keys ticket` prints it.")
