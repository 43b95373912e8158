"""Say what checks found; and the part of ``fairgate check`` that a function can make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Listing, Report
from fairgate_ops.operate.doctor.examine import examine
from fairgate_ops.operate.doctor.in_reach import IN_REACH, OUT_OF_REACH
from fairgate_ops.operate.doctor.site import Site, fetch

if TYPE_CHECKING:
    import argparse

    from fairgate_ops.operate.doctor.finding import Finding
    from fairgate_ops.operate.target import Target

STATES = {"ok": "ok", "wrong": "WRONG", "unseen": "NOT SEEN", "off": "—"}
WITHIN_S_MAX = 20.0  # the function answers within 25


@at_target
def run_check_in_reach(options: argparse.Namespace, target: Target) -> Report:
    """As `fairgate check`, without what only the command reaches, which the answer names."""
    site = Site(
        target=target,
        stage="",
        client=None,
        needs=None,  # type: ignore[arg-type]  # no check in reach looks at it
        fetch=fetch,
        only=options.event,
        crowd=options.crowd,
    )
    findings = examine(site, IN_REACH, {}, within_s=min(options.within, WITHIN_S_MAX))
    bad = [one for one in findings if one.state in {"wrong", "unseen"}]
    data = {
        "event": options.event,
        "go": not bad,
        "crowd": options.crowd,
        "findings": [one.as_json() for one in findings],
        "not_looked_at": list(OUT_OF_REACH),
    }
    verdict = f"{'NO GO' if bad else 'GO'}: {counted(findings)}."
    others = f"Only `fairgate check` looks at: {', '.join(OUT_OF_REACH)}."
    return Report(data, [listing(findings), verdict, others], failed=bool(bad))


def listing(findings: list[Finding]) -> Listing:
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
