"""Records are decoded by several threads at once, from the first item on."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from fairgate_ops.shared.paths import ROOT

# In a process of its own: where nothing keeps the threads apart, it ends by a signal. Reading the
# annotations takes as long as on a busy machine.
FIRST = """
from __future__ import annotations

import threading
import time

import msgspec

from fairgate.ports.record import Part, Record, decode, decode_json


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
        answers.append(DECODED(item).two == number)


begin, answers = threading.Barrier(8), []
threads = [threading.Thread(target=read) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert answers == [True] * 400
"""


CONVERTS = r"msgspec\.convert\(|from msgspec import .*\bconvert\b"
WAYS = {
    "an item": "decode(Item, item)",
    "JSON": "decode_json(msgspec.json.encode(item), Item)",
}


@pytest.mark.parametrize("way", WAYS)
def test_threads_that_meet_a_kind_first_at_once_decode_it(way: str) -> None:
    program = FIRST.replace("DECODED(item)", WAYS[way])
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done


def test_every_record_is_decoded_by_the_module_that_separates_threads() -> None:
    past = []
    for folder in ("layers", "functions", "ops"):
        for path in (ROOT / folder).rglob("*.py"):
            calls = re.findall(r"json\.decode\(.*type=(\w+)\)|json\.Decoder\(", path.read_text())
            past += [(path.name, kind) for kind in calls if kind != "dict"]
            past += [(path.name, "") for _ in re.findall(CONVERTS, path.read_text())]
    assert [name for name, _kind in past] == ["record.py"] * 3
