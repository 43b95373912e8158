"""Declare laws: what must hold between stored items, and what to do first if it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from fairgate.service.audit.snapshot import Snapshot

Moment = Literal["always", "delivered", "rest"]
Found = Iterator[tuple[str, str]]  # the thing that breaks the law, and how


class Violation(Struct, frozen=True, order=True):
    """One thing that breaks one law. Contains ids and amounts, and no person."""

    law: str
    thing: str
    what: str

    def __str__(self) -> str:
        return f"{self.law}: {self.thing}: {self.what}"


class Law(Struct, frozen=True):
    """A law with its name.

    Attributes:
        first_step: what an operator does first, in one sentence.
        check: yields what breaks it; its docstring says what the law means.
        holds: always, between any two writes; when every message is delivered; or at rest, when
            every hold has ended and the last sweep and comparison of the books are done.
    """

    name: str
    first_step: str
    check: Callable[[Snapshot], Found]
    holds: Moment

    @property
    def means(self) -> str:
        """Return the law as one sentence."""
        return (self.check.__doc__ or "").partition("\n")[0]

    def broken_in(self, seen: Snapshot) -> Iterator[Violation]:
        """Yield what breaks it; if a damaged item stops it, that it could not be checked."""
        try:
            for thing, what in self.check(seen):
                yield Violation(self.name, thing, what)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            what = f"not checked: an item is damaged ({type(error).__name__}: {error})"
            yield Violation(self.name, "every item", what)


def law(first_step: str, holds: Moment = "always") -> Callable[[Callable[[Snapshot], Found]], Law]:
    """Make a law of a check function, with the function's name."""
    return lambda check: Law(check.__name__.replace("_", "-"), first_step, check, holds)


def violations(seen: Snapshot, laws: Iterable[Law]) -> list[Violation]:
    """List all violations in a stable order; [] if all laws hold."""
    return sorted({found for one in laws for found in one.broken_in(seen)})
