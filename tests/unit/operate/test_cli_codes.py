"""Every command ends alike: the same codes, and with ``--json`` one document whatever happens."""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairgate.errors import NotFoundError
from fairgate_ops.operate import target
from fairgate_ops.operate.cli.command import DONE, INTERRUPTED, MISUSED, REFUSED, Parser
from fairgate_ops.operate.cli.main import main, parser

ROOT = Path(__file__).parents[3]
VALUES = ("word", "300", "12", "2030-06-01T18:00:00Z", "b=5")
# What needs no system is refused for its own reason, or has none to refuse.
ALONE = {"completion", "venue import", "venue validate", "draw verify", "ticket verify"}
NEVER_REFUSED = {"completion"}


def commands(of: argparse.ArgumentParser, name: str = "") -> Iterator[tuple[str, Parser]]:
    """Every command that can be typed, with its parser."""
    below = [a for a in of._actions if isinstance(a, argparse._SubParsersAction)]
    if not below:
        assert isinstance(of, Parser)
        yield name, of
    for action in below:
        for word, each in action.choices.items():
            yield from commands(each, f"{name} {word}".strip())


def value_of(action: argparse.Action) -> str:
    """A value that the argument's type takes."""
    if action.choices:
        return str(next(iter(action.choices)))
    for value in VALUES:
        try:
            action.type(value) if callable(action.type) else None
        except (argparse.ArgumentTypeError, ValueError):
            continue
        return value
    raise AssertionError(f"no value for {action.dest}")


def least_words(name: str, of: Parser) -> list[str]:
    """The command with what it must be given, and no more."""
    groups = [g for g in of._mutually_exclusive_groups if g.required]
    wanted = [g._group_actions[0] for g in groups]
    wanted += [a for a in of._actions if a.required and a not in wanted]
    words = name.split()
    for action in wanted:
        words += action.option_strings[:1]
        words += [] if action.nargs == 0 else [value_of(action)]
    more = {
        "keys passes": ["--google-account=none", "--google-issuer=1", "--organisation=x"],
        "keys payments": ["--back"],
        "tau set": ["300"],
        "audit check": ["final"],
        "ticket verify": ["FG1.x", "--public-key=none"],
    }
    return words + more.get(name, [])


ALL = dict(commands(parser()))


def error_of(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    error: dict[str, str] = json.loads(capsys.readouterr().out)["error"]
    return error


@pytest.mark.parametrize("name", ALL)
def test_wrong_usage_is_two_and_json_where_json_is_asked_for(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    for words in ([*name.split(), "--nonsense", "--json"], ["--json", *name.split(), "--nonsense"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        error = error_of(capsys)
        assert (ended.value.code, error["code"]) == (MISUSED, "wrong-usage")
        assert error["help"] == f"fairgate {name} --help"
    with pytest.raises(SystemExit):
        main([*name.split(), "--nonsense"])
    plain = capsys.readouterr()
    assert plain.out == ""
    reason, where = plain.err.splitlines()
    assert reason.startswith(f"fairgate {name}: ")
    assert where == f"Help: fairgate {name} --help"


def test_an_option_that_a_command_has_not_is_named_with_the_commands_help(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["tau", "get", "final", "--nonsense"])
    assert capsys.readouterr().err == (
        "fairgate tau get: unrecognized arguments: --nonsense\nHelp: fairgate tau get --help\n"
    )


def test_a_refusal_says_why_first_and_then_where_help_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(_options: object) -> target.Target:
        raise NotFoundError("no system")

    monkeypatch.setattr(target, "target_of", none)
    assert main(["event", "list"]) == REFUSED
    told = capsys.readouterr().err
    assert told == "Not done: no system\nHelp: fairgate event list --help\n"


@pytest.mark.parametrize("name", sorted(set(ALL) - NEVER_REFUSED))
def test_what_is_refused_is_one_and_json_where_json_is_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def none(_options: object) -> target.Target:
        raise NotFoundError("no system")

    monkeypatch.setattr(target, "target_of", none)
    assert main([*least_words(name, ALL[name]), "--json"]) == REFUSED
    error = error_of(capsys)
    assert name in ALONE or error["detail"] == "no system"


@pytest.mark.parametrize("name", sorted(set(ALL) - ALONE))
def test_what_is_interrupted_is_130_and_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def interrupted(_options: object) -> target.Target:
        raise KeyboardInterrupt

    monkeypatch.setattr(target, "target_of", interrupted)
    assert main([*least_words(name, ALL[name]), "--json"]) == INTERRUPTED
    assert error_of(capsys)["code"] == "interrupted"


@pytest.mark.parametrize("name", ALL)
def test_every_command_takes_the_switches_that_all_take(name: str) -> None:
    taken = {word for action in ALL[name]._actions for word in action.option_strings}
    assert {"--json", "--dry-run", "--target", "--run-file", "--tz"} <= taken


def test_every_command_is_walked() -> None:
    assert len(ALL) > 40
    assert {"event create", "tau preview", "keys payments", "audit check", "doctor"} <= set(ALL)


def test_the_page_names_the_codes() -> None:
    page = (ROOT / "docs" / "operating.md").read_text("utf-8")
    listed = re.findall(r"^\| `(\d+)` \|", page, re.MULTILINE)
    assert [int(code) for code in listed] == [DONE, REFUSED, MISUSED, INTERRUPTED]


def test_the_version_is_the_projects(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert (ended.value.code, capsys.readouterr().out) == (DONE, f"fairgate {version}\n")
