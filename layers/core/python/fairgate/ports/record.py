"""Declare items of the tables as typed, frozen records: one class for each kind of item.

A record lists its attributes once. The Table port decodes items into records, ``Put.of`` encodes
them, and the read-only models of the operators' tools are made from the same classes.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar

import msgspec

from fairgate.errors import FairgateError

TableName = Literal["seats", "reservations", "catalog"]
# Key attributes, the same in every table.
PK, SK = "PK", "SK"
GSI1PK, GSI1SK = "GSI1PK", "GSI1SK"
_KEYS = {"pk": PK, "sk": SK, "gsi1_pk": GSI1PK, "gsi1_sk": GSI1SK}
# Attributes that keep the names of earlier versions in the tables.
_STORED = {
    "task_id": "dutyId",
    "sale_starts_at": "saleOpensAt",
    "sale_start_s": "doorsS",
    "threshold": "level",
    "partial_returns": "parts",
    "offer_changes": "moves",
    "ledger_entries": "moves",
}


class Key(NamedTuple):
    """Identifies an item within its table."""

    pk: str
    sk: str


class DamagedItemError(FairgateError):
    """Reports an item that lacks an attribute, or has one of another type.

    A defect, never a buyer's mistake.
    """

    code = "internal"


def attribute(field: str) -> str:
    """Name a record's field as the table does: ``expires_at`` → ``expiresAt``, ``pk`` → ``PK``."""
    if stored := _KEYS.get(field) or _STORED.get(field):
        return stored
    first, *rest = field.split("_")
    return first + "".join(word.capitalize() for word in rest)


class Part(msgspec.Struct, frozen=True, rename=attribute, omit_defaults=True):
    """A map within an item."""

    def as_map(self) -> dict[str, Any]:
        """Convert it to what the table holds; what has its default is left out."""
        result: dict[str, Any] = msgspec.to_builtins(self)
        return result


class Record(msgspec.Struct, frozen=True, rename=attribute, omit_defaults=True):
    """One item. Subclasses name their ``table``; fields with defaults may be absent."""

    table: ClassVar[TableName]

    pk: str
    sk: str

    @property
    def key(self) -> Key:
        return Key(self.pk, self.sk)

    def item(self) -> dict[str, Any]:
        """Convert it to what the table holds; what has its default is left out."""
        result: dict[str, Any] = msgspec.to_builtins(self)
        return result


R = TypeVar("R", bound=Record)
T = TypeVar("T")
_met: set[Any] = set()
_meeting = threading.Lock()


def meet(kind: Any) -> None:
    """Read a kind's annotations, with those of its parts, before it is first decoded.

    msgspec reads them at the first use of a kind; if two threads do so at once, the process crashes
    (0.22). Cost: a look into a set, once it is known.
    """
    if kind not in _met:
        with _meeting:
            msgspec.json.Decoder(kind)
            _met.add(kind)


def decode_json(data: bytes | str, kind: type[T]) -> T:
    """Decode JSON into a kind of Struct, whichever thread is the first. Raises DecodeError."""
    meet(kind)
    try:
        return msgspec.json.decode(data, type=kind)
    except RecursionError as error:
        raise msgspec.DecodeError("JSON is nested too deeply") from error


def convert(data: Any, kind: type[T], *, strict: bool = True) -> T:
    """Convert plain data into a kind of Struct, whichever thread is the first.

    Raises ValidationError.
    """
    meet(kind)
    return msgspec.convert(data, kind, strict=strict)


def decode(kind: type[R], item: Mapping[str, Any], *, strict: bool = True) -> R:
    """Decode an item into its record. Attributes that ``kind`` does not list are ignored.

    Args:
        strict: False takes numbers as text, too.

    Raises:
        DamagedItemError: an attribute is missing or of another type.
    """
    try:
        return convert(item, kind, strict=strict)
    except msgspec.ValidationError as error:
        where = named(kind.table, item.get(PK), item.get(SK))
        raise DamagedItemError(f"A {kind.__name__} is damaged: {error} ({where})") from error


def named(table: TableName, pk: object, sk: object) -> str:
    """Return an item's name for the log, where a partition could name a user.

    Seats and counters are named by their partition only.
    """
    return f"partition key {pk}" if table == "seats" else f"sort key {sk}"
