"""Let a buyer check from public data: the lottery number and the moment of admission."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

from fairgate.domain.gate.admission import admission_at, lottery_number, operational_time, ticket_of
from fairgate.domain.gate.admission_log import pseudonym
from fairgate.domain.gate.draw_proof import beacon_key, keeps_commitment, time_of
from fairgate.domain.gate.gate_config import Epoch
from fairgate.domain.shared.jws import b64url
from fairgate.domain.shared.times import rfc3339
from fairgate_ops.operate.audit.log_file import read_blocks, read_head
from fairgate_ops.operate.audit.rules import SaleRules


@dataclass(frozen=True)
class PublicDraw:
    """What is public of a draw after its end.

    Attributes:
        key: the revealed draw key.
        commitment: as it was published before the sale starts.
        beacon: the public value that was mixed in; "" where there was none.
        mode: "a" draws once an account, "t" once a token.
    """

    event: str
    key: bytes
    commitment: str
    beacon: str
    mode: str


@dataclass(frozen=True)
class DrawnNumber:
    """What one user drew.

    Attributes:
        commitment_kept: whether the key is the one that was committed to.
        ticket: what the number was drawn from, base64url.
        number: from 0 to 1; small is early.
        pseudonym: the user's, in a published log.
    """

    commitment_kept: bool
    ticket: str
    number: float
    pseudonym: str


def drawn_number(draw: PublicDraw, user: str, token: str = "") -> DrawnNumber:
    """Draw the user's lottery number again, as the gate drew it."""
    lot = ticket_of(draw.key, draw.mode, draw.event, user, token)
    number_key = beacon_key(draw.key, draw.event, draw.beacon) if draw.beacon else draw.key
    return DrawnNumber(
        keeps_commitment(draw.key, draw.commitment),
        b64url(lot),
        lottery_number(number_key, lot),
        pseudonym(draw.key, draw.event, "user", user),
    )


def admission_of(rules: SaleRules, number: float, joined_ms: int | None) -> str | None:
    """Return the first moment with number < P for a buyer who joined then; None: too late."""
    ran = _lines_as_they_ran(rules)
    last = rules.versions[-1]
    joined_s = float(last.sale_start_s) if joined_ms is None else joined_ms / 1000
    h = operational_time([Epoch(*line) for line in ran], joined_s)
    admission_s = time_of(ran, h + admission_at(number, rules.curve))
    over = last.state in ("soldout", "closed") and (admission_s or 0.0) > last.at_ms / 1000
    if admission_s is None or over:
        return None
    return rfc3339(round(max(admission_s, joined_s) * 1000))


def _lines_as_they_ran(rules: SaleRules) -> list[tuple[float, float, float]]:
    """The epochs that came into force; what was given up before its time is left out."""
    ran = {}
    ends = [version.at_ms / 1000 for version in rules.versions[1:]] + [math.inf]
    for version, end_s in zip(rules.versions, ends, strict=True):
        ran.update({line[0]: line for line in version.epochs if line[0] <= end_s})
    return sorted(ran.values())


def admissions_of(path: str, names: set[str]) -> list[str]:
    """When any of these names came in, by the log."""
    wanted = [f'"user":"{name}"'.encode() for name in names]
    lines: list[bytes] = []
    for number, block in read_blocks(path):
        if number == 1:
            read_head(path, block)
        lines += [line for line in block.split(b"\n") if any(name in line for name in wanted)]
    return sorted(rfc3339(json.loads(line)["at_ms"]) for line in lines)
