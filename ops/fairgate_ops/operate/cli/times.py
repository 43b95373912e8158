"""Show times as operators read them: UTC, and beside it the clock on their wall."""

from __future__ import annotations

import argparse
import datetime as dt
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from fairgate.domain.gate.gate_phase import GatePhase
from fairgate.domain.shared.times import rfc3339


def zone(name: str) -> ZoneInfo:
    """Read ``--tz``. Raises ArgumentTypeError for a zone that this machine does not know."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise argparse.ArgumentTypeError(
            f"{name!r} is no time zone that this machine knows, like Europe/Berlin"
        ) from error


def shown(epoch_s: float, options: argparse.Namespace) -> str:
    """Return ``2030-06-01T18:00:00Z (20:00:00 CEST)``; the second part where the zones differ.

    The zone is ``--tz``, else the environment's ``TZ``, else the machine's.
    """
    ms = round(epoch_s * 1000)
    text = rfc3339(ms)
    utc = f"{text[:-5]}Z" if ms % 1000 == 0 else text
    moment = dt.datetime.fromtimestamp(epoch_s, tz=dt.UTC)
    try:
        local = moment.astimezone(getattr(options, "tz", None))
    except OverflowError:  # on the last day that there is, where it has ended already
        return utc
    if not local.utcoffset():
        return utc
    day = "" if local.date() == moment.date() else f"{local:%Y-%m-%d} "
    return f"{utc} ({day}{local:%H:%M:%S %Z})"


def phase_text(phase: GatePhase, options: argparse.Namespace) -> str:
    """Return the phase, with the time by the clock at which it ends."""
    if phase.until_s is None:
        return phase.name
    word = "until" if phase.name == "draw suspended" else "at"
    return f"{phase.name}, {word} {shown(phase.until_s, options)}"
