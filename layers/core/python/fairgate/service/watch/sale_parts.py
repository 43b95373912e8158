"""Make the figures of an event's tally: money, results of sessions, the desk's decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import WrongStateError
from fairgate.service.watch.figures import DeskFigures, SaleFigures

if TYPE_CHECKING:
    from fairgate.service.shared.records.sessions import SalesTally
    from fairgate.service.watch.figures import Part
    from fairgate.service.watch.look import Look

TRAIL_STEP_MS = 30_000
TRAIL_MS = 600_000  # the longest time of the means of pace and lag
_OFTEN = 3  # places sold in that time, which a forecast needs


class Trail(Struct, array_like=True):
    """The tally at one time."""

    at_ms: int
    taken: int  # seats and places sold
    heard: int
    lag_ms: int


def sale_part(look: Look, trail: list[Trail], seats: Part) -> SaleFigures:
    """Raises WrongStateError (sold before sales were counted), DependencyUnavailableError.

    Args:
        trail: of the last minutes; updated here.
        seats: for the places that are left.
    """
    sale = look.sale
    if not sale.counted:
        raise WrongStateError(
            "This event was created by a version that did not count sales:"
            " `fairgate orders reconcile` and the provider's dashboard know them."
        )
    tally = look.tally()
    first = _follow(trail, tally, look.now_ms)
    per_min = _per_min(first, tally, look.now_ms)
    return SaleFigures(
        at=look.now,
        currency=sale.currency,
        paid=tally.paid,
        tickets=tally.tickets,
        revenue_minor=tally.revenue_minor,
        declined=tally.declined,
        failed=tally.unpaid,
        webhook_lag_s=_lag_s(first, tally),
        refunds_due=tally.owed - tally.made,
        refunds_due_minor=tally.owed_minor - tally.made_minor,
        refunds_sent=tally.made,
        ended_unpaid=tally.ended,
        found_nothing=tally.empty,
        sold_per_min=per_min,
        sold_out_at=_sold_out_at(look, seats, per_min),
    )


def desk_part(look: Look) -> DeskFigures:
    """Raises WrongStateError (decided before that was counted), DependencyUnavailableError."""
    if not look.sale.counted:
        raise WrongStateError("This event was created by a version that did not count decisions.")
    return DeskFigures(at=look.now, flagged=look.tally().flagged, locked=look.tally().locked)


def _follow(trail: list[Trail], tally: SalesTally, now_ms: int) -> Trail:
    """Add the present tally, remove what is too old; return the oldest."""
    trail[:] = [one for one in trail if 0 <= now_ms - one.at_ms <= TRAIL_MS]
    if not trail or now_ms - trail[-1].at_ms >= TRAIL_STEP_MS:
        trail.append(Trail(now_ms, _taken(tally), tally.heard, tally.lag_ms))
    return trail[0]


def _taken(tally: SalesTally) -> int:
    return tally.seats + tally.places


def _per_min(first: Trail, tally: SalesTally, now_ms: int) -> float | None:
    span_ms = now_ms - first.at_ms
    return None if span_ms < TRAIL_STEP_MS else (_taken(tally) - first.taken) * 60_000 / span_ms


def _lag_s(first: Trail, tally: SalesTally) -> float | None:
    """Return the mean delay of the last minutes' webhooks, else of all; None: there were none."""
    heard, lag_ms = tally.heard - first.heard, tally.lag_ms - first.lag_ms
    if not heard:
        heard, lag_ms = tally.heard, tally.lag_ms
    return lag_ms / 1000 / heard if heard else None


def _sold_out_at(look: Look, seats: Part, per_min: float | None) -> str | None:
    free, held = getattr(seats, "free", None), getattr(seats, "held", None)
    if free is None or held is None or per_min is None or per_min * TRAIL_MS / 60_000 < _OFTEN:
        return None
    return rfc3339(look.now_ms + round((free + held) / per_min * 60_000))
