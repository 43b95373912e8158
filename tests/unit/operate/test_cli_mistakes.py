"""What the command answers to common mistakes."""

from __future__ import annotations

import contextlib
import shlex

import pytest

from fairgate_ops.operate.cli import main
from tests.unit.operate.test_cli import chart, create, secret_file, system

__all__ = ["chart", "secret_file", "system"]  # fixtures

NEW = "event create new --venue chart.json --name N"
# For an event that has not started, with nobody counted and a change planned: only the last one
# changes anything, and says what it replaces.
SAID = {
    "event open-until final --minutes 15": (
        "Everybody would be admitted before it: suspend the draw after the sale start.",
    ),
    "event pause nothing": ("There is no event nothing. `event list` shows what there is.",),
    "event close final": ("Closes final for good:", "Confirm with --yes."),
    "event target final 9 --control auto": (
        "Its queue is not sampled",
        "the pace stays manual",
    ),
    f"{NEW} --price-all 45,00 --sale-starts-in 60": ("is no amount: write 45 or 45.00",),
    f"{NEW} --price-all 45 --currency EUX --sale-starts-in 60": ("is no currency in use",),
    f"{NEW} --price-all 45 --sale-starts-at 2020-01-01T00:00:00Z": (
        "The sale would have started at 2020-01-01T00:00:00Z",
        "Give a time to come.",
    ),
    f"{NEW} --price-all 45 --sale-starts-in 60 --control auto --sample 0": (
        "a sample of accounts must be counted",
    ),
    r'event pause final --reason "a\nb"': ("it has to be one line without control characters",),
    "keys payments --api-key-file a --webhook-secret-file b": (
        "The local system pays at its sandbox, which has keys of its own",
    ),
    "keys init": ("There are keys already.",),
    "draw reveal final --yes": ("`event close` first",),
    "tau set final 90 --if-tau 500": ("somebody has changed it. Nothing was changed.",),
    "desk pardon final ann --reason x": ("The desk has decided nothing about ann.",),
    "tau set final 90": ("This replaces what was planned: τ 200 s",),
}


@pytest.mark.parametrize("command", SAID)
def test_a_mistake_is_answered_with_its_reason(system, chart, capsys, command):
    create(chart, "--sample", "0")
    main.main(["tau", "plan", "final", "200", "--at", "2027-01-15T09:00:00Z"])
    capsys.readouterr()
    words = [chart if word == "chart.json" else word for word in shlex.split(command)]
    with contextlib.suppress(SystemExit):
        main.main([word.replace("\\n", "\n") for word in words])
    said = capsys.readouterr()
    text = " ".join((said.out + said.err).split())
    for part in SAID[command]:
        assert part in text
