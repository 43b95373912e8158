"""Show times as operators read them: UTC, and beside it the clock on their wall."""

from __future__ import annotations

import argparse
import datetime as dt
from contextlib import suppress
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from fairgate.domain.gate.gate_phase import GatePhase
from fairgate.domain.shared.ids import EVENT_ID
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import FairgateError
from fairgate.ports.record import DamagedItemError
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.start_text import known_zone

if TYPE_CHECKING:
    from fairgate_ops.operate.target import Target


def zone(name: str) -> ZoneInfo:
    """Read ``--tz``. Raises ArgumentTypeError for a zone that this machine does not know."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise argparse.ArgumentTypeError(
            f"{name!r} is no time zone that this machine knows, like Europe/Berlin"
        ) from error


def take_event_zone(options: argparse.Namespace, target: Target) -> None:
    """Take the zone of the event that is named, to read typed times and to show all times.

    A zone that is typed with it counts as the event's; ``--tz`` decides what is shown.
    """
    name = getattr(options, "time_zone", None)
    event = getattr(options, "event", None)
    if not name and isinstance(event, str) and EVENT_ID.fullmatch(event):
        with suppress(FairgateError, DamagedItemError):  # the command itself says what is wrong
            sale = target.world.table.find(Event, event_key(event))
            name = sale and sale.time_zone
    options.event_zone = name or ""
    if getattr(options, "tz", None) is None:
        options.tz = known_zone(options.event_zone) if name else None


def shown(epoch_s: float, options: argparse.Namespace, zone_name: str = "") -> str:
    """Return ``2030-06-01T18:00:00Z (20:00:00 CEST)``; the second part where the zones differ.

    The zone is ``--tz``, else the event's (``zone_name`` in a list of several), else the
    environment's ``TZ``, else the machine's.
    """
    ms = round(epoch_s * 1000)
    text = rfc3339(ms)
    utc = f"{text[:-5]}Z" if ms % 1000 == 0 else text
    moment = dt.datetime.fromtimestamp(epoch_s, tz=dt.UTC)
    try:
        local = moment.astimezone(getattr(options, "tz", None) or known_zone(zone_name))
    except OverflowError:  # on the last day that there is, where it has ended already
        return utc
    if not local.utcoffset():
        return utc
    day = "" if local.date() == moment.date() else f"{local:%Y-%m-%d} "
    name = local.tzname() or ""
    if not name[:1].isalpha():  # many zones have no letters: "+03"
        name = str(local.tzinfo)
    return f"{utc} ({day}{local:%H:%M:%S} {name})"


def phase_text(phase: GatePhase, options: argparse.Namespace) -> str:
    """Return the phase, with the time by the clock at which it ends."""
    if phase.until_s is None:
        return phase.name
    word = {"draw suspended": "until", "draft": "published at"}.get(phase.name, "at")
    return f"{phase.name}, {word} {shown(phase.until_s, options)}"
