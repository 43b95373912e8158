"""``fairgate doctor|check``: is everything ready, or this event? They look and change nothing."""

from __future__ import annotations

import argparse

from fairgate_ops.operate.aws_clients import AwsClients
from fairgate_ops.operate.capacity.inputs import read_inputs
from fairgate_ops.operate.capacity.plan import needs
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.event_check import counted, listing
from fairgate_ops.operate.cli.report import Report, Spoken
from fairgate_ops.operate.doctor.checks import (
    BEFORE_DEPLOY,
    EVERYWHERE,
    IN_AWS,
    OF_AN_EVENT,
    OF_AN_EVENT_IN_AWS,
)
from fairgate_ops.operate.doctor.examine import examine
from fairgate_ops.operate.doctor.finding import Finding
from fairgate_ops.operate.doctor.site import Site, fetch
from fairgate_ops.operate.target import Target


def run_doctor(options: argparse.Namespace) -> Spoken:
    if not options.before_deploy:
        return _deployed(options)
    if options.target != "aws":
        options.usage_error("--before-deploy is for --target aws")
    findings = examine(_account(options), {}, BEFORE_DEPLOY, within_s=options.within)
    return _doctor_report(options, findings)


@at_target
def _deployed(options: argparse.Namespace, target: Target) -> Report:
    site = site_at(options, target, fire=options.fire_alarms and not options.dry_run)
    return _doctor_report(options, examine(site, EVERYWHERE, IN_AWS, within_s=options.within))


def _doctor_report(options: argparse.Namespace, findings: list[Finding]) -> Report:
    bad = [one for one in findings if one.state in {"wrong", "unseen"}]
    data = {
        "ready": not bad,
        "crowd": options.crowd,
        "findings": [one.as_json() for one in findings],
    }
    return Report(data, [listing(findings), _verdict(findings)], failed=bool(bad))


def _account(options: argparse.Namespace) -> Site:
    """Return the account alone, in which nothing is deployed yet."""
    clients = AwsClients()
    return Site(
        target=None,  # type: ignore[arg-type]  # no check of the account looks at it
        stage="",
        client=lambda service, region: clients.client(service, region or options.region),
        needs=needs(read_inputs().for_crowd(options.crowd)),
        fetch=fetch,
        crowd=options.crowd,
    )


def site_at(
    options: argparse.Namespace, target: Target, *, fire: bool = False, only: str = ""
) -> Site:
    """Return what the checks look at: everything, or as far as events go ``only`` this one."""
    return Site(
        target=target,
        stage=options.stage if target.aws is not None else "",
        client=target.aws,
        needs=needs(read_inputs().for_crowd(options.crowd)),
        fetch=fetch,
        fire=fire,
        only=only,
        crowd=options.crowd,
    )


def _verdict(findings: list[Finding]) -> str:
    bad = any(one.state in {"wrong", "unseen"} for one in findings)
    return f"{'Not ready' if bad else 'Ready'}: {counted(findings)}."


@at_target
def run_check(options: argparse.Namespace, target: Target) -> Report:
    site = site_at(options, target, only=options.event)
    findings = examine(site, OF_AN_EVENT, OF_AN_EVENT_IN_AWS, within_s=options.within)
    bad = [one for one in findings if one.state in {"wrong", "unseen"}]
    data = {
        "event": options.event,
        "go": not bad,
        "crowd": options.crowd,
        "findings": [one.as_json() for one in findings],
    }
    verdict = f"NO GO: {counted(findings)}." if bad else f"GO: {counted(findings)}."
    return Report(data, [listing(findings), verdict], failed=bool(bad))
