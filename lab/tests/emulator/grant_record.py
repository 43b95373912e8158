"""What the controls of rights found, by function, so that a run goes on where one ended."""

from __future__ import annotations

import fcntl
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from infra.functions import BY_NAME


@dataclass(frozen=True)
class Right:
    function: str
    action: str
    resource: str

    def __str__(self) -> str:
        return f"{self.function} {self.action} {self.resource}"


@dataclass(frozen=True)
class Verdict:
    right: Right
    noticed: str  # what failed; "" where nothing did
    refused: int  # how often the function asked in vain
    seconds: float

    @property
    def missed(self) -> bool:
        """The right was asked for in vain, and that made something fail."""
        return bool(self.noticed) and self.refused > 0

    def problem(self, reason: str) -> str:
        """What is wrong with it, with this reason for not being missed; "" where nothing is."""
        if self.missed:
            return "it is noticed: its reason goes" if reason else ""
        if self.noticed:
            return "the part failed, but not for want of the right"
        if reason:
            return ""
        if self.refused:
            return f"refused {self.refused} times, and nothing failed"
        return "nobody asked for it: use it in parts.py, give a reason, or take it away"


Verdicts = Mapping[str, Sequence[Verdict]]  # by function


class Record:
    """Kept in a file that several runs may write at a time, each for functions of its own."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def keep(self, function: str, verdicts: Sequence[Verdict]) -> None:
        """Replace what was known of the function."""
        with self._locked():
            known = self._read()
            found = [asdict(verdict) for verdict in verdicts]
            known[function] = {"of": _fingerprint(function), "verdicts": found}
            beside = self._file.with_suffix(".new")
            beside.write_text(json.dumps(known, indent=1), "utf-8")
            beside.replace(self._file)

    def finished(self) -> dict[str, list[Verdict]]:
        """By function; without those whose rights are others since."""
        return {
            function: [
                Verdict(**{**verdict, "right": Right(**verdict["right"])})
                for verdict in entry["verdicts"]
            ]
            for function, entry in sorted(self._read().items())
            if function in BY_NAME and entry["of"] == _fingerprint(function)
        }

    def _read(self) -> dict[str, Any]:
        try:
            known: dict[str, Any] = json.loads(self._file.read_text("utf-8"))
        except (FileNotFoundError, ValueError):
            return {}
        return known

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _fingerprint(function: str) -> str:
    """Of all that decides which rights the function has."""
    return hashlib.sha256(repr(BY_NAME[function]).encode()).hexdigest()


def table(found: Verdicts, reasons: Mapping[str, str]) -> list[str]:
    """A line a right: what failed without it, or why nothing did."""
    return [
        f"{verdict.right!s:<62} {_without(verdict, reasons.get(str(verdict.right), ''))}"
        for verdicts in found.values()
        for verdict in verdicts
    ]


def _without(verdict: Verdict, reason: str) -> str:
    if verdict.missed:
        return verdict.noticed[:120]
    return f"nothing: {reason}" if reason else f"WRONG: {verdict.problem(reason)}"


def wrong(found: Verdicts, reasons: Mapping[str, str]) -> dict[str, str]:
    """Each right that is neither missed nor excused, and each excuse for nothing: what is wrong."""
    its = [verdict for verdicts in found.values() for verdict in verdicts]
    named = {str(one.right): one.problem(reasons.get(str(one.right), "")) for one in its}
    idle = {
        right: "a reason for a right that nobody has"
        for right in reasons
        if right.split()[0] in found and right not in named
    }
    return {right: problem for right, problem in named.items() if problem} | idle
