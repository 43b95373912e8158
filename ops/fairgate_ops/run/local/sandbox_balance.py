"""The sandbox provider's balance: what moved on it, its fees, and what went to the bank.

Its caller's lock guards it. Movements are never changed; a payout takes all that no payout took.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairgate.ports.payments import Movement, Payout

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LISTED = 1_000
ARRIVES_MS = 2 * 86_400_000  # what a bank says of a transfer
DISPUTE_FEE_MINOR = 2_000


@dataclass(frozen=True)
class Fees:
    """What the provider keeps: of a capture so many hundredths of a per cent and a fixed part."""

    basis_points: int = 140
    fixed_minor: int = 25
    dispute_minor: int = DISPUTE_FEE_MINOR

    def of(self, kind: str, amount_minor: int) -> int:
        if kind == "capture":
            return (amount_minor * self.basis_points + 5_000) // 10_000 + self.fixed_minor
        return self.dispute_minor if kind == "dispute" else 0


@dataclass
class Balance:
    now_ms: Callable[[], int]
    fees: Fees = field(default_factory=Fees)
    moved: list[Movement] = field(default_factory=list)
    made: dict[str, Payout] = field(default_factory=dict)
    _parts: dict[str, list[Movement]] = field(default_factory=dict)
    _waiting: list[Movement] = field(default_factory=list)

    def moves(
        self,
        kind: str,
        amount_minor: int,
        currency: str,
        *,
        payment: str = "",
        order: str = "",
        thing: str = "",
    ) -> Movement:
        movement = Movement(
            id=f"txn_{secrets.token_hex(12)}",
            kind=kind,
            amount_minor=amount_minor,
            fee_minor=self.fees.of(kind, amount_minor),
            currency=currency,
            at_ms=self.now_ms(),
            payment=payment,
            order=order,
            thing=thing or payment,
        )
        self.moved.append(movement)
        if kind != "payout":
            self._waiting.append(movement)
        return movement

    def pay_out(self) -> None:
        """Send to the bank what is there, a payout for each currency with money in it."""
        waiting: defaultdict[str, list[Movement]] = defaultdict(list)
        for movement in self._waiting:
            waiting[movement.currency].append(movement)
        for currency, parts in waiting.items():
            amount_minor = sum(one.net_minor for one in parts)
            if amount_minor <= 0:
                continue
            payout = Payout(
                id=f"po_{secrets.token_hex(12)}",
                amount_minor=amount_minor,
                currency=currency,
                state="paid",
                at_ms=self.now_ms(),
                arrives_ms=self.now_ms() + ARRIVES_MS,
                parts="known",
            )
            self.made[payout.id], self._parts[payout.id] = payout, parts
            self._waiting = [one for one in self._waiting if one.currency != currency]
            self.moves("payout", -amount_minor, currency, thing=payout.id)

    def fail_newest(self) -> None:
        """Let the bank send the newest payout back, once."""
        from msgspec.structs import replace

        if not self.made:
            return
        newest = list(self.made.values())[-1]
        if newest.state != "failed":
            self.made[newest.id] = replace(newest, state="failed")
            self.moves("payout-failed", newest.amount_minor, newest.currency, thing=newest.id)

    def movements(self, since_ms: int, until_ms: int, skip: int) -> list[dict[str, Any]]:
        return _page([one for one in self.moved if since_ms <= one.at_ms < until_ms], skip)

    def movements_of(self, payout: str, skip: int) -> list[dict[str, Any]]:
        return _page(self._parts.get(payout, []), skip)

    def payouts(self, since_ms: int, skip: int) -> list[dict[str, Any]]:
        return _page([one for one in self.made.values() if one.at_ms >= since_ms], skip)


def _page(found: Sequence[Movement | Payout], skip: int) -> list[dict[str, Any]]:
    from msgspec.structs import asdict

    return [asdict(one) for one in found[skip : skip + LISTED]]
