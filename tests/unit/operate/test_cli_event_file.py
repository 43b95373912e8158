"""An event as a file: created from it, shown as it, and what is wrong with it."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from fairgate.domain.catalog.brand_files import NAMES
from fairgate.errors import MalformedInputError
from fairgate_ops.operate.cli.event_fields import TYPED_ONLY, fields
from fairgate_ops.operate.cli.event_file import BYTES_MAX, EventFile
from fairgate_ops.operate.cli.event_toml import duration_text, quoted, time_text
from fairgate_ops.operate.cli.kinds import duration
from fairgate_ops.operate.cli.reference import EVENT_SCHEMA, event_schema
from tests.support.charts import CHARTS, ROOT
from tests.support.sale import EVENT, Sale
from tests.unit.operate.test_cli_codes import ALL

if TYPE_CHECKING:
    from tests.support.world import World

DOCS = ROOT / "docs"
EXAMPLE = DOCS / "event.toml"
LEAST = """\
event = "final"
venue = "hall.json"
name = "The Final"
sale-starts-at = "2027-01-15T12:00:00Z"
price-all = "45.00"
"""


@pytest.fixture
def sale(world: World, tmp_path: Path) -> Sale:
    shutil.copy(CHARTS / "little-hall.venue.json", tmp_path / "hall.json")
    made = Sale(world, tmp_path)
    for name in NAMES.values():  # of ALL_FIELDS
        made.container.layouts.write(KEPT, name, b"")
    return made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "event.toml"
    path.write_text(LEAST)
    return path


def shown(sale: Sale, capsys: pytest.CaptureFixture[str], event: str = EVENT) -> str:
    capsys.readouterr()
    assert sale.run(f"event show {event} --toml") == 0
    return capsys.readouterr().out


def refused(sale: Sale, capsys: pytest.CaptureFixture[str], words: str) -> dict[str, str]:
    """What is wrong, by its place."""
    capsys.readouterr()
    assert sale.run(f"{words} --json") == 1
    error = json.loads(capsys.readouterr().out)["error"]
    listed = error.get("errors") or [{"where": "", "what": error["detail"]}]
    return {one["where"]: one["what"] for one in listed}


# --- the example, the schema, the table of fields


def test_the_example_is_created_word_for_word_and_shown_as_it_was_written(
    sale: Sale, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(DOCS / "gala.json", tmp_path)
    shutil.copy(EXAMPLE, tmp_path)
    assert sale.run(f"event create --from {tmp_path / EXAMPLE.name}") == 0
    text, written = shown(sale, capsys, "spring"), tomllib.loads(EXAMPLE.read_text())
    again = tomllib.loads(text)
    assert {name: again[name] for name in written} == written
    assert again.keys() == fields().keys() - {"price-all", "vat-all", "after-start"}
    jsonschema.validate(written, json.loads(EVENT_SCHEMA.read_text()))
    jsonschema.validate(again, json.loads(EVENT_SCHEMA.read_text()))


def test_what_is_shown_creates_the_same_again(
    sale: Sale, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(DOCS / "gala.json", tmp_path)
    shutil.copy(EXAMPLE, tmp_path)
    assert sale.run(f"event create --from {tmp_path / EXAMPLE.name}") == 0
    first = shown(sale, capsys, "spring")
    (tmp_path / "again.toml").write_text(first)
    assert sale.run(f"event create autumn --from {tmp_path / 'again.toml'}") == 0
    assert shown(sale, capsys, "autumn").replace("autumn", "spring") == first


def test_the_schema_is_what_make_reference_writes() -> None:
    assert EVENT_SCHEMA.read_text("utf-8") == event_schema(), "make reference"
    jsonschema.Draft202012Validator.check_schema(json.loads(event_schema()))


def test_every_option_that_says_what_an_event_is_can_stand_in_the_file() -> None:
    switches = {"help", "source", "target", "run_file", "stage", "region", "tz", "json", "dry_run"}
    options = {action.dest for action in ALL["event create"]._actions}
    assert options - switches - TYPED_ONLY.keys() == {one.dest for one in fields().values()}


def test_every_value_of_every_field_comes_back(
    sale: Sale, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """None of them is the default, so nothing that is left out can look as if it were kept."""
    path = tmp_path / "all.toml"
    path.write_text(ALL_FIELDS)
    written = tomllib.loads(ALL_FIELDS)
    assert written.keys() == fields().keys() - {"price-all", "vat-all"}
    assert sale.run(f"event create --from {path}") == 0
    text = shown(sale, capsys)
    assert EventFile("a", text).values == EventFile("b", ALL_FIELDS).values
    assert tomllib.loads(text) == written


KEPT = "0123456789abcdef0123456789abcdef"
ALL_FIELDS = r'''
event = "final"
ask-address = true
address-limit = 5
card-limit = 6
account-days = 30
verified-phone = true
avoid-single-seats = true
language = "de"
members = "fan-club,gold"
members-until = "2027-05-01T12:00"
venue = "hall.json"
name = "Das \"Finale\" – Übergröße"
currency = "GBP"
sale-starts-at = "2027-01-16T12:00"
tau = "12min"
curve = 2.5
mode = "t"
pow = 3
token-ttl-s = "5min"
sample = 0.02
sample-admissions = 0.001
sample-violations = 0.5
backoff-s = ["3s", "90s"]
control = "auto"
fee-order = "2.50"
fee-ticket = "0.99"
requests-per-s = 1000
live-max = 77
hold-limit = 4
user-limit = 8
sessions-limit = 2
session-s = "1h30min"
session-mean-s = "90s"
checkout-s = "5min"
subtitle = "One"
artist = "Two"
category = "Three"
text = """
A "quoted" line.

C:\\places"""
venue-name = "Hall"
venue-address = "Quay 1"
travel = "Tram 4"
fullest = "floor"
starts-at = "2027-06-01T20:30"
time-zone = "Europe/Berlin"
sale-ends-at = "2027-05-31T00:00"
seller = "Tides GmbH"
seller-address = "Quay 2"
seller-vat-id = "DE123456789"
contact-mail = "box@example.org"
contact-phone = "+49 40 123"
imprint = "https://example.org/imprint"
terms = "https://example.org/terms-1"
privacy = "https://example.org/privacy"
color-1 = "#0e5560"
color-2 = "#ffd400"
font = "serif"
logo = "/layouts/0123456789abcdef0123456789abcdef/logo.png"
picture = "/layouts/0123456789abcdef0123456789abcdef/picture.jpg"
cancel-until = "2027-07-01T00:00"
cancel-fee = "1.00"
transfer-until = "2027-07-02T00:00"
after-start = true
vat-fees = "7.5%"

[price]
stalls = "45.00"
standing = "20.05"

[vat]
stalls = "19%"
standing = "7%"

[translations.en]
name = "The \"Final\""
text = """
First line.
Second line."""

[translations.en.tiers]
stalls = "Stalls"

[translations.fr]
category = "Concert"
'''


# --- created from a file


def test_numbers_need_no_quotes_and_times_may_be_tomls_own(
    sale: Sale, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = LEAST.replace('"45.00"', "45.10").replace(
        '"2027-01-15T12:00:00Z"', "2027-01-15T12:00:00Z"
    )
    file.write_text("﻿" + text + "fee-order = 2\ntau = 600\nvat-all = 19\ncurve = 3\n")
    assert sale.run(f"event create --from {file}") == 0
    again = tomllib.loads(shown(sale, capsys))
    assert set(again["price"].values()) == {"45.10"}
    assert set(again["vat"].values()) == {"19%"} == {again["vat-fees"]}
    assert (again["fee-order"], again["tau"], again["curve"]) == ("2.00", "10min", 3)
    assert again["sale-starts-at"] == "2027-01-15T12:00Z"


def test_what_is_typed_counts_and_not_the_file(
    sale: Sale, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(
        'currency = "USD"\ncontrol = "auto"\nfee-order = 1\nvat-all = "7%"\nvat-fees = "7%"\n'
        + LEAST
        + "[price]\nstalls = 50\nstanding = 30\n"
    )
    words = f"event create other --from {file} --currency EUR --control manual --price stalls=51"
    assert sale.run(f"{words} --sale-starts-in 90 --vat-all 19%", "--name", "Other") == 0
    again = tomllib.loads(shown(sale, capsys, "other"))
    assert (again["event"], again["name"], again["currency"]) == ("other", "Other", "EUR")
    assert again["control"] == "manual"
    assert again["price"] == {"stalls": "51.00", "standing": "30.00"}
    assert (again["vat"]["stalls"], again["vat-fees"], again["fee-order"]) == ("19%", "19%", "1.00")
    assert sale.run(f"event create dear --from {file} --price-all 99") == 0
    assert set(tomllib.loads(shown(sale, capsys, "dear"))["price"].values()) == {"99.00"}


def test_the_chart_is_beside_the_file_and_no_folder_is_kept(
    sale: Sale, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sale.run(f"event create --from {file}") == 0
    assert tomllib.loads(shown(sale, capsys))["venue"] == "hall.json"
    assert sale.run(f"event create typed --from {file} --venue {tmp_path / 'hall.json'}") == 0
    assert tomllib.loads(shown(sale, capsys, "typed"))["venue"] == "hall.json"
    odd = tmp_path / "h\udcff.json"  # a name that is no UTF-8
    shutil.copy(tmp_path / "hall.json", odd)
    assert sale.run(f"event create odd --from {file}", "--venue", str(odd)) == 0
    assert tomllib.loads(shown(sale, capsys, "odd"))["venue"] == "h?.json"


def test_a_dry_run_reads_the_file_and_writes_nothing(sale: Sale, file: Path) -> None:
    assert sale.run(f"event create --from {file} --dry-run") == 0
    assert sale.world.item("catalog", ("EVENT", EVENT)) is None


def test_without_a_file_the_same_options_are_needed_as_before(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        sale.run("event create final")
    assert "the following arguments are required: --venue, --name" in capsys.readouterr().err


# --- mistakes in the file


@pytest.mark.parametrize(
    ("more", "where", "why"),
    [
        ("fee-order = '45,00'", "line 6, fee-order", "write 45 or 45.00"),
        ("fee-order = true", "line 6, fee-order", 'must be an amount, like "45.00", not true or'),
        ("fee-order = [1]", "line 6, fee-order", 'must be an amount, like "45.00", not something'),
        ("vat-all = 0.19", "line 6, vat-all", "can be read in two ways"),
        ("tau = '10 minutes'", "line 6, tau", "like 90, 90s, 10min or 1h30min"),
        ("artist = 1984", "line 6, artist", "must be a text in quotes, not a number"),
        ("artist = 19.84", "line 6, artist", "must be a text in quotes, not a number"),
        ("hold-limit = '4'", "line 6, hold-limit", "must be a whole number without quotes"),
        ("hold-limit = 4.5", "line 6, hold-limit", "'4.5' is not a whole number"),
        ("hold-limit = 400", "line 6, hold-limit", "from 1 to 40"),
        ("curve = nan", "line 6, curve", "must be a number from 1 to 100"),
        ("mode = 'x'", "line 6, mode", '\'x\' is not "a" or "t"'),
        ("control = 1", "line 6, control", 'must be "manual" or "auto", not a number'),
        ("after-start = 'yes'", "line 6, after-start", "must be true or false, not a text"),
        ("currency = 'XXX'", "line 6, currency", "is no currency in use"),
        ("backoff-s = 2", "line 6, backoff-s", "must be 2 in brackets"),
        ("backoff-s = [2, 'x']", "line 6, backoff-s", "like 90, 90s"),
        ("price = 45", "line 6, price", "must be a table: [price]"),
        ("cancel-until = 2027-05-01", "line 6, cancel-until", "must be a time in quotes, like"),
        ("cancel-until = '2027-01-01T00:00Z'", "line 6, cancel-until", "after the sale starts"),
        ("cancel-until = 'soon'", "line 6, cancel-until", "must be a date with a time"),
        ("fee_order = 1", "line 6, fee_order", "is no field of the file; the nearest is fee-order"),
        ("artists = 1", "line 6, artists", "the nearest is artist"),
        ("publish = true", "line 6, publish", "type --publish"),
        ("sale-starts-in = 60", "line 6, sale-starts-in", "type --sale-starts-in"),
        ("venue-name = 'x'\n[price]\nartist = 'Ann'", "line 8, price.artist", "above [price]"),
        ("\n[price]\nstalls = 0", "line 8, price.stalls", "a price is more than 0"),
        ("\n[price]\nstalls = 1\nnowhere = 1", "line 9, price.nowhere", "has no such tier"),
        ("price.'nowhere' = 1", "line 6, price.nowhere", "has no such tier"),
        ("vat = { nowhere = '7%' }", "line 6, vat.nowhere", "has no such tier"),
        ('text = """\na\nb"""\nartist = 1', "line 9, artist", "must be a text in quotes"),
        ("time-zone = 'Europe/Atlantis'", "line 6, time-zone", "must be a zone's name"),
        ("time-zone = 'Europe/Berlin'", "line 6, time-zone", "give both, or neither"),
        ("language = 'xx'", "line 6, language", '"en" or "de"'),
        ("translations = 'x'", "line 6, translations", "must be a table of languages"),
        ("[translations.xx]\nname = 'a'", "line 6, translations.xx", "must be one of en, de"),
        ("[translations.en]\nname = 'a'", "line 6, translations.en", "set language to it"),
        ("[translations]\nde = 1", "line 7, translations.de", "must be a table, like"),
        ("[translations.de]\nvenue = 'a'", "line 7, translations.de.venue", "is not translated"),
        ("[translations.de]\nname = 1", "line 7, translations.de.name", "text"),
        ('[translations.de]\nname = "a\\u0007"', "line 7, translations.de.name", "printable"),
        ("[translations.de.tiers]\nx = 'A'", "line 7, translations.de.tiers.x", "no tier of the"),
        ("seller = 'Tides'", "seller-address", "is missing: invoices need all of the seller"),
    ],
)
def test_a_mistake_names_its_line_its_field_and_what_is_right(
    sale: Sale, file: Path, capsys: pytest.CaptureFixture[str], more: str, where: str, why: str
) -> None:
    file.write_text(f"{LEAST}{more}\n")
    wrong = refused(sale, capsys, f"event create --from {file}")
    assert why in wrong[f"{file}, {where}"], wrong
    assert sale.world.item("catalog", ("EVENT", EVENT)) is None
    assert sale.store.values == {}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name = \n", "line 1, column 8: this is not TOML in “name =”: Invalid value"),
        ("a = 1\nvat-all = 19%\n", "line 2, column 13: this is not TOML in “vat-all = 19%”"),
        ("sale-starts-at = 2027-01-15T20:00\n", "line 1, column 28: this is not TOML"),
        ('name = "', "line 1, column 9: this is not TOML"),
        ("name = 'a'\nname = 'b'\n", "line 2, column 11"),
        ("x = " + "[" * 5_000, "this is not TOML"),
        ("x = " + "1" * 5_000, "this is not TOML"),
        ("#" * 100_001, "has more than 100,000 bytes"),
    ],
)
def test_what_is_no_toml_is_said_with_its_line_and_column(
    sale: Sale, file: Path, capsys: pytest.CaptureFixture[str], text: str, why: str
) -> None:
    file.write_text(text)
    [said] = refused(sale, capsys, f"event create --from {file}").values()
    assert why in said


def test_a_file_that_is_not_there_or_no_text_is_refused(
    sale: Sale, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_bytes(b"name = '\xff'")
    for path, why in (
        (file, "is no text in UTF-8"),
        (tmp_path / "none.toml", "cannot be read: No such file"),
        (tmp_path, "cannot be read: Is a directory"),
    ):
        [said] = refused(sale, capsys, f"event create --from {path}").values()
        assert why in said


def test_all_that_is_wrong_is_said_at_once(
    sale: Sale, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text("fee-order = 'x'\ntau = 'y'\nfoo = 1\n")
    assert len(refused(sale, capsys, f"event create --from {file}")) == 3
    file.write_text("# nothing\n")
    wrong = refused(sale, capsys, f"event create --from {file}")
    assert wrong == {
        f"{file}, event": 'is missing: write event = "summer-2030", or type EVENT',
        f"{file}, venue": 'is missing: write venue = "chart.json", or type --venue',
        f"{file}, name": 'is missing: write name = "…", or type --name',
        f"{file}, sale-starts-at": 'is missing: write sale-starts-at = "2030-06-01T20:00", or'
        " type --sale-starts-at",
    }


@pytest.mark.parametrize(
    ("line", "with_what", "where", "why"),
    [
        ('price-all = "45.00"', 'price-all = "45.005"', "line 5, price-all 45.005", "2 decimals"),
        ('price-all = "45.00"', "price.stalls = 4.001", "line 5, price.stalls 4.001", "2 decimals"),
        ('price-all = "45.00"', "price.stalls = 45", "price.standing", "by price-all"),
        ('price-all = "45.00"', "price-all = 0.01", "line 5, price-all", "no less than 0.50"),
        ("2027-01-15T12:00:00Z", "2020-01-15T12:00:00Z", "line 4, sale-starts-at: ", "to come"),
        ("2027-01-15T12:00:00Z", "2027-01-15T12:00", "line 4, sale-starts-at: ", "has no zone"),
        ("hall.json", "none.json", "line 2, venue: ", "none.json cannot be read: No such file"),
        ("hall.json", "event.toml", "line 2, venue: ", "is not JSON"),
        ('"final"', '"Final!"', "line 1, event", "small letters, digits and -"),
        ('"The Final"', '""', "line 3, name", "printable text"),
    ],
)
def test_what_the_checks_refuse_names_the_line_too(
    sale: Sale, file: Path, capsys: pytest.CaptureFixture[str],
    line: str, with_what: str, where: str, why: str,
) -> None:  # fmt: skip
    file.write_text(LEAST.replace(line, with_what))
    wrong = refused(sale, capsys, f"event create --from {file}")
    said = [f"{place}: {what}" for place, what in wrong.items()]
    assert any(f"{file}, {where}" in one and why in one for one in said), said


def test_a_typed_value_is_named_as_it_was_typed(
    sale: Sale, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = refused(sale, capsys, f"event create --from {file} --hold-limit 400 --price x=1")
    assert wrong.keys() == {"--hold-limit", "--price x"}


# --- how values are written


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0s"), (90, "90s"), (600, "10min"), (5_400, "1h30min"), (7_200, "2h"), (2.5, "2.5s")],
)
def test_a_duration_is_written_as_it_is_typed(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text
    assert duration(text) == seconds


@pytest.mark.parametrize(
    ("moment", "zone", "text"),
    [
        ("", "Europe/Berlin", ""),
        ("2027-06-01T18:00:00.000Z", "Europe/Berlin", "2027-06-01T20:00"),
        ("2027-06-01T18:00:00.000Z", "", "2027-06-01T18:00Z"),
        ("2027-06-01T18:00:05.000Z", "", "2027-06-01T18:00:05Z"),
        ("2027-06-01T18:00:05.250Z", "Europe/Berlin", "2027-06-01T20:00:05.250"),
        ("2027-10-31T00:30:00.000Z", "Europe/Berlin", "2027-10-31T00:30Z"),  # comes twice there
        ("9999-12-31T23:00:00.000Z", "Asia/Tokyo", "9999-12-31T23:00Z"),
    ],
)
def test_a_time_is_written_by_the_clocks_of_its_zone(moment: str, zone: str, text: str) -> None:
    assert time_text(moment, zone) == text


@pytest.mark.parametrize(
    "text", ["", 'a"b\\c', "a\nb\n", '"""', "\n", "\x1b[31m\x7f\u202e", "😀\t"]
)
def test_any_text_is_written_as_toml_that_a_terminal_does_not_obey(text: str) -> None:
    written = quoted(text)
    assert tomllib.loads(f"x = {written}") == {"x": text}
    assert all(one.isprintable() for one in written.split("\n"))


def test_a_file_and_a_document_are_not_asked_for_at_once(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        sale.run("event show final --toml --json")
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert "--toml: not allowed with argument --json" in document["error"]["detail"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a." * 20_000 + "a = 1", "line 1: a key has too many parts"),
        ("name = " + "[" * 40_000, "nested too deeply"),
        ("hold-limit = " + "9" * 90_000, "too many digits"),
        ("hold-limit = " + "9" * 400, "too many digits"),
        ("x" * (BYTES_MAX + 1), "more than 100,000 bytes"),
    ],
)
def test_a_file_that_is_no_event_is_refused_in_a_short_sentence(
    tmp_path: Path, text: str, why: str
) -> None:
    file = tmp_path / "event.toml"
    file.write_text(text)
    with pytest.raises(MalformedInputError, match=why) as refused:
        EventFile.at(str(file))
    assert len(refused.value.detail) < 300


def test_a_device_that_never_ends_is_refused() -> None:
    with pytest.raises(MalformedInputError, match="more than 100,000 bytes"):
        EventFile.at("/dev/zero")
