"""What changed in the stub's sale, as finite server-sent events (docs/api.md, ``changes``)."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

AGAIN_MS = 200  # to the next look, so that tests need not wait


def change_id(seconds: float) -> int:
    return round(seconds * 1e6)


class Feed:
    """Finds changes by comparing what is with what was, and forgets none."""

    def __init__(self) -> None:
        self.again_ms = AGAIN_MS
        self._started = change_id(time.time())
        self._logs: dict[str, list[tuple[int, str, Any]]] = {}
        self._known: dict[tuple[str, str], Any] = {}

    def told(self, log: str, now_is: Mapping[str, Mapping[Any, Any]]) -> str:
        """The whole stream of one log, brought up to ``now_is``: kind → place → state."""
        entries = self._logs.setdefault(log, [])
        id_ = change_id(time.time())
        for kind, places in now_is.items():
            for data in self._news(log, kind, places):
                id_ += 1
                entries.append((id_, kind, data))
        lines = [f"retry: {self.again_ms}"]
        for entry, kind, data in entries:
            lines += [f"id: {entry}", f"event: {kind}", f"data: {json.dumps(data)}", ""]
        window = {"since": self._started, "until": id_, "again_ms": self.again_ms}
        return "\n".join([*lines, "event: window", f"data: {json.dumps(window)}", "", ""])

    def _news(self, log: str, kind: str, places: Mapping[Any, Any]) -> Iterator[Any]:
        before = self._known.get((log, kind), places)
        self._known[log, kind] = copy.deepcopy(places)
        for place, state in places.items():
            if before[place] != state:
                yield [[place, int(state)]] if kind == "seats" else {kind: place, **state}

    def forget(self) -> None:
        """Lose what was told: whoever knows less than now is to read everything again."""
        self._logs.clear()
        self._started = change_id(time.time())
