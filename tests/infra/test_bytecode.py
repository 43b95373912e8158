"""Functions start from bytecode that their Python takes as it is, the same from each build."""

from __future__ import annotations

import importlib.util
import py_compile
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fairgate.version import version
from fairgate_ops.build import layers
from infra import bytecode, shipped

from .conftest import ROOT, Assembly
from .test_layers import FakeInstaller, build

PYTHON = bytecode.interpreter()
needs_python = pytest.mark.skipif(PYTHON is None, reason=bytecode.MISSING)
ASK = "import os, sys; import useful; print(useful.__cached__, useful.where.__code__.co_filename)"


def package(folder: Path) -> Path:
    (folder / "python").mkdir(parents=True)
    (folder / "python/useful.py").write_text(
        "SHOWN = frozenset({'b', 'a', 'c'})\n\n\ndef where():\n    return SHOWN\n"
    )
    return folder


def compiled(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*.pyc"))}


def shipped_by_lambda(assembly: Assembly) -> list[Path]:
    """The folders of the core layer and of each function's own code."""
    handlers = [p.parent for p in assembly.folder.glob("asset.*/handler.py")]
    return [*assembly.folder.glob("asset.*/python/fairgate"), *handlers]


@needs_python
def test_every_module_has_its_bytecode_when_synthesised(assembly: Assembly) -> None:
    folders = shipped_by_lambda(assembly)
    assert len(folders) == 1 + len(list((ROOT / "functions").iterdir()))
    for folder in folders:
        bytecode.check(folder)
        modules = {p.relative_to(folder).with_suffix("") for p in folder.rglob("*.py")}
        made = {
            p.parents[1].relative_to(folder) / p.name.removesuffix(".cpython-313.pyc")
            for p in folder.rglob("*.pyc")
        }
        assert made == modules


@needs_python
def test_builds_are_equal_to_the_byte_when_they_stand_elsewhere(tmp_path: Path) -> None:
    assert PYTHON
    made = []
    for name in ("one", "another"):
        folder = package(tmp_path / name)
        assert bytecode.compile_trees({folder: bytecode.LAYER}, PYTHON) == 1
        made.append(compiled(folder))
    assert made[0] == made[1] != {}


@needs_python
def test_shipped_code_is_equal_to_the_byte_when_it_is_made_twice(tmp_path: Path) -> None:
    one, another = (
        shipped.ship(ROOT / "functions", ROOT / "layers/core", tmp_path / name)
        for name in ("one", "another")
    )
    assert compiled(one.core) == compiled(another.core)
    assert len(compiled(one.core)) > 100
    assert compiled(one.functions) == compiled(another.functions) != {}


@needs_python
def test_bytecode_is_used_and_never_compared_when_its_source_looks_newer(tmp_path: Path) -> None:
    assert PYTHON
    folder = package(tmp_path / "layer")
    bytecode.compile_trees({folder: bytecode.LAYER}, PYTHON)
    source = folder / "python/useful.py"
    source.write_text("raise SystemExit('read the source')\n")
    command = [
        str(PYTHON),
        "-I",
        "-c",
        f"import sys; sys.path[:0] = [{str(source.parent)!r}]; {ASK}",
    ]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert told[0].endswith("useful.cpython-313.pyc")
    assert told[1] == str(source)  # where it lies now, as tracebacks in Lambda show it


def test_bytecode_of_another_python_is_refused(tmp_path: Path) -> None:
    folder = package(tmp_path / "layer")
    made = py_compile.compile(
        str(folder / "python/useful.py"),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    assert made
    other = bytes([bytecode.MAGIC[0] ^ 1]) + bytecode.MAGIC[1:]
    Path(made).write_bytes(other + Path(made).read_bytes()[4:])
    with pytest.raises(bytecode.BytecodeError, match="made for another Python"):
        bytecode.check(folder)


def test_bytecode_that_would_be_compared_with_its_source_is_refused(tmp_path: Path) -> None:
    made = package(tmp_path) / "python/__pycache__/useful.cpython-313.pyc"
    made.parent.mkdir()
    made.write_bytes(bytecode.MAGIC + b"\0\0\0\0" + bytes(8))  # by time and size
    with pytest.raises(bytecode.BytecodeError, match="made again"):
        bytecode.check(tmp_path)


@needs_python
def test_a_module_that_does_not_compile_is_refused_unless_a_package_brought_it(
    tmp_path: Path,
) -> None:
    assert PYTHON
    folder = package(tmp_path / "layer")
    (folder / "python/template.py").write_text("print 'for Python 2'\n")
    with pytest.raises(bytecode.BytecodeError, match=r"/opt/python/template\.py"):
        bytecode.compile_trees({folder: bytecode.LAYER}, PYTHON)
    count = bytecode.compile_trees({folder: bytecode.LAYER}, PYTHON, broken_allowed=True)
    assert count == 1


@pytest.mark.skipif(
    importlib.util.MAGIC_NUMBER == bytecode.MAGIC, reason="these tests run on Lambda's Python"
)
def test_the_tests_own_python_is_not_taken_for_lambdas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bytecode, "_candidates", lambda: [Path(sys.executable), Path("/no/such")])
    assert bytecode.interpreter.__wrapped__() is None


def test_functions_go_without_bytecode_when_lambdas_python_is_not_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bytecode, "interpreter", lambda: None)
    made = shipped.ship(ROOT / "functions", ROOT / "layers/core", tmp_path)
    assert not made.compiled
    assert not compiled(made.core)
    assert (made.core / "python/fairgate/bootstrap.py").is_file()
    written = runpy.run_path(str(made.core / "python/fairgate/version.py"))
    assert written["_SHIPPED"] == version()


@needs_python
def test_a_layer_is_built_again_when_bytecode_becomes_possible(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    (tmp_path / "fonts").write_text("1")
    build(tmp_path, FakeInstaller())
    assert not compiled(tmp_path / "build")
    assert all(layer.fresh for layer in build(tmp_path, FakeInstaller(), python=PYTHON))
    assert len(compiled(tmp_path / "build")) == len(layers.LAYERS) * 2
    bytecode.check(tmp_path / "build")
