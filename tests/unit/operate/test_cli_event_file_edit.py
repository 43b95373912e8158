"""An event that a file changes, and an event that is cloned."""

from __future__ import annotations

import shutil
import tomllib
from typing import TYPE_CHECKING

import pytest

from fairgate.domain.seating.layout import split_layout
from fairgate.service.catalog.published_venue import published_venue
from fairgate_ops.operate.cli.event_file import EventFile
from fairgate_ops.operate.importers.detect import import_chart
from tests.support.charts import CHARTS
from tests.unit.operate.test_cli_event_file import ALL_FIELDS, LEAST, file, refused, sale, shown

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.sale import Sale

__all__ = ["file", "sale"]  # fixtures


def test_only_what_differs_is_changed(
    sale: Sale, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sale.run(f"event create --from {file}") == 0
    before = sale.item
    file.write_text(shown(sale, capsys))
    assert sale.run(f"event edit final --from {file}") == 0
    assert "final is as it was: nothing to change." in capsys.readouterr().out
    assert sale.item == before
    text = file.read_text().replace('stalls = "45.00"', "stalls = 46")
    text = text.replace('artist = ""', 'artist = "Ann"').replace("T12:00Z", "T13:00Z")
    file.write_text(text.replace('cancel-until = "never"', 'cancel-until = "2027-03-01T00:00Z"'))
    dry = sale.run(f"event edit final --from {file} --dry-run")
    assert (dry, sale.item) == (0, before)
    capsys.readouterr()
    assert sale.run(f"event edit final --from {file}") == 0
    said = capsys.readouterr().out
    assert "price stalls: 45.00 EUR → 46.00 EUR" in said
    assert "artist: nothing → Ann" in said
    assert "cancel-until: nothing → 2027-03-01" in said
    assert "sale-starts-at: " in said
    assert "standing" not in said
    assert sale.item["artist"] == "Ann"
    assert sale.item["saleOpensAt"] == "2027-01-15T13:00:00.000Z"
    sale.clock.tick(60)  # what was read of the catalogue is not kept for so long
    assert EventFile("a", shown(sale, capsys)).values == EventFile.at(str(file)).values


def test_an_empty_field_takes_away_and_a_missing_one_changes_nothing(
    sale: Sale, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(
        LEAST + "artist = 'Ann'\ncategory = 'Gala'\ncancel-until = '2027-03-01T00:00Z'\n"
    )
    assert sale.run(f"event create --from {file}") == 0
    file.write_text("artist = ''\ncancel-until = 'never'\n")
    assert sale.run(f"event edit final --from {file}") == 0
    assert not sale.item.get("artist")
    assert not sale.item.get("cancelUntil")
    assert sale.item["category"] == "Gala"


def test_a_file_moves_the_start_by_the_clocks_of_its_own_zone(
    sale: Sale, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    zoned = "starts-at = '2027-06-01T20:00'\ntime-zone = 'Europe/Berlin'\n"
    file.write_text(LEAST + zoned)
    assert sale.run(f"event create --from {file}") == 0
    file.write_text(zoned.replace("Berlin", "London"))
    assert sale.run(f"event edit final --from {file}") == 0
    assert sale.item["startsAt"] == "2027-06-01T19:00:00.000Z"
    assert sale.item["timeZone"] == "Europe/London"
    assert sale.run(f"event edit final --from {file} --starts-at 2027-06-02T20:00") == 0
    assert sale.item["startsAt"] == "2027-06-02T19:00:00.000Z"


def test_an_edit_of_a_live_sale_asks_as_the_options_do(
    sale: Sale, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create()
    sale.clock.tick(120)
    file.write_text("fee-order = 1\n[price]\nstalls = 46\n")
    assert sale.run(f"event edit final --from {file}") == 1
    asked = capsys.readouterr().err
    assert "stalls: 45.00 EUR → 46.00 EUR" in asked
    assert "fee-order: 0.00 EUR → 1.00 EUR" in asked
    assert "Confirm with --yes" in asked
    assert sale.run(f"event edit final --from {file} --yes") == 0
    file.write_text("price-all = 146\n")
    assert sale.run(f"event edit final --from {file} --yes") == 1
    assert "--confirm final" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "where", "why"),
    [
        ("event = 'other'", "line 1, event", "is another event than final"),
        ("currency = 'USD'", "line 1, currency", "never changes: orders, refunds and the ledger"),
        ("checkout-s = '9min'", "line 1, checkout-s", "never changes"),
        ("tau = '9min'", "line 1, tau", "cannot change it, and it is 10min: `fairgate tau set`"),
        ("live-max = 9", "line 1, live-max", "it is 5000: `fairgate event target` does"),
        ("session-s = 60", "line 1, session-s", "it is 10min: create another event"),
        ("[vat]\nnowhere = '7%'", "line 2, vat.nowhere", "the venue has no such tier"),
        ("[price]\nnowhere = 1", "line 2, price.nowhere", "the venue has no such tier"),
        ("venue = 'other.json'", "line 1, venue", "is another chart than the event's"),
        ("venue = 'none.json'", "line 1, venue", "does not exist, and the event was created from"),
        ("venue = 'event.toml'", "line 1, venue", "is not JSON"),
        ("hold-limit = 400", "line 1, hold-limit", "from 1 to 40"),
        ("name = ''", "line 1, name", "cannot be empty"),
        ("hold-limit = 'x'", "line 1, hold-limit", "without quotes"),
        ("sale-ends-at = 'x'", "line 1, sale-ends-at", "must be a date with a time"),
    ],
)
def test_what_an_edit_cannot_change_is_refused_with_its_line(
    sale: Sale, file: Path, capsys: pytest.CaptureFixture[str], text: str, where: str, why: str
) -> None:
    shutil.copy(CHARTS / "one-row.venue.json", file.parent / "other.json")
    assert sale.run(f"event create --from {file}") == 0
    before, gate = sale.item, dict(sale.store.values)
    file.write_text(text + "\n")
    wrong = refused(sale, capsys, f"event edit final --from {file}")
    assert why in wrong[f"{file}, {where}"], wrong
    assert (sale.item, sale.store.values) == (before, gate)


def test_rates_of_vat_are_changed_by_the_file_until_the_first_sale(
    sale: Sale, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sale.run(f"event create --from {file}") == 0
    file.write_text("vat-all = '7%'\nvat-fees = '19%'\n")
    assert sale.run(f"event edit final --from {file}") == 0
    assert {tier["vatBp"] for tier in sale.item["tiers"]} == {700}
    assert sale.item["fees"]["vatBp"] == 1_900
    capsys.readouterr()
    assert sale.run(f"event edit final --from {file}") == 0
    assert "nothing to change" in capsys.readouterr().out


def test_a_chart_that_is_away_is_taken_for_the_same_by_its_name(
    sale: Sale, file: Path, tmp_path: Path
) -> None:
    assert sale.run(f"event create --from {file}") == 0
    (tmp_path / "hall.json").unlink()
    file.write_text("venue = 'hall.json'\nartist = 'Ann'\n")
    assert sale.run(f"event edit final --from {file}") == 0
    assert sale.item["artist"] == "Ann"


def test_a_clone_is_a_draft_with_the_same_seats_and_settings(
    sale: Sale, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "all.toml"
    path.write_text(ALL_FIELDS)
    assert sale.run(f"event create --from {path} --publish") == 0
    (tmp_path / "hall.json").unlink()  # what was published is enough
    words = "event clone final final-2 --sale-starts-at 2027-02-01T12:00 --name Again"
    assert sale.run(words) == 0
    before, after = (tomllib.loads(shown(sale, capsys, one)) for one in ("final", "final-2"))
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"event", "name", "sale-starts-at"}
    assert after["sale-starts-at"] == "2027-02-01T12:00"
    old, new = (sale.container.catalog.event(one) for one in ("final", "final-2"))
    assert (old.state, new.state) == ("open", "draft")
    assert new.layout == old.layout
    assert new.draw_commitment != old.draw_commitment


def test_a_clone_needs_times_to_come(
    sale: Sale, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sale.run(f"event create --from {file}") == 0
    sale.clock.tick(40 * 86_400)
    wrong = refused(sale, capsys, "event clone final again")
    assert "Give a time to come" in wrong[""]
    wrong = refused(sale, capsys, "event clone final final --sale-starts-in 60")
    assert "There is an event “final” already" in wrong[""]
    assert sale.run("event clone final again --sale-starts-in 60 --dry-run") == 0
    assert sale.world.item("catalog", ("EVENT", "again")) is None


@pytest.mark.parametrize("name", sorted(path.name for path in CHARTS.glob("*.json")))
def test_a_chart_can_be_read_back_from_what_was_published(sale: Sale, name: str) -> None:
    layout = split_layout(import_chart(CHARTS / name))
    for path, body in layout.files.items():
        sale.container.layouts.write(layout.hash, path, body)
    assert split_layout(published_venue(sale.container.layouts, layout.hash)) == layout
