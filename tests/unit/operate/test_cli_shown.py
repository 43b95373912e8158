"""What is shown to a terminal, what is piped, and what is loaded for it."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from msgspec.structs import fields

from fairgate.errors import MalformedInputError
from fairgate.service.catalog.create_event import BACKOFF_S, GateRules
from fairgate_ops.operate.cli.main import GROUPS, main, parser
from fairgate_ops.operate.cli.report import Listing, Report, say_refusal

ROOT = Path(__file__).parents[3]
CHART = str(ROOT / "tests" / "charts" / "one-row.venue.json")
HEAVY = ("boto3", "rich", "shtab", "fairgate.bootstrap")
LISTING = Listing(("Event", "State"), [("final", "[open]")], ["final [open]"])
REPORT = Report({"event": "final"}, ["Dry run, nothing written.", LISTING])


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def shown(monkeypatch):
    """What a terminal of 80 columns gets, as standard output and error, from what is done."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)

    def at_terminal(do: Callable[[], object]) -> str:
        out = Terminal()
        with redirect_stdout(out), redirect_stderr(out):
            do()
        return out.getvalue()

    return at_terminal


def loaded_by(*words: str) -> list[str]:
    """Which heavy modules a command line loads, in an interpreter of its own."""
    code = (
        "import sys; from fairgate_ops.operate.cli.main import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        f"print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": f"{ROOT / 'ops'}:{ROOT / 'layers/core/python'}"},
    )
    loaded: list[str] = json.loads(done.stderr.splitlines()[-1].replace("'", '"'))
    return loaded


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["event", "create", "--help"],
        ["venue", "validate", CHART],
        ["venue", "validate", CHART, "--json"],
        ["venue", "validate", "/none", "--json"],
    ],
)
def test_nothing_heavy_is_loaded_when_nothing_is_shown_to_a_terminal(words):
    assert loaded_by(*words) == []


def test_control_what_is_loaded_is_noticed():
    assert loaded_by("completion", "bash") == ["shtab"]


def test_help_comes_without_loading_what_it_does_not_need():
    unneeded = (
        "boto3",
        "botocore",
        "json",
        "dataclasses",
        "fairgate.bootstrap",
        "fairgate.service",
    )
    code = (
        "import sys; from fairgate_ops.operate.cli.main import parser; parser().format_help();"
        f"print([m for m in {unneeded!r} if m in sys.modules])"
    )
    path = f"{ROOT / 'ops'}:{ROOT / 'layers/core/python'}"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": path},
    )
    assert done.stdout.strip() == "[]"


def test_a_terminal_gets_a_table_and_colours(shown):
    text = shown(lambda: REPORT.say(as_json=False))
    lines = text.splitlines()
    assert lines[0] == "\x1b[33mDry run, nothing written.\x1b[0m"
    assert any("Event" in line and "State" in line for line in lines)
    assert any("final" in line and "[open]" in line for line in lines)
    assert "final [open]" not in text


def test_no_colour_is_shown_when_no_color_is_set(shown, monkeypatch):
    def all_sorts():
        REPORT.say(as_json=False)
        Report({}, ["wrong"], failed=True).say(as_json=False)
        say_refusal(MalformedInputError("no"), "fairgate", as_json=False)

    coloured = re.compile(r"\x1b\[(\d+;)*3\d")
    assert len(coloured.findall(shown(all_sorts))) == 3
    monkeypatch.setenv("NO_COLOR", "1")
    assert coloured.findall(shown(all_sorts)) == []


def test_a_long_line_is_not_broken_so_that_it_can_be_copied(shown):
    assert shown(lambda: Report({}, ["k" * 200]).say(as_json=False)) == "k" * 200 + "\n"


def test_a_refusal_says_why_in_red_and_where_below(shown):
    wrong = MalformedInputError("Two things.", errors=[{"where": "a", "what": "[b] is bad"}])
    text = shown(lambda: say_refusal(wrong, "fairgate tau set", as_json=False))
    first, second, third = text.splitlines()
    assert first == "\x1b[1;31mNot done: Two things.\x1b[0m"
    assert (second, third) == ("  - a: [b] is bad", "Help: fairgate tau set --help")


def test_json_is_the_same_at_a_terminal(shown):
    assert json.loads(shown(lambda: REPORT.say(as_json=True))) == {"event": "final"}


def test_what_is_piped_is_plain_lines(capsys):
    REPORT.say(as_json=False)
    Report({}, [Listing(("Event",), [], [])]).say(as_json=False)
    assert capsys.readouterr().out == "Dry run, nothing written.\nfinal [open]\n"


def test_the_bash_completion_parses_and_names_every_command(capsys):
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    offered = subprocess.run(
        ["bash"],
        input=script + "COMP_WORDS=(fairgate ''); COMP_CWORD=1; _shtab_fairgate; "
        'echo; echo "GROUPS_OF ${COMPREPLY[*]}"; '
        "COMP_WORDS=(fairgate event ''); COMP_CWORD=2; _shtab_fairgate; "
        'echo "VERBS_OF ${COMPREPLY[*]}"',
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    groups = next(line for line in offered.splitlines() if line.startswith("GROUPS_OF"))
    assert set(GROUPS) <= set(groups.split())
    verbs = next(line for line in offered.splitlines() if line.startswith("VERBS_OF"))
    assert {"create", "open-until", "close", "log"} <= set(verbs.split())
    assert "_shtab_compgen_files" in script.partition("event_create___venue_COMPGEN")[2][:40]


def test_the_zsh_completion_names_every_command(capsys):
    assert main(["completion", "zsh"]) == 0
    script = capsys.readouterr().out
    assert script.startswith("#compdef fairgate")
    commands = script.partition("_shtab_fairgate_commands() {")[2].partition("_describe")[0]
    for group in GROUPS:
        assert f"\n    {group}:'" in commands


def test_help_says_the_defaults_that_the_records_have(capsys):
    with pytest.raises(SystemExit):
        main(["event", "create", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    options = parser().parse_args(
        ["event", "create", "x", "--venue", "v", "--name", "n", "--sale-starts-in", "1"]
    )
    options_of = {"tau_s": "--tau", "pow_bits": "--pow"}
    for field in fields(GateRules):
        if field.name in ("sale_start_s", "backoff_min_s", "backoff_max_s"):
            continue
        assert not hasattr(options, field.name), field.name
        option = options_of.get(field.name, "--" + field.name.replace("_", "-"))
        says = text.rpartition(f" {option} ")[2].partition("(default: ")[2].partition(")")[0]
        default = field.default if isinstance(field.default, str) else f"{field.default:g}"
        assert says == default, option
    assert "(default: {} {})".format(*BACKOFF_S) in text
