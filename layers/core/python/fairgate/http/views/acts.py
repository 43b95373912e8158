"""Define what operators are told of their acts: which they may do, and what one did."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class ActInfo(Struct, frozen=True):
    """One act that the caller may do."""

    act: str
    about: str  # in a sentence
    changes: bool  # false: it only looks
    roles: list[str]  # any of these may
    arguments: dict[str, Any]  # JSON Schema
    job: bool  # true: it takes a while, and "job show" says how far it is


class ActsView(Struct, frozen=True):
    """What the caller may do: by the sign-in at every event, by grants at some."""

    roles: list[str]  # by the sign-in's groups
    events: dict[str, list[str]]  # event → more roles there
    acts: list[ActInfo]


class ActDoneView(Struct, frozen=True):
    """What an act did, or in a dry run would do."""

    act: str
    dry_run: bool
    failed: bool  # done, and what it found is not as it must be
    said: list[str]  # for people
    result: dict[str, Any]  # as the command's --json
