"""The built core layer holds what a function reaches, and nothing else of the package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from fairgate_ops.operate.watch.alarm_book import steps
from infra.reached import DynamicImportError, reached_files, reached_modules, unreached_files

from .conftest import ROOT, Assembly

FUNCTIONS, PACKAGE = ROOT / "functions", ROOT / "layers/core/python"
TOOLS = ROOT / "ops"
OPERATORS_ONLY = {
    "fairgate.service.gate.rotate_in_steps",
    "fairgate.service.orders.drop_codes",
}
# Without the site's .pth files, which would put the source beside the layer.
_IMPORT_ALL = """
import importlib, importlib.util, pathlib, sys
layer, functions, *names = sys.argv[1:]
for name in names:
    file = importlib.import_module(name).__file__
    assert file.startswith(layer), file
for path in sorted(pathlib.Path(functions).glob("*/handler.py")):
    spec = importlib.util.spec_from_file_location(f"handler_of_{path.parent.name}", path)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    print(path.parent.name)
"""


@pytest.fixture(scope="module")
def layer(assembly: Assembly) -> Path:
    """The core layer as the synthesis made it; the stacks share one asset."""
    [package] = assembly.folder.glob("asset.*/python/fairgate")
    return package.parent


def import_all(layer: Path) -> subprocess.CompletedProcess[str]:
    names = sorted(reached_modules(FUNCTIONS, PACKAGE))
    environment = {
        "PYTHONPATH": os.pathsep.join([str(layer), sysconfig.get_path("purelib")]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "AWS_DEFAULT_REGION": "eu-central-1",
        "POWERTOOLS_SERVICE_NAME": "test",
        "PATH": "",
    }
    command = [sys.executable, "-S", "-c", _IMPORT_ALL, str(layer), str(FUNCTIONS), *names]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_every_function_imports_when_it_has_the_built_layer_alone(layer: Path) -> None:
    imported = import_all(layer)
    assert imported.returncode == 0, imported.stderr
    assert imported.stdout.split() == sorted(path.name for path in FUNCTIONS.iterdir())


def test_the_import_fails_when_the_layer_lacks_one_module(layer: Path, tmp_path: Path) -> None:
    shutil.copytree(layer, tmp_path / "python")
    (tmp_path / "python/fairgate/service/orders/read_orders.py").unlink()
    imported = import_all(tmp_path / "python")
    assert imported.returncode != 0
    assert "fairgate.service.orders.read_orders" in imported.stderr


def test_the_layer_holds_exactly_what_is_reached_when_built(layer: Path) -> None:
    held = {path.relative_to(layer).as_posix() for path in layer.rglob("*") if path.is_file()}
    held = {name for name in held if not name.endswith(".pyc")}  # test_bytecode.py
    left_out = unreached_files(FUNCTIONS, PACKAGE, TOOLS)
    source = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*")
        if path.suffix in (".py", ".j2", ".png", ".typ", ".txt", ".json") or path.name == "py.typed"
    }
    assert held == source - set(left_out)
    for name in OPERATORS_ONLY:
        assert f"{name.replace('.', '/')}.py" in left_out


def test_the_models_are_carried_by_the_function_of_jobs_alone() -> None:
    carry = {
        path.name
        for path in FUNCTIONS.iterdir()
        if "fairgate_ops/operate/models.py" in reached_files(path, TOOLS, PACKAGE)
    }
    assert carry == {"jobs"}


_WATCH = """
from fairgate_ops.operate.watch import alarm_book, cost
from fairgate_ops.operate.forecast.assumptions import read_assumptions
from fairgate_ops.operate.capacity.inputs import read_inputs
import infra.functions
for module in (alarm_book, cost, infra.functions):
    assert "/asset." in module.__file__, module.__file__
assert read_assumptions().pages and read_inputs().waiting
print(alarm_book.step_of("ThrottlesHolds"))
"""


def test_the_operators_function_has_the_runbook_and_the_prices_with_it(
    assembly: Assembly, layer: Path
) -> None:
    [code] = assembly.folder.glob("asset.*/fairgate_ops/operate/watch/alarms.md")
    function = code.parents[3]
    path = [str(function), str(layer), sysconfig.get_path("purelib")]
    environment = {"PYTHONPATH": os.pathsep.join(path), "PYTHONDONTWRITEBYTECODE": "1", "PATH": ""}
    command = [sys.executable, "-S", "-c", _WATCH]
    said = subprocess.run(
        command, env=environment, cwd=layer, capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stderr
    assert said.stdout.strip() == steps()["Throttles…"]
    for module in (function / "infra").rglob("*.py"):
        assert "aws_cdk" not in module.read_text("utf-8"), module


def test_a_module_is_brought_in_when_a_function_newly_imports_it(tmp_path: Path) -> None:
    shutil.copytree(FUNCTIONS, tmp_path / "functions")
    before = reached_modules(tmp_path / "functions", PACKAGE)
    assert not OPERATORS_ONLY & before
    handler = tmp_path / "functions/catalog/handler.py"
    late = "\n\ndef publish():\n    from fairgate.service.catalog import event_rows\n"
    handler.write_text(handler.read_text() + late)
    gained = reached_modules(tmp_path / "functions", PACKAGE) - before
    assert "fairgate.service.catalog.event_rows" in gained


@pytest.mark.parametrize(
    ("statement", "reached"),
    [
        ("import shop.shelf.box", {"shop", "shop.shelf", "shop.shelf.box"}),
        ("from shop.shelf import box", {"shop", "shop.shelf", "shop.shelf.box"}),
        ("from shop.shelf import NAME", {"shop", "shop.shelf"}),
        ("from shop import cart", {"shop", "shop.cart", "shop.shelf", "shop.shelf.box"}),
        ("def late():\n    import shop", {"shop"}),
        ("try:\n    import shop\nexcept ImportError:\n    pass", {"shop"}),
        ("import typing\nif typing.TYPE_CHECKING:\n    import shop", set()),
        (
            "if TYPE_CHECKING:\n    import shop\nelse:\n    import shop.shelf",
            {"shop", "shop.shelf"},
        ),
        ("import json", set()),
    ],
)
def test_imports_are_followed_as_python_would(
    statement: str, reached: set[str], tmp_path: Path
) -> None:
    assert reached_modules(*shop(tmp_path, statement)) == reached


def test_a_computed_name_is_refused_when_a_function_reaches_it(tmp_path: Path) -> None:
    statement = "from importlib import import_module\nimport_module('shop.' + 'cart')"
    with pytest.raises(DynamicImportError, match=r"handler\.py:2 imports by a computed name"):
        reached_modules(*shop(tmp_path, statement))


def shop(folder: Path, statement: str) -> tuple[Path, Path]:
    """A function with one import, and a small package: its cart imports its shelf's box."""
    files = {
        "functions/till/handler.py": statement,
        "package/shop/__init__.py": "",
        "package/shop/cart.py": "from .shelf.box import lid",
        "package/shop/shelf/__init__.py": "NAME = 1",
        "package/shop/shelf/box.py": "",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return folder / "functions", folder / "package"
