"""A slow machine is waited for; what does nothing is given up."""

from __future__ import annotations

import itertools
import os
import sys
import time

import pytest

from fairgate_lab.emulator import patient
from fairgate_lab.emulator.patient import run_patiently
from fairgate_ops.run.local.processes import StartError, processor_s, wait_until

SLOW = [sys.executable, "-c", "import time; time.sleep(1); print('done')"]
FOR_EVER = ["sleep", "1000"]


def test_a_command_may_take_longer_than_nothing_may_move(monkeypatch):
    moves, told = itertools.count(), list[str]()
    monkeypatch.setattr(patient, "processor_s", lambda _root: next(moves))
    done = run_patiently(SLOW, "the templates", still_s=0.05, say=told.append)
    assert (done.returncode, done.stdout) == (0, "done\n")
    assert told[0].startswith("the templates: at work for")


def test_a_command_that_does_nothing_is_given_up(monkeypatch):
    monkeypatch.setattr(patient, "processor_s", lambda _root: 7)
    with pytest.raises(StartError, match="the templates: nothing moved"):
        run_patiently(FOR_EVER, "the templates", still_s=0.05)


def test_what_moves_is_waited_for_and_what_stands_still_is_not():
    moves = itertools.count()
    ready = iter([False] * 20 + [True])
    wait_until(lambda: next(ready), "a stack", within_s=0, every_s=0.01, moved=lambda: next(moves))
    with pytest.raises(StartError, match="a stack was not ready"):
        wait_until(lambda: False, "a stack", within_s=0.05, moved=lambda: 7)


def test_the_processor_that_was_used_is_seen():
    used = processor_s(os.getpid())
    assert int(time.process_time()) - 1 <= used
    assert processor_s(2**30) == 0  # nobody is called so
