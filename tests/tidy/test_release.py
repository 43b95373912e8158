"""The version is in pyproject.toml alone, and the changelog has its heading."""

from __future__ import annotations

import json
import re
import tomllib

from fairgate_ops.shared.paths import ROOT

RELEASE = re.compile(r"## \[(\d+)\.(\d+)\.(\d+)\] - \d{4}-\d\d-\d\d")


def test_the_version_is_the_newest_one_of_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    unreleased, *headings = re.findall(r"^## .*$", changelog, re.MULTILINE)
    assert unreleased == "## [Unreleased]"
    assert [heading for heading in headings if not RELEASE.fullmatch(heading)] == []
    releases = [tuple(map(int, found)) for found in RELEASE.findall(changelog)]
    assert releases == sorted(releases, reverse=True)
    newest = ".".join(map(str, releases[0]))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == newest
    assert "version" not in json.loads((ROOT / "package.json").read_text("utf-8"))


def sale_words(changelog: str) -> dict[str, list[str]]:
    """What each part of the changelog says of deploying it during a sale, by its heading."""
    _, *parts = re.split(r"^## ", changelog, flags=re.MULTILINE)
    return {
        part.split("\n", 1)[0]: re.findall(
            r"^\*\*During a sale:\*\* (yes|no)\b", part, re.MULTILINE
        )
        for part in parts
    }


def test_each_version_says_whether_it_may_be_deployed_during_a_sale() -> None:
    said = sale_words((ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert len(said) >= 3
    assert {heading for heading, words in said.items() if len(words) != 1} == set()


def test_a_version_that_does_not_say_so_is_found() -> None:
    said = sale_words(
        "## [2]\n\n**During a sale:** perhaps.\n\n## [1]\n\n**During a sale:** yes.\n"
    )
    assert said == {"[2]": [], "[1]": ["yes"]}
