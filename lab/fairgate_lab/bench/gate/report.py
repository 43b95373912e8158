"""The gate benchmark's figures as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_lab.bench.gate.beside import HMAC_CHARS, SAMPLE
from fairgate_lab.bench.kit.report import table

if TYPE_CHECKING:
    from fairgate_lab.bench.gate.beside import BesideReport, KindFigures
    from fairgate_lab.bench.gate.nginx import NginxReport
    from fairgate_lab.bench.gate.njs import NjsFigures, NjsReport

RATIO_TARGET = 2.5  # decision over its own hashes
ADDED_TARGET = 3.0  # what a decision adds over an empty function
_KB = 1024


def decisions(report: NjsReport) -> str:
    head = ("answer", "its operations", "bare, µs", "decision, µs", "times (range)")
    rows = [
        (
            figure.answer,
            figure.hashes,
            f"{figure.bare_us:.1f}",
            f"{figure.decision_us:.1f}",
            figure.times.shown(2),
            figure.reads,
            f"{figure.first_bytes / _KB:.0f}",
        )
        for figure in report.figures
    ]
    title = (
        f"{report.engine}: one decision beside its own hash operations, {report.processes} "
        f"processes. Target: at most {RATIO_TARGET} times."
    )
    return table(title, (*head, "reads", "memory, KB"), rows) + (
        f"\nGate {report.gate_bytes:,} of 10,240 bytes; value {report.value_bytes} of 1,024; "
        f"engine and gate before the first decision {report.loaded_bytes / _KB:,.0f} KB "
        "of 2,048.\n"
    )


def steps(figure: NjsFigures) -> str:
    """Show where a decision's time goes: what its steps cost alone, and what is left."""
    parts = {
        figure.hashes: figure.bare_us,
        **figure.steps_us,
        "together": figure.floor_us,
        "all else that the gate does": figure.decision_us - figure.floor_us,
    }
    rows = [(name, f"{us:.1f}", f"{us / figure.bare_us:.1f}") for name, us in parts.items()]
    title = f"Where the time of '{figure.answer}' goes: each step alone, on the same data."
    return table(title, ("step", "µs", "times the hashes"), rows)


def beside(report: BesideReport) -> str:
    """Show what each kind of request costs, in HMACs and in samples, and whether that is met."""
    head = ("request", "µs", "HMACs (range)", "samples (range)", "reads", "goal", "met")
    rows = [
        (
            figure.kind,
            f"{figure.us:.1f}",
            figure.hmacs.shown(),
            figure.samples.shown(2),
            figure.reads,
            _goal(figure),
            {None: "", True: "yes", False: "no"}[figure.met],
        )
        for figure in report.figures
    ]
    title = (
        f"Beside one HMAC over {HMAC_CHARS} bytes ({report.hmac_us:.1f} µs) and AWS's sample "
        "kvs-jwt-verify, by turns in the same processes."
    )
    return table(title, head, rows)


def _goal(figure: KindFigures) -> str:
    if figure.goal is None:
        return ""
    if figure.goal.unit == SAMPLE:
        return "the sample"
    return f"{figure.goal.most:.1f} HMACs"


def requests(report: NginxReport) -> str:
    title = (
        f"{report.version}: a fresh virtual machine per request, CPU of nginx's workers, "
        f"{report.requests:,} requests each.\n"
        f"A decision adds {report.added.shown()} times what the empty function "
        f"costs. Target: at most {ADDED_TARGET:.0f}."
    )
    rows = [(name, us.shown(0), f"{1e6 / us.median:,.0f}") for name, us in report.cpu_us.items()]
    return table(
        title, ("function", "CPU of a request, µs (range)", "requests/s of one core"), rows
    )
