"""The pages for operators: each command can be typed, each alarm and default is on its page."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from msgspec.structs import fields

from fairgate.domain.catalog.event_facts import FACTS
from fairgate.domain.catalog.sale_terms import declared_terms
from fairgate.service.catalog.create_event import BACKOFF_S, GateRules
from fairgate_ops.operate.cli.main import parser, with_audit_verb

DOCS = Path(__file__).parents[3] / "docs"
PAGES = ("operating.md", "money.md", "people.md", "disaster.md")
_PAGE = (DOCS / "operating.md").read_text("utf-8")
DAY = _PAGE.partition("## The day of a sale\n")[2].partition("\n## ")[0]
PARTS = {part.partition("\n")[0]: part for part in DAY.split("\n### ")[1:]}
TIMES = ["Four weeks before", "The day before", "The hour before", "Sale start", "Trouble", "After"]
SYMPTOMS = [
    "nobody gets in",
    "all get in",
    "payments fail",
    "the map looks old",
    "robots",
    "sold out and still waiting",
]


def blocks(text: str) -> list[str]:
    """The commands that stand indented, each on a line."""
    lines = text.replace("\\\n", " ").splitlines()
    return [line.strip() for line in lines if line.startswith("    fairgate ")]


def inline(text: str) -> list[str]:
    """The commands within sentences."""
    return re.findall(r"`(fairgate [^`]*)`", text.replace("\n   ", " "))


def cannot_be_typed(command: str) -> str | None:
    """Why the command's words are refused; None where they are understood."""
    words = shlex.split(command.partition(" < ")[0].partition(" > ")[0])[1:]
    words = with_audit_verb([word.replace("…", "x") for word in words])
    try:
        parser(words).parse_args(words)
    except Exception as error:  # noqa: BLE001 whatever it says, a reader would meet it
        return f"{command}: {error}"
    return None


def test_the_day_is_in_order() -> None:
    assert [part for part in PARTS if part in TIMES] == TIMES
    assert all(blocks(PARTS[part]) for part in TIMES if part != "Trouble")
    assert [name for name in SYMPTOMS if f"| **{name}** |" not in PARTS["Trouble"]] == []


def test_every_command_of_the_pages_can_be_typed() -> None:
    commands = [line for page in PAGES for line in blocks((DOCS / page).read_text("utf-8"))]
    assert len(commands) > 60
    assert [why for why in map(cannot_be_typed, commands) if why] == []


def test_every_command_of_the_days_sentences_can_be_typed() -> None:
    commands = [c for c in inline(DAY) if len(c.split()) > 3 or c.split()[1] == "doctor"]
    assert len(commands) > 30
    assert [why for why in map(cannot_be_typed, commands) if why] == []


@pytest.mark.parametrize("command", ["fairgate tau put final 3", "fairgate event pause"])
def test_a_command_that_cannot_be_typed_is_noticed(command: str) -> None:
    assert cannot_be_typed(command)


def alarms(page: str) -> set[str]:
    """The names in the first column of alarms.md's table, which a test holds to the templates."""
    rows = page.partition("| alarm | it means | do | ends |")[2].splitlines()
    return {name for row in rows if row.startswith("| `") for name in _names(row.split("|")[1])}


def _names(text: str) -> list[str]:
    return re.findall(r"`([A-Z][A-Za-z0-9]+…?)`", text)


def test_every_alarm_stands_in_the_day_with_what_to_do() -> None:
    listed = PARTS["Every alarm, and what to do"]
    named = [name for row in listed.splitlines() if row.startswith("|") for name in _names(row)]
    wanted = alarms((DOCS / "alarms.md").read_text("utf-8"))
    assert len(wanted) > 35
    assert sorted(named) == sorted(wanted)


def test_the_defaults_are_those_of_the_records() -> None:
    page = (DOCS / "organising.md").read_text("utf-8")
    table = page.partition("\n## What `create` takes for granted\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`--.*?) \| `([^`]+)`", table, re.MULTILINE)
    says = {name: value for names, value in rows for name in re.findall(r"`(--[a-z-]+)`", names)}
    for one in (*FACTS, *declared_terms()):
        if one.fact.kind == "number" or one.fact.absent:
            assert says[one.option] == str(one.default or one.fact.absent or 0), one.name
    typed = {"tau_s": "--tau", "pow_bits": "--pow"}
    for field in fields(GateRules):
        if field.name in ("sale_start_s", "backoff_min_s", "backoff_max_s"):
            continue
        name = typed.get(field.name, "--" + field.name.replace("_", "-"))
        shown = f"{field.default:g}" if isinstance(field.default, float) else field.default
        assert says[name] == str(shown), name
    assert says["--backoff-s"] == "{} {}".format(*BACKOFF_S)
