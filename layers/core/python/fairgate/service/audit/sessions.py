"""Laws about sessions and users: limits, live counts and an event's capacity."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fairgate.domain.shared.session import LIVE_STATES, live_from
from fairgate.domain.shared.times import epoch_ms
from fairgate.ports.record import PK, SK
from fairgate.service.audit.law import law
from fairgate.service.audit.order_states import TAKING, places_in
from fairgate.service.audit.seats import KEEPING
from fairgate.service.shared.keys import (
    capacity_limit_key,
    capacity_shard_key,
    live_partitions,
    shared_count_key,
    user_of,
)
from fairgate.service.shared.shared_count import CARD, kept_until_s

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.service.audit.law import Found
    from fairgate.service.audit.snapshot import Item, Snapshot

_FIND_BUYER = "Pause the event, and read the user's sessions and orders: `fairgate buyer show`."
_READ_CAPACITY = "Pause the event, and set its capacity limit again with `fairgate event target`."


@law("Pause the event, and read the session's reservations; void what is above the limit.")
def session_limit(seen: Snapshot) -> Found:
    """A session holds no more places than its event allows."""
    limits, held = {event[SK]: event["holdLimit"] for event in seen.events}, _held(seen)
    for session in seen.sessions:
        limit = limits.get(session["eventId"], 0)
        if held[session[PK]] > limit:
            yield session[PK], f"{held[session[PK]]} units, limit {limit}"


@law("Read the session's item and its reservations; its places come back when it ends.")
def session_count(seen: Snapshot) -> Found:
    """A live session counts as many places as it holds."""
    held = _held(seen)
    for session in seen.sessions:
        said, count = session["resCount"], held[session[PK]]
        if said != count and session["state"] in LIVE_STATES:
            yield session[PK], f"counts {said}, has {count} units"


@law(_FIND_BUYER)
def one_live_session(seen: Snapshot) -> Found:
    """A user has at most one live session in an event."""
    live = Counter((one["userId"], one["eventId"]) for one in seen.live_sessions.values())
    for (user, event), count in live.items():
        if count > 1:
            yield f"{user} in {event}", f"{count} live sessions"


@law("Write the session into the user's status item: nothing refuses a second one before.")
def live_session_named(seen: Snapshot) -> Found:
    """A user's status names the user's live session."""
    named = {_user_event(item): item.get("liveSession") for item in seen.of("user status")}
    for name, session in seen.live_sessions.items():
        if named.get((session["userId"], session["eventId"])) != name:
            yield name, f"the status of {session['userId']} does not name it"


@law("Pause the event, and find out who opened the two sessions: `fairgate buyer show`.")
def token_redeemed_twice(seen: Snapshot) -> Found:
    """A waiting token opens one session."""
    for token, count in Counter(one["tokenId"] for one in seen.sessions).items():
        if count > 1:
            yield token, f"{count} sessions"


@law(_FIND_BUYER)
def sessions_limit(seen: Snapshot) -> Found:
    """A user opens no more sessions than the event allows."""
    limits = {event[SK]: event["sessionsLimit"] for event in seen.events}
    for (user, event), count in _opened(seen).items():
        if count > limits.get(event, 0):
            yield user, f"{count} sessions"


@law("Read the user's status item, and write the number of sessions into it.")
def sessions_used(seen: Snapshot) -> Found:
    """A user's status counts the sessions that the user opened."""
    counted = {_user_event(item): item.get("sessionsUsed", 0) for item in seen.of("user status")}
    for key, count in _opened(seen).items():
        if count != counted.get(key, 0):
            yield key[0], f"{count} sessions, {counted.get(key)} counted"


@law("Pause the event, and refund the orders above the limit: `fairgate buyer show`.")
def user_limit(seen: Snapshot) -> Found:
    """No user has more places than the event allows, ordered, bought or passed on to them."""
    limits = {event[SK]: event["userLimit"] for event in seen.events}
    for (user, event), count in _taken(seen).items():
        if count > limits.get(event, 0):
            yield f"{user} in {event}", f"has taken {count}"


@law("Read the user's status item, and write the number of places into it.")
def user_count(seen: Snapshot) -> Found:
    """A user's status counts the places that the user has taken."""
    taken = _taken(seen)
    counted = {_user_event(item): item.get("placesTaken", 0) for item in seen.of("user status")}
    for key in taken.keys() | counted.keys():
        if taken[key] != counted.get(key, 0):
            what = f"has taken {taken[key]}, the status says {counted.get(key, 0)}"
            yield f"{key[0]} in {key[1]}", what


@law("Refund the orders above the limit; or write the number of places into the count.")
def shared_count(seen: Snapshot) -> Found:
    """The count of an address or card is what its orders have; no card has more than its limit."""
    now_s = epoch_ms(seen.now) // 1000
    taken: Counter[str] = Counter()
    limits: dict[str, int] = {}
    for order in seen.orders:
        kept_s = kept_until_s(order.get("startsAt", ""), order["createdAt"])
        if order["state"] in TAKING and kept_s > now_s:
            for tag in order.get("countedBy", ()):
                name = shared_count_key(order["eventId"], tag).pk
                taken[name] += places_in(order)
                if tag.startswith(CARD):
                    limits[name] = max(limits.get(name, 0), order["cardLimit"])
    counted = {
        item[PK]: item.get("places", 0) for item in seen.of("shared count") if item["ttl"] > now_s
    }
    for name in taken.keys() | counted.keys():
        if taken[name] != counted.get(name, 0):
            yield name, f"{taken[name]} places, {counted.get(name, 0)} counted"
        elif taken[name] > limits.get(name, taken[name]):
            yield name, f"{taken[name]} places, the limit is {limits[name]}"


@law("Answer it, or look at the account: `fairgate desk show`.")
def open_appeal(seen: Snapshot) -> Found:
    """An open appeal is about the lock-out that its account has."""
    ends = {
        (user_of(one[PK]), one[SK]): {one.get("lockedUntil"), one.get("appealedUntil")}
        for one in seen.of("user status")
    }
    for appeal in seen.of("desk appeal"):
        event, (until, _, user) = appeal[PK].partition("#")[2], appeal[SK].partition("#")
        is_open = not appeal.get("answeredAt") and until > seen.now
        if is_open and ends.get((user, event)) != {until}:
            yield f"{user} in {event}", f"appeals against a lock-out until {until}"


@law("Compare `fairgate watch` with the sessions; the counter of a minute goes when it is past.")
def live_counter(seen: Snapshot) -> Found:
    """The counters of a minute to come have as many sessions as will end in it."""
    this_minute = live_from(seen.now)
    live = Counter(
        (session["eventId"], session["liveBucket"])
        for session in seen.sessions
        if session["state"] in LIVE_STATES
    )
    events = {pk: item[SK] for item in seen.events for pk in live_partitions(item[SK])}
    counted = {
        (events[item[PK]], item[SK]): item.get("live", 0)
        for item in seen.of("live counter")
        if item[PK] in events
    }
    for event, bucket in counted.keys() | live.keys():
        said, count = counted.get((event, bucket), 0), live[event, bucket]
        if said != count and live_from(bucket) > this_minute:
            yield f"{event} {bucket}", f"{said} counted, {count} live"


@law(_READ_CAPACITY)
def capacity_limit(seen: Snapshot) -> Found:
    """No more sessions are live than the limit allows, unless it was lowered below them."""
    caps = _caps(seen)
    live = Counter(session["eventId"] for session in seen.live_sessions.values())
    for event in seen.events:
        name = event[SK]
        cap = caps.get(capacity_limit_key(name).pk, event["liveMax"])
        if not cap or live[name] <= cap:
            continue
        # If the limit was lowered below the live sessions, nothing is allocated to any shard.
        if not caps or any(shard["dealt"] for shard in _capacity_shards(seen, name).values()):
            yield name, f"{live[name]} of {cap} are live"


@law(_READ_CAPACITY)
def capacity_balance(seen: Snapshot) -> Found:
    """Used plus free slots equal the allocated ones, for each capacity shard."""
    inside = Counter(
        (session["eventId"], session["room"])
        for session in seen.sessions
        if session["state"] in LIVE_STATES and session.get("room") is not None
    )
    for event in (item[SK] for item in seen.events):
        for number, shard in _capacity_shards(seen, event).items():
            count = inside[event, number]
            if shard["left"] + count != shard["dealt"]:
                what = f"{shard['left']} free + {count} used ≠ {shard['dealt']} allocated"
                yield f"{event} shard {number}", what


@law(_READ_CAPACITY)
def capacity_bounds(seen: Snapshot) -> Found:
    """A capacity shard never gives more slots than are allocated to it."""
    for event in (item[SK] for item in seen.events):
        for number, shard in _capacity_shards(seen, event).items():
            if shard["left"] < 0 < shard["dealt"]:
                yield f"{event} shard {number}", f"{shard['left']} of {shard['dealt']} free"


@law(_READ_CAPACITY)
def capacity_allocated(seen: Snapshot) -> Found:
    """The slots allocated to all shards are at most the limit."""
    caps = _caps(seen)
    for event in (item[SK] for item in seen.events):
        dealt = sum(shard["dealt"] for shard in _capacity_shards(seen, event).values())
        cap = caps.get(capacity_limit_key(event).pk)
        if dealt and (cap is None or dealt > cap):
            yield event, f"{dealt} allocated, the limit is {cap}"


@law("Wait for the sweeper's next minute; then look for the alarm `SweeperSilent`.", "rest")
def session_never_ended(seen: Snapshot) -> Found:
    """No session is open once everything has expired."""
    for session in seen.sessions:
        if session["state"] in LIVE_STATES:
            yield session[PK], session["state"]


def _held(seen: Snapshot) -> Counter[str]:
    held: Counter[str] = Counter()
    for item in seen.reservations:
        held[item[PK]] += item["quantity"] * (item["state"] in KEEPING)
    return held


def _opened(seen: Snapshot) -> Counter[tuple[str, str]]:
    return Counter((session["userId"], session["eventId"]) for session in seen.sessions)


def _taken(seen: Snapshot) -> Counter[tuple[str, str]]:
    taken: Counter[tuple[str, str]] = Counter()
    for order in seen.orders:
        if order["state"] in TAKING:
            taken[order["userId"], order["eventId"]] += places_in(order)
        for one in order.get("passed", ()):  # a ticket passed on to a user counts for good
            if one.get("holder"):
                taken[one["holder"], order["eventId"]] += 1
    return taken


def _user_event(status: Item) -> tuple[str, str]:
    return user_of(status[PK]), status[SK]


def _caps(seen: Snapshot) -> Mapping[str, int]:
    return {item[PK]: item["cap"] for item in seen.of("capacity limit")}


def _capacity_shards(seen: Snapshot, event: str) -> dict[int, Item]:
    """Return an event's capacity shards by number."""
    prefix = capacity_shard_key(event, 0).pk.removesuffix("0")
    return {
        int(item[PK].removeprefix(prefix)): item
        for item in seen.of("capacity shard")
        if item[PK].startswith(prefix)
    }
