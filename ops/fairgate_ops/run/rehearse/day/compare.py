"""Compare every figure of `fairgate watch` with the tables at its moment.

The tables are read before a figure's moment and after it was seen. What did not change in between
is compared exactly; what did must lie between what it was, and what may have come and gone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairgate.domain.gate.admission import operational_time
from fairgate.domain.gate.gate_phase import phase_of
from fairgate.domain.gate.pace import slope_at, to_come
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.ports.record import SK
from fairgate.service.gate.log_plans import CONTROLLER
from fairgate.service.gate.look_at_room import mean_wait_s
from fairgate.service.watch.gate_parts import ACTS_SHOWN
from fairgate.service.watch.sale_parts import TRAIL_MS, TRAIL_STEP_MS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fairgate_ops.run.rehearse.day.reading import Item, Reading

    Part = Mapping[str, Any]

MINUTE_MS = 60_000
LIVE = ("reservation", "checkout")
_ENTRY = ("who", "act", "phase", "at")
_NEAR = 1e-6
_KEYS = ("token_kid", "token_keys", "token_signed")
_FIRST_LOOK_S = 30.0  # by when the first figures of an event were made
_TRAIL_GAP_S = 60.0  # the trail's step, and until the next making puts a moment in


@dataclass(frozen=True)
class Compared:
    """A figure, as it was shown, and what the tables allow: one value, or from least to most."""

    name: str
    shown: Any
    least: Any
    most: Any

    @property
    def is_true(self) -> bool:
        if _is_number(self.shown) and _is_number(self.least):
            near = _NEAR * max(1.0, abs(self.shown))
            return bool(self.least - near <= self.shown <= self.most + near)
        return bool(self.shown in (self.least, self.most))

    def __str__(self) -> str:
        true = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
        return f"{self.name} is shown as {self.shown}, and is {true}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def compare(event: Mapping[str, Any], before: Reading, after: Reading) -> Iterator[Compared]:
    """Compare an event's figures, as ``watch --json`` has them, with two readings of the tables.

    Args:
        before: ended before any part's moment; after: began after the figures were seen.
    """
    for name, check in _CHECKS.items():
        part = event[name]
        if part["at"] is not None and not part["error"]:
            with_seats = {**part, "seats": event["seats"]} if name == "sale" else part
            for one in check(with_seats, before, after):
                yield Compared(f"{name}.{one.name}", one.shown, one.least, one.most)


def _gate(part: Part, before: Reading, after: Reading) -> Iterator[Compared]:
    controls = [one.sale.get("control", "manual") for one in (before, after)]
    yield Compared("control", part["control"], *controls)
    if before.value != after.value:
        return
    gate, now_s = after.gate, epoch_ms(part["at"]) / 1000
    yield _same("state", part, gate.state)
    yield _same("sale_starts_at", part, rfc3339(gate.sale_start_s * 1000))
    yield _same("curve", part, gate.curve)
    slope = slope_at(gate, now_s)
    yield _same("tau_s", part, 1 / slope if slope else None)
    planned = [
        {"starts_at": rfc3339(round(e.start_s * 1000)), "tau_s": 1 / e.slope if e.slope else None}
        for e in to_come(gate, now_s)
    ]
    yield _same("planned", part, planned)
    full, free = (
        phase_of(gate.state, gate.sale_start_s, gate.open_until_s, now_s, is_full=is_full)
        for is_full in (True, False)
    )
    live_max = after.sale["liveMax"]
    least, most = _live_bounds(part, before, after)
    phases = {free.name} if least < live_max or not live_max else set()
    phases |= {full.name} if 0 < live_max <= most else set()
    yield Compared("phase", part["phase"], min(phases), max(phases))
    if full.until_s == free.until_s:
        until = None if free.until_s is None else rfc3339(free.until_s * 1000)
        yield _same("phase_until", part, until)
    if len(before.log) == len(after.log):
        pace = next((e for e in reversed(after.log) if _sets_pace(e)), None)
        for name, attribute in (("set_by", "who"), ("set_act", "act"), ("set_at", "at")):
            yield _same(name, part, None if pace is None else pace[attribute])


def _sets_pace(entry: Item) -> bool:
    wrote = entry["gate"] != "null" or entry["who"] == CONTROLLER
    return bool(entry["phase"] == "done" and wrote)


def _room(part: Part, before: Reading, after: Reading) -> Iterator[Compared]:
    yield Compared("live", part["live"], *_live_bounds(part, before, after))
    yield _of_both("live_max", part, before.sale["liveMax"], after.sale["liveMax"])
    share = after.gate.sample_queue
    if share:
        joined = [round(one.joined / share) for one in (before, after)]
        yield Compared("joined", part["joined"], *joined)
        yield from _waiting(part, before, after)
    at_ms, over_ms = epoch_ms(part["at"]), part["admitted_over_s"] * 1000
    opened = [epoch_ms(session["openedAt"]) for session in after.sessions.values()]
    surely = sum(at_ms - over_ms + 1000 <= one <= before.ended_ms for one in opened)
    perhaps = sum(at_ms - over_ms - 1000 <= one <= after.began_ms for one in opened)
    admitted = part["admitted_per_s"] * part["admitted_over_s"]
    yield Compared("admitted_per_s", round(admitted), surely, perhaps)
    if before.value == after.value:
        wait_s = mean_wait_s(after.gate, part["waiting"], at_ms / 1000)
        yield _same("wait_s", part, wait_s)
    if (before.memory, before.level) == (after.memory, after.level):
        memory, level = after.memory or {}, after.level or {}
        seen = [(memory.get("spentS", 0), memory.get("ended", 0))] if memory else []
        seen += [(level["watchedS"], level["ended"])] if level else []
        stays = [spent / ended for spent, ended in seen if ended >= 1]
        yield _same("stay_s", part, stays[0] if stays else None)
        pending = round(level["pending"]) if level and not level["follows"] else 0
        yield Compared("refused_full", part["refused_full"], 0, pending)


def _waiting(part: Part, before: Reading, after: Reading) -> Iterator[Compared]:
    """Compare how many wait with the counters of who joined, and with who was let in.

    Who left without a word is nowhere: so it is only too many who can be seen by who was let in.
    """
    gate, now_s = after.gate, epoch_ms(part["at"]) / 1000
    h, share = operational_time(gate.epochs, now_s), gate.sample_queue
    if before.value == after.value:
        least, most = (
            sum(
                count / share * math.exp(-(max(0.0, h - joined_h) ** gate.curve))
                for joined_h, count in one.cohorts
            )
            for one in (before, after)
        )
        yield Compared("waiting", part["waiting"], math.floor(least), math.ceil(most))
    # Who joined in a minute is taken to have joined at its end.
    steepest = max((epoch.slope for epoch in gate.epochs), default=0.0)
    joined = after.joined / share
    coarse = joined * -math.expm1(-((MINUTE_MS / 1000 * steepest) ** gate.curve))
    most = joined - len(before.sessions) + part["waiting_error"] + coarse
    yield Compared("waiting, by who was let in", part["waiting"], 0, max(0.0, most))


def _live_bounds(part: Part, before: Reading, after: Reading) -> tuple[int, int]:
    """Bound how many were live: surely who was before and after, perhaps who was in between."""
    at = part["at"]
    coarse = rfc3339(epoch_ms(at) - MINUTE_MS)  # a session counts until its minute is over
    surely = perhaps = 0
    for name, session in after.sessions.items():
        known = before.sessions.get(name)
        was = known is None or (known["state"] in LIVE and known["expiresAt"] > coarse)
        there = session["state"] in LIVE and session["expiresAt"] > coarse
        perhaps += was if known is not None else 1
        lasts = session["expiresAt"] > after.snapshot.now
        surely += known is not None and known["state"] in LIVE and there and lasts
    return surely, perhaps


def _sale(part: Part, before: Reading, after: Reading) -> Iterator[Compared]:
    yield _same("currency", part, after.sale["currency"])
    for name, counted in (
        ("paid", "paid"),
        ("tickets", "tickets"),
        ("revenue_minor", "revenueMinor"),
        ("declined", "declined"),
        ("failed", "unpaid"),
        ("refunds_sent", "made"),
        ("ended_unpaid", "ended"),
        ("found_nothing", "empty"),
    ):
        yield _of_both(name, part, before.counts[counted], after.counts[counted])
    for name, owed, made in (
        ("refunds_due", "owed", "made"),
        ("refunds_due_minor", "owedMinor", "madeMinor"),
    ):
        least = before.counts[owed] - after.counts[made]
        yield Compared(name, part[name], max(0, least), after.counts[owed] - before.counts[made])
    yield from _flow(part, before, after)


def _flow(part: Part, before: Reading, after: Reading) -> Iterator[Compared]:
    """Compare what is of the last ten minutes: the delay of webhooks, the pace, its end."""
    at_ms = epoch_ms(part["at"])
    age_s = (at_ms - epoch_ms(after.sale["createdAt"])) / 1000
    heard, lag = ([one.counts[name] for one in (before, after)] for name in ("heard", "lagMs"))
    # The first look at an event may have found payments already, which then are of before.
    # Not all that are paid are heard of: some buyers come back, and the provider is asked.
    first_ms = epoch_ms(after.sale["createdAt"]) + _FIRST_LOOK_S * 1000
    early = len(_paid(after, 0)) - len(_paid(after, first_ms))
    if not heard[1]:
        yield _same("webhook_lag_s", part, None)
    elif age_s < TRAIL_MS / 1000 and heard[0] > early:
        least = 0.0 if early else lag[0] / 1000 / heard[1]
        most = lag[1] / 1000 / (heard[0] - early)
        yield Compared("webhook_lag_s", part["webhook_lag_s"], least, most)
    longest_s = max(TRAIL_STEP_MS / 1000, min(TRAIL_MS / 1000, age_s))
    shortest_s = max(TRAIL_STEP_MS / 1000, longest_s - _TRAIL_GAP_S)
    if part["sold_per_min"] is None:
        yield Compared("sold_per_min", age_s < _FIRST_LOOK_S + _FIRST_LOOK_S, True, True)
        yield _same("sold_out_at", part, None)
        return
    surely = _sold_since(before, at_ms - shortest_s * 1000)
    perhaps = _sold_since(after, at_ms - longest_s * 1000)
    shown = part["sold_per_min"]
    yield Compared("sold_per_min", shown, surely * 60 / longest_s, perhaps * 60 / shortest_s)
    seats = part["seats"]
    if part["sold_out_at"] is not None and not seats["error"]:
        ends_ms = at_ms + (seats["free"] + seats["held"]) / shown * MINUTE_MS
        said_ms = epoch_ms(part["sold_out_at"])
        yield Compared("sold_out_at", said_ms, ends_ms - 1, ends_ms + 1)


def _paid(reading: Reading, since_ms: float) -> list[Item]:
    return [
        order
        for order in reading.snapshot.orders
        if order["eventId"] == reading.event
        and order.get("paidAt")
        and epoch_ms(order["paidAt"]) >= since_ms
    ]


def _sold_since(reading: Reading, since_ms: float) -> int:
    """Count the units of orders that were paid since; of areas the places."""
    return sum(
        1 if unit["kind"] == "seat" else unit["quantity"]
        for order in _paid(reading, since_ms)
        for unit in order["units"]
    )


def _seats(part: Part, before: Reading, after: Reading) -> Iterator[Compared]:
    at = part["at"]
    surely = dict.fromkeys(("sold", "held", "blocked", "free"), 0)
    changed = 0
    for key, seat in after.seats.items():
        state = seat_state(seat, at)
        if before.seats.get(key) == seat and state == seat_state(seat, after.snapshot.now):
            surely[state] += 1
        else:
            changed += 1
    places = sorted(one.counts["places"] for one in (before, after))
    left, capacity, moved, blocked = _areas(before, after)
    yield _same("total", part, len(after.seats) + capacity)
    if part["free"] is None:
        return
    surely["free"] += left
    surely["sold"] += max(0, places[0] - moved)
    surely["blocked"] += blocked
    surely["held"] += max(0, capacity - moved - left - blocked - places[1])
    changed += moved + places[1] - places[0]
    for state, count in surely.items():
        yield Compared(state, part[state], count, count + changed)


def _areas(before: Reading, after: Reading) -> tuple[int, int, int, int]:
    """Return places left in counters that did not change, all places, those of the others, blocked.

    Blocked places are those of counters that did not change, too.
    """
    left = capacity = moved = blocked = 0
    for key, shard in after.shards.items():
        capacity += shard["capacity"]
        if before.shards.get(key) == shard:
            left, blocked = left + shard["remaining"], blocked + shard.get("blocked", 0)
        else:
            moved += shard["capacity"]
    return left, capacity, moved, blocked


def seat_state(seat: Item, at: str) -> str:
    match seat["availability"]:
        case "reserved":
            return "sold"
        case "blocked":
            return "blocked"
        case "locked" if seat["expiresAt"] > at:
            return "held"
    return "free"


def _edges(part: Part, before: Reading, after: Reading) -> Iterator[Compared]:
    if before.value == after.value and after.value is not None:
        yield _same("changed_at", part, rfc3339(after.value["atMs"]))
        late_ms = after.value.get("lateMs", 0)
        yield _same("late_at", part, rfc3339(late_ms) if late_ms else None)
        heard = [one.sale.get("gateBehind", 0) == 0 for one in (before, after)]
        yield Compared("heard", part["heard"], *heard)  # a change in between is heard in between
    marks = [
        None if one.store_comparison is None else rfc3339(one.store_comparison["atMs"])
        for one in (before, after)
    ]
    shown = part["compared_at"]
    if None in (*marks, shown):
        yield Compared("compared_at", shown, *marks)
    else:  # it was compared on the way, perhaps several times
        yield Compared("compared_at", *map(epoch_ms, (shown, *(str(mark) for mark in marks))))


def _desk(part: Part, before: Reading, after: Reading) -> Iterator[Compared]:
    for name in ("flagged", "locked"):
        yield _of_both(name, part, before.counts[name], after.counts[name])


def _keys(part: Part, before: Reading, after: Reading) -> Iterator[Compared]:
    gate = after.gate
    if any(getattr(before.gate, name) != getattr(gate, name) for name in _KEYS):
        return
    yield _same("signing", part, gate.token_kid)
    others = [kid for kid in gate.token_keys if kid != gate.token_kid]
    yield _same("other", part, others[0] if others else None)
    signed = gate.token_signed.get(gate.token_kid)
    since = rfc3339(signed.began_s * 1000) if signed and signed.began_s else None
    yield _same("since", part, since)
    if not others:
        yield _same("due", part, None)
        yield _same("due_at", part, None)


def _acts(part: Part, before: Reading, after: Reading) -> Iterator[Compared]:
    numbers = [act["number"] for act in part["acts"]]
    logged = {int(entry[SK]): entry for entry in after.log}
    newest = numbers[0] if numbers else 0
    yield Compared("newest", newest, len(before.log), len(after.log))
    shown = [
        (act["number"], act["who"], act["act"], act["phase"], act["at"]) for act in part["acts"]
    ]
    there = [
        (number, *(entry[name] for name in _ENTRY))
        for number in numbers
        if (entry := logged.get(number)) is not None
    ]
    yield Compared("acts", shown, there, there)
    yield Compared("shown", len(numbers), 1 if before.log else 0, ACTS_SHOWN)


def _same(name: str, part: Part, true: Any) -> Compared:
    return Compared(name, part[name], true, true)


def _of_both(name: str, part: Part, first: Any, second: Any) -> Compared:
    return Compared(name, part[name], *sorted((first, second)))


_CHECKS = {
    "gate": _gate,
    "room": _room,
    "sale": _sale,
    "seats": _seats,
    "edges": _edges,
    "desk": _desk,
    "keys": _keys,
    "acts": _acts,
}
