"""The tables of these cases are those of the unit tests."""

from tests.unit.conftest import world

__all__ = ["world"]
