"""Say whose turn it is at a full hall: the level E that follows H while there is room for all.

A buyer's key κ = h + x*(u) is the operational time of their turn. The gate lets them through from
H(t) = κ on; the origin admits whoever has κ ≤ E, and E ≤ H never falls. So vacancies go in the
order of the keys, whoever asks how often: asking changes no key and moves no level.

E is H while there is room. When sessions reach their cap it stands, and it rises as they end, each
time by as much as will bring as many buyers as there are vacancies: ``density``, buyers for each
unit of H, is learnt from those who came. What was promised and has not come yet counts as taken
for ``COMING_S``: those who never come back hold nothing up. That nobody asked says little, as
nobody can while the house is out of order: E goes to H only when nobody came for what was offered
after that. Nothing here reads a clock or a table.
"""

from __future__ import annotations

import math

from msgspec import Struct

from fairgate.domain.gate.admission import near_s, on_grid

LOOK_EVERY_S = 2.0  # the level is advanced no more often, whoever asks
COMING_S = 6.0  # how long a place that was promised waits for its buyer, who asks every few seconds
LEARNT_FROM = 16.0  # buyers; the density's error is a quarter, and an emptied room is soon noticed
LEARNT_S = 30.0  # a busy hall forgets no faster: what the level does is seen seconds later
FORGOTTEN_S = 120.0  # a look so long ago says nothing of what has happened since
SPARE_SHARE = 0.01  # of the cap stays free, so that a few too many who come are not refused
PACE_MAX = 1e6  # of E a second; beyond any H, and a number that a table takes
GAP_MOST = 8.0  # times the room: how far E climbs where nobody came for what was offered
ALONE_S = 2 * COMING_S  # so long is listened whether anybody waits, after a time without a question
_QUIET = 1.3  # times the longest way back: whoever was refused has asked again by then
_FRACTION = 0.5  # of a wait that is not near, as the gate's own way back
_JITTER = 0.2
_RETRY_SPREAD_S = 4  # over which those come back whom E has reached, and for whom there was no room


class AdmissionThreshold(Struct, frozen=True):
    """The level as it was last advanced, and what was learnt on the way.

    Attributes:
        at_s: when, in epoch seconds.
        e: E at that moment.
        rise: what E gains, evenly, over LOOK_EVERY_S from then on; it stands afterwards.
        follows: E is H, until the next look.
        pace: E's mean gain a second, for the way back; 0 while nothing is known of it.
        live: sessions then.
        pending: buyers whom the level has reached, and who have not come yet.
        arrived, risen: buyers who came, and what E gained for them; older ones weigh less.
        ended, watched_s: sessions that ended, and the seconds of sessions in which they did.
        alone_s: since when it is listened whether anybody waits still; 0: somebody does.
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
    """What is seen when the level is advanced.

    Attributes:
        h: H now.
        h_next: H a look later, by the epochs that are known.
        live, live_max: sessions now, and their cap.
        opened: sessions opened since the look before.
        session_s: how long a session lasts until one has been seen to end.
        back_s: the longest way back that a refusal may name.
        stood: H stood still, or the draw was suspended, at some time since the look before.
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
    """Return κ, the H at which a token's turn comes, as tokens carry it."""
    key = h + x
    return on_grid(key) if math.isfinite(key) else key


def threshold_at(threshold: AdmissionThreshold | None, h: float, now_s: float) -> float:
    """Return E(t), at most H; H itself where nothing is known of a full hall."""
    if threshold is None or threshold.follows:
        return h
    share = min(max((now_s - threshold.at_s) / LOOK_EVERY_S, 0.0), 1.0)
    return min(h, threshold.e + share * threshold.rise)


def is_due(threshold: AdmissionThreshold | None, now_s: float) -> bool:
    """Tell whether it is time to look again; a clock that was far ahead freezes nothing."""
    return threshold is None or abs(now_s - threshold.at_s) >= LOOK_EVERY_S


def advanced(threshold: AdmissionThreshold | None, look: CapacityLook) -> AdmissionThreshold:
    """Return the level after a look at the hall."""
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
    if alone_s > 0.0:  # whoever asks is back when it is known
        pace = min(max(pace, (look.h_next - e) / ALONE_S), PACE_MAX)
    pending = learnt.pending + rise * density
    return _with(learnt, look, e=e, rise=rise, pace=pace, pending=pending, alone_s=alone_s)


def wait_s(threshold: AdmissionThreshold | None, key: float, h: float, now_s: float) -> float:
    """Return seconds until E reaches ``key`` at its mean pace; 0 where it has."""
    ahead = key - threshold_at(threshold, h, now_s)
    if threshold is None or ahead <= 0.0:
        return 0.0
    return ahead / threshold.pace if threshold.pace > 0.0 else math.inf


def back_at(wait: float, token_id: str, now_s: float, bounds_s: tuple[int, int]) -> int:
    """Return the epoch second of the next attempt after a refusal.

    A near turn is met to the second, the same whenever in a second one asks. A far one is looked
    for halfway, as its pace may change, with a jitter so that a crowd does not come back as one.
    Whose turn has come and who found no room (``wait`` is 0) comes back within a few seconds, at
    a moment that nobody chooses.

    Args:
        bounds_s: the gate's least and longest way back.
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
    """Bring the level to this moment: what E has gained, who came and who left."""
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
    """Return how many buyers the level is to reach until the next look."""
    if spare <= 0:
        return 0.0
    wanted = max(0.0, spare + leaving * LOOK_EVERY_S - learnt.pending)
    if look.stood or 2.0 * (threshold.pending - look.opened) < spare:
        return wanted  # what has become free since was offered to nobody yet
    gap = max(0.0, (look.now_s - threshold.at_s) / COMING_S - 1.0)
    return wanted + spare * min(gap, GAP_MOST)


def _alone_since(threshold: AdmissionThreshold, look: CapacityLook) -> float:
    """Return since when nobody has come, after a time so long that all who wait must have asked.

    Unless they could not, so they are listened for; 0 where somebody came, or H stood.
    """
    if look.stood:
        return 0.0
    if threshold.alone_s > 0.0 and 0.0 <= look.now_s - threshold.alone_s <= FORGOTTEN_S:
        return 0.0 if look.opened > 0 else threshold.alone_s
    quiet = look.now_s - threshold.at_s > _QUIET * look.back_s + LOOK_EVERY_S
    return look.now_s if quiet else 0.0


def _density(threshold: AdmissionThreshold) -> float:
    """Return buyers for each unit of H; 0 where none have come."""
    return threshold.arrived / threshold.risen if threshold.risen > 0.0 else 0.0


def _leaving_per_s(threshold: AdmissionThreshold, look: CapacityLook) -> float:
    """Return how many sessions end a second, one of the assumed length weighed in."""
    return look.live * (threshold.ended + 1.0) / (threshold.watched_s + look.session_s)


def _gain(buyers: float, density: float) -> float:
    if buyers <= 0.0:
        return 0.0
    return buyers / density if density else math.inf


def _with(
    threshold: AdmissionThreshold, look: CapacityLook, **changes: float | bool
) -> AdmissionThreshold:
    """Return the level at the moment of the look."""
    fields = {name: getattr(threshold, name) for name in AdmissionThreshold.__struct_fields__}
    now = {"at_s": look.now_s, "live": look.live, "rise": 0.0, "follows": False, "alone_s": 0.0}
    return AdmissionThreshold(**(fields | now | changes))
