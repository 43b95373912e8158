"""Everything that can be wrong with a sale's admissions, over columns of numbers.

An admission is explained when one version of the gate's rules that could be in force at that
moment admits it: open, and u < P or the gate standing open for all. What could be in force is
stated by the tolerances, and nothing else is forgiven.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import structs

from fairgate.domain.gate.capacity_reached import LOOK_EVERY_S
from fairgate.domain.gate.edge_header import AGE_MAX_S
from fairgate.domain.gate.gate_config import ADMITTING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from fairgate.domain.gate.gate_history import GateVersion
    from fairgate_ops.operate.audit.rules import SaleRules

    Mask = npt.NDArray[np.bool_]
    Numbers = npt.NDArray[np.float64]

ISSUING = ("open", "paused")  # states in which the gate gives new tokens
H_NEAR = 1e-6  # of one τ: the edge writes whole billionths
P_NEAR = 1e-12  # the last bits of two mathematics libraries
H_STEP = 1e-5  # beyond rounding, two versions must agree where they meet


@dataclass(frozen=True)
class Tolerances:
    """What an honest system may differ by, in seconds.

    Attributes:
        clock_s: between the clocks of edge, origin and operator; the origin allows 2.
        lag_s: between writing a change and the origin's deciding by it or the record's having it.
        edge_lag_s: between writing a change and the last edge's issuing tokens by it.
    """

    clock_s: float = 2.0
    lag_s: float = 10.0
    edge_lag_s: float = 120.0


@dataclass(frozen=True)
class Flagged:
    """Rows with one thing wrong; ``detail`` says what, with the figures of a row."""

    kind: str
    rows: npt.NDArray[np.int64]
    detail: str


def flagged(
    rows: npt.NDArray[Any], decided: Decided, rules: SaleRules, tolerances: Tolerances
) -> Iterator[Flagged]:
    """Every kind of finding that has rows."""
    known: Mask = rows["recorded"]
    wrong = known & ~decided.explained
    late = wrong & decided.open
    held = late & decided.turned  # due by H, but not by E
    at_s: Numbers = rows["at_ms"] / 1000
    kinds: list[tuple[str, Mask, str]] = [
        ("not-recorded", ~known, "nothing says how it was decided"),
        ("while-shut", wrong & ~decided.open, "the gate was not open"),
        ("before-sale-start", late & ~decided.sale_start, "the sale had not started"),
        ("not-drawn", late & decided.sale_start & ~held, "u = {u:.9f} is not below P = {p:.9f}"),
        (
            "out-of-turn",
            held,
            "the threshold had not reached u = {u:.9f}: P = {p:.9f} less d",
        ),
        (
            "level-fallen",
            fallen(rows, decided, tolerances),
            "the threshold had been higher",
        ),
        ("wrong-lot", known & ~rows["lot_right"], "the lottery ticket is not this user's"),
        ("wrong-h", known & ~decided.h_right, "h = {h:.9f} is not H at the token's issue"),
        ("joined-while-shut", known & decided.h_right & ~decided.issuing, "no tokens were given"),
        (
            "wrong-issue",
            known & (~rows["id_right"] | (rows["iat"] > at_s + tolerances.clock_s)),
            "the token's id, its time of issue and the admission do not fit",
        ),
        (
            "no-edge-word",
            known & (np.abs(at_s - rows["edge_at"]) > AGE_MAX_S + tolerances.clock_s),
            "the gate at the edge said nothing at that time",
        ),
        ("token-twice", repeated(rows, "token"), "the token opened a session before"),
        ("session-twice", repeated(rows, "session"), "the session is in the log twice"),
        (
            "too-many-sessions",
            place_in(rows, "user") > rules.sessions_limit,
            f"more than the {rules.sessions_limit} that one user may open",
        ),
        ("two-live-sessions", overlapping(rows), "the user's session before was still live"),
    ]
    for kind, mask, detail in kinds:
        if mask.any():
            yield Flagged(kind, np.flatnonzero(mask), detail)


@dataclass(frozen=True)
class Decided:
    """Per row: what the rules that could be in force say."""

    explained: Mask
    free: Mask  # explained only by the gate's standing open for all
    open: Mask
    sale_start: Mask
    h_right: Mask
    issuing: Mask
    p: Numbers
    turned: Mask  # the gate's rule admits, a sale at capacity apart
    e_low: Numbers  # the admission threshold, by the versions that could be in force
    e_high: Numbers


def decide_again(rows: npt.NDArray[Any], rules: SaleRules, tolerances: Tolerances) -> Decided:
    """The gate's rule for every row, by each version that could be in force."""
    count = len(rows)
    drawn, free, is_open, sale_start, h_right, issuing, turned = np.zeros((7, count), bool)
    p, e_low, e_high = np.zeros(count), np.full(count, np.inf), np.full(count, -np.inf)
    held: Numbers = np.nan_to_num(rows["held"])
    h: Numbers = rows["h"]
    at_s: Numbers = rows["at_ms"] / 1000
    iat: Numbers = rows["iat"].astype(float)
    by_time, by_issue = np.argsort(at_s, kind="stable"), np.argsort(iat, kind="stable")
    at_sorted, iat_sorted = at_s[by_time], iat[by_issue]
    for version, start_s, end_s in windows(rules.versions):
        here = _within(by_time, at_sorted, start_s, end_s, tolerances, tolerances.lag_s)
        if version.state in ADMITTING:
            now = at_s[here] + tolerances.clock_s
            reached = operational_time(version, now)
            admits = admitted_share(reached - h[here], rules.curve)
            level = reached - held[here]
            e_low[here] = np.minimum(e_low[here], level)
            e_high[here] = np.maximum(e_high[here], level)
            p[here] = np.maximum(p[here], admits)
            is_open[here] = True
            sale_start[here] |= now >= version.sale_start_s
            turned[here] |= rows["u"][here] < admits + P_NEAR * (admits > 0)
            near = np.where(held[here] > 0, H_NEAR, 0.0)
            let_in = admitted_share(level + near - h[here], rules.curve)
            drawn[here] |= rows["u"][here] < let_in + P_NEAR * (let_in > 0)
            free[here] |= version.open_until_s > at_s[here] - tolerances.clock_s
        heard = _within(by_issue, iat_sorted, start_s, end_s, tolerances, tolerances.edge_lag_s)
        right: Mask = np.abs(operational_time(version, iat[heard]) - h[heard]) <= H_NEAR
        h_right[heard] |= right
        issuing[heard] |= right & (version.state in ISSUING)
    return Decided(
        drawn | free, free & ~drawn, is_open, sale_start, h_right, issuing, p, turned, e_low, e_high
    )


def admitted_share(x: Numbers, curve: float) -> Numbers:
    """P of each operational age."""
    with np.errstate(over="ignore"):
        share: Numbers = 1.0 - np.exp(-np.power(np.maximum(0.0, x), curve))
    return share


def fallen(rows: npt.NDArray[Any], decided: Decided, tolerances: Tolerances) -> Mask:
    """Return rows for which the admission threshold was lower than for an earlier row.

    Only rows with the amount held back count; what clocks and the threshold's own spread may
    explain is accepted, and so are admissions while the draw was suspended.
    """
    late = np.zeros(len(rows), bool)
    known = np.flatnonzero(~np.isnan(rows["held"]) & np.isfinite(decided.e_low) & ~decided.free)
    if known.size == 0:
        return late
    order = known[np.argsort(rows["at_ms"][known], kind="stable")]
    at_s = rows["at_ms"][order] / 1000
    highest = np.maximum.accumulate(decided.e_low[order])
    before = np.searchsorted(at_s, at_s - tolerances.clock_s - LOOK_EVERY_S, side="left") - 1
    reached = np.where(before >= 0, highest[np.maximum(before, 0)], -np.inf)
    late[order] = decided.e_high[order] < reached - H_NEAR
    return late


def windows(versions: Sequence[GateVersion]) -> Iterator[tuple[GateVersion, float, float]]:
    """Each version with the times, in seconds, between which it was the newest.

    A draft that was published is two: its value is not written again at that time.
    """
    ends = [version.at_ms / 1000 for version in versions[1:]] + [np.inf]
    for version, end_s in zip(versions, ends, strict=True):
        start_s, published_s = version.at_ms / 1000, float(version.open_until_s)
        if version.state == "draft" and 0 < published_s < end_s:
            yield version, start_s, published_s
            shown = structs.replace(version, state="open", open_until_s=0)
            yield shown, max(start_s, published_s), end_s
        else:
            yield version, start_s, end_s


def operational_time(version: GateVersion, t_s: Numbers) -> Numbers:
    """H at each moment, by this version's lines."""
    starts, levels, slopes = (np.array(column) for column in zip(*version.epochs, strict=True))
    line = np.maximum(np.searchsorted(starts, t_s, side="right") - 1, 0)
    past: Numbers = levels[line] + np.maximum(0.0, t_s - starts[line]) * slopes[line]
    return past


def broken_lines(rules: SaleRules, tolerances: Tolerances) -> list[str]:
    """Where H jumps: within a version, or between two beyond what the lag explains.

    Of a draft it may, from one version to the next: nobody had a place by the one before.
    """
    found = []
    for number, version in enumerate(rules.versions, start=1):
        for (t, h, slope), (after, then, _) in zip(
            version.epochs, version.epochs[1:], strict=False
        ):
            if abs(h + (after - t) * slope - then) > H_STEP:
                found.append(f"version {number}: H steps at {after:.3f}")
    for number, (old, new) in enumerate(
        zip(rules.versions, rules.versions[1:], strict=False), start=2
    ):
        if _is_draft(old, new.at_ms) and _is_draft(new, new.at_ms):
            continue
        moment = np.array([new.at_ms / 1000])
        steepest = max(slope for _t, _h, slope in (*old.epochs, *new.epochs))
        step = abs(operational_time(old, moment) - operational_time(new, moment))[0]
        if step > H_STEP + tolerances.lag_s * steepest:
            found.append(f"version {number}: H steps by {step:.6f} when it is written")
    return found


def _is_draft(version: GateVersion, at_ms: int) -> bool:
    return version.state == "draft" and not 0 < version.open_until_s <= at_ms / 1000


def repeated(rows: npt.NDArray[Any], name: str) -> Mask:
    """All but the first in time of rows that share a key."""
    return place_in(rows, name) > 1


def place_in(rows: npt.NDArray[Any], name: str) -> npt.NDArray[np.int64]:
    """1 for the first row in time that has this key, 2 for the second, …"""
    order = _grouped(rows, name)
    key = rows[name][order]
    begins = np.ones(len(rows), bool)
    begins[1:] = (key[1:] != key[:-1]).any(axis=1)
    position = np.arange(len(rows))
    first = np.maximum.accumulate(np.where(begins, position, 0))
    place = np.empty(len(rows), np.int64)
    place[order] = position - first + 1
    return place


def overlapping(rows: npt.NDArray[Any]) -> Mask:
    """Rows that opened a session while the same user's one before was certainly live."""
    order = _grouped(rows, "user")
    sorted_rows = rows[order]
    before, after = sorted_rows[:-1], sorted_rows[1:]
    same: Mask = (before["user"] == after["user"]).all(axis=1)
    certain: Mask = before["until_end"]
    live: Mask = after["at_ms"] < before["until_ms"]
    late = np.zeros(len(rows), bool)
    late[order[1:]] = same & certain & live
    return late


def _grouped(rows: npt.NDArray[Any], name: str) -> npt.NDArray[np.int64]:
    key = rows[name]
    return np.lexsort((rows["line"], rows["at_ms"], key[:, 1], key[:, 0]))


def _within(
    order: npt.NDArray[np.int64],
    times: Numbers,
    start_s: float,
    end_s: float,
    tolerances: Tolerances,
    lag_s: float,
) -> npt.NDArray[np.int64]:
    """Rows at whose moment a version could be in force: recorded late, or heard of late."""
    low = np.searchsorted(times, start_s - tolerances.lag_s - tolerances.clock_s, side="left")
    high = np.searchsorted(times, end_s + lag_s + tolerances.clock_s, side="right")
    return order[low:high]
