"""Compare the entered movements with the provider's lists, and name each difference.

Nothing is repaired here: `fairgate books import` enters what is missing.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field

from fairgate.domain.shared.times import rfc3339
from fairgate.ports.payments import Movement, UnreadableEntry
from fairgate.service.books.import_movements import (
    DAY_MS,
    LISTED,
    OVERLAP_MS,
    read_imported,
    together,
)
from fairgate.service.books.read_movements import payouts_of, read_movements, read_payouts
from fairgate.service.shared.movement_keys import movement_key
from fairgate.service.shared.readable import find_many_readable
from fairgate.service.shared.records.movements import MovementRecord, PayoutStep

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments, Payout
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

PAID_OUT = ("payout", "payout-failed")  # a reserve that the provider keeps is no payout

What = Literal[
    "missing-here",
    "missing-there",
    "amount",
    "payout-missing-here",
    "payout-missing-there",
    "payout-amount",
    "payout-state",
    "payout-parts",
    "payout-sum",
]


class MovementDifference(Struct, frozen=True):
    """A figure that differs from the provider's, in minor units after fees."""

    what: What
    thing: str  # the movement or the payout
    kind: str
    currency: str
    ours_minor: int
    provider_minor: int
    why: str


class Added(Struct):
    """The sum of one side in a currency, in minor units."""

    count: int = 0
    amount_minor: int = 0
    fee_minor: int = 0

    @property
    def net_minor(self) -> int:
        return self.amount_minor - self.fee_minor

    def add(self, one: Movement | MovementRecord) -> None:
        self.count += 1
        self.amount_minor += one.amount_minor
        self.fee_minor += one.fee_minor


class MovementsChecked(Struct):
    """What one check compared.

    Attributes:
        ours, provider: by currency. events: the part of ours about our orders. others: about the
            payments of other businesses, or of none. payouts: went to the bank, or came back.
        waiting: movements since the last import.
        unlisted: payouts whose parts the provider does not list, or not yet.
        unreadable: entries of the provider's lists. damaged: items of ours, by their keys.
    """

    since: str
    until: str
    ours: defaultdict[str, Added] = field(default_factory=lambda: defaultdict(Added))
    provider: defaultdict[str, Added] = field(default_factory=lambda: defaultdict(Added))
    events: defaultdict[str, Added] = field(default_factory=lambda: defaultdict(Added))
    others: defaultdict[str, Added] = field(default_factory=lambda: defaultdict(Added))
    paid_out: defaultdict[str, Added] = field(default_factory=lambda: defaultdict(Added))
    waiting: int = 0
    payouts: int = 0
    unlisted: int = 0
    differences: list[MovementDifference] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    @property
    def agrees(self) -> bool:
        return not (self.differences or self.unreadable or self.damaged)


class MovementChecker(Struct, frozen=True):
    """Compares day by day. Keeps one day of both sides in memory.

    Cost: the provider's lists; a query for each day, a batch for each hundred movements of a
    payout.
    """

    table: Table
    clock: Clock
    payments: Payments

    def check(self, since_ms: int) -> MovementsChecked:
        """Compare the movements since then; those after the last import are left for later.

        Raises DependencyUnavailableError, PaymentRefusedError: the provider's list is not whole.
        """
        now_ms = self.clock.now_ms()
        cursor_ms, damage = read_imported(self.table)
        until_ms = now_ms if cursor_ms is None else min(cursor_ms, now_ms)
        checked = MovementsChecked(rfc3339(since_ms), rfc3339(until_ms))
        if damage is not None:
            checked.damaged.append(damage.what)
        begin_ms = since_ms
        while begin_ms < until_ms:
            end_ms = min(until_ms, (begin_ms // DAY_MS + 1) * DAY_MS)
            self._day(checked, begin_ms, end_ms)
            begin_ms = end_ms
        checked.waiting = sum(1 for _ in self.payments.movements(until_ms, now_ms + 1))
        self._payouts(checked, since_ms, until_ms)
        return checked

    def _day(self, checked: MovementsChecked, begin_ms: int, end_ms: int) -> None:
        begin, end = rfc3339(begin_ms), rfc3339(end_ms)
        theirs: dict[str, Movement] = {}
        for entry in self.payments.movements(begin_ms, end_ms):
            if isinstance(entry, UnreadableEntry):
                checked.unreadable.append(f"movement {entry.id}")
            elif begin <= rfc3339(entry.at_ms) < end:
                theirs[entry.id] = entry
        for there in theirs.values():
            checked.provider[there.currency].add(there)
        for some in read_movements(self.table, begin_ms, end_ms):
            checked.damaged += [f"{key.pk} {key.sk}" for key in some.damaged]
            for here in some.records:
                _count(checked, here)
                _compare(checked, here, theirs.pop(here.movement_id, None))
        for there in theirs.values():
            why = "was never entered: `fairgate books import --since` enters it"
            checked.differences.append(_differs("missing-here", None, there, why))

    def _payouts(self, checked: MovementsChecked, since_ms: int, until_ms: int) -> None:
        read = read_payouts(self.table)
        checked.damaged += [f"{key.pk} {key.sk}" for key in read.damaged]
        steps: defaultdict[str, dict[str, PayoutStep]] = defaultdict(dict)
        for step in read.records:
            if step.at >= rfc3339(since_ms):
                steps[step.payout_id][step.step] = step
        for payout in self.payments.payouts(since_ms):
            if isinstance(payout, UnreadableEntry):
                checked.unreadable.append(f"payout {payout.id}")
                continue
            known = steps.pop(payout.id, {})
            if payout.at_ms >= until_ms - OVERLAP_MS and not known:
                continue  # the next import enters it
            checked.payouts += 1
            self._payout(checked, payout, known)
        for name, known in steps.items():
            one = next(iter(known.values()))
            checked.differences.append(
                MovementDifference(
                    "payout-missing-there",
                    name,
                    "payout",
                    one.currency,
                    one.amount_minor,
                    0,
                    "the provider lists no such payout",
                )
            )

    def _payout(
        self, checked: MovementsChecked, payout: Payout, known: dict[str, PayoutStep]
    ) -> None:
        def differs(what: What, ours_minor: int, why: str) -> None:
            checked.differences.append(
                MovementDifference(
                    what,
                    payout.id,
                    "payout",
                    payout.currency,
                    ours_minor,
                    payout.amount_minor,
                    why,
                )
            )

        states = [step for name, step in known.items() if name != LISTED]
        if not states:
            differs("payout-missing-here", 0, "was never entered: `fairgate books import`")
            return
        for step in states:
            if (step.amount_minor, step.currency) != (payout.amount_minor, payout.currency):
                why = f"entered as {step.amount_minor} {step.currency}"
                differs("payout-amount", step.amount_minor, why)
        if payout.state not in known:
            why = f"is {payout.state} there: `fairgate books import` enters it"
            differs("payout-state", states[-1].amount_minor, why)
        if LISTED not in known:
            checked.unlisted += 1
            return
        parts, sum_minor, missing = self._parts(checked, payout)
        if missing or parts != known[LISTED].parts:
            some = ", ".join(missing[:5])
            why = f"{known[LISTED].parts} parts entered, {parts} listed; not found here: {some}"
            differs("payout-parts", sum_minor, why)
        if sum_minor != payout.amount_minor:
            differs("payout-sum", sum_minor, "its movements add up to another amount")

    def _parts(self, checked: MovementsChecked, payout: Payout) -> tuple[int, int, list[str]]:
        """Add up our movements of a payout; name those that are missing or differ."""
        seen, sum_minor, missing = set[str](), 0, list[str]()
        for some in together(self.payments.movements_of_payout(payout.id)):
            listed: dict[str, Movement] = {}
            for entry in some:
                if isinstance(entry, UnreadableEntry):
                    checked.unreadable.append(f"movement {entry.id}")
                elif entry.id not in seen:  # a list may name one twice
                    listed[entry.id] = entry
            keys = [movement_key(rfc3339(one.at_ms), one.id) for one in listed.values()]
            read = find_many_readable(self.table, MovementRecord, keys).records if keys else ()
            payouts = payouts_of(self.table, listed)
            seen.update(listed)
            ours = {one.movement_id: one for one in read if payouts.get(one.movement_id)}
            ours = {name: one for name, one in ours.items() if payouts[name] == payout.id}
            sum_minor += sum(one.net_minor for one in ours.values())
            missing += sorted(listed.keys() - ours.keys())
        return len(seen), sum_minor, missing


def _count(checked: MovementsChecked, here: MovementRecord) -> None:
    checked.ours[here.currency].add(here)
    side = checked.events if here.event_id else checked.others
    if here.kind in PAID_OUT:
        side = checked.paid_out
    side[here.currency].add(here)


def _compare(checked: MovementsChecked, here: MovementRecord, there: Movement | None) -> None:
    if there is None:
        why = "the provider lists no such movement"
        checked.differences.append(_differs("missing-there", here, None, why))
    elif _figures(here) != _figures(there):
        why = (
            f"entered as {here.amount_minor} less {here.fee_minor} {here.currency},"
            f" there {there.amount_minor} less {there.fee_minor} {there.currency}"
        )
        checked.differences.append(_differs("amount", here, there, why))


def _figures(one: Movement | MovementRecord) -> tuple[int, int, str]:
    return one.amount_minor, one.fee_minor, one.currency


def _differs(
    what: What, here: MovementRecord | None, there: Movement | None, why: str
) -> MovementDifference:
    """Return the difference of a movement that one side lacks or that is not the same."""
    return MovementDifference(
        what,
        here.movement_id if here is not None else there.id if there is not None else "",
        here.kind if here is not None else there.kind if there is not None else "",
        here.currency if here is not None else there.currency if there is not None else "",
        0 if here is None else here.net_minor,
        0 if there is None else there.net_minor,
        why,
    )
