"""The parts of a system on this machine: started together, watched, ended the last first."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Self

from fairgate_ops.run.local.processes import Child, StartError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from fairgate_ops.run.local.local_server import LocalServer


class Parts(ABC):
    """A system that says in ``_start`` which parts it has."""

    def __init__(self) -> None:
        self._children: list[Child] = []
        self._stops: list[Callable[[], object]] = []

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> Self:
        """Return once a buyer could walk in.

        Raises:
            StartError: says which part did not start and what to do; everything is stopped.
        """
        try:
            self._start()
        except BaseException:  # Ctrl-C while it starts, too, leaves no server running
            self.stop()
            raise
        return self

    @abstractmethod
    def _start(self) -> None:
        """Start every part, each handed to ``_keep`` or ``_serve`` as soon as it runs."""

    def _keep(self, child: Child) -> Child:
        self._children.append(child)
        self._stops.append(child.stop)
        return child

    def _serve(self, server: LocalServer) -> None:
        self._stops.append(server.stop)  # first: it may be interrupted while it starts
        server.start()
        if server.child is not None:
            self._children.append(server.child)

    def watch(self) -> None:
        """Raise StartError naming the first part that has died, with its last words."""
        for child in self._children:
            if not child.running:
                raise StartError(child.epitaph())

    def part(self, name: str) -> Child:
        """Return the part of that name. Raises StopIteration for one that is not here."""
        return next(child for child in self._children if child.name == name)

    def stop(self) -> None:
        """End every part, the last first; leaves the logs. Harmless when nothing runs."""
        while self._stops:
            self._stops.pop()()
        self._children.clear()
