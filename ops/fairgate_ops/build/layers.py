"""``python -m fairgate_ops.build.layers``: build the third-party Lambda layers, without Docker.

Each layer is what its locked requirements name, as wheels for the machine that Lambda runs on,
checked against their hashes, with bytecode for its Python where that is at hand. A layer whose
requirements have not changed is left alone.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairgate_ops.build import fonts
from infra import bytecode
from infra.functions import FUNCTIONS

LAYERS = ("vendor", "crypto", "crt", "stripe", "tickets", "pictures", "operators")
PLATFORM = "aarch64-manylinux_2_28"  # Lambda's Python 3.13 runs on Amazon Linux 2023: glibc 2.34
PYTHON = bytecode.VERSION
# A function and all its layers, unzipped. Source: Lambda Developer Guide, Lambda quotas.
UNZIPPED_MAX_BYTES = 250 * 1024 * 1024
_STAMP = fonts.STAMP
# Lambda's runtime has these, matched to each other; a layer's botocore would come before the
# runtime's and meet a boto3 that it was not made for.
_IN_RUNTIME = ("boto3", "botocore", "dateutil", "jmespath", "s3transfer", "six.py", "urllib3")
_IN_RUNTIME_INFO = (
    "boto3-",
    "botocore-",
    "jmespath-",
    "python_dateutil-",
    "s3transfer-",
    "six-",
    "urllib3-",
)
_USELESS = ("bin", "share", ".lock")  # scripts and manual pages of the packages
_TESTS = "tests"  # folders of packages, of which nothing else imports

Run = Callable[[Sequence[str]], None]


class LayerError(Exception):
    """A layer could not be built, or is larger than Lambda takes."""


@dataclass(frozen=True)
class Built:
    name: str
    size_bytes: int
    fresh: bool  # built by this call; otherwise it was up to date


def build(
    root: Path,
    run: Run | None = None,
    *,
    python: Path | None = None,
    names: Sequence[str] = LAYERS,
    size_max_bytes: int = UNZIPPED_MAX_BYTES,
    build_fonts: Callable[[Path], Path] = fonts.build,
) -> list[Built]:
    """Every layer, up to date, under ``root/build/layers``.

    Args:
        root: of the repository; holds ``requirements/<layer>.txt``.
        run: runs one command; only tests replace it.
        python: of Lambda's version, which compiles the layers; without it they go uncompiled.
        names: of the layers; another release has others.
        size_max_bytes: for all layers of a function together.
        build_fonts: makes the folder of the ticket layer's fonts; only tests replace it.

    Raises:
        LayerError: requirements missing, a wheel that does not exist for Lambda, a size too large.
        FontError: the packages of the fonts are missing.
    """
    more = {"tickets": [build_fonts(root)]}
    built = [_layer(root, name, run or _run, python, more.get(name, [])) for name in names]
    sizes = {layer.name: layer.size_bytes for layer in built}
    for spec in FUNCTIONS:
        total = sum(sizes.get(name, 0) for name in spec.layers)
        if total > size_max_bytes:
            raise LayerError(
                f"the layers of {spec.name} have {total:,} bytes unzipped, and Lambda takes"
                f" {size_max_bytes:,}"
            )
    return built


def _layer(root: Path, name: str, run: Run, python: Path | None, more: Sequence[Path]) -> Built:
    """Build a layer of its requirements and ``more`` packages."""
    requirements = root / "requirements" / f"{name}.txt"
    if not requirements.is_file():
        raise LayerError(f"{requirements} is missing")
    folder = root / "build" / "layers" / name
    stamp = folder.with_name(f"{name}.{_STAMP}")
    said = b"".join(path.read_bytes() for path in (requirements, *(p / fonts.STAMP for p in more)))
    wanted = fingerprint(said, compiled=python is not None)
    if folder.is_dir() and stamp.is_file() and stamp.read_text().strip() == wanted:
        return Built(name, size_of(folder), fresh=False)
    stamp.unlink(missing_ok=True)
    # Built beside its place and moved there whole, so that a build cut short leaves no half layer.
    making = folder.with_name(f".{name}.making")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(parents=True)
    run(install_command(requirements, making / "python"))
    _tidy(making / "python")
    for package in more:
        shutil.copytree(package, making / "python" / package.name)
    if python is not None:
        bytecode.compile_trees({making: bytecode.LAYER}, python, broken_allowed=True)
    shutil.rmtree(folder, ignore_errors=True)
    making.rename(folder)
    stamp.write_text(wanted + "\n")
    return Built(name, size_of(folder), fresh=True)


def fingerprint(requirements: bytes, *, compiled: bool) -> str:
    """Changes when the locked requirements or the way of building them do."""
    bytes_of = ["bytecode", bytecode.MAGIC.hex()] if compiled else []
    tidied = (*_IN_RUNTIME, _TESTS)
    recipe = " ".join([*install_command(Path("r"), Path("t"))[1:], *tidied, *bytes_of])
    return hashlib.sha256(recipe.encode() + b"\n" + requirements).hexdigest()


def install_command(requirements: Path, target: Path) -> list[str]:
    return [
        uv(),
        "pip",
        "install",
        "--quiet",
        "--target",
        str(target),
        "--python-platform",
        PLATFORM,
        "--python-version",
        PYTHON,
        "--only-binary",
        ":all:",
        "--require-hashes",
        "--no-compile-bytecode",
        "--link-mode",
        "copy",
        "-r",
        str(requirements),
    ]


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _tidy(packages: Path) -> None:
    """Leave what is imported and nothing else: the same files whatever machine built them."""
    for path in list(packages.iterdir()):
        if path.name in _IN_RUNTIME + _USELESS or path.name.startswith(_IN_RUNTIME_INFO):
            _remove(path)
    for name in ("__pycache__", _TESTS):
        for path in [found for found in packages.rglob(name) if found.is_dir()]:
            shutil.rmtree(path, ignore_errors=True)  # one may lie in another


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def uv() -> str:
    """uv stands beside this interpreter, or on the path."""
    beside = Path(sys.executable).with_name("uv")
    return str(beside) if beside.is_file() else "uv"


def _run(command: Sequence[str]) -> None:
    try:
        subprocess.run(command, check=True)
    except FileNotFoundError as error:
        raise LayerError("uv is missing: run `make setup`") from error
    except subprocess.CalledProcessError as error:
        raise LayerError(f"uv could not install a layer (status {error.returncode})") from error


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="fairgate_ops.build.layers", description=__doc__)
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="of the repository")
    root: Path = parser.parse_args(arguments).root
    python = bytecode.interpreter()
    if python is None:
        print(f"warning: {bytecode.MISSING}", file=sys.stderr)
    try:
        for layer in build(root, python=python):
            state = "built" if layer.fresh else "up to date"
            print(f"layer {layer.name:<8} {layer.size_bytes / 1024**2:6.1f} MB  {state}")
    except (LayerError, fonts.FontError, bytecode.BytecodeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
