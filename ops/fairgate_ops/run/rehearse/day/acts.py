"""Do the acts of a script at their moments: commands as they are typed, and faults of parts."""

from __future__ import annotations

import os
import shlex
import signal
import threading
import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate_ops.run.rehearse.typed_command import typed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate_ops.run.local.system import LocalSystem
    from fairgate_ops.run.rehearse.day.script import Act

_PARTS = {"provider-away": "sandbox", "store-late": "keyvaluestore"}
_SAID_CHARS = 400


@dataclass(frozen=True)
class Done:
    """An act, when it was due, begun and ended (seconds from the start), and why it failed."""

    do: str
    due_s: float
    begun_s: float
    ended_s: float
    failure: str = ""


class Operator(threading.Thread):
    """Does the acts, each in a thread of its own: a fault that lasts holds no other act up."""

    def __init__(
        self, system: LocalSystem, event: str, acts: Sequence[Act], start_s: float
    ) -> None:
        super().__init__(name="operator", daemon=True)
        self._system, self._event, self._acts = system, event, acts
        self._start_s = start_s
        self.done: list[Done] = []

    def run(self) -> None:
        threads = []
        for act in self._acts:
            time.sleep(max(0.0, self._start_s + act.at_min * 60 - time.monotonic()))
            threads.append(threading.Thread(target=self._do, args=(act,), daemon=True))
            threads[-1].start()
        for thread in threads:
            thread.join()

    def _do(self, act: Act) -> None:
        begun_s = time.monotonic() - self._start_s
        try:
            failure = self._fault(act) if act.do in (*_PARTS, "cache-gone") else self._typed(act)
        except Exception as error:  # noqa: BLE001 whatever it is, the verdict says so
            failure = repr(error)
        ended_s = time.monotonic() - self._start_s
        self.done.append(Done(act.do, act.at_min * 60, begun_s, ended_s, failure))

    def _typed(self, act: Act) -> str:
        words = [self._event if word == "EVENT" else word for word in shlex.split(act.do)]
        done = typed(words, self._system.place.config)
        return "" if done.returncode == 0 else (done.stderr or done.stdout)[:_SAID_CHARS].strip()

    def _fault(self, act: Act) -> str:
        if act.do == "cache-gone":
            from valkey import Valkey

            with closing(Valkey.from_url(self._system.config["valkey_url"])) as cache:
                cache.flushall()
            return ""
        group = self._system.part(_PARTS[act.do]).process.pid
        os.killpg(group, signal.SIGSTOP)  # it takes connections and answers nobody
        try:
            time.sleep(act.for_s)
        finally:
            os.killpg(group, signal.SIGCONT)
        return ""
