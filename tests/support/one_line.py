"""A cache that has the same answer to every question."""

from __future__ import annotations

import socket
import threading


class OneLine:
    """Answers every command of Valkey's protocol by the bytes of ``answer``."""

    def __init__(self, answer: bytes = b"") -> None:
        self.answer = answer
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"valkey://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                caller, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(caller,), daemon=True).start()

    def _serve(self, caller: socket.socket) -> None:
        with caller, caller.makefile("rb") as commands:
            while head := commands.readline():
                for _ in range(int(head[1:])):
                    commands.read(int(commands.readline()[1:]) + 2)
                caller.sendall(self.answer)

    def close(self) -> None:
        self._listener.close()
