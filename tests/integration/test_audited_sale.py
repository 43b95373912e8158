"""A small sale is run, closed, revealed, exported and audited: clean. Then one line is forged."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fairgate.domain.gate.admission import lottery_number, ticket_of
from fairgate.domain.gate.draw_proof import beacon_key
from fairgate.domain.shared.times import rfc3339
from fairgate.service.shared.keys import session_key
from tests.support.sale import EVENT, Sale, small_sale
from tests.support.world import START_MS

USERS = [f"user-{n}" for n in range(12)]
Line = dict[str, Any]


@pytest.fixture
def sale(tmp_path: Path) -> Iterator[Sale]:
    with small_sale(tmp_path) as made:
        yield made


@pytest.fixture
def ended(sale: Sale) -> Sale:
    """Some came before the sale starts and some after; a pause, a new pace; closed and revealed."""
    sale.create()
    early = [sale.join(user) for user in USERS[:6]]
    sale.clock.tick(60)
    sale.admit_when_due(early, until_s=30)
    late = [sale.join(user) for user in USERS[6:]]
    assert sale.run(f"event pause {EVENT}") == 0
    sale.clock.tick(30)
    assert sale.admit(early[0])["status"] in (403, 409)
    assert sale.run(f"event resume {EVENT} --tau 30") == 0
    sale.clock.tick(10)
    sale.admit_when_due([*early, *late], until_s=600)
    sale.world.put_item("reservations", order_of(session_of(sale, USERS[0])["PK"]))
    assert sale.run(f"event close {EVENT} --yes") == 0
    assert sale.run(f"draw reveal {EVENT} --yes") == 0
    return sale


def order_of(session: str) -> Line:
    order = f"ord_{session.removeprefix('ses_')}_00000001"
    key = {
        "PK": session,
        "SK": f"O#{order}",
        "GSI1PK": f"U#{USERS[0]}",
        "GSI1SK": rfc3339(START_MS + 60_000),
    }
    return key | {"eventId": EVENT, "orderId": order, "state": "ticketed"}


def session_of(sale: Sale, user: str) -> Line:
    status = sale.world.items("reservations", f"U#{user}")[0]
    return sale.world.items("reservations", status["liveSession"], "S#")[0]


def exported(sale: Sale, folder: Path, *more: str) -> tuple[Path, Path]:
    log, config = folder / "log.jsonl.gz", folder / "rules.json"
    words = f"audit export {EVENT} --out {log} --config {config}"
    assert sale.run(words, *more) == 0
    return log, config


def lines_of(log: Path) -> list[Line]:
    with gzip.open(log, "rt") as file:
        return [json.loads(line) for line in file]


def changed(log: Path, change: Callable[[list[Line]], None]) -> None:
    lines = lines_of(log)
    change(lines)
    with gzip.open(log, "wt") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)


def found(capsys: pytest.CaptureFixture[str]) -> dict[str, int]:
    counts: dict[str, int] = json.loads(capsys.readouterr().out)["counts"]
    return counts


def test_a_sale_is_clean_until_one_line_of_its_log_is_forged(
    ended: Sale, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, config = exported(ended, tmp_path)
    capsys.readouterr()
    files = f"audit --log {log} --config {config} --json"
    assert ended.run(files) == 0
    audit = json.loads(capsys.readouterr().out)
    assert (audit["counts"], audit["admissions"] > 6, audit["orders"]) == ({}, True, 1)

    def sooner(lines: list[Line]) -> None:
        latest = max((line for line in lines if "lot" in line), key=lambda line: line["at_ms"])
        latest["at_ms"] -= 14_000
        latest["edge_at"] -= 14

    changed(log, sooner)
    assert ended.run(files) == 1
    assert found(capsys) == {"not-drawn": 1}


@pytest.mark.parametrize("before", ["", "its start was moved after it", "it was deleted"])
def test_a_sale_whose_draft_was_published_is_clean(
    sale: Sale, tmp_path: Path, capsys: pytest.CaptureFixture[str], before: str
) -> None:
    """Its gate's value is not written again at that time, nor by anybody until the end."""
    sale.create(publish=False)
    if before == "its start was moved after it":
        sale.clock.tick(7_200)
        start = rfc3339(sale.clock.ms + 60_000)
        assert sale.run(f"event edit {EVENT} --sale-starts-at {start}") == 0
    if before == "it was deleted":
        for ahead_ms in (20_000, 30_000, 40_000):
            at = rfc3339(sale.clock.ms + ahead_ms)
            assert sale.run(f"event publish {EVENT} --at {at}") == 0
        assert sale.run(f"event delete {EVENT} --confirm {EVENT}") == 0
        sale.clock.tick(7_200)
        sale.create(publish=False)
    assert sale.run(f"event publish {EVENT} --starts-in 5") == 0
    sale.clock.tick(10)
    places = [sale.join(user) for user in USERS]
    sale.clock.tick(50)
    sale.admit_when_due(places, until_s=600)
    assert sale.run(f"event close {EVENT} --yes") == 0
    assert sale.run(f"draw reveal {EVENT} --yes") == 0
    log, config = exported(sale, tmp_path)
    capsys.readouterr()
    assert sale.run(f"audit --log {log} --config {config} --json") == 0
    audit = json.loads(capsys.readouterr().out)
    assert (audit["counts"], audit["admissions"] > 6) == ({}, True)


def test_a_damaged_session_is_named_by_export_and_audit(
    ended: Sale, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = session_of(ended, USERS[0])["PK"]
    ended.world.spoil("reservations", session_key(session), tokenId=None)
    capsys.readouterr()
    for words in (f"audit export {EVENT} --out {tmp_path / 'x.gz'}", f"audit {EVENT}"):
        assert ended.run(words) == 1
        assert f"damaged: Object missing required field `tokenId` ({session} S#{session})" in (
            capsys.readouterr().err
        )


def test_the_running_system_is_audited_without_files(
    ended: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert ended.run(f"audit {EVENT}") == 0
    assert "Every one is as the rules say." in capsys.readouterr().out


def test_a_session_taken_out_of_the_table_is_missed_by_its_users_counter(
    ended: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    standing = ended.world.items("reservations", f"U#{USERS[1]}")[0]
    session = session_of(ended, USERS[1])
    assert standing["sessionsUsed"] == 1
    key = {"PK": {"S": session["PK"]}, "SK": {"S": session["SK"]}}
    ended.world.client.delete_item(TableName="t-reservations", Key=key)
    capsys.readouterr()
    assert ended.run(f"audit {EVENT} --json") == 1
    assert found(capsys) == {"missing-admissions": 1}


def test_an_order_without_its_admission_is_found(
    ended: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    ended.world.put_item("reservations", order_of("ses_" + "d" * 32))
    capsys.readouterr()
    assert ended.run(f"audit {EVENT} --json") == 1
    assert found(capsys) == {"missing-admission": 1}


def test_a_session_that_nobody_admitted_is_found(
    ended: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    ended.world.put_item(
        "reservations",
        {
            "PK": "ses_" + "f" * 32,
            "SK": "S#ses_" + "f" * 32,
            "userId": "friend",
            "eventId": EVENT,
            "state": "finalised",
            "openedAt": rfc3339(START_MS + 70_000),
            "expiresAt": rfc3339(START_MS + 670_000),
            "tokenId": "none",
        },
    )
    capsys.readouterr()
    assert ended.run(f"audit {EVENT} --json") == 1
    assert found(capsys) == {"not-recorded": 1, "missing-admissions": 1}


def test_a_published_log_names_nobody_and_everyone_finds_themselves(
    ended: Sale, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, config = exported(ended, tmp_path, "--publish")
    text = gzip.decompress(log.read_bytes()).decode()
    assert not any(f'"{user}"' in text for user in USERS)
    assert "ses_" not in text
    assert "ord_" not in text
    capsys.readouterr()
    assert ended.run(f"audit --log {log} --config {config} --json") == 0
    assert found(capsys) == {}
    assert ended.run(f"draw verify --user {USERS[0]} --config {config} --log {log} --json") == 0
    mine = json.loads(capsys.readouterr().out)
    session = session_of(ended, USERS[0])
    assert mine["admissions"] == [session["openedAt"]]
    # The turn is when u < P at the first moment; the origin grants two seconds, polls come after.
    assert mine["admission_at"] <= rfc3339(ended.clock.ms)
    assert rfc3339(START_MS) < mine["admission_at"]
    assert ended.run(f"draw verify --user nobody --config {config} --log {log}") == 0
    assert "not in this log" in capsys.readouterr().out


def test_a_beacon_decides_the_numbers_and_not_the_tickets(
    sale: Sale, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create()
    seed = sale.gate.draw_key
    before = sale.join("ann")
    at = rfc3339(START_MS + 20_000)
    words = f"draw announce {EVENT} --yes --at {at} --source"
    assert sale.run(words, "drand quicknet round 1") == 0
    sale.clock.tick(21)
    assert sale.run(f"draw beacon {EVENT} --value 9f86d081 --yes") == 0
    assert sale.gate.draw_key == seed
    assert sale.join("ann").lot == before.lot == ticket_of(seed, "a", EVENT, "ann", "")
    sale.clock.tick(39)
    others = [sale.join(user) for user in USERS]
    inside = sale.admit_when_due([before, *others], until_s=900)
    assert "ann" in inside
    assert sale.run(f"event close {EVENT} --yes") == 0
    assert sale.run(f"draw reveal {EVENT} --yes") == 0
    log, config = exported(sale, tmp_path)
    capsys.readouterr()
    assert sale.run(f"audit --log {log} --config {config} --json") == 0
    assert found(capsys) == {}
    assert sale.run(f"draw verify --user ann --config {config} --json") == 0
    u = lottery_number(beacon_key(seed, EVENT, "9f86d081"), before.lot)
    assert json.loads(capsys.readouterr().out)["lottery_number"] == u


def test_nobody_is_drawn_while_an_announced_beacon_is_missing(sale: Sale) -> None:
    sale.create()
    place = sale.join("ann")
    at = rfc3339(START_MS + 20_000)
    words = f"draw announce {EVENT} --yes --at {at} --source"
    assert sale.run(words, "the lottery of Saturday") == 0
    sale.clock.tick(6_000)
    assert sale.admit(place)["status"] == 403
    assert sale.run(f"draw beacon {EVENT} --value 7-19-23-31-40-44 --yes") == 0
    sale.clock.tick(10)
    assert sale.admit(place)["status"] == 201


def test_an_export_is_refused_its_rules_when_the_key_is_not_revealed(
    sale: Sale, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create()
    log, config = tmp_path / "log", tmp_path / "rules"
    assert sale.run(f"audit export {EVENT} --out {log} --config {config}") == 1
    assert "draw reveal" in capsys.readouterr().err
    assert sale.run(f"audit export {EVENT} --out {log} --publish") == 1
    assert not log.exists()
    assert not config.exists()
    assert sale.run(f"audit export {EVENT} --out {log}") == 0
    assert lines_of(log)[-1]["end"]["admissions"] == 0
