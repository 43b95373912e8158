"""Say to operators which part is away, where buyers are told that the system is busy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.errors import TableUnavailableError

if TYPE_CHECKING:
    from fairgate.errors import FairgateError

TABLES_AWAY = "DynamoDB does not answer, or refuses calls."


def detail_of(error: FairgateError) -> str:
    """Return the error's text for who can look after the part that it is about."""
    return TABLES_AWAY if isinstance(error, TableUnavailableError) else error.detail
