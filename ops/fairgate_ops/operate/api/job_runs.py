"""What the jobs run: the command's functions, imported by the function of the jobs alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_ops.operate.cli import audit, event_cancel

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from fairgate_ops.operate.cli.report import Spoken

JOB_RUNS: Mapping[str, Callable[[argparse.Namespace], Spoken]] = {
    "event cancel": event_cancel.run_cancel,
    "audit check": audit.run_check,
}
