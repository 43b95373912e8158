"""Record operators' jobs: acts that take minutes, or write files."""

from __future__ import annotations

import json
from typing import Any, Literal, TypeAlias

from msgspec import field

from fairgate.ports.record import Part
from fairgate.service.shared.records import ReservationsRecord

JobState: TypeAlias = Literal["waiting", "running", "done", "failed"]


class JobFile(Part, frozen=True, kw_only=True):
    """A file that a job wrote; ``name`` is plain."""

    name: str
    bytes: int


class Job(ReservationsRecord, frozen=True, kw_only=True):
    """An act that was asked for over HTTP and is done apart from the request.

    Attributes:
        event_id: "": it is of no event.
        arguments: JSON, as they were given.
        by: the account or token that asked; asked_by: the one before, where two people did, whose
            request had the name ``request``.
        sent_at: when it was sent to its queue last.
        run: names the run that does it, "" before the first.
        busy_until: RFC 3339; until then this run may be at work. "": nobody is.
        runs: how many began. breaks: those that ended without a word.
        step: how far it is, in words.
        failed: it is done, and what it found is not as it must be.
        said: what the act said, line by line. result: JSON.
        problem: JSON of why it was not done.
    """

    act: str
    event_id: str = ""
    arguments: str
    dry_run: bool
    by: str
    at: str
    state: JobState
    sent_at: str
    run: str
    busy_until: str
    ttl: int
    asked_by: str = ""
    request: str = ""
    runs: int = 0
    breaks: int = 0
    started_at: str = ""
    ended_at: str = ""
    step: str = ""
    failed: bool = False
    said: list[str] = field(default_factory=list)
    result: str = ""
    problem: str = ""
    files: list[JobFile] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.sk

    @property
    def given(self) -> dict[str, Any]:
        """Return the arguments."""
        found: dict[str, Any] = json.loads(self.arguments)
        return found

    @property
    def ended(self) -> bool:
        return self.state in ("done", "failed")
