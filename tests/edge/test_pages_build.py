"""The bundle of the pages: what its files name, and what a change of the sources changes."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
import shutil
import struct
from pathlib import Path

import pytest

from infra.headers import content_security_policy
from tests.support import pages_build
from tests.support.pages_build import WEB, build, pages

pytestmark = [
    pytest.mark.node,
    pytest.mark.skipif(pages_build.missing() is not None, reason=str(pages_build.missing())),
]
HASHED = re.compile(r"[\w-]+-[A-Z0-9]{8}\.(js|css|png)")
CONSOLE_BYTES_MAX = 120_000  # of gzip
NAMED = re.compile(r"""["'`](?:\./|/assets/)([\w.-]+)["'`]""")


def release(folder: Path) -> dict[str, str]:
    """Its files, each with its text; a picture's bytes as if they were letters."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.name: path.read_text(_encoding(path)) for path in files}


def _encoding(path: Path) -> str:
    return "latin-1" if path.suffix == ".png" else "utf-8"


def words(files: dict[str, str]) -> set[str]:
    """Names of the words' files: a language and a part each, with the hash that early.js knows."""
    (early,) = re.findall(r"<script[^>]*>(.+?)</script>", files["index.html"])
    (ending,) = re.findall(r"-[A-Z0-9]{8}\.js", early)
    languages = set(re.findall(r'"(\w\w)"', early))
    assert len(languages) == 9
    return {
        f"{part}-{language}{ending}"
        for part in ("first", "map", "later", "rules")
        for language in languages
    }


def changed(folder: Path, name: str, added: str) -> dict[str, str]:
    """The release of sources in which one file has a text more."""
    source = shutil.copytree(WEB, folder / "source")
    with (source / "assets" / name).open("a", encoding="utf-8") as file:
        file.write(added)
    build(folder / "made", source)
    return release(folder / "made")


def test_every_file_is_named_by_another_and_every_name_leads_to_one() -> None:
    files = release(pages())
    named = {name for text in files.values() for name in NAMED.findall(text)} | words(files)
    assert named == set(files) - {"index.html", "console.html"}
    assert all(HASHED.fullmatch(name) for name in named)
    views = {path.name for path in (WEB / "assets" / "js").glob("view-*.js")}
    later = views - {"view-events.js", "view-landing.js"}
    assert {re.sub("-[A-Z0-9]{8}", "", name) for name in named} >= later | {"pow-worker.js"}


def test_the_first_page_is_one_script_after_an_early_one_that_its_policy_names() -> None:
    page = release(pages())["index.html"]
    assert re.findall(r"/assets/[\w-]+\.(\w+)", page) == ["png", "css", "js"]
    assert not re.search(r"\sstyle=|<style", page)
    (early,) = re.findall(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", page)
    digest = base64.b64encode(hashlib.sha256(early.encode()).digest()).decode()
    policy = content_security_policy(page)
    assert f"script-src 'self' 'sha256-{digest}';" in policy
    assert content_security_policy(page.replace(early, early + " ")) != policy
    (script,) = re.findall(r"/assets/([\w-]+\.js)", page)
    assert not re.search(r"^import\b|;import\b(?!\()", release(pages())[script])


@pytest.mark.parametrize(
    ("name", "added"),
    [
        *((f"js/{name}.js", "console.log(1);") for name in ("view-sale", "sha256", "api")),
        ("css/map.css", "b{color:red}"),
        *((name, "<!-- -->") for name in ("icon.svg", "card.png")),
        ("../words/en/first.ftl", "more = more\n"),
        ("../words/en/room.ftl", "more = more\n"),
    ],
)
def test_a_change_gives_another_page_and_no_name_another_content(
    tmp_path: Path, name: str, added: str
) -> None:
    old, new = release(pages()), changed(tmp_path, name, added)
    assert new.pop("index.html") != old["index.html"]
    same = set(old) & set(new) - {"console.html"}
    assert {name: old[name] for name in same} == {name: new[name] for name in same}
    # Built over another release, nothing of that stays.
    build(tmp_path / "made")
    assert release(tmp_path / "made") == old


def test_the_first_page_of_the_console_is_small_and_no_buyer_loads_it() -> None:
    files = release(pages())
    first = at_once(files, re.findall(r"/assets/([\w.-]+)", files["console.html"]))
    assert {Path(name).suffix for name in first} == {".css", ".js"}
    assert sum(len(gzip.compress(files[name].encode())) for name in first) <= CONSOLE_BYTES_MAX
    named = " ".join(text for name, text in files.items() if not name.startswith("console"))
    assert "console-" not in named


def at_once(files: dict[str, str], names: list[str]) -> set[str]:
    """The files of these names with all that they import before they run."""
    found: set[str] = set()
    while names:
        name = names.pop()
        if name not in found:
            found.add(name)
            names += re.findall(r"""(?:import|from)\s*["']\./([\w.-]+)["']""", files[name])
    return found


def test_the_picture_of_previews_has_the_size_that_they_show() -> None:
    picture = (WEB / "assets" / "card.png").read_bytes()
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    assert len(picture) < 50_000
