"""Names as organisers type and import them, and as buyers have to tell them apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairgate.adapters.mail.letters import one_line
from fairgate.adapters.tickets.calendar_file import calendar_file
from fairgate.domain.seating.parse_venue import parse_venue
from fairgate.domain.shared.labels import label_key, look_key, mixes_scripts, trimmed
from fairgate.domain.tickets.calendar_entry import CalendarEntry
from fairgate.errors import MalformedInputError
from tests.support.sale import EVENT, Sale
from tests.support.world import World

pytestmark = pytest.mark.table_in_memory

JOINED = "\u0915\u094d\u200d\u0937 \u0645\u06cc\u200c\u0631\u0648\u0645"  # Devanagari, Persian
TRIMMED = [
    ("Parterre ", "Parterre"),
    ("\u00a0Parterre\u200b", "Parterre"),
    ("\ufeff Loge \u2060 ", "Loge"),
    (JOINED, JOINED),
    (" \u200b ", ""),
]
ALIKE = [
    ("Loge Sud", "Loge\u00a0Sud"),
    ("Rang \u00e9", "Rang e\u0301"),
    ("Loge", "Loge\u200b"),
    ("Loge", "LOGE"),
    ("Block 1", "Block \uff11"),
    ("Stra\u00dfe", "STRASSE"),
    ("Loge Sud", "Loge  Sud"),
]
LOOK = [("A", "\u0410"), ("Pox", "\u0420\u043e\u0445"), ("A", "\u0391")]


@pytest.mark.parametrize(("typed", "kept"), TRIMMED)
def test_nothing_that_nobody_sees_stays_around_a_name(typed: str, kept: str) -> None:
    assert trimmed(typed) == kept


def venue(*sections: str, **changes: Any) -> dict[str, Any]:
    """Return a document with one seat in each section, on points of their own."""
    square = [[0, 0], [9, 0], [9, 9]]
    return {
        "format": "fairgate-venue/1",
        "name": "Hall",
        "bounds": {"width": 100, "height": 100},
        "focalPoint": [1, 1],
        "tiers": [{"id": "t", "name": "T", "color": "#123456"}],
        "sections": [
            {
                "id": f"s{number}",
                "name": name,
                "outline": square,
                "blocks": [{"id": f"b{number}", "name": "B", "rows": [row(number)]}],
            }
            for number, name in enumerate(sections)
        ],
    } | changes


def row(number: int) -> dict[str, Any]:
    seat = {"id": f"x{number}", "number": "1", "x": number, "y": 5, "tier": "t"}
    return {"id": f"r{number}", "name": "1", "seats": [seat]}


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_two_sections_that_read_alike_are_refused(one: str, other: str) -> None:
    assert label_key(one) == label_key(other)
    same = trimmed(one) == trimmed(other)  # then the name is of the same seat
    why = "would also name" if same else "reads like"
    with pytest.raises(MalformedInputError) as refused:
        parse_venue(venue(one, other))
    assert why in json.dumps(refused.value.fields["errors"], ensure_ascii=False)


@pytest.mark.parametrize(("one", "other"), LOOK)
def test_two_sections_that_look_alike_in_two_scripts_are_warned_of(one: str, other: str) -> None:
    assert label_key(one) != label_key(other)
    assert look_key(one) == look_key(other)
    notes: list[str] = []
    parse_venue(venue(one, other), notes)
    assert any("in another script" in note for note in notes)


def test_what_is_different_is_neither_refused_nor_warned_of() -> None:
    notes: list[str] = []
    parse_venue(
        venue("Loge", "Logen", "\u041b\u043e\u0436\u0430", "\u0391\u03b8\u03ae\u03bd\u03b1"), notes
    )
    assert notes == []
    assert mixes_scripts("P\u0430rterre")
    assert not mixes_scripts("Loge \u041b\u043e\u0436\u0430")


@pytest.mark.parametrize("where", ["sections", "tiers", "zones", "rows"])
def test_labels_of_each_kind_are_compared(where: str) -> None:
    document = venue("Loge")
    if where == "sections":
        square = [[0, 0], [9, 0], [9, 9]]
        document["areas"] = [
            {"id": "a", "name": "LOGE", "outline": square, "capacity": 5, "tier": "t"}
        ]
    elif where == "tiers":
        document["tiers"].append({"id": "u", "name": "t", "color": "#123456"})
    elif where == "zones":
        document["zones"] = [{"id": n, "name": n, "focalPoint": [1, 1]} for n in ("z", "Z")]
    else:
        rows = document["sections"][0]["blocks"][0]["rows"]
        rows[0]["name"] = "a"
        rows.append(row(1) | {"name": "A"})
    with pytest.raises(MalformedInputError, match="reads like"):
        parse_venue(document)


@pytest.mark.parametrize("turning", ["\u202e", "\u2066", "\u202a"])
def test_a_name_that_turns_text_around_is_refused(turning: str) -> None:
    with pytest.raises(
        MalformedInputError, match=rf"U\+{ord(turning):04X}, which turns text around"
    ):
        parse_venue(venue(f"Loge{turning}duS"))


# Cuneiform; a vowel sign of Devanagari on a letter of another font.
UNPRINTABLE = [("Loge \U00012000", "U+12000"), ("Rang \u0142\u0940", "U+0142 U+0940")]


@pytest.mark.parametrize(("name", "codes"), UNPRINTABLE)
def test_a_name_that_no_ticket_can_print_is_refused(
    name: str, codes: str, world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(MalformedInputError) as refused:
        parse_venue(venue(name))
    said = json.dumps(refused.value.fields["errors"], ensure_ascii=False)
    assert f"({codes}), which no ticket can print" in said
    sale = Sale(world, tmp_path)
    sale.create()
    assert sale.run(f"event edit {EVENT}", "--name", name) == 1
    assert "which no ticket can print" in capsys.readouterr().err
    assert sale.run(f"event edit {EVENT}", "--text", name) == 0  # only the page shows it


def test_an_event_keeps_its_name_without_space_and_its_joiners(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sale = Sale(world, tmp_path)
    sale.create()
    text = " Doors at seven. \n\n Bring\u00a0an umbrella.\u200b"
    assert sale.run(f"event edit {EVENT}", "--name", f" {JOINED}\u00a0", "--text", text) == 0
    assert sale.item["name"] == JOINED
    assert sale.item["text"] == "Doors at seven.\n\nBring\u00a0an umbrella."
    capsys.readouterr()
    assert sale.run(f"event edit {EVENT}", "--artist", "Ann\u202eeB") == 1
    assert "U+202E, which turns text around" in capsys.readouterr().err


def test_a_calendar_file_and_a_subject_keep_joiners() -> None:
    entry = CalendarEntry(
        uid="1",
        sequence=0,
        name=JOINED,
        place="",
        url="",
        details=f"{JOINED}\x1b",
        starts_at_ms=0,
        said_at_ms=0,
    )
    assert JOINED in calendar_file(entry).decode("utf-8").replace("\r\n ", "")
    assert one_line(f"{JOINED}\n\x1b") == JOINED
