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
