"""The laboratory's tests keep to the same rules as the shop's, and use their tools."""

from __future__ import annotations

from tests.conftest import (
    _budgets_of_its_own,
    _loopback_only,
    _request_of_its_own,
    pytest_collection,
    pytest_configure,
    pytest_terminal_summary,
    pytest_xdist_make_scheduler,
)

__all__ = [
    "_budgets_of_its_own",
    "_loopback_only",
    "_request_of_its_own",
    "pytest_collection",
    "pytest_configure",
    "pytest_terminal_summary",
    "pytest_xdist_make_scheduler",
]
