"""Name the keys of the cache, and with them their slots: every call of ours keeps to one slot.

What is of one section carries the hash tag ``{<event>:<section>}``, so a cluster may keep each
section of a venue on another node; what is asked for a whole event carries ``{<event>}``; and each
token bucket has a tag of its own. Source: Valkey documentation, "Cluster specification", hash tags.
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
    """Name the hash that is lost together with what is known of a section, or of the event."""
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
    """Name what a section is made of: its seats, the ends of their locks, vector, change log."""
    return [
        section_key(event, section),
        expiries_key(event, section),
        vector_key(event, section),
        log_key(event, section),
    ]


def _tag(event: str, part: str) -> str:
    # Ids have no brace and an event's no colon, so no two parts share a tag by their spelling.
    return f"{{{event}:{part}}}"
