"""Stand-ins that listen where a cache is expected."""

from __future__ import annotations

import contextlib
import socket
import threading
from abc import ABC, abstractmethod


class Listener(ABC):
    """Takes connections on a port of its own, each served in a thread, until it is closed."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.url = f"valkey://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                caller, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(caller,), daemon=True).start()

    @abstractmethod
    def serve(self, caller: socket.socket) -> None:
        """Answer one caller until it leaves."""

    def close(self) -> None:
        # To close it alone wakes nobody who waits in ``accept``: one more caller would be taken.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


class OneLine(Listener):
    """Answers every command of Valkey's protocol by the bytes of ``answer``."""

    def __init__(self, answer: bytes = b"") -> None:
        self.answer = answer
        super().__init__()

    def serve(self, caller: socket.socket) -> None:
        left = contextlib.suppress(ConnectionError)  # the caller did not wait for the answer
        with left, caller, caller.makefile("rb") as commands:
            while head := commands.readline():
                for _ in range(int(head[1:])):
                    commands.read(int(commands.readline()[1:]) + 2)
                caller.sendall(self.answer)
