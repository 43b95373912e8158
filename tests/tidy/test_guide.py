"""Every command of docs/deploying.md is one that its tool takes: options, arguments, stacks."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr
from io import StringIO
from typing import Any

import botocore.session
import pytest
from botocore import xform_name
from botocore.exceptions import UnknownServiceError

from fairgate_ops.operate.capacity import __main__ as capacity_command
from fairgate_ops.operate.capacity.plan import INPUTS, read_inputs
from fairgate_ops.operate.capacity.rest import (
    SHARDS_NEW,
    SHARDS_WARM,
    TRIAL_HOURS,
    a_month,
    rest_table,
    streams_read,
    trial_cost,
)
from fairgate_ops.operate.cli import main as fairgate_command
from fairgate_ops.operate.cli.command import UsageError
from fairgate_ops.operate.gate_check import __main__ as gate_check_command
from fairgate_ops.operate.remains import __main__ as remains_command
from fairgate_ops.shared.paths import ROOT
from infra.config import Config
from infra.option_values import ConfigError

PAGE = (ROOT / "docs" / "deploying.md").read_text("utf-8")
TOOLS = (".venv/bin/fairgate", ".venv/bin/python", "python", "fairgate", "aws", "make", "npx")
STACKS = {"Data", "Cache", "Edge", "Events", "Api", "Watch", "Firewall", "AccessLogs"}
CDK = ROOT / "node_modules/aws-cdk/lib/cli/cli-type-registry.json"
# Of the AWS CLI itself, before the service's own options.
OF_ALL = {"query", "output", "region", "profile"}
# Commands that the CLI has besides AWS's operations.
OF_ITS_OWN = {("s3", "rm"): {"recursive"}}
_SESSION = botocore.session.Session()


def commands(page: str = PAGE) -> list[str]:
    """Every command line that the page shows in a block of its own."""
    joined = page.replace("\\\n", " ")
    return _of_tools(re.findall(r"^ {4,}(\S.*)$", joined, re.MULTILINE))


def mentions(page: str = PAGE) -> list[str]:
    """Those within a sentence, which may leave arguments out."""
    return _of_tools(re.findall(r"(?<!`)`([^`\n]+(?:\n[^`\n]+)?)`(?!`)", page))


def _of_tools(lines: Sequence[str]) -> list[str]:
    whole = [" ".join(line.split("  #")[0].split()) for line in lines]
    return [line for line in whole if line.split()[0] in TOOLS]


def words_of(command: str) -> list[str]:
    """The command's words, with something in each gap that a reader fills."""
    filled = re.sub(r"<[^>]+>", "x1", command).replace("…", "")
    return [word for word in shlex.split(filled) if word]


def wrong_with(command: str) -> str:
    """Say what the tool would not take; nothing: ``""``."""
    tool, *words = words_of(command)
    if tool in (".venv/bin/fairgate", "fairgate"):
        return "" if len(words) < 2 else _parsed(fairgate_command.parser(words), words)
    if tool in (".venv/bin/python", "python"):
        return _module(words)
    return {"aws": _aws, "make": _make, "npx": _cdk}[tool](words)


def _parsed(parser: argparse.ArgumentParser, words: Sequence[str]) -> str:
    said = StringIO()
    with redirect_stderr(said):
        try:
            parser.parse_args(words)
        except UsageError as error:
            return str(error)
        except SystemExit:
            return said.getvalue() or "it asks for help"
    return ""


def _module(words: Sequence[str]) -> str:
    """``-m`` and a module: its options, as far as it names a parser."""
    if words[0] != "-m":
        return f"no module: {words}"
    module, *rest = words[1:]
    mains: dict[str, Callable[[Sequence[str]], Any]] = {
        "fairgate_ops.operate.remains": remains_command.main,
        "fairgate_ops.operate.capacity": capacity_command.main,
        "fairgate_ops.operate.gate_check": gate_check_command.main,
    }
    if module not in mains:
        return "" if (ROOT / f"{module.replace('.', '/')}.py").is_file() else f"no {module}"
    said = StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stderr(said):
        patch.setattr(argparse.ArgumentParser, "parse_args", _only_parse)
        try:
            mains[module](rest)
        except _ParsedError:
            return ""
        except SystemExit:
            return said.getvalue()
    return f"{module} parsed nothing"


class _ParsedError(Exception):
    """Ends a command once its words are understood."""


_PARSE = argparse.ArgumentParser.parse_args


def _only_parse(parser: argparse.ArgumentParser, words: Any = None) -> None:
    _PARSE(parser, words)
    raise _ParsedError


def _make(words: Sequence[str]) -> str:
    text = (ROOT / "Makefile").read_text("utf-8")
    for word in words:
        name, value, _ = word.partition("=")
        pattern = rf"^(?:\w+: )?{name} [?:]?=" if value else rf"^(?:[a-z-]+ )*{name}:"
        if not value and "=" in word:
            return word
        if not re.search(pattern, text, re.MULTILINE):
            return f"the Makefile has no {word}"
    return ""


def _cdk(words: Sequence[str]) -> str:
    registry = json.loads(CDK.read_text("utf-8"))
    if words[0] != "cdk" or words[1] not in registry["commands"]:
        return f"no verb of the CDK: {words}"
    command = registry["commands"][words[1]]
    known = {**registry["globalOptions"], **command.get("options", {})}
    rest = iter(words[2:])
    for word in rest:
        if word in ("-c", "--context"):
            name = next(rest, "").partition("=")[0]
            if name not in options_of_ours():
                return f"no option of ours: -c {name}"
        elif word.startswith("-"):
            if word.lstrip("-") not in known:
                return f"cdk {words[1]} has no {word}"
        elif word not in STACKS and not word.startswith("fairgate-"):
            return f"no stack of ours: {word}"
    return ""


def options_of_ours() -> set[str]:
    asked: set[str] = set()

    def note(name: str) -> None:
        asked.add(name)

    with pytest.raises(ConfigError):
        Config.from_context(note, ROOT)
    return asked


def _aws(words: Sequence[str]) -> str:
    service, operation, *rest = words
    own = OF_ITS_OWN.get((service, operation))
    if own is not None:
        return _unknown([word[2:] for word in rest if word.startswith("--")], own)
    try:
        model = _SESSION.get_service_model(service)
    except UnknownServiceError:
        return f"AWS has no service {service}"
    names = {xform_name(name, "-"): name for name in model.operation_names}
    if operation not in names:
        return f"{service} has no {operation}"
    shape = model.operation_model(names[operation]).input_shape
    members = {} if shape is None else dict(shape.members)
    known = {xform_name(name, "-") for name in members}
    switches = {
        f"no-{xform_name(name, '-')}"
        for name, member in members.items()
        if member.type_name == "boolean"
    }
    given = [word[2:] for word in rest if word.startswith("--")]
    required = {xform_name(name, "-") for name in (shape.required_members if shape else ())}
    if lacking := required - set(given) - {name.removeprefix("no-") for name in given}:
        return f"{operation} lacks {sorted(lacking)}"
    return _unknown(given, known | switches | OF_ALL)


def _unknown(given: Sequence[str], known: set[str]) -> str:
    return ", ".join(sorted(set(given) - known))


@pytest.mark.parametrize("command", sorted(set(commands())))
def test_tool_takes_the_command_as_the_page_shows_it(command: str) -> None:
    if command.startswith("npx") and not CDK.is_file():
        pytest.skip("the npm packages are not installed (npm ci)")
    assert wrong_with(command) == ""


@pytest.mark.parametrize("command", sorted(set(mentions())))
def test_tool_knows_the_command_that_a_sentence_mentions(command: str) -> None:
    if command.startswith("npx") and not CDK.is_file():
        pytest.skip("the npm packages are not installed (npm ci)")
    wrong = wrong_with(command)
    assert not wrong or re.search(r"(is|are) required|lacks \[", wrong), wrong


def test_the_page_shows_commands_of_every_tool_from_first_to_last() -> None:
    shown = commands()
    assert len(shown) >= 25
    order = ["cdk bootstrap", "cdk deploy", "keys init", "doctor", "event create", "cdk destroy"]
    order += ["operate.remains --stage dev --remove", "--toolkit --remove"]
    places = [next(n for n, line in enumerate(shown) if step in line) for step in order]
    assert places == sorted(places)


@pytest.mark.parametrize(
    "command",
    [
        "fairgate --target aws --stage dev event creat trial",
        "fairgate --stage dev keys init --fast",
        "make sinth",
        "make synth STAGES=dev",
        "npx cdk destory --all",
        "npx cdk deploy --al -c stage=dev",
        "npx cdk deploy Dta -c stage=dev",
        "npx cdk deploy --all -c stge=dev",
        "aws cognito-idp create-user-pool",
        "aws cognito-idp create-user-pool --pool-name x --pol-name y",
        "aws cognito create-user-pool --pool-name x",
        "aws s3 rm x --recursve",
        "python -m fairgate_ops.operate.remains",
        "python -m fairgate_ops.operate.remains --stage dev --all",
        "python -m infra.firewal",
    ],
)
def test_a_command_that_its_tool_refuses_is_found(command: str) -> None:
    assert commands(f"    {command}\n") == [command]
    if command.startswith("npx") and not CDK.is_file():
        pytest.skip("the npm packages are not installed (npm ci)")
    assert wrong_with(command) != ""


def _figures(page: str) -> Iterator[str]:
    yield rest_table()
    yield f"{trial_cost(read_inputs(INPUTS)):.2f} dollars"
    yield f"{a_month() / 730 * 100:.0f} cents an hour"
    yield f"{streams_read(SHARDS_NEW):.0f} dollars\na month of new tables ({SHARDS_NEW} shards"
    yield f"{streams_read(SHARDS_WARM):.0f} of tables"
    yield {4: "in four hours"}[TRIAL_HOURS]


def test_costs_of_the_page_are_those_that_the_script_computes() -> None:
    for figure in _figures(PAGE):
        assert figure in PAGE, figure
