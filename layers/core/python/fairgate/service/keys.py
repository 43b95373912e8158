"""The keys of items, written once. docs/data.md shows them as a table."""

from __future__ import annotations


def seat_key(event: str, seat: str) -> tuple[str, str]:
    return f"{event}#{seat}", "META"


def area_key(event: str, area: str, shard: int) -> tuple[str, str]:
    return f"{event}#{area}#{shard}", "GA"


def standing_key(user: str, event: str) -> tuple[str, str]:
    return f"U#{user}", event


def session_key(session: str) -> tuple[str, str]:
    return session, f"S#{session}"


def reservation_key(session: str, hold: str, unit: str) -> tuple[str, str]:
    return session, f"R#{hold}#{unit}"


def order_key(session: str, order: str) -> tuple[str, str]:
    return session, f"O#{order}"


def token_key(token: str) -> tuple[str, str]:
    return f"T#{token}", f"T#{token}"


def payment_event_key(event: str) -> tuple[str, str]:
    return f"P#{event}", f"P#{event}"


def live_key(event: str, bucket: str) -> tuple[str, str]:
    return f"{event}#LIVE", bucket


def keyed(key: tuple[str, str]) -> dict[str, str]:
    return {"PK": key[0], "SK": key[1]}


def owned(user: str, event: str, sort: str) -> dict[str, str]:
    """The index keys of what belongs to a user's standing in an event."""
    return {"GSI1PK": f"{user}#{event}", "GSI1SK": sort}
