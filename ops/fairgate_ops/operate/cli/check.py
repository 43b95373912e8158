"""``fairgate check``: go or no-go for one event, before doors and on the day."""

from __future__ import annotations

import argparse

from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.doctor import counted, listing, site_at
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.doctor.checks import OF_AN_EVENT, OF_AN_EVENT_IN_AWS
from fairgate_ops.operate.doctor.examine import examine
from fairgate_ops.operate.target import Target


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
