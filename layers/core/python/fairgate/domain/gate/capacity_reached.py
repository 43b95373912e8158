"""Compute the admission threshold E: who is admitted next while capacity is reached.

A buyer's key κ = h + x*(u) is the operational time of their moment of admission. The gate lets a
buyer through once H(t) ≥ κ. The origin admits a buyer with κ ≤ E, and E ≤ H never falls. So free
capacity is given in the order of the keys. Asking more often changes neither a key nor E.

E equals H while there is spare capacity. When live sessions reach their cap, E stops. It rises as
sessions end, each time far enough to admit as many buyers as there are free slots. ``density``,
buyers per unit of H, is learnt from earlier admissions. A slot that was offered counts as taken for
``COMING_S`` seconds and is released afterwards. Silence alone proves little, because nobody can ask
during an outage. So E returns to H only if nobody takes a slot that is offered after the silence.
This module reads no clock and no table.
"""

from __future__ import annotations

import math

from msgspec import Struct

from fairgate.domain.gate.admission import near_s, on_grid

LOOK_EVERY_S = 2.0  # E is advanced no more often than this
COMING_S = 6.0  # an unclaimed slot is released after it; buyers ask every few seconds
LEARNT_FROM = 16.0  # buyers; the density's error is then a quarter, and a drop is noticed soon
LEARNT_S = 30.0  # shortest memory: the effect of a change of E is seen seconds later
FORGOTTEN_S = 120.0  # an older look says nothing about the present
SPARE_SHARE = 0.01  # of the cap is kept free for a few buyers too many
PACE_MAX = 1e6  # of E a second; above any H, and within the range of a table's numbers
GAP_MOST = 8.0  # times the spare capacity: most that E rises when no slot is taken
ALONE_S = 2 * COMING_S  # how long to poll for waiting buyers after a silence
_QUIET = 1.3  # times the longest retry delay: by then every refused buyer has asked
_FRACTION = 0.5  # of a long wait, as in the gate's own retry delay
_JITTER = 0.2
_RETRY_SPREAD_S = 4  # retry window for admitted buyers who were refused for lack of capacity


class AdmissionThreshold(Struct, frozen=True):
    """Holds the threshold as it was last advanced, and the statistics learnt so far.

    Attributes:
        at_s: time of the last advance, epoch seconds.
        e: E at that moment.
        rise: gain of E, spread evenly over the next LOOK_EVERY_S; E stops afterwards.
        follows: E equals H until the next look.
        pace: E's mean gain a second, for retry delays; 0 if unknown.
        live: live sessions at that time.
        pending: buyers whom E has reached and who have not come yet.
        arrived, risen: buyers who came and the gain of E for them; old values decay.
        ended, watched_s: sessions that ended, and session-seconds observed.
        alone_s: start of the poll for waiting buyers, epoch seconds; 0 if none runs.
    """

    at_s: float
    e: float
    rise: float = 0.0
    follows: bool = False
    pace: float = 0.0
    live: int = 0
    pending: float = 0.0
    arrived: float = 0.0
    risen: float = 0.0
    ended: float = 0.0
    watched_s: float = 0.0
    alone_s: float = 0.0


class CapacityLook(Struct, frozen=True):
    """Holds what is observed when the threshold is advanced.

    Attributes:
        h: H now.
        h_next: H one look later, by the known epochs.
        live, live_max: sessions now, and their cap.
        opened: sessions opened since the last look.
        session_s: assumed length of a session until one has ended, seconds.
        back_s: longest retry delay of a refusal, seconds.
        stood: H stopped, or the draw was suspended, at some time since the last look.
    """

    now_s: float
    h: float
    h_next: float
    live: int
    live_max: int
    opened: int
    session_s: float
    back_s: float
    stood: bool = False


def admission_key(h: float, x: float) -> float:
    """Return κ, the H at which a token is admitted, rounded as tokens carry it."""
    key = h + x
    return on_grid(key) if math.isfinite(key) else key


def threshold_at(threshold: AdmissionThreshold | None, h: float, now_s: float) -> float:
    """Return E(t), at most H; H itself if capacity was never reached."""
    if threshold is None or threshold.follows:
        return h
    share = min(max((now_s - threshold.at_s) / LOOK_EVERY_S, 0.0), 1.0)
    return min(h, threshold.e + share * threshold.rise)


def is_due(threshold: AdmissionThreshold | None, now_s: float) -> bool:
    """Return whether another look is due. A clock that was far ahead delays none."""
    return threshold is None or abs(now_s - threshold.at_s) >= LOOK_EVERY_S


def advanced(threshold: AdmissionThreshold | None, look: CapacityLook) -> AdmissionThreshold:
    """Return the threshold after a look at the live sessions."""
    if threshold is None:
        spare = look.live_max - look.live
        return AdmissionThreshold(look.now_s, look.h, follows=spare > 0, live=look.live)
    learnt = _learnt(threshold, look)
    density = _density(learnt)
    leaving = _leaving_per_s(learnt, look)
    spare = look.live_max - math.floor(SPARE_SHARE * look.live_max) - look.live
    wanted = _wanted(threshold, learnt, look, spare, leaving)
    e = learnt.e
    flow = max(leaving, spare / COMING_S)
    pace = min(flow / density, PACE_MAX) if density else 0.0
    alone_s = _alone_since(threshold, look) if spare > 0 else 0.0
    gone = alone_s > 0.0 and look.now_s - alone_s >= ALONE_S
    if spare > 0 and (e + _gain(wanted, density) >= look.h_next or gone):
        coming = min(look.opened, look.live) / max(look.now_s - threshold.at_s, LOOK_EVERY_S)
        return _with(learnt, look, e=look.h, follows=True, pace=pace, pending=coming)
    rise = min(_gain(wanted, density), look.h_next - e)
    if alone_s > 0.0:  # buyers return when the poll is over
        pace = min(max(pace, (look.h_next - e) / ALONE_S), PACE_MAX)
    pending = learnt.pending + rise * density
    return _with(learnt, look, e=e, rise=rise, pace=pace, pending=pending, alone_s=alone_s)


def wait_s(threshold: AdmissionThreshold | None, key: float, h: float, now_s: float) -> float:
    """Return seconds until E reaches ``key`` at its mean pace; 0 if it has."""
    ahead = key - threshold_at(threshold, h, now_s)
    if threshold is None or ahead <= 0.0:
        return 0.0
    return ahead / threshold.pace if threshold.pace > 0.0 else math.inf


def back_at(wait: float, token_id: str, now_s: float, bounds_s: tuple[int, int]) -> int:
    """Return the epoch second of the next attempt after a refusal.

    A short wait ends exactly at the moment of admission. After a long wait the buyer asks again
    halfway, because the pace may change, with a jitter that spreads a crowd. A buyer who is due but
    found no spare capacity (``wait`` is 0) asks again within a few seconds, at a moment that the
    buyer cannot choose.

    Args:
        bounds_s: the gate's shortest and longest retry delay.
    """
    least, most = bounds_s
    second = math.floor(now_s)
    spread = (int(token_id[-8:], 16) + second * 2654435761) % 2**32 / 2**32
    if wait <= 0.0:
        return second + least + math.floor(_RETRY_SPREAD_S * spread)
    if wait <= min(near_s(least), most):
        return max(math.ceil(now_s + wait), second + least)
    return second + math.ceil(min(max(_FRACTION * wait, least), most) * (1.0 + _JITTER * spread))


def _learnt(threshold: AdmissionThreshold, look: CapacityLook) -> AdmissionThreshold:
    """Bring E and its statistics up to date: gain, arrivals and departures."""
    span_s = look.now_s - threshold.at_s
    e = (
        max(threshold.e, threshold_at(threshold, look.h, look.now_s))
        if not threshold.follows
        else look.h
    )
    if not 0.0 <= span_s <= FORGOTTEN_S:
        return _with(threshold, look, e=min(e, look.h), pending=0.0)
    gained = max(0.0, e - threshold.e)
    forget = math.exp(-min(span_s / LEARNT_S, gained * _density(threshold) / LEARNT_FROM))
    seconds_forget = math.exp(-span_s / (4.0 * look.session_s))
    left = max(0, threshold.live + look.opened - look.live)
    return _with(
        threshold,
        look,
        e=min(e, look.h),
        pending=max(0.0, threshold.pending * math.exp(-span_s / COMING_S) - look.opened),
        arrived=threshold.arrived * forget + look.opened,
        risen=threshold.risen * forget + gained,
        ended=threshold.ended * seconds_forget + left,
        watched_s=threshold.watched_s * seconds_forget + span_s * threshold.live,
    )


def _wanted(
    threshold: AdmissionThreshold,
    learnt: AdmissionThreshold,
    look: CapacityLook,
    spare: float,
    leaving: float,
) -> float:
    """Return how many more buyers E should reach by the next look."""
    if spare <= 0:
        return 0.0
    wanted = max(0.0, spare + leaving * LOOK_EVERY_S - learnt.pending)
    if look.stood or 2.0 * (threshold.pending - look.opened) < spare:
        return wanted  # the newest free slots were offered to nobody yet
    gap = max(0.0, (look.now_s - threshold.at_s) / COMING_S - 1.0)
    return wanted + spare * min(gap, GAP_MOST)


def _alone_since(threshold: AdmissionThreshold, look: CapacityLook) -> float:
    """Return the start of the poll for waiting buyers, epoch seconds; 0 if none runs.

    It starts after a silence in which every waiting buyer must have asked, unless an outage
    prevented that. An arrival, or a stop of H, ends it.
    """
    if look.stood:
        return 0.0
    if threshold.alone_s > 0.0 and 0.0 <= look.now_s - threshold.alone_s <= FORGOTTEN_S:
        return 0.0 if look.opened > 0 else threshold.alone_s
    quiet = look.now_s - threshold.at_s > _QUIET * look.back_s + LOOK_EVERY_S
    return look.now_s if quiet else 0.0


def _density(threshold: AdmissionThreshold) -> float:
    """Return buyers per unit of H; 0 if none have come."""
    return threshold.arrived / threshold.risen if threshold.risen > 0.0 else 0.0


def _leaving_per_s(threshold: AdmissionThreshold, look: CapacityLook) -> float:
    """Return how many sessions end a second, including one of the assumed length."""
    return look.live * (threshold.ended + 1.0) / (threshold.watched_s + look.session_s)


def _gain(buyers: float, density: float) -> float:
    if buyers <= 0.0:
        return 0.0
    return buyers / density if density else math.inf


def _with(
    threshold: AdmissionThreshold, look: CapacityLook, **changes: float | bool
) -> AdmissionThreshold:
    """Return the threshold at the time of the look, with changes."""
    fields = {name: getattr(threshold, name) for name in AdmissionThreshold.__struct_fields__}
    now = {"at_s": look.now_s, "live": look.live, "rise": 0.0, "follows": False, "alone_s": 0.0}
    return AdmissionThreshold(**(fields | now | changes))
