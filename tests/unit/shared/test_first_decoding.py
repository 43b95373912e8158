"""Records are decoded by several threads at once, from the first item on."""

from __future__ import annotations

import subprocess
import sys

# In a process of its own: where nothing keeps the threads apart, it ends by a signal. Reading the
# annotations takes as long as on a busy machine.
FIRST = """
from __future__ import annotations

import threading
import time

from fairgate.ports.record import Part, Record, decode


def slowly():
    time.sleep(0.02)
    return int


class Within(Part, frozen=True):
    one: slowly()


class Item(Record, frozen=True):
    parts: list[Within]
    two: int


def read():
    time.sleep(0.005 * begin.wait())
    for number in range(50):
        item = {"PK": "p", "SK": "s", "parts": [{"one": 1}], "two": number}
        answers.append(decode(Item, item).two == number)


begin, answers = threading.Barrier(8), []
threads = [threading.Thread(target=read) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert answers == [True] * 400
"""


def test_threads_that_meet_a_kind_first_at_once_decode_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FIRST], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done
