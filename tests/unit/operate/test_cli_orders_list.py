"""``fairgate orders list``: an event's orders for staff, said while they are read."""

from __future__ import annotations

import csv
import io
import json
import logging
import os
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from fairgate.domain.orders.order import PostalAddress
from fairgate.domain.shared.labels import harmless
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import Update
from fairgate.service.checkout import begin_checkout
from fairgate.service.checkout.begin_checkout import CheckoutBeginner
from fairgate.service.orders import list_event_orders
from fairgate.service.shared.readable import find_many_readable
from fairgate.service.shared.records.orders import Order
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.cli.order_shape import COLUMNS
from fairgate_ops.shared.json_text import json_text
from fairgate_ops.shared.spreadsheet import BYTE_ORDER_MARK, no_formula
from tests.support.sale import Sale
from tests.support.world import EVENT
from tests.unit.checkout.test_checkout_and_settle import held, settle

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.world import World

EMAILS = ("=cmd|' /C calc'!A0@example.org", "bob@example.org", "eve\x1b[2J@example.org")


@pytest.fixture
def office(world: World, tmp_path: Path) -> Sale:
    return Sale(world, tmp_path)


@pytest.fixture
def orders(world: World, monkeypatch: pytest.MonkeyPatch) -> list[Order]:
    """Three pending orders and one of them paid, a second after one another.

    Their addresses are of an older version, which took what no mail can be sent to.
    """
    monkeypatch.setattr(begin_checkout, "sent_to", lambda _email: "")
    made = []
    beginner = CheckoutBeginner(world.table, world.clock, world.ids, world.reminders)
    for number, email in enumerate(EMAILS):
        mine = held(world, f"user{number}", world.seat_ids[number])
        made.append(beginner.begin(world.event, mine.session, mine.user, email).order)
        world.clock.tick(1)
    settle(world, made[1])
    return made


def run(office: Sale, capsys: pytest.CaptureFixture[str], words: str, code: int = 0) -> str:
    capsys.readouterr()
    assert office.run(f"orders list {words}") == code
    return capsys.readouterr().out


def ids(out: str) -> list[str]:
    return [order["order"] for order in json.loads(out)["orders"]]


def test_orders_are_one_document_without_their_codes(
    office: Sale, orders: list[Order], capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(run(office, capsys, f"{EVENT} --json"))
    assert (document["count"], document["complete"], document["damaged"]) == (3, True, [])
    assert [one["order"] for one in document["orders"]] == [one.order_id for one in orders]
    assert [one["email"] for one in document["orders"]] == list(EMAILS)
    assert ids(run(office, capsys, f"{EVENT} --json --state paid")) == [orders[1].order_id]
    assert ids(run(office, capsys, f"{EVENT} --json --email BOB@example.org")) == [
        orders[1].order_id
    ]
    assert json.loads(run(office, capsys, f"{EVENT} --json --state refunded")) == {
        "event": EVENT,
        "orders": [],
        "count": 0,
        "damaged": [],
        "complete": True,
    }


def test_a_table_for_a_spreadsheet_has_no_formula_in_it(
    office: Sale, orders: list[Order], capsys: pytest.CaptureFixture[str]
) -> None:
    lives = PostalAddress("A B", "Quay 1", "", "X", "Y")
    office.world.put(replace(orders[2], postal_address=lives))
    written = run(office, capsys, f"{EVENT} --csv")
    assert written[0] == BYTE_ORDER_MARK
    first, *rows = csv.reader(io.StringIO(written[1:]))
    assert tuple(first) == COLUMNS
    cells = [dict(zip(first, row, strict=True)) for row in rows]
    assert [one["order"] for one in cells] == [one.order_id for one in orders]
    assert [one["email"] for one in cells][:2] == [f"'{EMAILS[0]}", EMAILS[1]]
    assert [(one["name"], one["address"]) for one in cells][1:] == [
        ("", ""),
        ("A B", "Quay 1, X, Y"),
    ]
    assert [one["state"] for one in cells] == ["pending", "paid", "pending"]


@pytest.mark.parametrize(
    "begins", ["=", "+", "-", "@", "\t", "\r", "\n", *"\uff1d\uff0b\uff0d\uff20"]
)
def test_a_cell_that_begins_like_a_formula_is_quoted(begins: str) -> None:
    assert no_formula(f"{begins}x") == f"'{begins}x".replace("\r", "�")
    assert no_formula("1+1") == "1+1"


@pytest.mark.parametrize("between", [";", "; ", ';"', "\n", "\t"])
def test_a_cell_that_other_lists_begin_within_a_text_is_quoted(between: str) -> None:
    """A spreadsheet whose lists have semicolons ends a cell and a quoted row elsewhere."""
    quoted = f"Ann{between[0]}'{between[1:]}=1+1"
    assert no_formula(f"Ann{between}=1+1") == quoted
    assert no_formula("Row A; Seat 1; 1+1") == "Row A; Seat 1; 1+1"


@pytest.mark.parametrize("number", [-1, "-100", "-12.50", "100"])
def test_a_number_stays_one(number: str | int) -> None:
    assert no_formula(number) == number


HOSTILE = "\x1b]0;owned\x07\x1b[31mred\x9b2J \u202emoor\u200d"


@pytest.mark.parametrize(
    "text", ["山田\u3000太郎", "12\u00a0€", "co\u00adop", "می\u200cخواهم", "👨\u200d👩", "a\tb\nc"]
)
def test_spaces_and_joiners_of_every_script_stay(text: str) -> None:
    assert harmless(text) == text


def test_nothing_that_a_buyer_typed_is_obeyed_by_a_terminal_or_a_spreadsheet() -> None:
    assert harmless(HOSTILE) == "�]0;owned��[31mred�2J �moor\u200d"
    assert str(no_formula(f"={HOSTILE}")).startswith("'=�]0")


def test_lines_obey_nobody_and_say_how_many(
    office: Sale, orders: list[Order], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = run(office, capsys, EVENT).splitlines()
    assert [line.split()[0] for line in lines[:-1]] == [one.order_id for one in orders]
    assert lines[-1] == f"3 orders of {EVENT}."
    assert "\x1b" not in "".join(lines)
    assert run(office, capsys, f"{EVENT} --state paid").endswith(f"\n1 order of {EVENT}.\n")


def test_an_address_stands_in_no_log(
    office: Sale,
    orders: list[Order],
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG):
        run(office, capsys, f"{EVENT} --email bob@example.org")
    own = [r for r in caplog.records if r.name.startswith("fairgate")]
    assert "example.org" not in str([record.getMessage() for record in own])
    logged = office.world.client.scan(TableName=office.container.settings.catalog_table)["Items"]
    assert "example.org" not in str(logged)


def test_what_is_damaged_is_named_and_the_others_are_listed(
    office: Sale, orders: list[Order], capsys: pytest.CaptureFixture[str]
) -> None:
    office.table.update(Update("reservations", *orders[0].key, set={"totalMinor": "much"}))
    document = json.loads(run(office, capsys, f"{EVENT} --json", 1))
    assert (document["count"], document["complete"]) == (2, True)
    assert document["damaged"] == [f"{orders[0].pk} {orders[0].sk}"]
    capsys.readouterr()
    assert office.run(f"orders list {EVENT}") == 1
    assert orders[0].sk in capsys.readouterr().err


def breaks_off(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Let the second time that orders are read fail."""
    monkeypatch.setattr(list_event_orders, "TOGETHER", 2)
    calls: list[Any] = []

    def once(*arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) > 1:
            raise error
        return find_many_readable(*arguments)

    monkeypatch.setattr(list_event_orders, "find_many_readable", once)


def test_a_document_is_whole_where_reading_broke_off(
    office: Sale,
    orders: list[Order],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    breaks_off(monkeypatch, DependencyUnavailableError("The table is away."))
    document = json.loads(run(office, capsys, f"{EVENT} --json", 1))
    assert (document["count"], document["complete"]) == (2, False)
    assert document["error"]["detail"] == "The table is away."


def test_a_list_that_broke_off_says_so(
    office: Sale,
    orders: list[Order],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    breaks_off(monkeypatch, DependencyUnavailableError("The table is away."))
    assert office.run(f"orders list {EVENT} --csv") == 1
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 3
    assert said.err == "Not done: The table is away.\n"


def test_who_interrupts_gets_a_whole_document(
    office: Sale,
    orders: list[Order],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    breaks_off(monkeypatch, KeyboardInterrupt())
    with pytest.raises(SystemExit) as ended:
        office.run(f"orders list {EVENT} --json")
    assert ended.value.code == 130
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "interrupted"


def test_what_cannot_be_listed_is_refused(
    office: Sale, orders: list[Order], capsys: pytest.CaptureFixture[str]
) -> None:
    assert json.loads(run(office, capsys, "none --json", 1))["error"]["code"] == "not-found"
    for words in (f"{EVENT} --csv --json", f"{EVENT} --state lost"):
        with pytest.raises(SystemExit) as ended:
            office.run(f"orders list {words}")
        assert ended.value.code == 2
    assert "not allowed with" in capsys.readouterr().out


def test_the_first_is_said_before_the_last_is_read(
    office: Sale, orders: list[Order], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_event_orders, "TOGETHER", 1)
    out = io.StringIO()
    said: list[int] = []

    def seen(*arguments: Any) -> Any:
        said.append(out.getvalue().count("ord_"))
        return find_many_readable(*arguments)

    monkeypatch.setattr(list_event_orders, "find_many_readable", seen)
    monkeypatch.setattr("sys.stdout", out)
    assert office.run(f"orders list {EVENT}") == 0
    assert said == [0, 1, 2]


def test_who_has_seen_enough_ends_it_quietly(
    office: Sale, orders: list[Order], monkeypatch: pytest.MonkeyPatch
) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "w") as pipe:
        monkeypatch.setattr("sys.stdout", pipe)
        assert office.run(f"orders list {EVENT}") == 0


def test_an_address_that_is_empty_lists_not_everybodys(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main.main(["orders", "list", "final", "--email", ""])
    assert ended.value.code == 2
    assert "leave it out" in capsys.readouterr().err


def test_json_keeps_every_letter_and_escapes_what_a_terminal_obeys() -> None:
    value = {"name": "Zoë\u200d \u202e\x9b31m\u2028\ud800", "lines": ["a\nb"]}
    text = json_text(value, indent=2)
    assert json.loads(text) == value
    assert "Zoë\u200d" in text
    assert harmless(text) == text
