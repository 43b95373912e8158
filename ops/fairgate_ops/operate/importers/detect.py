"""Whatever chart an operator has, as a venue: the format is told from the content."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from fairgate.domain.seating.parse_venue import parse_picture, parse_venue
from fairgate.domain.seating.venue import Venue
from fairgate.domain.shared.reading import Problems, Reader
from fairgate.errors import MalformedInputError
from fairgate_ops.operate.importers.assembly import Reading
from fairgate_ops.operate.importers.picture import with_picture
from fairgate_ops.operate.importers.pretix import import_pretix
from fairgate_ops.operate.importers.seatsio import import_seatsio
from fairgate_ops.shared import named_files

Format = Literal["fairgate", "seatsio", "pretix"]

FILE_BYTES_MAX = 100_000_000


def _import_fairgate(document: object, how: Reading) -> Venue:
    """Raises as ``import_chart``."""
    document = with_picture(document, how.beside)
    if isinstance(document, Mapping) and "picture" in document:
        problems = Problems()
        picture = parse_picture(Reader(document["picture"], "picture", problems))
        how.picture = None if problems.total else picture
    return parse_venue(document, how.notes)


_IMPORTERS = {
    "fairgate": _import_fairgate,
    "seatsio": import_seatsio,
    "pretix": import_pretix,
}


def import_chart(source: str | Path | Mapping[str, Any], how: Reading | None = None) -> Venue:
    """The venue of a chart file or document: all of it, or an error.

    Args:
        source: a path, or a document that is parsed already.
        how: how it is read; gets notes about it.

    Raises:
        MalformedInputError: the file cannot be read, is no chart of a known format, or has defects;
            then ``errors`` lists them with their places.
    """
    how = how or Reading()
    document: object = source
    if isinstance(source, str | Path):
        document = read_document(Path(source))
        how.beside = Path(source).parent
    return _IMPORTERS[detect_format(document)](document, how)


def detect_format(document: object) -> Format:
    """Raises MalformedInputError naming the formats that are known."""
    if isinstance(document, Mapping):
        if "format" in document:
            return "fairgate"
        if "subChart" in document or "subChartFloors" in document:
            return "seatsio"
        if isinstance(document.get("zones"), list):
            return "pretix"
    raise MalformedInputError(
        "This is no seating chart that Fairgate knows. It reads its own format (“format”: "
        "“fairgate-venue/1”), seats.io charts (“subChart”) and pretix seating plans (“zones”)."
    )


def read_document(path: Path) -> object:
    """Parsed JSON. Raises MalformedInputError with the reason, and the line of a syntax error."""
    try:
        if named_files.size_of(path) > FILE_BYTES_MAX:
            raise MalformedInputError(
                f"{path} is larger than {FILE_BYTES_MAX:,} bytes; that is no seating chart."
            )
        with named_files.opened(path) as file:
            return json.loads(file.read().decode("utf-8-sig"))
    except OSError as error:
        raise MalformedInputError(f"{path} cannot be read: {error.strerror}.") from error
    except json.JSONDecodeError as error:
        raise MalformedInputError(
            f"{path} is not JSON: {error.msg} in line {error.lineno}, column {error.colno}."
        ) from error
    except (ValueError, RecursionError) as error:  # not UTF-8; an endless number; nested too deep
        raise MalformedInputError(f"{path} is not a readable JSON text.") from error
