"""``fairgate tau …``: the pace of the room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.acts import logged
from fairgate_ops.operate.cli.events import finish, lead_s
from fairgate_ops.operate.cli.report import Report, epoch_lines, tau_text

if TYPE_CHECKING:
    import argparse

    from fairgate_ops.operate.target import Target


def run_get(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.domain.gate.admission import operational_time
    from fairgate.service.gate.control_gate import redacted, slope_at

    gate = target.control().read(options.event)
    now_s = target.world.clock.now_ms() / 1000
    slope = slope_at(gate, now_s)
    data = {
        "event": options.event,
        "state": gate.state,
        "tau_s": 1 / slope if slope else None,
        "h": operational_time(gate.epochs, now_s),
        "gate": redacted(gate),
    }
    return Report(
        data, [f"{options.event}: {gate.state}, {tau_text(slope)}", *epoch_lines(gate, now_s)]
    )


def run_set(options: argparse.Namespace, target: Target) -> Report:
    control = target.control(dry_run=options.dry_run)
    change = logged(
        options,
        target,
        "tau set",
        {"tau_s": options.seconds},
        lambda: control.set_tau(
            options.event, options.seconds, starts_in_s=lead_s(options, target)
        ),
    )
    report = finish(options, target, change, f"{options.event}: τ {options.seconds:g} s.")
    item = target.world.table.get("catalog", "EVENT", options.event)
    if item is not None and item.get("control") == "auto":
        note = "Its pace is automatic: the controller will change it again within two minutes."
        return Report(report.data | {"note": note}, [*report.lines, note])
    return report
