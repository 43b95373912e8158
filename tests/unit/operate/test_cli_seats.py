"""`seats block`, `free` and `list` keep house seats from the sale, by the names of the chart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.http import paths
from fairgate.ports.table import Update
from fairgate.service.catalog.creation_run import CreationRun
from fairgate.service.shared.keys import house_block_key, seat_key
from fairgate.service.shared.records.house import HouseBlock
from fairgate.service.shared.records.seats import SeatRecord
from fairgate_ops.operate.laws.read_tables import of_tables
from tests.support.sale import CHART, EVENT, Sale, small_sale
from tests.support.world import NAMES
from tests.unit.operate.test_cli_draft import answer, said

CREATE = f"event create {EVENT} --venue {CHART} --price-all 45 --name Gala"
SEATS = ["A-1-1-1", "A-1-1-2", "A-1-1-3", "A-1-2-1"]


@pytest.fixture
def sale(tmp_path: Path) -> Iterator[Sale]:
    with small_sale(tmp_path) as made:
        assert made.run(f"{CREATE} --publish --sale-starts-in 60") == 0
        yield made


def asked(sale: Sale, words: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    code, told = said(sale, f"seats {words} --json", capsys)
    document: dict[str, Any] = json.loads(told)
    return document | {"code": code}


def blocked(sale: Sale) -> list[str]:
    found = [sale.table.find(SeatRecord, seat_key(EVENT, seat)) for seat in SEATS]
    return [seat.seat_id for seat in found if seat is not None and seat.availability == "blocked"]


@pytest.mark.parametrize(
    ("words", "seats"),
    [
        ("A-1-1-1 A-1-2-1", ["A-1-1-1", "A-1-2-1"]),
        ("A/1/2", ["A-1-1-2"]),
        ("--row A/1", SEATS[:3]),
        ("--section A", SEATS),
        ("A-1-2-1 --row A/1", SEATS),
    ],
)
def test_seats_are_named_by_id_row_or_section(
    sale: Sale, capsys: pytest.CaptureFixture[str], words: str, seats: list[str]
) -> None:
    made = asked(sale, f"block {EVENT} {words} --reason desk", capsys)
    assert (made["code"], made["seats"], made["left"]) == (0, seats, {})
    assert blocked(sale) == seats


def test_a_section_or_area_may_be_named_as_buyers_know_it(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    said_so = sale.run("seats", "block", EVENT, "--section", "Stalls A", "--reason", "x")
    assert (said_so, blocked(sale)) == (0, SEATS)
    assert sale.run("seats", "block", EVENT, "--area", "Standing floor=10%", "--reason", "x") == 0
    listed = asked(sale, f"list {EVENT}", capsys)["blocks"]
    assert {one["areas"].get("floor", 0) for one in listed} == {0, 120}


def test_what_is_blocked_is_listed_shown_and_not_counted(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    before = answer(paths.AVAILABILITY, EVENT, "seatmap")[1]
    until = rfc3339(sale.clock.ms + 3_600_000)
    reason = ["--reason", "sound desk"]
    words = ["--row", "A/1", "--area", "floor=101", "--until", until, *reason]
    assert sale.run("seats", "block", EVENT, *words) == 0
    code, told = said(sale, f"seats list {EVENT}", capsys)
    assert code == 0
    assert "3 seats and 101 places of floor. sound desk; by tester, freed to the sale at" in told
    assert "  Stalls A, row 1: 1, 2, 3" in told
    sale.clock.tick(60)  # answers are shared for a moment
    after = answer(paths.AVAILABILITY, EVENT, "seatmap")[1]
    assert before["sections"]["A"] == {"total": 4, "available": 4}
    assert after["sections"]["A"] == {"total": 4, "available": 1}
    floors = [seen["areas"]["floor"]["available"] for seen in (before, after)]
    assert floors[0] - floors[1] == 101
    assert sale.run(f"event log {EVENT}") == 0
    told = capsys.readouterr().out
    assert "seats block" in told
    assert "sound desk" in told


def test_what_is_held_is_left_and_the_log_says_that_not_all_was_done(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    held = {"availability": "locked", "sessionId": "ses_x", "expiresAt": "2099"}
    sale.table.update(Update("seats", *seat_key(EVENT, SEATS[0]), set=held))
    dry = asked(sale, f"block {EVENT} --row A/1 --reason x --dry-run", capsys)
    assert (dry["code"], dry["seats"], dry["left"]) == (1, SEATS[1:3], {SEATS[0]: "held"})
    assert blocked(sale) == []
    made = asked(sale, f"block {EVENT} --row A/1 --reason x", capsys)
    assert {**made, "dry_run": True} == dry
    assert blocked(sale) == SEATS[1:3]
    code, told = said(sale, f"seats block {EVENT} --row A/1 --reason x", capsys)
    assert (code, "Not blocked: A-1-1-1 (held)." in told) == (1, True)
    assert sale.run(f"event log {EVENT}") == 0
    assert "incomplete" in capsys.readouterr().out


def test_seats_are_freed_by_block_by_name_or_at_a_time(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    one = asked(sale, f"block {EVENT} --section A --area floor=9 --reason x", capsys)["block"]
    two = asked(sale, f"block {EVENT} --area floor=5 --reason y", capsys)["block"]
    dry = asked(sale, f"free {EVENT} --row A/1 --dry-run", capsys)
    assert dry["freed"] == {one: {"seats": SEATS[:3], "areas": {}}}
    assert blocked(sale) == SEATS
    freed = asked(sale, f"free {EVENT} --row A/1", capsys)
    assert freed["freed"] == dry["freed"]
    assert blocked(sale) == SEATS[3:]
    unclear = asked(sale, f"free {EVENT} --area floor=2", capsys)["error"]["detail"]
    assert one in unclear
    assert two in unclear
    assert asked(sale, f"free {EVENT} {two} --area floor=6", capsys)["code"] == 1
    freed = asked(sale, f"free {EVENT} {two} --area floor=2", capsys)["freed"]
    assert freed == {two: {"seats": [], "areas": {"floor": 2}}}
    at = rfc3339(sale.clock.ms + 60_000)
    assert sale.run(f"seats free {EVENT} {two} --at {at}") == 0
    assert [b["until"] for b in asked(sale, f"list {EVENT}", capsys)["blocks"]] == ["", at]
    assert sale.run(f"seats free {EVENT} {one} {two}") == 0
    assert asked(sale, f"list {EVENT}", capsys)["blocks"] == []
    sale.run(f"event log {EVENT}")
    log = capsys.readouterr().out
    assert (log.count("seats block"), log.count("seats free")) == (4, 8)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (f"block {EVENT} Z-9 --reason x", "Z-9"),
        (f"block {EVENT} --row A/9 --section B --reason x", "A/9, B"),
        (f"block {EVENT} --area floor=1202 --reason x", "1,201"),
        (f"block {EVENT} --area a=1 --reason x", "no area a"),
        (f"block {EVENT} --reason x", "Name seats"),
        (f"block {EVENT} --section A --reason x --until 2020-01-01T00:00:00Z", "is over"),
        (f"free {EVENT}", "Name blocks"),
        (f"free {EVENT} A-1-1-1", "Nothing of it is blocked"),
        (f"free {EVENT} --row A/1 --at 2099-01-01T00:00:00Z", "whole blocks"),
        (f"free {EVENT} blk_none", "no block blk_none"),
        ("list nobody", "nobody"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    sale: Sale, capsys: pytest.CaptureFixture[str], words: str, told: str
) -> None:
    code, text = said(sale, f"seats {words}", capsys)
    assert (code, told in text) == (1, True)
    assert blocked(sale) == []


@pytest.mark.parametrize("area", ["floor", "floor=0", "floor=101%", "=3", "floor=-1"])
def test_a_part_of_an_area_is_a_number_or_percent(sale: Sale, area: str) -> None:
    with pytest.raises(SystemExit):
        sale.run("seats", "block", EVENT, "--area", area, "--reason", "x")


def test_a_deleted_draft_leaves_no_block_and_a_clone_has_none(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    starts = "--sale-starts-in 3600"
    assert sale.run(f"event clone {EVENT} second --name Second {starts}") == 0
    made = asked(sale, "block second --section A --area floor=3 --reason x", capsys)["block"]
    assert sale.run("event clone second third --name Third --sale-starts-in 3600") == 0
    assert asked(sale, "list third", capsys)["blocks"] == []
    assert sale.run("event delete second --confirm second") == 0
    assert sale.table.find(HouseBlock, house_block_key("second", made)) is None
    assert sale.run(f"event clone {EVENT} second --name Second {starts}") == 0
    assert asked(sale, "list second", capsys)["blocks"] == []


def test_a_draft_whose_deletion_broke_off_is_created_again_without_its_blocks(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    clone = f"event clone {EVENT} second --name Second --sale-starts-in 3600"
    assert sale.run(clone) == 0
    assert sale.run("seats block second --section A --reason x") == 0
    away = DependencyUnavailableError("away")
    with patch.object(CreationRun, "forget_blocks", side_effect=away):
        assert sale.run("event delete second --confirm second") == 1
    assert sale.run(clone) == 0
    assert asked(sale, "list second", capsys)["blocks"] == []


def test_the_audit_in_aws_sees_blocks_too(sale: Sale, capsys: pytest.CaptureFixture[str]) -> None:
    made = asked(sale, f"block {EVENT} --section A --reason x", capsys)["block"]
    names = {str(name): table for name, table in NAMES.items()}
    seen = of_tables(sale.world.client, names, events_alone=True)
    assert [block["SK"] for block in seen.of("house block")] == [made]
