"""Every command of docs/deploying.md is one that its tool takes: options, arguments, stacks."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr
from io import StringIO
from typing import Any

import botocore.session
import pytest
from botocore import xform_name
from botocore.exceptions import UnknownServiceError

from fairgate_ops.operate.capacity import __main__ as capacity_command
from fairgate_ops.operate.cli import main as fairgate_command
from fairgate_ops.operate.cli.command import UsageError
from fairgate_ops.operate.gate_check import __main__ as gate_check_command
from fairgate_ops.operate.remains import __main__ as remains_command
from fairgate_ops.operate.upgrade_tables import __main__ as upgrade_command
from fairgate_ops.shared.paths import ROOT
from infra.config import Config
from infra.option_values import ConfigError

PAGE = (ROOT / "docs" / "deploying.md").read_text("utf-8")
TOOLS = (".venv/bin/fairgate", ".venv/bin/python", "python", "fairgate", "aws", "make", "npx")
STACKS = {"Data", "Cache", "Edge", "Events", "Api", "Pages", "Watch"}
STACKS |= {"Firewall", "AccessLogs", "ApiLogs", "EdgeAlarms"}  # by choice
CDK = ROOT / "node_modules/aws-cdk/lib/cli/cli-type-registry.json"
# Of the AWS CLI itself, before the service's own options.
OF_ALL = {"query", "output", "region", "profile"}
# Commands that the CLI has besides AWS's operations.
OF_ITS_OWN = {("s3", "rm"): {"recursive"}, ("s3", "sync"): set[str]()}
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
    """Return what the tool would refuse, or an empty text."""
    tool, *words = words_of(command)
    if tool == "npx" and not CDK.is_file():
        pytest.skip("the npm packages are not installed (npm ci)")
    if tool in (".venv/bin/fairgate", "fairgate"):
        parser = fairgate_command.parser(words)
        return "" if len(words) < 2 else _parsed(parser.parse_args, words)
    if tool in (".venv/bin/python", "python"):
        return _module(words)
    return {"aws": _aws, "make": _make, "npx": _cdk}[tool](words)


def _parsed(main: Callable[[Sequence[str]], object], words: Sequence[str]) -> str:
    """Call a command that goes no further than parsing its words."""
    parse, said = argparse.ArgumentParser.parse_args, StringIO()

    def only_parse(parser: argparse.ArgumentParser, words: Any = None) -> None:
        parse(parser, words)
        raise InterruptedError

    with pytest.MonkeyPatch.context() as patch, redirect_stderr(said):
        patch.setattr(argparse.ArgumentParser, "parse_args", only_parse)
        try:
            main(words)
        except InterruptedError:
            return ""
        except UsageError as error:
            return str(error)
        except SystemExit:
            return said.getvalue() or "it asks for help"
    return ""


def _module(words: Sequence[str]) -> str:
    """Check ``-m`` and a module, and its options where it parses them."""
    _, module, *rest = words
    for command in (remains_command, capacity_command, gate_check_command, upgrade_command):
        if command.__name__ == f"{module}.__main__":
            return _parsed(command.main, rest)
    return "" if (ROOT / f"{module.replace('.', '/')}.py").is_file() else f"no {module}"


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
    asked: list[str] = []
    with pytest.raises(ConfigError):
        Config.from_context(asked.append, ROOT)
    return set(asked)


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


def test_each_tool_takes_the_commands_as_the_page_shows_them() -> None:
    wrong = {command: wrong_with(command) for command in commands()}
    assert {command: why for command, why in wrong.items() if why} == {}


def test_each_tool_knows_the_commands_that_sentences_mention() -> None:
    wrong = {command: wrong_with(command) for command in mentions()}
    incomplete = re.compile(r"(is|are) required|lacks \[|^$")
    assert {command: why for command, why in wrong.items() if not incomplete.search(why)} == {}


@pytest.mark.parametrize(
    "command",
    [
        "fairgate --target aws --stage dev event creat trial",
        "make synth STAGES=dev",
        "npx cdk deploy --al -c stage=dev",
        "npx cdk deploy Dta -c stage=dev",
        "npx cdk deploy --all -c stge=dev",
        "aws cognito-idp create-user-pool --pool-name x --pol-name y",
        "python -m fairgate_ops.operate.remains --stage dev --all",
        "python -m infra.firewal",
    ],
)
def test_a_command_that_its_tool_refuses_is_found(command: str) -> None:
    assert commands(f"    {command}\n") == [command]
    assert wrong_with(command) != ""
