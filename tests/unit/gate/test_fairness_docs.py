"""What docs/fairness.md tells buyers to run does what the gate does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from fairgate.domain.gate.admission import admission_at, lottery_number, ticket_of
from fairgate.domain.gate.draw_proof import beacon_key
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.cli.main import with_audit_verb

TEXT = (Path(__file__).parents[3] / "docs" / "fairness.md").read_text()
(SNIPPET,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
(KEY,) = re.findall(r'fromhex\("([0-9a-f]{64})"\)', SNIPPET)
(COMMITMENT,) = re.findall(r'commitment = "([0-9a-f]{64})"', SNIPPET)


def run(code: str) -> subprocess.CompletedProcess[str]:
    """In an interpreter that has nothing but the standard library."""
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("beacon", ["9f86d081884c7d65", ""])
def test_the_buyers_snippet_draws_what_the_gate_draws(beacon: str) -> None:
    done = run(SNIPPET.replace('"9f86d081884c7d65"', repr(beacon)))
    key = bytes.fromhex(KEY)
    number_key = beacon_key(key, "final", beacon) if beacon else key
    u = lottery_number(number_key, ticket_of(key, "a", "final", "ada", ""))
    assert (
        f"lottery number {u:.9f}: in once H has grown by {admission_at(u, 1.0):.6f}" in done.stdout
    )


def test_the_buyers_snippet_is_short_and_stops_at_another_key() -> None:
    assert len([line for line in SNIPPET.splitlines() if line.strip()]) <= 15
    assert "another key was committed to" in run(SNIPPET.replace(KEY, "00" * 32)).stderr


def test_the_command_says_what_the_snippet_says(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["draw", "verify", "final", "--user", "ada", "--key", KEY, "--beacon"]
    words.append("9f86d081884c7d65")
    assert main.main([*words, "--commitment", COMMITMENT]) == 0
    said = re.search(r"lottery number +([0-9.]+)", capsys.readouterr().out)
    assert said is not None
    assert f"lottery number {float(said[1]):.9f}:" in run(SNIPPET).stdout
    assert main.main([*words, "--commitment", "0" * 64]) == 1
    assert "NOT THE ONE" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        "draw verify final --user ada",
        "draw verify --user ada --key KEY --commitment X",
        "draw verify final --user #! --key KEY --commitment X",
        "draw verify final --user ada --key 12 --commitment X",
        "draw verify final --user ada --config /no/such/rules.json",
    ],
)
def test_a_buyer_is_told_what_is_missing(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(words.replace("KEY", KEY).split()) == 1
    assert capsys.readouterr().err.startswith("Not done: ")


def test_the_audits_verb_may_be_left_out() -> None:
    assert with_audit_verb(["audit", "final"]) == ["audit", "check", "final"]
    assert with_audit_verb(["--json", "audit", "--log", "x"]) == [
        "--json",
        "audit",
        "check",
        "--log",
        "x",
    ]
    for words in (["audit"], ["audit", "check", "x"], ["audit", "export", "x"], ["audit", "-h"]):
        assert with_audit_verb(words) == words
    assert with_audit_verb(["event", "list"]) == ["event", "list"]


def test_audit_is_the_command_in_one_place_alone() -> None:
    """It may be an event's id, its name, a reason or a file as well."""
    for line in (
        "event close audit --yes",
        "tau set audit 30",
        "event pause final --reason audit --json",
        "--run-file audit event list",
        "--stage=x --target aws --tz Europe/Berlin event show audit",
    ):
        assert with_audit_verb(line.split()) == line.split()
    for before in ("--run-file audit", "--stage=audit --dry-run", "--js --target local"):
        words = f"{before} audit audit".split()
        assert with_audit_verb(words) == [*words[:-1], "check", "audit"]
