"""``fairgate books import``, and the account's movements and payouts, listed and added up."""

from __future__ import annotations

import csv
import io
import time
from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from fairgate.bootstrap import Container
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.payments import Movement, UnreadableEntry
from fairgate.service.books.import_movements import read_imported
from fairgate.settings import from_environment
from fairgate_ops.operate import target
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.cli.movement_shape import COLUMNS
from fairgate_ops.operate.target import SecretFile, Target
from tests.support.world import EVENT, NAMES, World
from tests.unit.books.test_check_ledger import taken
from tests.unit.books.test_import_movements import entered, moved, paid_out, sold
from tests.unit.operate.test_cli_box_office import run


@pytest.fixture
def system(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    container = Container(
        from_environment({"FAIRGATE_RESERVATIONS_TABLE": NAMES["reservations"]}),
        clock=world.clock,
        table=world.table,
        secrets=world.secrets,
        payments=world.payments,
        edge_config=world.edge_config,
    )
    secret = partial(SecretFile, tmp_path)
    reached = Target("local", container, secret, lambda: world.client, 1.0)
    monkeypatch.setattr(target, "target_of", lambda _options: reached)
    return world


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made, none of them waited for."""
    made: list[float] = []
    monkeypatch.setattr(time, "sleep", made.append)
    return made


def test_an_import_is_told_of_and_logged_and_said_again_finds_all_known(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    paid_out(system)
    moved(system, "txn_2", "capture", 400, 20, payment="pi_x")
    system.clock.tick(1)
    assert main.main(["books", "import"]) == 0
    shown = capsys.readouterr().out
    assert "2 movements from" in shown
    assert "1 of them of no order of ours; 0 were known." in shown
    assert "1 news of payouts and 1 part of them entered." in shown
    log = target.target_of(Namespace()).acts().log_of(EVENT).read()
    assert [(one.act, one.phase) for one in log] == [
        ("books import", "asked"),
        ("books import", "done"),
    ]
    status, said = run(capsys, "books", "import", "--since", "2027-01-15T07:00:00Z")
    assert (status, said["new"], said["known"]) == (0, 0, 2)


def test_a_dry_run_enters_and_logs_nothing(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    sold(system)
    status, said = run(capsys, "books", "import", "--dry-run")
    assert (status, said["new"], said["dry_run"]) == (0, 1, True)
    assert entered(system) == []
    assert target.target_of(Namespace()).acts().log_of(EVENT).read() == []


def test_a_provider_that_is_asked_too_often_is_asked_again_after_a_pause(
    system: World,
    capsys: pytest.CaptureFixture[str],
    pauses: list[float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sold(system)
    system.payments.refuse["payouts"] = DependencyUnavailableError("asked too often")

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if seconds == 4.0:
            system.payments.refuse.clear()

    monkeypatch.setattr(time, "sleep", sleep)
    status, said = run(capsys, "books", "import", "--rate", "10")
    assert (status, said["complete"], said["new"]) == (0, True, 1)
    assert [one for one in pauses if one >= 1] == [1.0, 2.0, 4.0]
    assert 0.1 in pauses


def test_a_provider_that_goes_on_refusing_is_told_and_what_was_entered_stays(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    sold(system)
    system.payments.refuse["payouts"] = DependencyUnavailableError("away")
    assert main.main(["books", "import"]) == 1
    assert "Not all of it: run the same again." in capsys.readouterr().out
    assert len(entered(system)) == 1
    assert read_imported(system.table)[0] == system.clock.ms


def test_movements_and_payouts_are_listed(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    paid_out(system)
    main.main(["books", "import"])
    system.clock.tick(1)
    capsys.readouterr()
    assert main.main(["books", "movements", "--csv"]) == 0
    first, row = csv.reader(io.StringIO(capsys.readouterr().out[1:]))
    assert tuple(first) == COLUMNS
    found = dict(zip(first, row, strict=True))
    assert (found["kind"], found["net"], found["payout"]) == ("capture", "98.35", "po_1")
    status, said = run(capsys, "books", "movements")
    assert (status, said["count"], said["movements"][0]["event"]) == (0, 1, EVENT)
    assert main.main(["books", "movements", "--since", "2027-01-16T00:00:00Z"]) == 0
    assert capsys.readouterr().out == "0 movements.\n"
    status, said = run(capsys, "books", "payouts")
    assert [(one["payout"], one["step"], one["parts"]) for one in said["payouts"]] == [
        ("po_1", "listed", 1),
        ("po_1", "paid", 0),
    ]
    assert main.main(["books", "payouts"]) == 0
    assert "arrives 2027-01-16" in capsys.readouterr().out


def test_the_ledger_names_the_payout_that_a_fee_went_with(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    paid_out(system)
    main.main(["books", "import"])
    capsys.readouterr()
    _, said = run(capsys, "books", "ledger", EVENT)
    assert [(one["kind"], one["amount_minor"], one["payout"]) for one in said["entries"]] == [
        ("capture", 10_000, ""),
        ("fee", -165, "po_1"),
    ]
    assert main.main(["books", "ledger", EVENT]) == 0
    assert "txn_1  po_1\n" in capsys.readouterr().out


def test_the_account_is_checked_and_what_differs_is_not_well(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    taken(system, paid_out(system))
    main.main(["books", "import"])
    capsys.readouterr()
    status, said = run(capsys, "books", "check")
    assert (status, said["agrees"], said["payouts"]) == (0, True, 1)
    assert said["entered"] == said["provider"] == said["events"]
    assert said["entered"]["EUR"]["net_minor"] == 9_835
    assert run(capsys, "books", "check", EVENT)[1]["ledger"]["fees_minor"] == 165
    system.payments.moved = [replace(system.payments.moved[0], fee_minor=166)]
    assert main.main(["books", "check"]) == 1
    shown = capsys.readouterr().out
    assert "amount" in shown
    assert shown.endswith("\n1 difference.\n")
    assert main.main(["books", "check", EVENT]) == 1


def test_a_time_without_its_zone_and_two_forms_are_refused(
    system: World, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["books", "import", "--since", "yesterday"]) == 1
    assert "is no time with its zone" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main.main(["books", "movements", "--csv", "--json"])
    assert main.main(["books", "payouts"]) == 0
    assert "No payout is entered" in capsys.readouterr().out
    assert read_imported(system.table) == (None, None)


def refuses_until_a_pause(system: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the list of payouts be refused until somebody waits for a second."""
    system.payments.refuse["payouts"] = DependencyUnavailableError("asked too often")

    def sleep(seconds: float) -> None:
        if seconds >= 1:
            system.payments.refuse.clear()

    monkeypatch.setattr(time, "sleep", sleep)


def test_an_entry_that_cannot_be_read_is_still_told_after_a_pause(
    system: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run that goes on begins behind the day that has it, and does not meet it again."""
    sold(system)
    at_ms, known = system.clock.ms, system.payments.movements
    system.clock.tick(2 * 86_400)

    def movements(since_ms: int, until_ms: int) -> Iterator[Movement | UnreadableEntry]:
        yield from known(since_ms, until_ms)
        if since_ms <= at_ms < until_ms:
            yield UnreadableEntry("txn_x")

    monkeypatch.setattr(system.payments, "movements", movements)
    refuses_until_a_pause(system, monkeypatch)
    status, said = run(capsys, "books", "import")
    assert (status, said["complete"], said["new"]) == (1, True, 1)
    assert [one["what"] for one in said["failures"]] == ["movement txn_x"]


def test_a_dry_run_that_goes_on_after_a_pause_counts_nothing_twice(
    system: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    paid_out(system)
    system.clock.tick(1)
    refuses_until_a_pause(system, monkeypatch)
    status, said = run(capsys, "books", "import", "--dry-run")
    assert (status, said["new"], said["payouts"]) == (0, 1, 1)
