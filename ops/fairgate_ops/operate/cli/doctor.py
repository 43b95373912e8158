"""``fairgate doctor``: is everything ready for the day? It looks, and changes nothing."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import add_switches, at_target, number
from fairgate_ops.shared.crowd import CROWD, crowd

if TYPE_CHECKING:
    from fairgate_ops.operate.cli.report import Listing, Report
    from fairgate_ops.operate.doctor.finding import Finding
    from fairgate_ops.operate.doctor.site import Site
    from fairgate_ops.operate.target import Target

WITHIN_S, WITHIN_S_MAX = 60.0, 3_600.0
STATES = {"ok": "ok", "wrong": "WRONG", "unseen": "NOT SEEN", "off": "—"}


def add_within(group: argparse.ArgumentParser) -> None:
    group.add_argument(
        "--within",
        type=partial(number, least=1.0, most=WITHIN_S_MAX),
        default=WITHIN_S,
        metavar="SECONDS",
        help=f"wait no longer for what stalls (default: {WITHIN_S:g})",
    )


def add_arguments(group: argparse.ArgumentParser) -> None:
    add_switches(group)
    group.description = (
        "Look whether everything is ready for the day. It changes nothing; ends with 1 when"
        " anything is wrong or could not be seen."
    )
    group.add_argument(
        "--crowd",
        type=crowd,
        default=CROWD,
        metavar="N",
        help=f"so many may wait; quotas are compared with what they ask for (default: {CROWD:,})",
    )
    group.add_argument(
        "--fire-alarms",
        action="store_true",
        help="aws: fire one alarm of each severity, and see that it is published",
    )
    add_within(group)
    group.set_defaults(run=run_doctor)


@at_target
def run_doctor(options: argparse.Namespace, target: Target) -> Report:
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.doctor.checks import EVERYWHERE, IN_AWS
    from fairgate_ops.operate.doctor.examine import examine

    site = site_at(options, target, fire=options.fire_alarms and not options.dry_run)
    findings = examine(site, EVERYWHERE, IN_AWS, within_s=options.within)
    bad = [one for one in findings if one.state in {"wrong", "unseen"}]
    data = {
        "ready": not bad,
        "crowd": options.crowd,
        "findings": [one.as_json() for one in findings],
    }
    return Report(data, [listing(findings), _verdict(findings)], failed=bool(bad))


def site_at(
    options: argparse.Namespace, target: Target, *, fire: bool = False, only: str = ""
) -> Site:
    """Return what the checks look at: everything, or as far as events go ``only`` this one."""
    from fairgate_ops.operate.capacity.plan import needs, read_inputs
    from fairgate_ops.operate.doctor.site import Site, fetch

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


def listing(findings: list[Finding]) -> Listing:
    from fairgate_ops.operate.cli.report import Listing

    return Listing(
        ("", "What", "Seen", "To do"),
        [(STATES[one.state], one.subject, one.text, _to_do(one)) for one in findings],
        [
            f"{STATES[one.state]:<9} {one.subject}: {one.text} {_to_do(one)}".rstrip()
            for one in findings
        ],
    )


def _to_do(finding: Finding) -> str:
    beside = ", ".join(text for text in (finding.where, finding.takes) if text)
    return f"{finding.do} ({beside})" if beside else finding.do


def counted(findings: list[Finding]) -> str:
    """Say how many lines are wrong or unseen; how many are right where none is."""
    counts = {state: sum(one.state == state for one in findings) for state in STATES}
    if counts["wrong"] or counts["unseen"]:
        return f"{counts['wrong']} wrong, {counts['unseen']} could not be seen"
    return f"{counts['ok']} lines are as they must be"


def _verdict(findings: list[Finding]) -> str:
    bad = any(one.state in {"wrong", "unseen"} for one in findings)
    return f"{'Not ready' if bad else 'Ready'}: {counted(findings)}."
