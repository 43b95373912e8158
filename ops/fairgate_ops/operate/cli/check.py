"""``fairgate check``: go or no-go for one event, before doors and on the day."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import add_switches, at_target
from fairgate_ops.operate.cli.doctor import add_within, counted, listing, site_at
from fairgate_ops.shared.crowd import CROWD, crowd

if TYPE_CHECKING:
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.target import Target


def add_arguments(group: argparse.ArgumentParser) -> None:
    add_switches(group)
    group.description = (
        "Say go or no-go for one event, each line with what to do about it. It changes nothing;"
        " ends with 1 when anything is wrong or could not be seen. What concerns the whole"
        " deployment is doctor's."
    )
    group.add_argument("event")
    group.add_argument(
        "--crowd",
        type=crowd,
        default=CROWD,
        metavar="N",
        help=f"so many may wait; the sample must tell of them (default: {CROWD:,})",
    )
    add_within(group)
    group.set_defaults(run=run_check)


@at_target
def run_check(options: argparse.Namespace, target: Target) -> Report:
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.doctor.checks import OF_AN_EVENT, OF_AN_EVENT_IN_AWS
    from fairgate_ops.operate.doctor.examine import examine

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
