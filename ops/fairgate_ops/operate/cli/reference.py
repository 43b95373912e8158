"""``make reference``: write docs/commands.md and docs/event.schema.json from the parser."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from textwrap import fill

from fairgate_ops.operate.cli import event_fields
from fairgate_ops.operate.cli.main import GROUPS, parser
from fairgate_ops.shared.paths import ROOT

WIDTH_CHARS = 110
PAGE = ROOT / "docs/commands.md"
EVENT_SCHEMA = ROOT / "docs/event.schema.json"
_SHARED_BY = 2  # commands that have the same option: it is described once, at the top
_RUN = 4  # options that follow each other in that list: a command names the first and the last
_SWITCHES = "where and how"  # the group of those that every command takes
_HEAD = """\
# The command

Every command and option of `fairgate`. `make reference` writes this page from the parser, which
prints the same: `fairgate event create --help`. How to use them: [operating](operating.md).

`fairgate [SWITCHES] GROUP COMMAND …`; switches may also follow the command. A heading names what
has to be typed. Amounts are written 45 or 45.00, rates 19%, durations 90, 90s or
10min; JSON has minor units and seconds. Times are in
the event's time zone, or in UTC: 2030-06-01T18:00:00Z.
The event's log has every command that changes a sale.
"""

Option = tuple[str, str]  # how it is typed, and what it does


def reference() -> str:
    """Return the page."""
    top = parser()
    commands = list(_commands(top, ""))
    shared = _shared(commands)
    parts = [
        _HEAD,
        "## Switches that every command takes\n",
        *(_line(typed, text) for typed, text in _switches(top)),
        "\n## Options that several commands take\n",
        *(_line(typed, text) for typed, text in shared),
    ]
    for group, (_, text) in GROUPS.items():
        parts.append(f"\n## {group}\n\n{text[0].upper()}{text[1:]}.")
        for name, command in commands:
            if name.split()[0] == group:
                parts.append(_command(name, command, shared))
    return "\n".join(parts) + "\n"


def _commands(
    of: argparse.ArgumentParser, name: str
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    below = [a for a in of._actions if isinstance(a, argparse._SubParsersAction)]  # noqa: SLF001 argparse has no other way to walk a parser
    if not below:
        yield name, of
    for action in below:
        for word, each in action.choices.items():
            yield from _commands(each, f"{name} {word}".strip())


def _command(name: str, of: argparse.ArgumentParser, shared: list[Option]) -> str:
    own = [action for action in _options(of) if _option(action) not in shared]
    also = [
        shared.index(_option(action))
        for action in _options(of)
        if _option(action) in shared and not action.required
    ]
    text = of.description or ""
    if of.get_default("looks") and "change" not in text:
        text += " It changes nothing."
    lines = [f"\n### {' '.join([name, *_needed(of)])}\n", fill(text, WIDTH_CHARS)]
    lines += ["", *(_line(*_option(action)) for action in own)] if own else []
    lines += ["", f"Also {', '.join(_runs(also, shared))}."] if also else []
    return "\n".join(lines)


def _runs(places: list[int], shared: list[Option]) -> Iterator[str]:
    """Name the options at these places of the list; of four and more in a row the ends."""
    names = [f"`{typed.partition(' ')[0]}`" for typed, _ in shared]  # their lines say the rest
    for _, run in groupby(enumerate(places), lambda one: one[1] - one[0]):
        row = [names[place] for _, place in run]
        yield from [f"{row[0]} to {row[-1]}"] if len(row) >= _RUN else row


def _needed(of: argparse.ArgumentParser) -> Iterator[str]:
    """Name what has to be typed; of some of which one is needed, each."""
    groups = [group for group in of._mutually_exclusive_groups if group.required]  # noqa: SLF001 the same
    either = [action for group in groups for action in group._group_actions]  # noqa: SLF001 the same
    needed = [action for action in of._actions if action not in either]  # noqa: SLF001 the same
    yield from (_typed(action) for action in needed if not action.option_strings)
    yield from (_typed(action) for action in needed if action.option_strings and action.required)
    for group in groups:
        yield f"({' or '.join(_typed(action) for action in group._group_actions)})"  # noqa: SLF001 the same


def _options(of: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return what is said about a command's arguments, without what every command takes."""
    switches = {word for typed, _ in _switches(of) for word in typed.split()[:1]}
    return [
        action
        for action in of._actions  # noqa: SLF001 the same
        if action.dest != "help"
        and not switches & set(action.option_strings)
        and (action.option_strings or action.help or action.choices)
    ]


def _switches(of: argparse.ArgumentParser) -> list[Option]:
    groups = [group for group in of._action_groups if group.title == _SWITCHES]  # noqa: SLF001 the same
    return [_option(action) for group in groups for action in group._group_actions]  # noqa: SLF001 the same


def _shared(commands: list[tuple[str, argparse.ArgumentParser]]) -> list[Option]:
    count = Counter(_option(a) for _, of in commands for a in _options(of) if a.option_strings)
    return [option for option, times in count.items() if times >= _SHARED_BY and option[1]]


def _option(action: argparse.Action) -> Option:
    return _typed(action), (action.help or "").replace("%%", "%")


def _typed(action: argparse.Action) -> str:
    """Return ``--tau SECONDS``, ``EVENT``, ``[CODE …]``."""
    name = action.metavar or action.dest.upper()
    if action.choices and not action.metavar:
        name = "|".join(map(str, action.choices))
    value = " ".join(name) if isinstance(name, tuple) else name
    if action.option_strings:
        return action.option_strings[-1] + ("" if action.nargs == 0 else f" {value}")
    return {"?": f"[{value}]", "*": f"[{value} …]"}.get(str(action.nargs), value)


def _line(typed: str, text: str) -> str:
    return f"- `{typed}`" + (f": {text}" if text else "")


def event_schema() -> str:
    """Return the JSON Schema of an event's file."""
    return json.dumps(event_fields.schema(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    EVENT_SCHEMA.write_text(event_schema(), encoding="utf-8")
    PAGE.write_text(reference(), encoding="utf-8")
