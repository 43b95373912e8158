"""Layers hold what the lock says, for the machine that Lambda is, and are not built twice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from fairgate.domain.shared.printable import ranges_text
from fairgate_ops.build import fonts, layers

from .conftest import ROOT


class FakeInstaller:
    """Stands for uv: notes the command and leaves a package with what packages bring along."""

    def __init__(self, *, fails: bool = False) -> None:
        self.commands: list[list[str]] = []
        self.fails = fails

    def __call__(self, command: Sequence[str]) -> None:
        self.commands.append(list(command))
        target = Path(command[command.index("--target") + 1])
        for name in (
            "useful/__pycache__/code.pyc",
            "useful/code.py",
            "useful/bin/kept.py",
            "bin/script",
            "botocore/session.py",
            "botocore-1.0.dist-info/METADATA",
            "six.py",
        ):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_text("x" * 100)
        if self.fails:
            raise layers.LayerError("uv could not install a layer")


def build(
    repository: Path,
    installer: FakeInstaller,
    size_max_bytes: int = layers.UNZIPPED_MAX_BYTES,
    python: Path | None = None,
) -> list[layers.Built]:
    return layers.build(
        repository,
        installer,
        python=python,
        size_max_bytes=size_max_bytes,
        build_fonts=fake_fonts,
    )


def fake_fonts(root: Path) -> Path:
    folder = root / "build/fonts" / fonts.FAMILIES
    folder.mkdir(parents=True, exist_ok=True)
    (folder / fonts.STAMP).write_text((root / "fonts").read_text())
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "fonts").write_text("1")
    (tmp_path / "requirements").mkdir()
    for name in layers.LAYERS:
        (tmp_path / "requirements" / f"{name}.txt").write_text(f"{name}==1.0\n")
    return tmp_path


def test_layers_are_built_for_lambda_from_hashed_wheels_when_missing(repository: Path) -> None:
    installer = FakeInstaller()
    built = build(repository, installer)
    assert [(layer.name, layer.fresh) for layer in built] == [(n, True) for n in layers.LAYERS]
    for command in installer.commands:
        text = " ".join(command)
        assert "--python-platform aarch64-manylinux_2_28" in text
        assert "--python-version 3.13" in text
        assert "--only-binary :all:" in text
        assert "--require-hashes" in command


def test_layer_holds_only_what_is_imported_when_built(repository: Path) -> None:
    build(repository, FakeInstaller())
    packages = repository / "build/layers/vendor/python"
    files = sorted(str(path.relative_to(packages)) for path in packages.rglob("*.*"))
    assert files == ["useful/bin/kept.py", "useful/code.py"]


def test_nothing_is_installed_when_the_requirements_are_the_same(repository: Path) -> None:
    build(repository, FakeInstaller())
    again = FakeInstaller()
    assert not any(layer.fresh for layer in build(repository, again))
    assert again.commands == []


def test_only_the_changed_layer_is_built_when_one_lock_changes(repository: Path) -> None:
    build(repository, FakeInstaller())
    (repository / "requirements/crypto.txt").write_text("crypto==2.0\n")
    fresh = [layer.name for layer in build(repository, FakeInstaller()) if layer.fresh]
    assert fresh == ["crypto"]


def test_layer_is_built_again_when_the_last_build_broke_off(repository: Path) -> None:
    with pytest.raises(layers.LayerError):
        build(repository, FakeInstaller(fails=True))
    assert not (repository / "build/layers/vendor").exists()
    assert build(repository, FakeInstaller())[0].fresh


def test_layers_are_refused_when_lambda_could_not_hold_them(repository: Path) -> None:
    many = "layers of jobs have 601 bytes unzipped, and Lambda takes 600"
    with pytest.raises(layers.LayerError, match=many):
        # That function has three of the layers, of 200 bytes, and fonts of 1.
        build(repository, FakeInstaller(), size_max_bytes=600)
    assert build(repository, FakeInstaller(), size_max_bytes=601)


def test_build_says_which_lock_is_missing_when_it_is(repository: Path) -> None:
    (repository / "requirements/crt.txt").unlink()
    with pytest.raises(layers.LayerError, match=r"crt\.txt is missing"):
        build(repository, FakeInstaller())


@pytest.mark.parametrize("name", layers.LAYERS)
def test_lock_pins_every_package_by_hash_when_read(name: str) -> None:
    lines = (ROOT / "requirements" / f"{name}.txt").read_text().splitlines()
    pinned = [line for line in lines if "==" in line and not line.startswith((" ", "#"))]
    assert pinned
    text = "\n".join(lines)
    assert text.count("--hash=sha256:") >= len(pinned)


def test_the_ticket_layer_has_the_fonts_and_is_built_anew_with_them(repository: Path) -> None:
    build(repository, FakeInstaller())
    packages = repository / "build/layers"
    assert (packages / "tickets/python" / fonts.FAMILIES / fonts.STAMP).is_file()
    assert not (packages / "vendor/python" / fonts.FAMILIES).exists()
    (repository / "fonts").write_text("2")
    fresh = [layer.name for layer in build(repository, FakeInstaller()) if layer.fresh]
    assert fresh == ["tickets"]


def test_fonts_are_refused_without_their_packages(tmp_path: Path) -> None:
    with pytest.raises(fonts.FontError, match="run `make setup`"):
        fonts.build(tmp_path)


def test_the_core_lists_the_characters_that_the_built_fonts_have() -> None:
    folder = fonts.build(ROOT)
    listed = (ROOT / "layers/core/python/fairgate/domain/shared/printable.txt").read_text("utf-8")
    other = json.loads((folder / "other.json").read_text("utf-8"))
    han = {
        one
        for script in ("jp", "kr", "sc", "tc")
        for text in json.loads((folder / f"{script}.json").read_text("utf-8")).values()
        for one in text
    }
    lines = [ranges_text(name, text) for name, text in other.items()]
    assert listed.splitlines() == [*lines, ranges_text("han", han)]
