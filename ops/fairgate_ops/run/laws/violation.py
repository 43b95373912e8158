"""Name what is wrong: the law and the thing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Violation:
    law: str
    thing: str
    what: str

    def __str__(self) -> str:
        return f"{self.law}: {self.thing}: {self.what}"


Found = Iterator[Violation]
