"""One version stands everywhere, and the changelog is ready for the next."""

from __future__ import annotations

import json
import re
import tomllib

from fairgate_ops.shared.paths import ROOT

RELEASE = re.compile(r"## \[(\d+)\.(\d+)\.(\d+)\] - \d{4}-\d\d-\d\d")


def test_project_package_and_changelog_have_one_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    unreleased, *headings = re.findall(r"^## .*$", changelog, re.MULTILINE)
    assert unreleased == "## [Unreleased]"
    assert [heading for heading in headings if not RELEASE.fullmatch(heading)] == []
    releases = [tuple(map(int, found)) for found in RELEASE.findall(changelog)]
    assert releases == sorted(releases, reverse=True)
    newest = ".".join(map(str, releases[0]))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    package = json.loads((ROOT / "package.json").read_text("utf-8"))
    assert {project["version"], package["version"]} == {newest}
