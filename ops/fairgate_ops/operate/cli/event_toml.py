"""Write an event as the file that ``event create --from`` reads: every field, as it is now."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import structs

from fairgate.domain.catalog.event_facts import FACTS
from fairgate.domain.catalog.sale_terms import declared_terms
from fairgate.domain.gate.pace import last_slope
from fairgate.domain.shared.amount_text import minor_digits
from fairgate.domain.shared.times import epoch_ms
from fairgate.service.catalog.create_event import GateRules
from fairgate.service.catalog.edit_event import value_of
from fairgate.service.catalog.fact_checks import beyond_start
from fairgate.service.shared.start_text import known_zone
from fairgate.service.shared.zoned_times import moment_in
from fairgate_ops.operate.cli.event_fields import fields
from fairgate_ops.operate.cli.event_options import tier_price, tier_rate
from fairgate_ops.operate.cli.kinds import rate_bp, tau_s, whole_s
from fairgate_ops.operate.cli.money import amount

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.service.shared.records.catalog import Event

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_IN_GATE = {"sample": "sample_queue", "sample_admissions": "sample_admission"}
_ABSENT = {one.name: one.fact.absent for one in FACTS}
_DURATIONS = (whole_s, tau_s)
_AMOUNTS, _RATES = (amount, tier_price), (rate_bp, tier_rate)


class TomlText(NamedTuple):
    """A command's answer that is a file, whatever its width and the terminal's."""

    text: str
    failed: bool = False

    def say(self, *, as_json: bool) -> None:  # noqa: ARG002 the two cannot be typed together
        print(self.text, end="")


def toml_of(sale: Event, gate: GateConfig) -> str:
    """Return the file of an event; a chart whose name is not known is left out."""
    values, lines, tables = _values(sale, gate), [], []
    for name, field in fields().items():
        if field.dest not in values:
            continue
        value = values[field.dest]
        if field.of_tiers:
            tables += ["", f"[{name}]"]
            tables += [
                f"{_key(tier)} = {_text(one, field.action.type, sale)}"
                for tier, one in value.items()
            ]
        elif isinstance(value, dict):
            tables += _nested(name, value) if value else []
            lines += [] if value else [f"{name} = {{}}"]
        elif field.is_time:
            shown = time_text(value, sale.time_zone) or _ABSENT.get(field.dest, "")
            lines.append(f"{name} = {quoted(shown)}")
        else:
            lines.append(f"{name} = {_text(value, field.action.type, sale)}")
    head = f"# The event {sale.id}, as `fairgate event create --from` reads it."
    return "\n".join([head, *lines, *tables]) + "\n"


def _values(sale: Event, gate: GateConfig) -> dict[str, Any]:
    """Return what the event was created with and became, by the names of the parsed options."""
    slope = last_slope(gate)
    facts = {one.name: getattr(sale, one.name) for one in FACTS}
    rules = (field.name for field in structs.fields(GateRules))
    return {
        "event": sale.id,
        "currency": sale.currency,
        "sale_starts_at": sale.sale_starts_at,
        "control": sale.control,
        "backoff_s": [gate.backoff_min_s, gate.backoff_max_s],
        "price": value_of(sale, "prices_minor"),
        "vat": {tier.id: tier.vat_bp for tier in sale.tiers},
        "vat_fees": sale.fees.vat_bp,
        **facts,
        **{one.name: value_of(sale, one.name) for one in declared_terms()},
        "session_mean_s": round(sale.session_mean_s),
        **{
            name: getattr(gate, attribute)
            for name in rules
            if hasattr(gate, attribute := _IN_GATE.get(name, name))
        },
        **({"venue": sale.chart} if sale.chart else {}),
        **({"tau_s": round(1 / slope, 6)} if slope else {}),
        **({"after_start": True} if beyond_start(facts, sale.time_zone) else {}),
    }


def _nested(name: str, table: Mapping[str, Any]) -> list[str]:
    """Return a table of tables, the texts of each before the tables in it."""
    lines: list[str] = []
    texts = {key: one for key, one in table.items() if not isinstance(one, dict)}
    if texts:
        lines += ["", f"[{name}]", *(f"{_key(key)} = {quoted(one)}" for key, one in texts.items())]
    for key, one in table.items():
        if isinstance(one, dict):
            lines += _nested(f"{name}.{_key(key)}", one)
    return lines


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else quoted(name)


def _text(value: Any, kind: object, sale: Event) -> str:
    if kind in _AMOUNTS:
        return quoted(f"{Decimal(value).scaleb(-minor_digits(sale.currency)):f}")
    if kind in _RATES:
        return quoted(f"{value / 100:g}%")
    if kind in _DURATIONS:
        return _texts(value, duration_text)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return quoted(value)
    return f"{int(value) if value == int(value) else value}"


def _texts(value: Any, text: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(quoted(text(one)) for one in value)}]"
    return quoted(text(value))


def duration_text(seconds: float) -> str:
    """Return ``1h30min``, ``90s``, ``10min``: as it is typed."""
    if seconds != int(seconds):
        return f"{seconds:.10g}s"
    minutes, rest = divmod(int(seconds), 60)
    if rest or not minutes:
        return f"{int(seconds)}s"
    hours, minutes = divmod(minutes, 60)
    return (f"{hours}h" if hours else "") + (f"{minutes}min" if minutes else "")


def time_text(moment: str, zone_name: str) -> str:
    """Return a stored time by the clocks of the zone, as it is typed; in UTC if there is none."""
    if not moment:
        return ""
    ms = epoch_ms(moment)
    at = dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(milliseconds=ms)
    zone = known_zone(zone_name) if zone_name else None
    if zone is not None:
        try:
            local = _clock(at.astimezone(zone))
            if moment_in(local, zone_name) == ms:
                return local
        except (ValueError, OverflowError):  # clocks show it twice; the last day that there is
            pass
    return f"{_clock(at)}Z"


def _clock(at: dt.datetime) -> str:
    least = "minutes" if not at.second and not at.microsecond else "seconds"
    return at.replace(tzinfo=None).isoformat(timespec="milliseconds" if at.microsecond else least)


def quoted(text: str) -> str:
    """Return a TOML text; what is not printable is escaped, and lines stand below each other."""
    rows = [_escaped(row) for row in text.split("\n")]
    if len(rows) == 1:
        return f'"{rows[0]}"'
    return '"""\n' + "\n".join(rows) + '"""'


def _escaped(row: str) -> str:
    row = row.replace("\\", "\\\\").replace('"', '\\"')
    return "".join(letter if letter.isprintable() else f"\\U{ord(letter):08X}" for letter in row)
