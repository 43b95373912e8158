"""Where the time from payment to ticket goes: stamps that the system leaves anyway, put together.

The provider stamps the capture, the order its payment, tickets and mail, the queue each message,
the buyer the answer that shows the tickets. All of one machine's clock.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate.domain.shared.times import epoch_ms
from fairgate_ops.run.local.logged_system import WORDS

if TYPE_CHECKING:
    from pathlib import Path

    from fairgate.service.audit.snapshot import Item, Snapshot

Stamps = dict[str, float]  # epoch ms by the moment's name

# Each stage lies between two moments of one order.
STAGES = (
    ("webhook: sent, waits, settled", "captured", "paid"),
    ("stream to queue", "paid", "queued"),
    ("waits in the queue", "queued", "taken"),
    ("tickets signed and written", "taken", "ticketed"),
    ("until the buyer's page asks", "ticketed", "seen"),
    ("PAYMENT TO TICKET", "captured", "seen"),
    ("after it: until the mail is out", "ticketed", "mailed"),
)


@dataclass(frozen=True)
class Calls:
    """Calls of one kind at the API host, in ms: until a worker was free, and its work."""

    waited: Sequence[float]
    took: Sequence[float]


def stamps_of(
    snapshot: Snapshot, seen_ms: Mapping[str, float], notes: Iterable[Mapping[str, float | str]]
) -> list[Stamps]:
    """Put together what is known of each order whose buyer saw its tickets.

    Args:
        seen_ms: by order, when its buyer's page showed the tickets.
        notes: a line for each delivery of a paid order: ``order``, ``queued``, ``taken``.
    """
    captured = {
        str(line["order"]): float(line["at_ms"])
        for line in snapshot.payments or ()
        if line["kind"] == "capture"
    }
    first: dict[str, Mapping[str, float | str]] = {}
    for note in notes:
        first.setdefault(str(note["order"]), note)
    return [
        _stamps(order, captured, seen_ms, first)
        for order in snapshot.orders
        if order["orderId"] in seen_ms
    ]


def _stamps(
    order: Item,
    captured: Mapping[str, float],
    seen_ms: Mapping[str, float],
    first: Mapping[str, Mapping[str, float | str]],
) -> Stamps:
    name = str(order["orderId"])
    stamps: Stamps = {"seen": seen_ms[name]}
    if name in captured:
        stamps["captured"] = captured[name]
    for moment in ("paid", "ticketed", "mailed"):
        if text := order.get(f"{moment}At"):
            stamps[moment] = float(epoch_ms(text))
    if name in first:
        stamps |= {moment: float(first[name][moment]) for moment in ("queued", "taken")}
    return stamps


def seconds_of(orders: Sequence[Stamps]) -> Iterator[tuple[str, list[float]]]:
    """Yield each stage that was stamped at all, with its seconds order by order."""
    for stage, begins, ends in STAGES:
        # Stamps of different processes may be a millisecond apart the wrong way round.
        seconds = [
            max(0.0, (stamps[ends] - stamps[begins]) / 1000)
            for stamps in orders
            if begins in stamps and ends in stamps
        ]
        if seconds:
            yield stage, seconds


def notes_in(log: Path) -> list[dict[str, float | str]]:
    """Read what the noting worker wrote; nothing where none ran."""
    if not log.exists():
        return []
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


def calls_in(access_log: Path | None) -> dict[str, Calls]:
    """Read the API host's access log by kind of call, ids taken out."""
    waited: defaultdict[str, list[float]] = defaultdict(list)
    took: defaultdict[str, list[float]] = defaultdict(list)
    lines = access_log.read_text("utf-8").splitlines() if access_log else ()
    for line in lines:
        _, method, target, _, took_ms, waited_ms = line.split(" ")[:WORDS]
        kind = f"{method} {kind_of(target)}"
        waited[kind].append(float(waited_ms))
        took[kind].append(float(took_ms))
    return {kind: Calls(waited[kind], took[kind]) for kind in sorted(took)}


def kind_of(target: str) -> str:
    """Name a target without what differs from call to call."""
    parts = target.partition("?")[0].split("/")
    ids = ("ses_", "ord_", "hold_")
    after = ("events", "sections")  # whose next part is a name of the sale
    return "/".join(
        "…" if part.startswith(ids) or (before in after and part) else part
        for before, part in zip(["", *parts], parts, strict=False)
    )
