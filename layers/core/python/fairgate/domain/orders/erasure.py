"""Say what takes a buyer's address's place, and for how long the law keeps it elsewhere."""

from __future__ import annotations

from fairgate.domain.shared.times import epoch_ms, rfc3339

ERASED = "erased"  # where an address was; it has no @, so nothing can be mailed there
# Tickets are good until a performance is over, and nobody says how long one lasts.
OVER_AFTER_MS = 24 * 3_600_000
# Invoices and credit notes. Source: Germany, § 14b UStG (8 years since 2025, 10 before); France,
# code de commerce, L123-22 (10 years). The longer one, as nobody is harmed by what names a buyer.
KEPT_YEARS = 10


def took_place(starts_at: str, now_ms: int) -> bool:
    """Say whether a performance is over; False where its date is not said."""
    return bool(starts_at) and epoch_ms(starts_at) + OVER_AFTER_MS <= now_ms


def kept_until(given_at: str, years: int) -> str:
    """Return the last day on which the law keeps a document: years count from the year's end."""
    return f"{int(given_at[:4]) + years}-12-31"


def law_keeps(given_at: str, years: int, now_ms: int) -> bool:
    """Say whether a document of that time has to be kept as it is."""
    return rfc3339(now_ms)[:10] <= kept_until(given_at, years)
