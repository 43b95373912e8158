"""A draw over HTTP: guests who join before the sale starts, against the published rule.

Ends with 1 when a guest got in early, was put off after their turn or never got in, when the
admissions are not as the rule draws them, or when answers came late.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import sys
import tempfile
import time
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate.domain.gate.admission import lottery_number, lottery_ticket
from fairgate_lab.attack.draw_guests import Draw, GuestError
from fairgate_lab.attack.draw_judge import (
    KS_LEVEL,
    LATE_P95_MAX_S,
    Rule,
    Verdict,
    kolmogorov_smirnov,
    p95,
)
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.operate.target import target_of
from fairgate_ops.run.local.demo_event import Sale, put_on_sale
from fairgate_ops.run.local.logged_system import MARKED_WORDS, LoggedSystem
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.shared.endings import ends_with
from fairgate_ops.shared.progress import progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate_ops.run.local.system import LocalSystem

EVENT = "draw"
SEATS = 500
# With k = 3 most turns lie around τ and the last at about 2 τ: sixteen a second at most, which two
# cores serve, in two minutes and a half. With k = 1 a thousand at once want fifty-five.
GUESTS, TAU_S, CURVE = 1_000, 75.0, 3.0
JOIN_A_SECOND = 100  # guests
SETTLE_S = 5.0  # between the last to join and the sale start
GRACE_S = 20.0  # after the last turn
RUN_S_MAX = 900.0


def sale_of(guests: int, tau_s: float, curve: float = CURVE) -> Sale:
    """A sale that lets everybody in: what is shown is when."""
    return Sale(
        EVENT,
        name="Draw",
        sale_starts_in_s=guests / JOIN_A_SECOND + SETTLE_S,
        tau_s=tau_s,
        curve=curve,
        pow_bits=4,
        backoff_max_s=5,
        live_max=2 * guests,
    )


def draw_on(system: LocalSystem, sale: Sale, guests: int) -> Verdict:
    """Play the draw of this sale, which is put on sale now.

    Raises:
        GuestError: a guest got an answer that is none of the contract's.
        StartError: somebody changed the rules meanwhile, so that nothing can be said.
    """
    put_on_sale(system.place.config, sale, demo_venue(SEATS))
    before = gate_of(system, sale.event)
    rule = _rule(before)
    names = [f"guest-{number}" for number in range(guests)]
    turns = [rule.admission_s(rule.epochs[0].h, _u(before, sale.event, sub)) for sub in names]
    until_s = min(max(turns) + rule.wave_s + GRACE_S, time.time() + RUN_S_MAX)
    with progress("Guests inside") as step:
        play = Draw(system.base_url, sale.event, before).play
        seen = asyncio.run(play(guests, guests / JOIN_A_SECOND, until_s, step))
    system.watch()
    after = _rule(gate_of(system, sale.event))
    if after.epochs != rule.epochs:
        raise StartError("The pace was changed during the draw; nothing can be said of it.")
    sent_on = sent_on_in(system.access_log)
    return Verdict(after, [replace(one, sent_on_s=sent_on.get(one.guest, 0.0)) for one in seen])


def sent_on_in(access_log: Path | None) -> dict[str, float]:
    """Read when the edge sent on each marked call that opened a session, in epoch seconds."""
    text = access_log.read_text("utf-8") if access_log and access_log.exists() else ""
    sent_on = {}
    for line in text.splitlines():
        words = line.split(" ")
        if len(words) == MARKED_WORDS and words[3] == str(HTTPStatus.CREATED.value):
            sent_on[words[-1]] = (float(words[0]) - float(words[5])) / 1000
    return sent_on


def gate_of(system: LocalSystem, event: str) -> GateConfig:
    """Read the event's rules and keys, as its operator may."""
    options = argparse.Namespace(target="local", run_file=str(system.place.config))
    return target_of(options).control().read(event)


def _rule(gate: GateConfig) -> Rule:
    return Rule(gate.epochs, gate.curve, gate.wave_s)


def _u(gate: GateConfig, event: str, sub: str) -> float:
    return lottery_number(gate.number_key, lottery_ticket(gate, event, sub, ""))


def lines(verdict: Verdict) -> Iterator[str]:
    late, gate = verdict.late_s or [math.inf], verdict.gate_late_s or [math.inf]
    d, p = verdict.ks
    d_u, p_u = kolmogorov_smirnov([one.u for one in verdict.seen])
    yield f"{len(verdict.seen):,} guests who joined before the sale starts"
    yield f"  {len(verdict.absent):>6,}  never got in"
    yield f"  {len(verdict.early):>6,}  early"
    yield f"  {len(verdict.passed_over):>6,}  put off after their turn"
    yield (
        f"  the gate after the turn: p50 {gate[len(gate) // 2]:.2f} s, p95 {p95(gate):.2f} s, "
        f"the last {gate[-1]:.2f} s"
    )
    yield (
        f"  answers after the turn: p50 {late[len(late) // 2]:.2f} s, p95 "
        f"{verdict.late_p95_s:.2f} s (at most {LATE_P95_MAX_S:.0f}), the last {late[-1]:.2f} s"
    )
    yield (
        f"  Kolmogorov-Smirnov of the admissions against the rule: D = {d:.4f}, p = {p:.3f} "
        f"(at least {KS_LEVEL})"
    )
    yield f"  the same of the lottery numbers, not judged: D = {d_u:.4f}, p = {p_u:.3f}"
    for broken in verdict.broken:
        yield f"BROKEN  {broken}"


@ends_with(StartError, GuestError)
def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--guests", type=int, default=GUESTS)
    parser.add_argument("--tau", type=float, default=TAU_S, help="pace of admission in seconds")
    parser.add_argument("--curve", type=float, default=CURVE, help="k, from 1")
    parser.add_argument("--run-dir", type=Path, help="keep the run's files and logs here")
    options = parser.parse_args(arguments)
    rule = f"τ = {options.tau:g} s, k = {options.curve:g}"
    print(f"A draw of {options.guests:,} guests at {rule} …", flush=True)
    with (
        tempfile.TemporaryDirectory(prefix="fairgate-draw-") as temporary,
        LoggedSystem(options.run_dir or Path(temporary)) as system,
    ):
        sale = sale_of(options.guests, options.tau, options.curve)
        verdict = draw_on(system, sale, options.guests)
    print("\n".join(lines(verdict)))
    return 1 if verdict.broken else 0


if __name__ == "__main__":
    sys.exit(main())
