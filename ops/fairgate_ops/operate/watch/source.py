"""Read a source again and again, beside the screen: one that stalls or fails holds up no other.

What was read last stays, with its age and why there is nothing newer.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import FairgateError
from fairgate_ops.operate.away import detail_of
from fairgate_ops.operate.doctor.site import UnreachableError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass
class Source:
    """Attributes:
    read: returns what there is to show, or raises.
    empty: the part before the first read; every figure is None.
    every_s: how long what was read is not read again.
    """

    read: Callable[[], Mapping[str, Any]]
    empty: Mapping[str, Any]
    every_s: float
    now_ms: Callable[[], int]
    monotonic: Callable[[], float] = time.monotonic
    _value: Mapping[str, Any] | None = None
    _error: str = ""
    _read_ms: int = 0
    _read_at: float = 0.0
    _asked_at: float | None = None
    _asking: threading.Thread | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self) -> None:
        """Begin to read, unless that is under way or was done just now; wait for nothing."""
        with self._lock:
            if self._asking is not None and self._asking.is_alive():
                return
            now = self.monotonic()
            if self._asked_at is not None and now - self._asked_at < self.every_s:
                return
            self._asked_at = now
            self._asking = threading.Thread(target=self._look, name="watch", daemon=True)
            self._asking.start()

    @property
    def known(self) -> bool:
        """Say whether anything was read yet."""
        with self._lock:
            return self._value is not None

    def wait(self, until: float) -> None:
        """Wait for the reading under way, until then by the monotonic clock."""
        asking = self._asking
        if asking is not None:
            asking.join(max(0.0, until - self.monotonic()))

    def shown(self) -> dict[str, Any]:
        """Return what was read last, with ``at``, ``age_s`` and ``error``; figures None before."""
        with self._lock:
            now = self.monotonic()
            waits = self._asking is not None and self._asking.is_alive()
            slow = waits and self._asked_at is not None and now - self._asked_at > self.every_s
            if self._value is None:
                error = self._error or ("no answer yet" if waits else "")
                return {"at": None, "age_s": None, "error": error, **self.empty}
            error = self._error or ("it does not answer" if slow else "")
            age_s = round(now - self._read_at, 1)
            return {"at": rfc3339(self._read_ms), "age_s": age_s, "error": error, **self._value}

    def _look(self) -> None:
        try:
            value = self.read()
        except Exception as error:  # noqa: BLE001 the screen says so and goes on
            with self._lock:
                self._error = reason_of(error)
            return
        with self._lock:
            self._value, self._error = value, ""
            self._read_ms, self._read_at = self.now_ms(), self.monotonic()


def reason_of(error: Exception) -> str:
    """Say in a line why a source did not answer."""
    match error:
        case ClientError():
            code = error.response["Error"]["Code"]
            return f"AWS refuses {error.operation_name} ({code})"
        case FairgateError():
            return detail_of(error)
        case BotoCoreError() | UnreachableError() | OSError():
            return f"no answer: {error}"
    return f"cannot be read: {error!r}"
