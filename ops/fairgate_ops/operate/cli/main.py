"""The command ``fairgate``. Exit codes: 0 done, 1 refused (it says why), 2 wrong usage.

``fairgate audit`` ends with 1 when it finds something, and with 2 when it cannot look.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.cli.arguments import parser
from fairgate_ops.operate.cli.proof_arguments import with_audit_verb

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from fairgate_ops.operate.cli.report import Report

DONE, REFUSED, UNUSABLE, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; never a traceback for anything that can be expected."""
    options = parser().parse_args(with_audit_verb(sys.argv[1:] if argv is None else argv))
    try:
        report = _run(options)
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED
    if report is None:
        return UNUSABLE if options.group == "audit" else REFUSED
    try:
        report.say(as_json=options.json)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has seen enough; the work is done
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return REFUSED if report.failed else DONE


def _run(options: argparse.Namespace) -> Report | None:
    """The command's report, or None when it was refused and that was said."""
    from botocore.exceptions import BotoCoreError, ClientError

    from fairgate.errors import FairgateError, ForbiddenError
    from fairgate_ops.operate.cli.report import say_refusal

    try:
        if options.group == "venue":
            from fairgate_ops.operate.cli import venues

            return {"import": venues.run_import, "validate": venues.run_validate}[options.verb](
                options
            )
        if (offline := _offline(options)) is not None:
            return offline(options)
        return _run_at_target(options)
    except FairgateError as error:
        say_refusal(error, as_json=options.json)
    except ClientError as error:
        code = error.response["Error"]["Code"]
        said = error.response["Error"].get("Message", "")
        hint = "Check the credentials, --stage and --region."
        refused = ForbiddenError(f"AWS refused {error.operation_name} ({code}): {said} {hint}")
        say_refusal(refused, as_json=options.json)
    except BotoCoreError as error:
        hint = "Check the credentials, the network, --stage and --region."
        if options.target == "local":
            hint = "Is `make up` still running?"
        say_refusal(ForbiddenError(f"No answer: {error} {hint}"), as_json=options.json)
    return None


def _offline(options: argparse.Namespace) -> Callable[[argparse.Namespace], Report] | None:
    """What anyone can run from published files, without a system."""
    if (options.group, options.verb) == ("draw", "verify"):
        from fairgate_ops.operate.cli import verify

        return verify.run_verify
    if (options.group, options.verb) == ("ticket", "verify") and options.public_key:
        from fairgate_ops.operate.cli import tickets

        return tickets.run_verify_offline
    if (options.group, options.verb) == ("audit", "check") and (options.log or options.config):
        from fairgate_ops.operate.cli import audit

        return audit.run_files
    return None


def _run_at_target(options: argparse.Namespace) -> Report:
    from fairgate_ops.operate.cli import (
        acts,
        audit,
        cache,
        desk,
        draw,
        events,
        keys,
        orders,
        payment_keys,
        queues,
        tau,
        tickets,
    )
    from fairgate_ops.operate.target import target_of

    commands: dict[tuple[str, str], Any] = {
        ("event", "create"): events.run_create,
        ("event", "list"): events.run_list,
        ("event", "open"): events.run_open,
        ("event", "pause"): events.run_pause,
        ("event", "resume"): events.run_resume,
        ("event", "drain"): events.run_drain,
        ("event", "open-until"): events.run_open_until,
        ("event", "close"): events.run_close,
        ("event", "target"): events.run_target,
        ("event", "log"): acts.run_log,
        ("tau", "get"): tau.run_get,
        ("tau", "set"): tau.run_set,
        ("keys", "init"): keys.run_init,
        ("keys", "rotate"): keys.run_rotate,
        ("keys", "ticket"): keys.run_ticket,
        ("keys", "payments"): payment_keys.run_payments,
        ("desk", "show"): desk.run_show,
        ("desk", "pardon"): desk.run_pardon,
        ("draw", "show"): draw.run_show,
        ("draw", "announce"): draw.run_announce,
        ("draw", "beacon"): draw.run_beacon,
        ("draw", "reveal"): draw.run_reveal,
        ("orders", "reconcile"): orders.run_reconcile,
        ("ticket", "verify"): tickets.run_verify,
        ("ticket", "void-list"): tickets.run_void_list,
        ("cache", "rebuild"): cache.run_rebuild,
        ("queue", "list"): queues.run_list,
        ("queue", "redrive"): queues.run_redrive,
        ("audit", "check"): audit.run_check,
        ("audit", "export"): audit.run_export,
    }
    report: Report = commands[options.group, options.verb](options, target_of(options))
    return report


if __name__ == "__main__":
    sys.exit(main())
