"""``fairgate event create|edit``: contact, imprint, terms, privacy notice and colours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from fairgate.service.catalog.fact_checks import fact_problems
from tests.support.sale import EVENT, Sale

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.world import World


@pytest.fixture
def sale(world: World, tmp_path: Path) -> Sale:
    return Sale(world, tmp_path)


def test_buyers_read_who_sells_and_the_page_of_operators_shows_it(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create("--contact-mail", "box@example.org", "--imprint", "https://example.org/i?a=1#x")
    capsys.readouterr()
    assert sale.run(f"event show {EVENT}") == 0
    said = capsys.readouterr().out
    assert "Contact   box@example.org" in said
    assert "Imprint   https://example.org/i?a=1#x" in said


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("imprint", "http://example.org"),
        ("imprint", "javascript:alert(1)"),
        ("terms", "https://example.org@evil.example/"),
        ("terms", "https://example.org/a b"),
        ("terms", 'https://example.org/"onclick="x'),
        ("terms", "https://example.org/<b>"),
        ("privacy", "https://localhost/"),
        ("privacy", "https://example.org\\evil.example"),
        ("privacy", f"https://example.org/{'x' * 200}"),
        ("contact-mail", "box@example"),
        ("contact-mail", "box@example.org, eve@example.org"),
        ("contact-phone", "1" * 41),
        ("color-1", "teal"),
        ("color-1", "#0e556"),
        ("color-1", "#0e5560;}"),
        ("color-2", "#0e5560"),
    ],
)
def test_what_is_no_address_is_refused_by_its_option(
    sale: Sale, capsys: pytest.CaptureFixture[str], option: str, text: str
) -> None:
    sale.create()
    before = dict(sale.item)
    capsys.readouterr()
    assert sale.run(f"event edit {EVENT} --json", f"--{option}", text) != 0
    assert f"--{option}" in json.dumps(json.loads(capsys.readouterr().out))
    assert sale.item == before


@pytest.mark.parametrize("font", ["fantasy", "serif;}", ""])
def test_another_font_than_the_three_is_refused(
    sale: Sale, capsys: pytest.CaptureFixture[str], font: str
) -> None:
    sale.create("--font", "serif")
    assert "Font: serif, of headings" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        sale.run(f"event edit {EVENT}", "--font", font)
    assert "choose from 'sans', 'serif', 'mono'" in capsys.readouterr().err
    assert sale.item["font"] == "serif"
    problem = fact_problems({"font": font or "none"}, "2030-01-01T10:00:00Z", "UTC")
    assert problem == [("font", "must be one of sans, serif, mono")]
    assert sale.run(f"event edit {EVENT} --font mono") == 0  # control
    assert sale.item["font"] == "mono"


def test_what_becomes_of_a_colour_is_said_when_it_is_given(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "buttons keep it, with dark letters"
    sale.create("--color-1", "#ffd400", "--color-2", "#0e5560")
    assert f"#ffd400; accents #0e5560: {said}" in capsys.readouterr().out
    assert sale.run(f"event edit {EVENT} --color-1 #ffd500") == 0
    assert f"#ffd500: {said}" in capsys.readouterr().out
    assert sale.run(f"event edit {EVENT} --color-1 ", "") == 0
    assert (sale.item["color1"], sale.item["color2"]) == ("", "")
