"""``fairgate draw verify``: what a buyer can check alone, from what is public."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from fairgate.domain.gate.admission import lottery_number, operational_time, ticket_of, turn_at
from fairgate.domain.gate.admission_log import pseudonym
from fairgate.domain.gate.draw_proof import (
    beacon_key,
    check_beacon_value,
    keeps_commitment,
    parse_draw_key,
    time_of,
)
from fairgate.domain.gate.gate_config import Epoch
from fairgate.domain.shared.ids import EVENT_ID, USER_ID
from fairgate.domain.shared.jws import b64url
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import MalformedInputError
from fairgate_ops.operate.audit.log_file import read_blocks, read_head
from fairgate_ops.operate.audit.rules import read_rules
from fairgate_ops.operate.cli.draw import moment_ms
from fairgate_ops.operate.cli.report import Report

if TYPE_CHECKING:
    import argparse

    from fairgate_ops.operate.audit.rules import SaleRules


def run_verify(options: argparse.Namespace) -> Report:
    """The lottery number of a user, and when it was their turn."""
    rules = read_rules(options.config) if options.config else None
    event, user = options.event or (rules.event if rules else ""), options.user
    if not EVENT_ID.fullmatch(event) or not USER_ID.fullmatch(user):
        raise MalformedInputError("Name the event, and the user as the sign-in shows it.")
    if rules is not None and event != rules.event:
        raise MalformedInputError(f"{options.config} is about {rules.event}.")
    key, commitment, beacon = _proof(options, rules)
    kept = keeps_commitment(key, commitment)
    mode = "t" if options.token else rules.mode if rules else "a"
    if mode == "t" and not options.token:
        raise MalformedInputError("Here each token was a draw of its own: name it with --token.")
    lot = ticket_of(key, mode, event, user, options.token or "")
    number_key = beacon_key(key, event, beacon) if beacon else key
    u = lottery_number(number_key, lot)
    data: dict[str, Any] = {
        "event": event,
        "user": user,
        "commitment_kept": kept,
        "lottery_ticket": b64url(lot),
        "lottery_number": u,
        "pseudonym": pseudonym(key, event, "user", user),
    }
    lines = [
        "The key is the one that was committed to."
        if kept
        else "THE KEY IS NOT THE ONE THAT WAS COMMITTED TO.",
        f"lottery ticket  {data['lottery_ticket']}",
        f"lottery number  {u!r}  (better than {100 * (1 - u):.4f} % of all)",
        f"pseudonym       {data['pseudonym']}",
    ]
    if rules is not None:
        data["turn_at"] = turn = _turn(rules, u, options.joined)
        lines.append(f"turn            {turn or 'not before the sale ended'}")
    if options.log:
        data["admissions"] = seen = _admissions(options.log, {user, data["pseudonym"]})
        lines += [f"came in         {at}" for at in seen] or ["came in         not in this log"]
    return Report(data, lines, failed=not kept)


def _proof(options: argparse.Namespace, rules: SaleRules | None) -> tuple[bytes, str, str]:
    """Key, commitment and beacon: as given, else as the rules say."""
    key_text = options.key or (rules.draw_key.hex() if rules else "")
    commitment = options.commitment or (rules.commitment if rules else "")
    if not (key_text and commitment):
        raise MalformedInputError(
            "Give --key and --commitment, as GET /api/events/EVENT shows them, or --config FILE."
            " Best compare with a commitment that you noted before doors."
        )
    beacon = options.beacon or (rules.beacon_value if rules else "")
    return parse_draw_key(key_text), commitment, check_beacon_value(beacon) if beacon else ""


def _turn(rules: SaleRules, u: float, joined: str | None) -> str | None:
    """The first moment with u < P for who joined then, before doors unless said; None: too late."""
    ran = _lines_as_they_ran(rules)
    last = rules.versions[-1]
    joined_s = float(last.doors_s) if joined is None else moment_ms(joined) / 1000
    h = operational_time([Epoch(*line) for line in ran], joined_s)
    turn_s = time_of(ran, h + turn_at(u, rules.curve))
    over = last.state in ("soldout", "closed") and (turn_s or 0.0) > last.at_ms / 1000
    if turn_s is None or over:
        return None
    return rfc3339(round(max(turn_s, joined_s) * 1000))


def _lines_as_they_ran(rules: SaleRules) -> list[tuple[float, float, float]]:
    """The epochs that came into force; what was given up before its time is left out."""
    ran = {}
    ends = [version.at_ms / 1000 for version in rules.versions[1:]] + [math.inf]
    for version, end_s in zip(rules.versions, ends, strict=True):
        ran.update({line[0]: line for line in version.epochs if line[0] <= end_s})
    return sorted(ran.values())


def _admissions(path: str, names: set[str]) -> list[str]:
    """When any of these names came in, by the log."""
    wanted = [f'"user":"{name}"'.encode() for name in names]
    found: list[bytes] = []
    for number, block in read_blocks(path):
        if number == 1:
            read_head(path, block)
        found += [line for line in block.split(b"\n") if any(name in line for name in wanted)]
    return sorted(rfc3339(json.loads(line)["at_ms"]) for line in found)
