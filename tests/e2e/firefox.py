"""Firefox by its own protocol, Marionette: headless, with a fresh profile, loopback only.

Playwright drives a Firefox of its own alone, which no package of Debian's is. Source: Firefox
Source Docs, "Marionette", "Protocol": a message is its length, a colon, and JSON.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.waiting import patience_s, wait_until

COMMANDS = ("firefox-esr", "firefox")
START_S = 60
PREFERENCES = {
    "marionette.port": 0,
    "network.dns.forceResolve": "127.0.0.1",  # nothing but this machine, whatever is asked for
    "app.normandy.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.server": "",
}


def installed() -> str | None:
    return next((found for name in COMMANDS if (found := shutil.which(name))), None)


class Firefox:
    """One window: go somewhere, and run expressions there."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=patience_s(START_S))
        self._read = self._socket.makefile("rb")
        self._receive()
        self._sent = 0
        self.command("WebDriver:NewSession")

    def goto(self, url: str) -> None:
        self.command("WebDriver:Navigate", url=url)

    def evaluate(self, expression: str) -> Any:
        return self.command("WebDriver:ExecuteScript", script=f"return {expression}")["value"]

    def command(self, name: str, **parameters: Any) -> Any:
        self._sent += 1
        data = json.dumps([0, self._sent, name, parameters]).encode()
        self._socket.sendall(b"%d:%b" % (len(data), data))
        _, _, error, result = self._receive()
        assert error is None, error
        return result

    def close(self) -> None:
        self._read.close()
        self._socket.close()

    def _receive(self) -> Any:
        digits = b""
        while (byte := self._read.read(1)) != b":":
            assert byte, "Firefox ended"
            digits += byte
        return json.loads(self._read.read(int(digits)))


@contextmanager
def started(command: str) -> Iterator[Firefox]:
    """Firefox, gone afterwards."""
    profile = Path(tempfile.mkdtemp(prefix="firefox-"))
    lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items()]
    (profile / "user.js").write_text("\n".join(lines), "utf-8")
    running = subprocess.Popen(
        [command, "--headless", "--no-remote", "--marionette", "--profile", str(profile)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        listening = profile / "MarionetteActivePort"
        wait_until(listening.exists, "Firefox to listen", within_s=START_S, every_s=0.1)
        window = Firefox(int(listening.read_text()))
        try:
            yield window
        finally:
            window.close()
    finally:
        running.terminate()
        running.wait(patience_s(20))
        wait_until(lambda: removed(profile), "Firefox's helpers to leave its profile alone")


def removed(folder: Path) -> bool:
    """Remove the folder; helpers that outlive Firefox may still write into it."""
    shutil.rmtree(folder, ignore_errors=True)
    return not folder.exists()
