"""Name the keys of the cache, and so their slots: every call uses one slot.

The keys of a section have the hash tag ``{<event>:<section>}``, so a cluster can keep each section
on another node. The keys of a whole event have ``{<event>}``, and each token bucket has its own
tag. Source: Valkey documentation, "Cluster specification", hash tags.
"""

from __future__ import annotations


def section_key(event: str, section: str) -> str:
    return f"seatmap:{_tag(event, section)}"


def vector_key(event: str, section: str) -> str:
    return f"vector:{_tag(event, section)}"


def expiries_key(event: str, section: str) -> str:
    return f"expiries:{_tag(event, section)}"


def log_key(event: str, section: str = "") -> str:
    """Name a section's change log, or the event's."""
    return f"changes:{_tag(event, section)}" if section else f"news:{{{event}}}"


def counts_key(event: str) -> str:
    return f"counts:{{{event}}}"


def home_key(event: str, section: str = "") -> str:
    """Name the hash of a section's or the event's data; if it is lost, they are."""
    return section_key(event, section) if section else counts_key(event)


def inventory_key(event: str) -> str:
    return f"inventory:{{{event}}}"


def refill_key(event: str, place: str) -> str:
    return f"refill:{_tag(event, place)}"


def claims_key(event: str, section: str) -> str:
    return f"claims:{_tag(event, section)}"


def claimants_key(event: str, section: str) -> str:
    return f"claimants:{_tag(event, section)}"


def rate_key(event: str, bucket: str) -> str:
    return f"rate:{_tag(event, bucket)}"


def section_keys(event: str, section: str) -> list[str]:
    """Name the keys of a section: its seats, the ends of their locks, vector, change log."""
    return [
        section_key(event, section),
        expiries_key(event, section),
        vector_key(event, section),
        log_key(event, section),
    ]


def _tag(event: str, part: str) -> str:
    # Ids have no brace and an event's no colon, so no two parts share a tag by their spelling.
    return f"{{{event}:{part}}}"
