"""The life of a server that the local run starts: found, started, awaited, stopped."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from fairgate_ops.run.local.processes import (
    Child,
    StartError,
    accepts,
    free_port,
    start_child,
    wait_until,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self


class LocalServer(ABC):
    """One server on a loopback port, its state in memory, gone with its parent."""

    title: ClassVar[str]  # in messages; in small letters the name of its log
    missing: ClassVar[str]  # what to install, when there is no binary
    ready_s: ClassVar[float] = 10.0

    def __init__(self, logs_dir: Path, port: int | None = None) -> None:
        self._logs_dir = logs_dir
        self.port = port or free_port()
        self.child: Child | None = None

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Self:
        """Return once it is ready. Raises StartError saying what to install, or why it died."""
        binary = self._binary()
        if binary is None:
            raise StartError(self.missing)
        self.child = start_child(
            self.title.lower(),
            [str(binary), *self._arguments()],
            logs_dir=self._logs_dir,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", **self._environment()},
            cwd=self._logs_dir,
        )
        try:
            wait_until(self.ready, self.title, child=self.child, within_s=self.ready_s)
        except StartError:
            self.stop()
            raise
        return self

    def ready(self) -> bool:
        """Whether it answers; by default, whether somebody listens on its port."""
        return accepts(self.port)

    def stop(self) -> None:
        if self.child is not None:
            self.child.stop()
            self.child = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @abstractmethod
    def _binary(self) -> Path | None:
        """Find the program, or None where it has not been installed."""

    @abstractmethod
    def _arguments(self) -> Sequence[str]:
        """What stands behind the program on its command line."""

    def _environment(self) -> Mapping[str, str]:
        """Set more than PATH and LC_ALL."""
        return {}
