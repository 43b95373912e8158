"""``fairgate orders invoice``: the file, and what it says where there is none."""

from __future__ import annotations

import importlib.util
import json
from typing import TYPE_CHECKING

import pytest

from fairgate.adapters.tickets import fonts
from fairgate.service.catalog.edit_event import edit_event
from fairgate.service.orders.read_documents import documents_of
from tests.support.pdfs import pdf_words
from tests.support.world import EVENT
from tests.unit.books.test_number_documents import SELLER
from tests.unit.operate.test_cli_orders_staff import office, order, run
from tests.unit.refunds.test_give_back import give_back

if TYPE_CHECKING:
    from pathlib import Path

    from fairgate.service.shared.records.orders import Order
    from tests.support.sale import Sale

__all__ = ["office", "order"]  # fixtures


def test_invoice_and_credit_note_are_numbered_once_written_and_logged(
    office: Sale, order: Order, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit_event(office.world.table, office.world.clock, EVENT, SELLER)
    give_back(office.world, order)
    file = tmp_path / "invoice.pdf"
    words = f"invoice {EVENT} {order.order_id} --to {file}"
    assert run(office, capsys, f"{words} --dry-run")["documents"] == []
    assert not file.exists()
    for _ in range(2):
        told = run(office, capsys, words)["documents"]
        numbers = [f"{EVENT}-000001", f"{EVENT}-000002"]
        assert [one["number"] for one in told] == numbers
        assert [one["kind"] for one in told] == ["invoice", "credit-note"]
    invoice, note = pdf_words(file.read_bytes())
    assert f"Invoice {numbers[0]}" in invoice
    assert f"Credit note {numbers[1]}" in note
    assert office.run("event log final --json") == 0
    entries = json.loads(capsys.readouterr().out)["entries"]
    acts = [entry["act"] for entry in entries if entry["phase"] == "done"]
    assert acts == ["create", "order invoice"]  # once: the second time it only looked


def test_a_command_without_the_fonts_says_where_they_are_built(
    office: Sale,
    order: Order,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    edit_event(office.world.table, office.world.clock, EVENT, SELLER)
    fonts.folder.cache_clear()
    fonts._characters.cache_clear()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    words = f"invoice {EVENT} {order.order_id} --to {tmp_path / 'invoice.pdf'}"
    assert "run `make setup`" in run(office, capsys, words, 1)["error"]["detail"]


@pytest.mark.usefixtures("order")
def test_it_says_why_there_is_none(
    office: Sale, order: Order, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"{order.order_id} --to {tmp_path / 'none.pdf'}"
    refused = run(office, capsys, f"invoice {EVENT} {words}", 1)["error"]
    assert (refused["code"], refused["reason"]) == ("wrong-state", "no-seller")
    assert run(office, capsys, f"invoice final {words}", 1)["error"]["code"] == "not-found"
    assert not (tmp_path / "none.pdf").exists()


@pytest.mark.parametrize("dry_run", ["", " --dry-run"])
def test_nothing_is_numbered_where_the_file_cannot_be_written(
    office: Sale,
    order: Order,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    dry_run: str,
) -> None:
    edit_event(office.world.table, office.world.clock, EVENT, SELLER)
    for where in (tmp_path / "gone" / "invoice.pdf", tmp_path):
        words = f"invoice {EVENT} {order.order_id} --to {where}{dry_run}"
        assert run(office, capsys, words, 1)["error"]["code"] == "malformed-input"
    assert documents_of(office.world.table, order) == []
