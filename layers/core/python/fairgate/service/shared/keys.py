"""The keys of items, written once. docs/data.md shows them as a table."""

from __future__ import annotations

import hashlib

CATALOG_PK = "EVENT"  # the partition of every event


def seat_key(event: str, seat: str) -> tuple[str, str]:
    return f"{event}#{seat}", "META"


def area_key(event: str, area: str, shard: int) -> tuple[str, str]:
    return f"{event}#{area}#{shard}", "GA"


def standing_key(user: str, event: str) -> tuple[str, str]:
    return user_key(user), event


def session_key(session: str) -> tuple[str, str]:
    return session, f"S#{session}"


def reservation_key(session: str, hold: str, unit: str) -> tuple[str, str]:
    return session, f"R#{hold}#{unit}"


def order_key(session: str, order: str) -> tuple[str, str]:
    return session, f"O#{order}"


def refund_key(session: str, order: str, payment: str) -> tuple[str, str]:
    return session, f"F#{order}#{payment}"


def token_key(token: str) -> tuple[str, str]:
    return f"T#{token}", f"T#{token}"


def payment_event_key(event: str) -> tuple[str, str]:
    return f"P#{event}", f"P#{event}"


def once_key(owner: str, route: str, key: str) -> tuple[str, str]:
    """An idempotency record; the caller's key may hold any character, so its hash stands here."""
    return owner, f"I#{route}#{hashlib.sha256(key.encode()).hexdigest()[:32]}"


def user_key(user: str) -> str:
    """The partition of what belongs to a user."""
    return f"U#{user}"


def due_key(event: str, minute: str, name: str) -> tuple[str, str]:
    return f"{event}#DUE#{minute}", name


def swept_key(event: str) -> tuple[str, str]:
    """The last minute of which everything due has been looked at."""
    return f"{event}#DUE", "SWEPT"


def reconciled_key() -> tuple[str, str]:
    """Until when the provider's books have been compared with the orders."""
    return "RECONCILED", "RECONCILED"


def live_key(event: str, bucket: str) -> tuple[str, str]:
    return f"{event}#LIVE", bucket


def keyed(key: tuple[str, str]) -> dict[str, str]:
    return {"PK": key[0], "SK": key[1]}


def owned(user: str, event: str, sort: str) -> dict[str, str]:
    """The index keys of what belongs to a user's standing in an event."""
    return {"GSI1PK": f"{user}#{event}", "GSI1SK": sort}
