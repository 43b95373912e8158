"""Jobs at their time on a few threads, and webhooks that are sent until they are taken."""

from __future__ import annotations

import heapq
import http.client
import itertools
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from fairgate.domain.orders import webhook_signature

TIMEOUT_S = 10.0
ATTEMPTS_MAX = 10  # 0.5 s doubled each time up to 30 s: about two and a half minutes
RETRY_MAX_S = 30.0
THREADS = 16  # at a time, as a provider does not make one buyer wait for another

Job = Callable[[], None]


class JobQueue:
    """Runs each job once, not before its time, until ``stop``."""

    def __init__(self, threads: int = THREADS) -> None:
        self._jobs: list[tuple[float, int, Job]] = []
        self._order = itertools.count()
        self._changed = threading.Condition()
        self._stopping = False
        self._threads = [
            threading.Thread(target=self._work, name=f"webhook-{i}", daemon=True)
            for i in range(threads)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Finish the jobs under way; forget the others."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(TIMEOUT_S)

    def after(self, delay_s: float, job: Job) -> None:
        with self._changed:
            due = time.monotonic() + max(0.0, delay_s)
            heapq.heappush(self._jobs, (due, next(self._order), job))
            self._changed.notify()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._stopping and not self._due():
                    wait_s = self._jobs[0][0] - time.monotonic() if self._jobs else None
                    self._changed.wait(wait_s)
                if self._stopping:
                    return
                job = heapq.heappop(self._jobs)[2]
                self._changed.notify()  # the next job may be due as well
            job()

    def _due(self) -> bool:
        return bool(self._jobs) and self._jobs[0][0] <= time.monotonic()


class WebhookSender:
    """Delivers each event at least once to one address, signed afresh at every attempt."""

    def __init__(self, url: str, secret: bytes, jobs: JobQueue, *, retry_s: float = 0.5) -> None:
        self._address = urlsplit(url)
        self._secret = secret
        self._jobs = jobs
        self._retry_s = retry_s

    def send(self, event: Mapping[str, Any]) -> None:
        body = msgspec.json.encode(event)
        self._jobs.after(0, lambda: self._attempt(body, 1))

    def _attempt(self, body: bytes, attempt: int) -> None:
        if self._taken(body):
            return
        if attempt == ATTEMPTS_MAX:
            print(f"webhook given up after {attempt} attempts: {body.decode()}", flush=True)
            return
        delay_s = min(self._retry_s * 2 ** (attempt - 1), RETRY_MAX_S)
        self._jobs.after(delay_s, lambda: self._attempt(body, attempt + 1))

    def _taken(self, body: bytes) -> bool:
        signature = webhook_signature.sign(body, secret=self._secret, now_s=int(time.time()))
        headers = {"content-type": "application/json", webhook_signature.HEADER: signature}
        connection = http.client.HTTPConnection(
            self._address.hostname or "", self._address.port, timeout=TIMEOUT_S
        )
        try:
            connection.request("POST", self._address.path or "/", body, headers)
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return False
        else:
            return status // 100 == 2  # noqa: PLR2004 any success
        finally:
            connection.close()
