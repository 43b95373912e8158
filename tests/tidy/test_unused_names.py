"""Nothing stands in the source that nothing needs: a name that only tests use counts as unused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tidy.unused_names import unused_names

ROOT = Path(__file__).resolve().parents[2]
IDS = "layers/core/python/fairgate/domain/shared/ids.py"
# Why each of them may stand there although nothing refers to it.
ALLOWED = {
    f"{IDS}::SectionId": "one of the family of ids, for the tables' typed records",
    f"{IDS}::SeatId": "one of the family of ids, for the tables' typed records",
    "layers/core/python/fairgate/domain/orders/order.py::OrderState": (
        "names an order's states in one place, for the tables' typed records"
    ),
    "ops/fairgate_ops/operate/gate_check/rows.py::read_base": (
        "what the gate's rows differ from; tests make cases of their own from it"
    ),
}
LOCUST = "ops/fairgate_ops/run/crowd/locust_buyers.py"
ALLOWED |= {
    f"{LOCUST}::SimulatedBuyer": "Locust finds its users in the file",
    f"{LOCUST}::_add_options": "Locust calls its listeners",
    f"{LOCUST}::_prepare": "Locust calls its listeners",
}

FAKES = "lab/fairgate_lab/engine/"  # stand-ins: tests are their users


def test_every_name_of_a_module_is_referred_to() -> None:
    unused = {
        name: line
        for name, line in unused_names(ROOT).items()
        if name not in ALLOWED and not name.startswith(FAKES)
    }
    assert unused == {}


@pytest.mark.parametrize("entry", ALLOWED)
def test_an_allowed_name_exists(entry: str) -> None:
    path, _, name = entry.partition("::")
    text = (ROOT / path).read_text()
    assert f"{name} = " in text or f"def {name}(" in text or f"class {name}(" in text


@pytest.mark.parametrize(
    ("text", "unused"),
    [
        ("def lonely():\n    return lonely()\n", {"lonely"}),
        ("class Lonely:\n    pass\n", {"Lonely"}),
        ("LONELY_S: float = 1.0\n", {"LONELY_S"}),
        ("A, B = 1, 2\nprint(B)\n", {"A"}),
        ("if True:\n    def lonely(): ...\n", {"lonely"}),
        ("def used(): ...\nused()\n", set()),
        ("@app.get('/x')\ndef route(): ...\n", set()),
        ("def entry(): ...\nPOINT = 'shop:entry'\nprint(POINT)\n", set()),
        ("__all__ = []\n", set()),
    ],
)
def test_an_unused_name_is_found_and_a_used_one_is_not(
    text: str, unused: set[str], tmp_path: Path
) -> None:
    for folder in ("layers", "functions", "ops", "infra", "tests", "lab"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "app.py").write_text("")
    (tmp_path / "ops/shop.py").write_text(text)
    (tmp_path / "tests/test_shop.py").write_text("from shop import lonely, Lonely, LONELY_S, A\n")
    assert set(unused_names(tmp_path)) == {f"ops/shop.py::{name}" for name in unused}


def test_a_name_counts_as_used_when_another_module_refers_to_it(tmp_path: Path) -> None:
    for folder in ("layers", "functions", "ops", "infra", "lab/fairgate_lab"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "app.py").write_text("")
    (tmp_path / "ops/shop.py").write_text("PRICE = 1\n")
    (tmp_path / "infra/till.py").write_text("import shop\nprint(shop.PRICE)\n")
    (tmp_path / "functions/handler.py").write_text("def handler(event): ...\n")
    assert unused_names(tmp_path) == {}
