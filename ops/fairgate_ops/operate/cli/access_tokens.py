"""``fairgate access token …``: tokens by which programs act over HTTP."""

from __future__ import annotations

import argparse
import secrets
from typing import TYPE_CHECKING

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import MalformedInputError
from fairgate.service.gate.must_be_listed import must_be_listed
from fairgate.service.operators.api_tokens import ApiTokens
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.readable import find_readable
from fairgate.service.shared.records.catalog import Event
from fairgate_ops.operate.cli.act import Act, every_log
from fairgate_ops.operate.cli.command import at_target, moment_ms
from fairgate_ops.operate.cli.report import Listing, Report

if TYPE_CHECKING:
    from typing import Any

    from fairgate.service.shared.records.operators import ApiToken
    from fairgate_ops.operate.target import Target

ALL = "all"
DAYS_MAX = 400
ONCE = "It is shown once and stored nowhere: give it to the program now."


@at_target
def run_token(options: argparse.Namespace, target: Target) -> Act[tuple[str, ApiToken]]:
    role, event = options.role, "" if options.event == ALL else options.event
    if event:
        must_be_listed(target.world.table, event)
    elif find_readable(target.world.table, Event, event_key(ALL)) is not None:
        raise MalformedInputError(f"There is an event called {ALL}: a token for all has no name.")
    until = _until(options, target)
    about = {"event": options.event, "role": role, "until": until}

    def would() -> Report:
        return Report(about, [f"Would make a token: {role} at {options.event}, until {until}."])

    def report(made: tuple[str, ApiToken]) -> Report:
        token, record = made
        return Report({**about, "id": record.sk, "token": token}, [token, ONCE])

    return Act(
        name="access token",
        events=[event] if event else every_log(target),
        detail={"role": role, "at": options.event, "until": until},
        do=lambda: _tokens(target).make(
            event, role, by=target.who(), until=until, token_bytes=secrets.token_bytes
        ),
        would=would,
        report=report,
    )


@at_target
def run_tokens(options: argparse.Namespace, target: Target) -> Report:
    del options
    now = rfc3339(target.world.clock.now_ms())
    found = sorted(_tokens(target).all(), key=lambda one: (one.event_id, one.at))
    tokens = [_shown(one, now) for one in found]
    rows = [
        (one.sk, one.role, one.event_id or ALL, one.revoked_at or one.until, one.by)
        for one in found
    ]
    plain = [
        f"{name}  {role:<11} {at:<24} ends {ends}  by {by}" for name, role, at, ends, by in rows
    ]
    listing = Listing(("Token", "Role", "Event", "Ends", "By"), rows, plain or ["No token."])
    return Report({"tokens": tokens}, [listing])


@at_target
def run_end_token(options: argparse.Namespace, target: Target) -> Act[None]:
    found = _tokens(target).find(options.token)
    report = Report({"id": found.sk}, [f"{found.sk} is refused from the next request on."])
    return Act(
        name="access end-token",
        events=[found.event_id] if found.event_id else every_log(target),
        detail={"id": found.sk, "role": found.role},
        do=lambda: _tokens(target).revoke(found.sk, by=target.who()),
        would=lambda: report,
        report=lambda _: report,
    )


def _shown(one: ApiToken, now: str) -> dict[str, Any]:
    return {
        "id": one.sk,
        "event": one.event_id or ALL,
        "role": one.role,
        "until": one.until,
        "revoked_at": one.revoked_at or None,
        "in_force": one.counts(now),
        "by": one.by,
        "at": one.at,
    }


def _until(options: argparse.Namespace, target: Target) -> str:
    """Raises MalformedInputError."""
    until_ms, now_ms = moment_ms(options.until, options), target.world.clock.now_ms()
    if not now_ms < until_ms <= now_ms + DAYS_MAX * 86_400_000:
        raise MalformedInputError(f"A token ends within {DAYS_MAX} days, and not in the past.")
    return rfc3339(until_ms)


def _tokens(target: Target) -> ApiTokens:
    return ApiTokens(target.world.table, target.world.clock)
