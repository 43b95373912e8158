"""``fairgate draw verify``: what a buyer can check alone, from what is public."""

from __future__ import annotations

import argparse
from typing import Any

from fairgate.domain.gate.draw_proof import check_beacon_value, parse_draw_key
from fairgate.domain.shared.ids import EVENT_ID, USER_ID
from fairgate.errors import MalformedInputError, WrongStateError
from fairgate.service.gate.prove_draw import DrawProofs
from fairgate_ops.operate.audit.rules import SaleRules, read_rules, rules_of
from fairgate_ops.operate.audit.verify_draw import (
    PublicDraw,
    admission_of,
    admissions_of,
    drawn_number,
)
from fairgate_ops.operate.cli.command import at_target, moment_ms
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.target import Target


def run_verify(options: argparse.Namespace) -> Report:
    """Compute the lottery number of a user and the moment of admission."""
    return _verified(options, read_rules(options.config) if options.config else None)


@at_target
def run_verify_here(options: argparse.Namespace, target: Target) -> Report:
    """Compute them by what the system itself has, once its draw key is published."""
    if options.event is None:
        raise MalformedInputError("Name the event.")
    proofs = DrawProofs(target.world.table, target.world.clock, target.control())
    if not proofs.event(options.event).draw_key_revealed:
        raise WrongStateError("The draw key is not published yet; it can be after the end.")
    return _verified(options, rules_of(target, options.event))


def _verified(options: argparse.Namespace, rules: SaleRules | None) -> Report:
    draw, user = _public_draw(options, rules), options.user
    drawn = drawn_number(draw, user, options.token or "")
    data: dict[str, Any] = {
        "event": draw.event,
        "user": user,
        "commitment_kept": drawn.commitment_kept,
        "lottery_ticket": drawn.ticket,
        "lottery_number": drawn.number,
        "pseudonym": drawn.pseudonym,
    }
    lines = [
        "The key is the one that was committed to."
        if drawn.commitment_kept
        else "THE KEY IS NOT THE ONE THAT WAS COMMITTED TO.",
        f"lottery ticket  {drawn.ticket}",
        f"lottery number  {drawn.number!r}  (better than {100 * (1 - drawn.number):.4f} % of all)",
        f"pseudonym       {drawn.pseudonym}",
    ]
    if rules is not None:
        joined_ms = None if options.joined is None else moment_ms(options.joined, options)
        data["admission_at"] = admission = admission_of(rules, drawn.number, joined_ms)
        lines.append(f"admitted        {admission or 'not before the sale ended'}")
    if options.log:
        data["admissions"] = times = admissions_of(options.log, {user, drawn.pseudonym})
        lines += [f"came in         {at}" for at in times] or ["came in         not in this log"]
    return Report(data, lines, failed=not drawn.commitment_kept)


def _public_draw(options: argparse.Namespace, rules: SaleRules | None) -> PublicDraw:
    """The draw as it is given, else as the rules say. Raises MalformedInputError."""
    event = options.event or (rules.event if rules else "")
    if not EVENT_ID.fullmatch(event) or not USER_ID.fullmatch(options.user):
        raise MalformedInputError("Name the event, and the user as the sign-in shows it.")
    if rules is not None and event != rules.event:
        raise MalformedInputError(f"{options.config} is about {rules.event}.")
    key_text = options.key or (rules.draw_key.hex() if rules else "")
    commitment = options.commitment or (rules.commitment if rules else "")
    if not (key_text and commitment):
        raise MalformedInputError(
            "Give --key and --commitment, as GET /api/events/EVENT shows them, or --config FILE."
            " Best compare with a commitment that you noted before the sale starts."
        )
    beacon = options.beacon or (rules.beacon_value if rules else "")
    key, value = parse_draw_key(key_text), check_beacon_value(beacon) if beacon else ""
    mode = "t" if options.token else rules.mode if rules else "a"
    if mode == "t" and not options.token:
        raise MalformedInputError("Here each token was a draw of its own: name it with --token.")
    return PublicDraw(event, key, commitment, value, mode)
