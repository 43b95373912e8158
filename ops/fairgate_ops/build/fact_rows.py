"""Write what the documents list of an event: its attributes in data.md, its views in api.md."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin

from msgspec import Struct, structs

from fairgate.http.views.events import EventSummary, EventView
from fairgate.ports.record import PK, SK
from fairgate.service.shared.records.catalog import Event
from fairgate_ops.shared.paths import ROOT

DATA, API = ROOT / "docs" / "data.md", ROOT / "docs" / "api.md"
_WIDTH = 105
_SHAPE = r"^    {name} += .*(?:\n {{5,}}.*)*"


def pages() -> dict[Path, str]:
    """Return both pages as they should be."""
    return {DATA: data_page(DATA.read_text("utf-8")), API: api_page(API.read_text("utf-8"))}


def data_page(text: str) -> str:
    """Return docs/data.md with the attributes that an event's record has."""
    before, heading, rest = text.partition("\n## Attributes\n")
    listed = ", ".join(
        field.encode_name + ("" if field.required else "?")
        for field in structs.fields(Event)
        if field.encode_name not in (PK, SK)
    )
    return before + heading + re.sub(r"(?m)^\| event \| [^|]* \|", f"| event | {listed} |", rest, count=1)


def api_page(text: str) -> str:
    """Return docs/api.md with the fields that an event's views have."""
    page = [field for field in structs.fields(EventView) if field.name not in _names(EventSummary)]
    for name, shape in (
        ("EventSummary", _braced(structs.fields(EventSummary))),
        ("Event", f"EventSummary + {_braced(page)}"),
    ):
        lines = textwrap.wrap(
            f"    {name:<7} = {shape}", _WIDTH, subsequent_indent=" " * 14, break_on_hyphens=False
        )
        text = re.sub(_SHAPE.format(name=name), "\n".join(lines), text, count=1, flags=re.M)
    return text


def _names(kind: type[Struct]) -> tuple[str, ...]:
    return kind.__struct_fields__


def _braced(fields: Any) -> str:
    named = ((field.name if field.required else f"{field.name}?", field.type) for field in fields)
    return "{" + ", ".join(f"{name}{_told(kind)}" for name, kind in named) + "}"


def _told(kind: Any) -> str:
    """Return what follows a field's name: its shape where it has one, and whether it may be null."""
    if isinstance(kind, UnionType):
        inner = next(part for part in get_args(kind) if part is not type(None))
        return f"{_told(inner)} | null"
    if get_origin(kind) is dict and issubclass(get_args(kind)[1], Struct):
        return f": {{<id>: {_braced(structs.fields(get_args(kind)[1]))}}}"
    if get_origin(kind) is list:
        return f": [{_told(get_args(kind)[0]).removeprefix(': ')}]"
    if isinstance(kind, type) and issubclass(kind, Struct):
        return f": {_braced(structs.fields(kind))}"
    return ""
