"""A sale of any size for the audit's benchmark and tests, made by the rules from a fixed seed.

Every lottery number is drawn as the gate draws it, and everyone comes in at the first poll after
their turn: no simulation of people, only lines as an honest system would have written them. Then
some of them are forged.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairgate.domain.gate.admission import lottery_number, ticket_of
from fairgate.domain.gate.draw_proof import commitment_of
from fairgate.domain.gate.gate_history import GateVersion
from fairgate.domain.shared.jws import b64url
from fairgate.domain.shared.times import rfc3339
from fairgate_ops.operate.audit.log_file import FORMAT
from fairgate_ops.operate.audit.rules import SaleRules
from fairgate_ops.shared.progress import progress

if TYPE_CHECKING:
    from collections.abc import Callable

EVENT = "made-sale"
SALE_START = 1_800_000_000
PAUSED, RESUMED, CLOSED = SALE_START + 1200, SALE_START + 1500, SALE_START + 20_000
_POLL_S = 20.0
Line = dict[str, Any]


def rules(seed: int = 1) -> SaleRules:
    """Make rules: τ = 600 s, then 300 s, a pause of five minutes, and an end."""
    key = hashlib.sha256(f"made-sale-{seed}".encode()).digest()
    line = [(SALE_START - 3600.0, 0.0, 0.0), (float(SALE_START), 0.0, 1 / 600)]
    versions = [GateVersion((SALE_START - 3600) * 1000, "open", 0, SALE_START, tuple(line))]
    for at, state, slope in (
        (SALE_START + 540, "open", 1 / 300),
        (PAUSED, "paused", 0.0),
        (RESUMED, "open", 1 / 300),
        (CLOSED, "closed", 0.0),
    ):
        start = at + 60.0  # dated ahead, as the command does
        t, h, r = line[-1]
        line = [*line, (start, h + (start - t) * r, slope)][-6:]
        versions.append(GateVersion(at * 1000, state, 0, SALE_START, tuple(line)))
    return SaleRules(EVENT, "a", 1.0, commitment_of(key), key, None, "", 1, versions)


def honest_lines(count: int, sale: SaleRules, seed: int = 1) -> list[Line]:
    """Admit each user once, by the rules. Cost: two HMACs and some microseconds each."""
    chance = np.random.default_rng(seed)
    early = chance.random(count) < 0.6  # noqa: PLR2004 share of early buyers
    iat = np.where(
        early,
        SALE_START - chance.integers(1, 3500, count),
        SALE_START + chance.integers(0, 1000, count),
    )
    starts, levels, slopes = (np.array(c) for c in zip(*sale.versions[-1].epochs, strict=True))
    at_line = np.maximum(np.searchsorted(starts, iat, side="right") - 1, 0)
    h = levels[at_line] + np.maximum(0, iat - starts[at_line]) * slopes[at_line]
    lots, numbers = [], np.empty(count)
    with progress("Drawing lots", count) as step:
        for n in range(count):
            lot = ticket_of(sale.draw_key, "a", EVENT, f"user-{n}", "")
            lots.append(b64url(lot))
            numbers[n] = lottery_number(sale.number_key, lot)
            if n % 10_000 == 0:
                step(10_000)
    turn = np.interp(h - np.log1p(-numbers), levels, starts)
    at = np.maximum(turn, iat) + 0.01 + chance.random(count) * _POLL_S
    at = np.where((at >= PAUSED) & (at < RESUMED), RESUMED + chance.random(count) * _POLL_S, at)
    sold = chance.random(count) < 0.3  # noqa: PLR2004 share of sessions that buy
    ids = chance.integers(0, 2**31, (count, 2))
    return [
        {
            "session": f"ses_{n:032x}",
            "user": f"user-{n}",
            "token": _token(int(iat[n]), int(ids[n, 0]), int(ids[n, 1])),
            "at_ms": round(float(at[n]) * 1000),
            "until_ms": round(float(at[n]) * 1000) + 600_000,
            "state": "finalised" if sold[n] else "expired",
            "iat": int(iat[n]),
            "h": float(h[n]),
            "lot": lots[n],
            "kid": "t1",
            "verdict": "admit",
            "edge_at": int(at[n]),
        }
        for n in range(count)
    ]


def write_sale(
    folder: Path, count: int, forge: Callable[[list[Line]], dict[str, int]] | None = None
) -> tuple[Path, Path, dict[str, int]]:
    """Write log and rules in ``folder``; return them and kind → findings of what was forged."""
    sale = rules()
    lines = honest_lines(count, sale)
    kinds = forge(lines) if forge else {}
    orders = [line["session"] for line in lines if line["state"] == "finalised"]
    if "missing-admission" in kinds:
        orders.append("ses_" + "f" * 32)
    log, config = folder / "log.jsonl.gz", folder / "rules.json"
    head = {"format": FORMAT, "event": EVENT, "published": False, "exported_at": rfc3339(0)}
    end = {"admissions": len(lines), "orders": len(orders), "sessions_used": len(lines)}
    end["sessions_used"] += kinds.get("missing-admissions", 0)
    with (
        gzip.open(log, "wt", encoding="utf-8", compresslevel=1) as file,
        progress("Writing lines", len(lines)) as step,
    ):
        file.write(json.dumps(head) + "\n")
        for number, line in enumerate(lines):
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
            if number % 10_000 == 0:
                step(10_000)
        for number, session in enumerate(orders):
            order = f"ord_{session[4:]}_{number % 2**32:08x}"
            file.write(f'{{"order":"{order}","session":"{session}","state":"ticketed"}}\n')
        file.write(json.dumps({"end": end}) + "\n")
    config.write_text(json.dumps(sale.as_json()))
    return log, config, kinds


def forge_one(lines: list[Line]) -> dict[str, int]:
    """Let one admission come in a minute too early."""
    line = next(n for n in lines if n["at_ms"] > (RESUMED + 600) * 1000)
    _move(line, line["at_ms"] - 60_000)
    return {"not-drawn": 1}


def forge_each(lines: list[Line]) -> dict[str, int]:
    """Forge one of every kind, far from each other; some also break a second rule."""
    fast = [n for n in lines if n["h"] == 0 and n["at_ms"] < (SALE_START + 300) * 1000]
    slow = [n for n in lines if n["h"] == 0 and n["at_ms"] > (RESUMED + 300) * 1000]
    after = next(n for n in lines if n["iat"] > SALE_START and n["at_ms"] > (RESUMED + 300) * 1000)
    _move(slow[0], slow[0]["at_ms"] - 60_000)  # not-drawn
    slow[1]["lot"] = fast[0]["lot"]  # wrong-lot: somebody else's luck
    after["h"] -= 0.05  # wrong-h: 15 s longer in the room than in truth
    _move(fast[1], (SALE_START - 300) * 1000)  # before-doors
    _move(fast[2], (PAUSED + 150) * 1000)  # while-shut
    slow[2]["token"] = _token(slow[2]["iat"] - 100, 1, 2)  # wrong-issue
    slow[3]["edge_at"] -= 1000  # no-edge-word
    for name in ("iat", "h", "lot", "kid", "verdict", "edge_at"):
        del slow[4][name]  # not-recorded
    again = {**slow[5], "session": "ses_" + "a" * 32}  # token-twice, too-many-sessions
    _move(again, again["at_ms"] + 700_000)
    slow[6]["state"] = "expired"
    second = {**slow[6], "session": "ses_" + "b" * 32}  # two-live-sessions, too-many-sessions
    second["token"] = _token(second["iat"], 3, 4)
    _move(second, second["at_ms"] + 100_000)
    slow[7]["session"] = slow[8]["session"]  # session-twice
    lines += [again, second]
    once = (
        *("not-drawn", "wrong-lot", "wrong-h", "before-sale-start", "while-shut", "wrong-issue"),
        *("no-edge-word", "not-recorded", "token-twice", "session-twice", "two-live-sessions"),
        *("missing-admission", "missing-admissions"),
    )
    return dict.fromkeys(once, 1) | {"too-many-sessions": 2}


def _move(line: Line, at_ms: int) -> None:
    line["at_ms"], line["until_ms"], line["edge_at"] = at_ms, at_ms + 600_000, at_ms // 1000


def _token(iat: int, a: int, b: int) -> str:
    ms = f"{iat * 1000:012x}"
    return f"{ms[:8]}-{ms[8:]}-7{a % 4096:03x}-8{b % 4096:03x}-{a:08x}{b % 65536:04x}"
