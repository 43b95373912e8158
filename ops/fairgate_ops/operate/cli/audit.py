"""``fairgate audit``: recompute a sale from its log, or from the system itself."""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from dataclasses import asdict as fields_of
from functools import partial
from pathlib import Path

from msgspec.structs import asdict

from fairgate.adapters.dynamodb.client import table_names
from fairgate.errors import MalformedInputError, WrongStateError
from fairgate.service.gate.prove_draw import DrawProofs
from fairgate_ops.operate.audit.check import Tolerances
from fairgate_ops.operate.audit.export import export_log
from fairgate_ops.operate.audit.rules import SaleRules, read_rules, rules_of
from fairgate_ops.operate.audit.sale import Audit, audit_log
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import FOUND, LISTED_MAX, Report, Spoken
from fairgate_ops.operate.laws.checked import CHECKED, SETTLE_S, checked
from fairgate_ops.operate.laws.read_tables import of_tables
from fairgate_ops.operate.target import Target
from fairgate_ops.shared.whole_file import check_writable, write_whole


@at_target
def run_export(options: argparse.Namespace, target: Target) -> Act[Report]:
    """The log, and with ``--config`` the rules to check it by."""
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
    publish_key = bytes.fromhex(key) if options.publish else None
    return Act(
        do=lambda: _exported(options, target, rules, publish_key),
        would=lambda: Report({"event": options.event}, ["The log can be exported."]),
        report=lambda report: report,
    )


def _exported(
    options: argparse.Namespace, target: Target, rules: SaleRules | None, publish_key: bytes | None
) -> Report:
    counts = export_log(target, options.event, options.out, publish_key=publish_key)
    lines = [f"{options.out}: {counts['admissions']:,} admissions, {counts['orders']:,} orders."]
    if rules is not None:
        text = json.dumps(rules.as_json(), indent=1) + "\n"
        write_whole(options.config, text)
        lines.append(f"{options.config}: the rules, {len(rules.versions)} versions of the gate.")
    if options.publish:
        lines.append("Both may be published: users and sessions are pseudonyms, orders left out.")
    files = {"event": options.event, "out": options.out, "config": options.config}
    return Report(files | counts, lines)


@at_target
def run_items(options: argparse.Namespace, target: Target) -> Report:
    """Check the laws of all stored items; the provider and the cache are not asked."""
    names = {str(kind): name for kind, name in table_names(target.world.settings).items()}
    in_aws = target.name != "local"  # a function has the rights of AWS here, too
    read = partial(of_tables, target.dynamodb(), names, events_alone=in_aws)
    within_s = options.within if options.within is not None else SETTLE_S if in_aws else 30.0
    found = checked(read, within_s=within_s)
    data = {"laws": len(CHECKED), "findings": [asdict(one) for one in found.violations]}
    return Report(data, list(found.lines()), failed=bool(found.violations))


def run_check(options: argparse.Namespace) -> Spoken:
    """From files where they are named, else from the system itself."""
    return _check_files(options) if options.log or options.config else _check_target(options)


@at_target
def _check_target(options: argparse.Namespace, target: Target) -> Report:
    """The running system's or deployment's own sale, with the key that its gate holds."""
    if options.event is None:
        raise MalformedInputError("Name an event, or files with --log and --config.")
    rules = rules_of(target, options.event)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/log.jsonl.gz"
        export_log(target, options.event, path)
        return _audited(options, path, rules)


def _check_files(options: argparse.Namespace) -> Report:
    """Exported files, anywhere, by anyone."""
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
        "tolerances": fields_of(tolerances),
        "counts": dict(audit.counts),
        "findings": [fields_of(finding) for finding in audit.findings],
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
    lines += [f"{FOUND}  {finding}" for finding in audit.findings[:LISTED_MAX]]
    if (findings := sum(audit.counts.values())) > LISTED_MAX:
        lines.append(f"… and {findings - LISTED_MAX:,} more; --json lists them.")
    counted = ", ".join(f"{count:,} {kind}" for kind, count in audit.counts.items())
    lines.append(f"Found: {counted}." if findings else "Every one is as the rules say.")
    return lines
