"""Hold seats, find and hold the best available, give one hold back."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fairgate import log_lines, metrics
from fairgate.adapters.aws.emf import emit
from fairgate.bootstrap import container
from fairgate.http import paths
from fairgate.http.app import answer, create_app, resolve, what_came
from fairgate.http.models import BestAvailableRequest, HoldRequest
from fairgate.http.rate_limits import count_request
from fairgate.http.session_access import keyed_request, session_credential
from fairgate.http.views.holds import hold_view
from fairgate.service.holds.choose_places import chosen_places
from fairgate.service.holds.claim_seats import ClaimingHolder
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.release_seats import SeatReleaser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aws_lambda_powertools.event_handler import Response

    from fairgate.bootstrap import Container

CREATED = 201
SERVER_ERROR = 500  # what the buyer asked for wrongly, or too late, is no failure of ours
# Answers that need no session: they count for nothing, so that no stranger hides or makes failures.
STRANGERS = (400, 401, 403, 404, 405, 413, 429)

app = create_app()
logger = log_lines.logger()


@app.post(paths.powertools_rule(paths.HOLDS))
def post_hold(session: str) -> Response[str]:
    world = container()
    key, credential, request = keyed_request(app, world, session, "holds", HoldRequest)
    places = chosen_places(
        world.layouts, world.catalog, credential, seats=request.seats, areas=request.areas
    )
    alone: list[str] = []
    if credential.avoid_single_seats:
        from fairgate.service.holds.single_seats import single_seats  # geometry: not for the others

        alone = single_seats(world.layouts, world.availability, credential, places.units)
    with _holder(world) as holder:
        held = ClaimingHolder(world.claims, holder).hold(
            credential,
            places.units,
            shards=places.shards,
            idempotency_key=key,
            alone=alone,
        )
    return answer(201, hold_view(session, held.hold, held.expires_at, held.units))


@app.post(paths.powertools_rule(paths.BEST_AVAILABLE))
def post_best_available(session: str) -> Response[str]:
    from fairgate.service.holds.hold_best import (
        BestHolder,
        BestRequest,
    )  # geometry: not for the hand-picked hold

    world = container()
    key, credential, request = keyed_request(app, world, session, "holds", BestAvailableRequest)
    wanted = BestRequest(
        request.quantity,
        request.section,
        request.tier,
        int(request.accessible),
        request.zone,
        request.standing,
        request.without,
    )
    with _holder(world) as holder:
        best = BestHolder(world.layouts, world.availability, holder, world.catalog, world.claims)
        held = best.hold(credential, wanted, idempotency_key=key)
    return answer(201, hold_view(session, held.hold, held.expires_at, held.units))


@app.delete(paths.powertools_rule(paths.HOLD))
def delete_hold(session: str, hold: str) -> Response[str]:
    world = container()
    credential = session_credential(app, world, session)
    count_request(app, world, "releases", credential.event, credential.user)
    SeatReleaser(world.table, world.clock).release_hold(session, credential.user, hold)
    return answer(204, None)


@contextmanager
def _holder(world: Container) -> Iterator[SeatHolder]:
    """Make a holder, and say which counters of areas it could not read: buyers do not see it."""
    holder = SeatHolder(world.table, world.clock, world.ids)
    try:
        yield holder
    finally:
        if holder.damaged:
            logger.error("damaged seats", keys=[key.pk for key in holder.damaged])
            figures = {metrics.SEATS_DAMAGED: len(holder.damaged)}
            emit(world.settings, world.clock.now_ms(), figures)


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    holds = event.get("requestContext", {}).get("http", {}).get("method") == "POST"
    answered = resolve(app, event, context, noted=not holds)
    world = container()
    figures = world.rates.figures()
    came = what_came(event, answered) if holds else None  # in the figures' line: one a hold
    if holds:
        status = answered["statusCode"]
        if status not in STRANGERS:
            figures |= {
                metrics.HOLD_ATTEMPTS: 1,
                metrics.HOLDS_MADE: int(status == CREATED),
                metrics.HOLD_FAILURES: int(status >= SERVER_ERROR),
            }
        for counts in (world.claims.fallbacks(), world.availability.fallbacks()):
            for name, count in counts.items():
                figures[name] = figures.get(name, 0) + count
    if figures:
        emit(world.settings, world.clock.now_ms(), figures, came)
    elif came:
        logger.info("answered", route=came["route"], status=came["status"])
    return answered
