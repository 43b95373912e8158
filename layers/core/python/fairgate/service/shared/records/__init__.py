"""Declare what the tables hold: one frozen record for each kind of item, each attribute once.

docs/data.md shows them as a table. Fields without a default are always there; those with one may
be absent. Times are RFC 3339 strings, money is in minor units, ``ttl`` is in epoch seconds. There
are several modules so that a function imports only the records that it uses.
"""

from __future__ import annotations

from typing import ClassVar

from fairgate.ports.record import Record, TableName


class SeatsRecord(Record, frozen=True):
    table: ClassVar[TableName] = "seats"


class ReservationsRecord(Record, frozen=True):
    table: ClassVar[TableName] = "reservations"


class CatalogRecord(Record, frozen=True):
    table: ClassVar[TableName] = "catalog"
