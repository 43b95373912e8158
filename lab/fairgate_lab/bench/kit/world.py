"""What the benchmarks' worlds share: Lambda events, open sessions, seats, processes that answer."""

from __future__ import annotations

import json
import random
import subprocess
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.session import live_bucket
from fairgate.service.shared.keys import session_key
from fairgate.service.shared.records.sessions import Session
from fairgate_ops.run.local.api_events import Request, RouteTable, event_of
from fairgate_ops.run.local.environment import base_environment, python_module
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.shared.paths import ROOT
from infra.routes import ROUTES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.domain.seating.venue import Venue
    from fairgate.domain.shared.credential import Credential


def lambda_event(request: Request) -> dict[str, Any]:
    """Make the event that API Gateway hands to the function for this request."""
    route, parameters = RouteTable(ROUTES).match(request.method, request.path)
    return event_of(request, route, parameters, "0198c1f2-request")


def get_event(target: str, **headers: str) -> dict[str, Any]:
    """Make the event of a viewer's GET."""
    return lambda_event(Request("GET", target, headers, (), b"", "127.0.0.1"))


def open_session(credential: Credential) -> Session:
    """Make an open session, as the sessions function writes it."""
    return Session(
        *session_key(credential.session),
        user_id=credential.user,
        event_id=credential.event,
        state="reservation",
        expires_at=credential.expires_at,
        res_count=0,
        live_bucket=live_bucket(credential.expires_at, credential.session),
        opened_at=credential.expires_at,
        token_id=credential.session,
        admission={},
    )


def sold_blocks(venue: Venue, share: float, seed: int) -> list[str]:
    """Draw about this share of the seats, in random blocks of one to six beside each other."""
    chance = random.Random(seed)  # noqa: S311 a drawing that repeats
    rows = [row for section in venue.sections for _, row in section.rows()]
    sold: set[str] = set()
    wanted = round(venue.seat_count() * share)
    while len(sold) < wanted:
        row = chance.choice(rows)
        first = chance.randrange(len(row.seats))
        sold.update(seat.id for seat in row.seats[first : first + chance.randint(1, 6)])
    return sorted(sold)


def start_module(
    name: str, *arguments: str, env: Mapping[str, str] | None = None, stderr: int | None = None
) -> subprocess.Popen[str]:
    """Start a module of this project in a process that prints one JSON document when it ends."""
    return subprocess.Popen(
        python_module(name, *arguments),
        env=dict(env or base_environment()),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
    )


def answer_of(process: subprocess.Popen[str], given: str | None = None) -> dict[str, Any]:
    """Wait for the document of such a process.

    Args:
        given: its standard input, which then ends.

    Raises:
        StartError: it failed.
    """
    out, _ = process.communicate(given)
    if process.returncode:
        raise StartError(f"{process.args!r} ended with {process.returncode}")
    document: dict[str, Any] = json.loads(out)
    return document
