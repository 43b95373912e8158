"""``fairgate audit``: recompute a sale from its log, or from the system itself."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.cli.command import Verbs, at_target
from fairgate_ops.operate.cli.report import LISTED_MAX, Report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate_ops.operate.audit.rules import SaleRules
    from fairgate_ops.operate.audit.sale import Audit
    from fairgate_ops.operate.target import Target


VERBS = ("check", "export")
_ALONE = ("--json", "--dry-run", "--help", "--version", "-h")  # before the group, without a value


def with_audit_verb(words: Sequence[str]) -> list[str]:
    """``audit final`` means ``audit check final``; every other command line is as it was.

    ``audit`` may be an event, a name or a reason as well, and is the command in one place alone.
    """
    typed = list(words)
    group = _group_at(typed)
    match typed[group : group + 2]:
        case ["audit", verb] if verb not in (*VERBS, "-h", "--help"):
            typed.insert(group + 1, VERBS[0])
    return typed


def _group_at(typed: Sequence[str]) -> int:
    """Return the place of the first word that is neither a switch nor what a switch is given."""
    place = 0
    while place < len(typed) and typed[place].startswith("-"):
        alone = "=" in typed[place] or any(one.startswith(typed[place]) for one in _ALONE)
        place += 1 if alone else 2
    return place


def add_arguments(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    checking = verbs.add(
        "check",
        "Recompute every admission; `check` may be left out. 1: something is found.",
        run_check,
    )
    checking.add_argument("event", nargs="?", help="of the running system or deployment")
    checking.add_argument("--log", metavar="FILE", help="an exported log instead")
    checking.add_argument("--config", metavar="FILE", help="with --log: the sale's rules")
    checking.add_argument(
        "--clock-s", type=_seconds, default=2.0, metavar="S", help="how far clocks differ (2)"
    )
    checking.add_argument(
        "--lag-s",
        type=_seconds,
        default=10.0,
        metavar="S",
        help="how long the origin may decide by rules it read before (10)",
    )
    checking.add_argument(
        "--edge-lag-s",
        type=_seconds,
        default=120.0,
        metavar="S",
        help="how long an edge may issue tokens by rules it heard before (120)",
    )
    checking.add_argument("--workers", type=_count, metavar="N", help="processes (one a processor)")
    exporting = verbs.add(
        "export", "Write the admission log, and the rules to check it by.", run_export
    )
    exporting.add_argument("event")
    exporting.add_argument("--out", required=True, metavar="FILE", help="log, .jsonl.gz")
    exporting.add_argument("--config", metavar="FILE", help="also the rules with the revealed key")
    exporting.add_argument(
        "--publish", action="store_true", help="pseudonyms instead of users and sessions, no orders"
    )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 3_600:  # noqa: PLR2004 an hour
        raise argparse.ArgumentTypeError(f"{text!r} is not 0 to 3600 seconds")
    return seconds


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 64:  # noqa: PLR2004 more helps nobody
        raise argparse.ArgumentTypeError(f"{text!r} is not 1 to 64")
    return int(text)


@at_target
def run_export(options: argparse.Namespace, target: Target) -> Report:
    """The log, and with ``--config`` the rules to check it by."""
    import json
    from pathlib import Path

    from fairgate.errors import MalformedInputError, WrongStateError
    from fairgate.service.gate.prove_draw import DrawProofs
    from fairgate_ops.operate.audit.export import export_log
    from fairgate_ops.operate.audit.rules import rules_of
    from fairgate_ops.shared.whole_file import check_writable, write_whole

    proofs = DrawProofs(target.world.table, target.world.clock, target.control())
    key = proofs.event(options.event).draw_key_revealed
    if not key and (options.config or options.publish):
        raise WrongStateError(
            "The rules and pseudonyms need the draw key, which is not published yet:"
            f" `draw reveal {options.event}` first, after the end. The log alone can be exported"
            " before."
        )
    rules = rules_of(target, options.event) if options.config else None
    if options.config and Path(options.config).absolute() == Path(options.out).absolute():
        raise MalformedInputError(f"{options.out} is for the log: name another file for the rules.")
    for path in filter(None, (options.out, options.config)):
        if Path(path).exists():
            raise WrongStateError(
                f"{path} is there already, and may be what a published sale is checked by. Name"
                " another file, or move it away."
            )
        check_writable(path)
    data: dict[str, Any] = {"event": options.event, "dry_run": options.dry_run}
    if options.dry_run:
        return Report(data, ["Dry run, nothing written: the log can be exported."])
    publish_key = bytes.fromhex(key) if options.publish else None
    counts = export_log(target, options.event, options.out, publish_key=publish_key)
    lines = [f"{options.out}: {counts['admissions']:,} admissions, {counts['orders']:,} orders."]
    if rules is not None:
        text = json.dumps(rules.as_json(), indent=1) + "\n"
        write_whole(options.config, text)
        lines.append(f"{options.config}: the rules, {len(rules.versions)} versions of the gate.")
    if options.publish:
        lines.append("Both may be published: users and sessions are pseudonyms, orders left out.")
    return Report(data | counts | {"out": options.out, "config": options.config}, lines)


def run_check(options: argparse.Namespace) -> Report:
    """From files where they are named, else from the system itself."""
    return _check_files(options) if options.log or options.config else _check_target(options)


@at_target
def _check_target(options: argparse.Namespace, target: Target) -> Report:
    """The running system's or deployment's own sale, with the key that its gate holds."""
    import tempfile

    from fairgate.errors import MalformedInputError
    from fairgate_ops.operate.audit.export import export_log
    from fairgate_ops.operate.audit.rules import rules_of

    if options.event is None:
        raise MalformedInputError("Name an event, or files with --log and --config.")
    rules = rules_of(target, options.event)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/log.jsonl.gz"
        export_log(target, options.event, path)
        return _audited(options, path, rules)


def _check_files(options: argparse.Namespace) -> Report:
    """Exported files, anywhere, by anyone."""
    from fairgate.errors import MalformedInputError
    from fairgate_ops.operate.audit.rules import read_rules

    if not (options.log and options.config):
        missing = "--config" if options.log else "--log"
        raise MalformedInputError(
            f"{missing} FILE is missing: `fairgate audit export EVENT --out LOG --config RULES`"
            " writes both."
        )
    rules = read_rules(options.config)
    if options.event not in (None, rules.event):
        raise MalformedInputError(f"{options.config} is about {rules.event}.")
    return _audited(options, options.log, rules)


def _audited(options: argparse.Namespace, path: str, rules: SaleRules) -> Report:
    import time
    from dataclasses import asdict

    from fairgate_ops.operate.audit.check import Tolerances
    from fairgate_ops.operate.audit.sale import audit_log

    tolerances = Tolerances(options.clock_s, options.lag_s, options.edge_lag_s)
    started = time.monotonic()
    audit = audit_log(path, rules, tolerances, workers=options.workers)
    took_s = time.monotonic() - started
    data = {
        "event": audit.event,
        "admissions": audit.admissions,
        "orders": audit.orders,
        "published": audit.published,
        "open_until": audit.free,
        "tolerances": asdict(tolerances),
        "counts": dict(audit.counts),
        "findings": [asdict(finding) for finding in audit.findings],
        "seconds": round(took_s, 3),
    }
    return Report(data, _lines(audit, took_s), failed=bool(audit.findings))


def _lines(audit: Audit, took_s: float) -> list[str]:
    lines = [f"{audit.event}: {audit.admissions:,} admissions decided again in {took_s:.1f} s."]
    if audit.free:
        lines.append(f"{audit.free:,} of them came in while the gate stood open for everyone.")
    if audit.published:
        lines.append(
            "Users are pseudonyms here: that each ticket is its user's, each user checks for"
            " themselves; orders are not in this log."
        )
    lines += [f"FOUND  {finding}" for finding in audit.findings[:LISTED_MAX]]
    if (findings := sum(audit.counts.values())) > LISTED_MAX:
        lines.append(f"… and {findings - LISTED_MAX:,} more; --json lists them.")
    counted = ", ".join(f"{count:,} {kind}" for kind, count in audit.counts.items())
    lines.append(f"Found: {counted}." if findings else "Every one is as the rules say.")
    return lines
