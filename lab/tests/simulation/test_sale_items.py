"""At the end of a simulated sale every item loads, and the simulator notices when one does not."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.ports.record import Record
from fairgate_lab.simulate.sale.run import run_seed

SEED = 3


def test_a_sale_leaves_only_items_that_load() -> None:
    assert run_seed(SEED).failures == ()


def test_a_writer_with_an_attribute_that_no_record_lists_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    item = Record.item

    def painted(record: Record) -> dict[str, Any]:
        return item(record) | {"colour": "red"}

    monkeypatch.setattr(Record, "item", painted)
    failures = run_seed(SEED).failures
    assert any(failure.startswith("data: reservations: ") for failure in failures)
    assert all("unknown field `colour`" in failure for failure in failures)
