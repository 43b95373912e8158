"""``python -m fairgate_ops.build.fonts``: build the fonts of tickets and invoices.

The sources are the Noto packages in ``node_modules`` (SIL Open Font License): variable fonts, each
cut into slices of a script. Each slice becomes a static TrueType font of a family of its own, so
that a document loads and holds only what it writes. Chinese, Japanese and Korean have one weight.
``jp.json``, ``kr.json``, ``sc.json``, ``tc.json`` and ``other.json`` beside them list the characters
of each family, in the order in which they are asked; ``domain/shared/printable.txt`` lists all.
Nothing is done when nothing has changed.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fairgate.domain.shared.printable import ranges_text

FAMILIES = "fairgate_fonts"
STAMP = "built-from"  # the file with the fingerprint of what it was built from
_SOURCES = "node_modules/@fontsource-variable"
_WEIGHTS = {"regular": 400, "bold": 700}
_ONE_WEIGHT = {"jp": 450, "kr": 450, "sc": 450, "tc": 450}
_RECIPE = "5"  # another one builds the fonts anew
_LIST = "layers/core/python/fairgate/domain/shared/printable.txt"
_SUFFIX = "-wght-normal.woff2"
_LATIN = ("latin", "latin-ext", "vietnamese", "greek", "greek-ext", "cyrillic", "cyrillic-ext")


class FontError(Exception):
    """The packages of the fonts are missing."""


def build(root: Path) -> Path:
    """Return the folder of the fonts, up to date.

    Args:
        root: of the repository, with its ``node_modules``.

    Raises:
        FontError: the packages are not installed.
    """
    sources = list(_slices(root / _SOURCES))
    if not sources:
        raise FontError(f"{root / _SOURCES} has no fonts: run `make setup`")
    folder = root / "build" / "fonts" / FAMILIES
    stamp = folder / STAMP
    wanted = fingerprint([path for _, path in sources])
    if stamp.is_file() and stamp.read_text() == wanted:
        return folder
    making = folder.with_name(f".{FAMILIES}.making")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(parents=True)
    index: dict[str, dict[str, str]] = {}
    for family, path in sources:
        script = family.partition("-")[0]
        group = index.setdefault(script if script in _ONE_WEIGHT else "other", {})
        group[family] = _family(making / family, family, path.read_bytes())
    _list_characters(root / _LIST, index)
    for name, group in index.items():
        (making / f"{name}.json").write_text(json.dumps(group, ensure_ascii=False), "utf-8")
    (making / "__init__.py").write_text('"""Fonts of tickets and invoices: SIL OFL 1.1."""\n')
    shutil.copy(root / _SOURCES / "noto-sans" / "LICENSE", making / "LICENSE")
    (making / STAMP).write_text(wanted)
    shutil.rmtree(folder, ignore_errors=True)
    making.rename(folder)
    return folder


def _list_characters(path: Path, index: Mapping[str, Mapping[str, str]]) -> None:
    """Write what the core refuses other characters by."""
    lines = [ranges_text(name, text) for name, text in index["other"].items()]
    han = {one for script in _ONE_WEIGHT for text in index[script].values() for one in text}
    lines.append(ranges_text("han", han))
    path.write_text("\n".join(lines) + "\n", "utf-8")


def fingerprint(paths: Sequence[Path]) -> str:
    """Change when a package or the way of building does."""
    said = [_RECIPE, *(f"{path.name} {path.stat().st_size}" for path in paths)]
    said += [path.read_text() for path in sorted({p.parent.parent / "package.json" for p in paths})]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()


def _slices(sources: Path) -> Iterator[tuple[str, Path]]:
    """Yield family and file: Latin first, and of each other package only its own script."""
    latin = sources / "noto-sans"
    for part in _LATIN:
        if (path := latin / "files" / f"noto-sans-{part}{_SUFFIX}").is_file():
            yield part, path
    for package in sorted(sources.glob("noto-*")):
        script = package.name.removeprefix("noto-").removeprefix("sans-")
        for path in sorted((package / "files").glob(f"*{_SUFFIX}")) if package != latin else ():
            part = path.name.removeprefix(f"{package.name}-").removesuffix(_SUFFIX)
            if part == script or part.isdecimal():
                yield script + (f"-{part}" if part != script else ""), path


def _family(folder: Path, family: str, packed: bytes) -> str:
    """Write a slice's fonts. Return its characters."""
    from fontTools.ttLib import TTFont

    font = TTFont(io.BytesIO(packed))
    font.flavor = None
    variable = io.BytesIO()
    font.save(variable)
    folder.mkdir()
    one = _ONE_WEIGHT.get(family.partition("-")[0])
    for weight in (one,) if one else _WEIGHTS.values():
        static = TTFont(io.BytesIO(_pinned(variable.getvalue(), weight)))
        static["name"].names = []
        style = "Bold" if weight == _WEIGHTS["bold"] else "Regular"
        for place, text in ((1, f"fg {family}"), (2, style), (6, f"fg-{family}-{style}")):
            static["name"].setName(text, place, 3, 1, 0x409)
        static.save(folder / f"{weight}.ttf")
    return "".join(map(chr, sorted(font.getBestCmap())))


def _pinned(variable: bytes, weight: int) -> bytes:
    """Return the font at one weight, and at the width that text has."""
    import uharfbuzz

    face = uharfbuzz.Face(uharfbuzz.Blob(variable))
    how: Any = uharfbuzz.SubsetInput()
    how.keep_everything()
    how.pin_axis_location(face, "wght", weight)
    if "wdth" in {axis.tag for axis in face.axis_infos}:
        how.pin_axis_location(face, "wdth", 100)
    return bytes(uharfbuzz.subset(face, how).blob.data)


def main() -> int:
    try:
        folder = build(Path.cwd())
    except FontError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"fonts {size / 1024**2:.1f} MB  {folder.relative_to(Path.cwd())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
