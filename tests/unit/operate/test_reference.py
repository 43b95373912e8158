"""docs/commands.md is what `make reference` writes, and leaves nothing out."""

from __future__ import annotations

from fairgate_ops.operate.cli.reference import PAGE, reference
from tests.unit.operate.test_cli_codes import ALL

WORDS_MAX = 4_500  # 4,000 before `simulate`, roles for one event, tokens, rehearsals and appeals


def test_the_page_is_what_the_parser_says() -> None:
    assert PAGE.read_text("utf-8") == reference(), "make reference"


def test_the_page_has_every_command_and_every_option() -> None:
    page = reference()
    head, *commands = page.split("\n### ")
    sections = {name: [c for c in commands if c.startswith(name)] for name in ALL}
    missing = [
        (name, option)
        for name, parser in ALL.items()
        for action in parser._actions
        for option in action.option_strings[-1:]
        if option != "--help" and not any(f"`{option}" in text for text in (head, *sections[name]))
    ]
    assert missing == []
    assert len(page.split()) <= WORDS_MAX
