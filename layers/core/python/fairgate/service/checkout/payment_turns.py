"""Give each checkout its turn at the payment provider, which takes so many calls a second.

    full again at   now ──────► turn ──────► now + BURST_MS + WAIT_MAX_S: the line is too long
                     every checkout moves it on by what one call takes

One item of the table is the queue of all functions: those that pay have no way to the cache. A turn
is kept in the order, so a buyer who asks again too early costs no write. docs/adr/0050.
Source: ITU-T I.371, annex A, "generic cell rate algorithm", as a shaper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.errors import DependencyUnavailableError, PaymentWaitsError
from fairgate.ports.table import TransactionRefusedError, Update
from fairgate.service.shared.conditions import BUCKET_HAS_CAPACITY, BUCKET_IS_FULL
from fairgate.service.shared.keys import provider_key
from fairgate.service.shared.records.cursors import ProviderState

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

WAIT_MAX_S = 600  # the longest line; a session that finds a longer one keeps its own time
BURST_MS = 200  # of calls at once, after a pause: so few that no second has many more than its rate
TOO_LONG_RETRY_S = 30
_ATTEMPTS_MAX = 3


class PaymentTurns(Struct, frozen=True):
    """Hands out turns.

    Args:
        per_s: checkouts that the provider takes a second; 0: any number.

    Cost: one write a turn while there is a line, else two.
    """

    table: Table
    clock: Clock
    per_s: int

    def take(self, from_ms: int = 0, held_until: str = "") -> int:
        """Return the moment of the next free turn, from ``from_ms`` on, and take it.

        If the table cannot say, it is now: a provider that is asked too often says so itself.

        Args:
            held_until: of the session, for the error.

        Raises PaymentWaitsError: the line is longer than WAIT_MAX_S.
        """
        now_ms = self.clock.now_ms()
        start_ms = max(now_ms, from_ms)
        if not self.per_s:
            return start_ms
        try:
            return self._taken(start_ms, now_ms + WAIT_MAX_S * 1000, held_until)
        except DependencyUnavailableError:
            return start_ms

    def _taken(self, start_ms: int, last_ms: int, held_until: str) -> int:
        token_ms = -(-1000 // self.per_s)
        key, burst_ms = provider_key(), max(0, BURST_MS - token_ms)
        behind = Update(
            "reservations",
            *key,
            condition=BUCKET_HAS_CAPACITY,
            values={"now": start_ms, "room": last_ms + burst_ms},
            add={"fullAtMs": token_ms},
        )
        alone = Update(
            "reservations",
            *key,
            condition=BUCKET_IS_FULL,
            values={"now": start_ms},
            set={"fullAtMs": start_ms + token_ms},
        )
        for _ in range(_ATTEMPTS_MAX):
            try:
                full_at_ms = int(self.table.count(behind)["fullAtMs"])
            except TransactionRefusedError as refused:
                state = refused.reasons[0].old(ProviderState)
            else:
                return max(start_ms, full_at_ms - token_ms - burst_ms)
            if state is not None and state.full_at_ms > last_ms + burst_ms:
                raise PaymentWaitsError(
                    "Very many buyers are paying just now. Your seats stay yours until"
                    f" {held_until[11:19]} UTC; please try again in a moment.",
                    reason="busy",
                    retry_after_s=TOO_LONG_RETRY_S,
                    held_until=held_until,
                )
            try:
                self.table.update(alone)
            except TransactionRefusedError:
                continue  # somebody else was first: the line is no longer empty
            return start_ms
        return start_ms
