"""``fairgate access …``: who has which role at one event."""

from __future__ import annotations

import argparse

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import MalformedInputError
from fairgate.service.gate.must_be_listed import must_be_listed
from fairgate.service.operators.role_grants import RoleGrants, group_named, user_named
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target, moment_ms
from fairgate_ops.operate.cli.report import Listing, Report
from fairgate_ops.operate.target import Target


@at_target
def run_grant(options: argparse.Namespace, target: Target) -> Act[object]:
    event, role, who = options.event, options.role, _who(options)
    must_be_listed(target.world.table, event)
    until = _until(options, target)
    data = {"event": event, "role": role, "who": who, "until": until or None}
    ends = f" until {until}" if until else ""
    text = f"{who} has the role {role} at {event}{ends}."
    return Act(
        name="access grant",
        events=[event],
        detail={"role": role, "who": who, "until": until or None},
        do=lambda: _grants(target).grant(event, role, who, by=target.who(), until=until),
        would=lambda: Report(data, [text]),
        report=lambda _: Report(data, [text]),
    )


@at_target
def run_revoke(options: argparse.Namespace, target: Target) -> Act[object]:
    event, role, who = options.event, options.role, _who(options)
    must_be_listed(target.world.table, event)
    report = Report(
        {"event": event, "role": role, "who": who},
        [f"{who} has the role {role} at {event} no more, from the next request on."],
    )
    return Act(
        name="access revoke",
        events=[event],
        detail={"role": role, "who": who},
        do=lambda: _grants(target).revoke(event, role, who, by=target.who()),
        would=lambda: report,
        report=lambda _: report,
    )


@at_target
def run_list(options: argparse.Namespace, target: Target) -> Report:
    event, now = options.event, rfc3339(target.world.clock.now_ms())
    must_be_listed(target.world.table, event)
    found = _grants(target).of_event(event)
    grants = [
        {
            "role": one.role,
            "who": one.who,
            "until": one.until or None,
            "revoked_at": one.revoked_at or None,
            "in_force": one.counts(now),
            "by": one.by,
            "at": one.at,
        }
        for one in found
    ]
    rows = [(one.role, one.who, _ends(one.until, one.revoked_at), one.by) for one in found]
    plain = [f"{role:<11} {who:<40} {ends:<33} by {by}" for role, who, ends, by in rows]
    none = [f"Nobody has a role for {event} alone."]
    listing = Listing(("Role", "Who", "Until", "By"), rows, plain or none)
    return Report({"event": event, "grants": grants}, [listing])


def _ends(until: str, revoked_at: str) -> str:
    return f"revoked {revoked_at}" if revoked_at else until or "until it is revoked"


def _who(options: argparse.Namespace) -> str:
    """Raises MalformedInputError."""
    return user_named(options.user) if options.group is None else group_named(options.group)


def _until(options: argparse.Namespace, target: Target) -> str:
    """Raises MalformedInputError."""
    if options.until is None:
        return ""
    until_ms = moment_ms(options.until, options)
    if until_ms <= target.world.clock.now_ms():
        raise MalformedInputError(f"{rfc3339(until_ms)} is over.")
    return rfc3339(until_ms)


def _grants(target: Target) -> RoleGrants:
    return RoleGrants(target.world.table, target.world.clock)
