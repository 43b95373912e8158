"""One version everywhere, and a changelog that is ready for the next; hooks that fetch nothing."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from fairgate_ops.shared.paths import ROOT

RELEASE = re.compile(r"## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)")
UNRELEASED = "## [Unreleased]"
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def complaints(changelog: str, project: str, package: str) -> list[str]:
    """What is wrong with these three texts together: CHANGELOG, pyproject.toml, package.json."""
    headings = re.findall(r"^## .*$", changelog, re.MULTILINE)
    found = []
    if headings[:1] != [UNRELEASED]:
        found.append(f"CHANGELOG does not begin with {UNRELEASED}")
    releases = [RELEASE.fullmatch(heading) for heading in headings if heading != UNRELEASED]
    if not releases or not all(releases):
        return [*found, "a heading of CHANGELOG is not ## [X.Y.Z] - YYYY-MM-DD"]
    order = [tuple(map(int, release[1].split("."))) for release in releases if release]
    if order != sorted(order, reverse=True):
        found.append("CHANGELOG does not have its newest version first")
    kinds = set(re.findall(r"^### (.*)$", changelog, re.MULTILINE))
    found += [f"CHANGELOG has a part {kind}" for kind in sorted(kinds - KINDS)]
    newest = ".".join(map(str, order[0]))
    for name, version in (
        ("pyproject.toml", tomllib.loads(project)["project"]["version"]),
        ("package.json", json.loads(package)["version"]),
    ):
        if version != newest:
            found.append(f"{name} says {version}, CHANGELOG's newest version is {newest}")
    return found


def test_project_package_and_changelog_have_one_version() -> None:
    texts = [
        (ROOT / name).read_text("utf-8")
        for name in ("CHANGELOG.md", "pyproject.toml", "package.json")
    ]
    assert complaints(*texts) == []


CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2030-01-02\n\n### Added\n\n- x\n"


@pytest.mark.parametrize(
    ("changelog", "project", "package", "expected"),
    [
        (CHANGELOG, "0.2.0", "0.2.0", []),
        (
            CHANGELOG,
            "0.1.0",
            "0.2.0",
            ["pyproject.toml says 0.1.0, CHANGELOG's newest version is 0.2.0"],
        ),
        (
            CHANGELOG,
            "0.2.0",
            "0.3.0",
            ["package.json says 0.3.0, CHANGELOG's newest version is 0.2.0"],
        ),
        (
            CHANGELOG.replace("## [Unreleased]\n\n", ""),
            "0.2.0",
            "0.2.0",
            ["CHANGELOG does not begin with ## [Unreleased]"],
        ),
        (
            CHANGELOG.replace(" - 2030-01-02", ""),
            "0.2.0",
            "0.2.0",
            ["a heading of CHANGELOG is not ## [X.Y.Z] - YYYY-MM-DD"],
        ),
        (
            CHANGELOG + "\n## [0.10.0] - 2030-02-03\n",
            "0.2.0",
            "0.2.0",
            ["CHANGELOG does not have its newest version first"],
        ),
        (
            CHANGELOG.replace("### Added", "### News"),
            "0.2.0",
            "0.2.0",
            ["CHANGELOG has a part News"],
        ),
    ],
)
def test_texts_that_disagree_are_found(
    changelog: str, project: str, package: str, expected: list[str]
) -> None:
    toml = f'[project]\nversion = "{project}"\n'
    assert complaints(changelog, toml, json.dumps({"version": package})) == expected


def test_every_hook_is_a_tool_of_the_project() -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    assert set(re.findall(r"\brepo: *(.*)", text)) == {"local"}
    assert "http" not in text
    entries = re.findall(r"^ +entry: (.+)$", text, re.MULTILINE)
    assert len(entries) == len(re.findall(r"^ +- id: ", text, re.MULTILINE)) > 0
    scripts = json.loads((ROOT / "package.json").read_text("utf-8"))["scripts"]
    for entry in entries:
        tool, *rest = entry.split()
        if tool == "npm":
            assert rest[:2] == ["run", "--silent"], entry
            assert rest[2] in scripts, entry
        else:
            assert Path(tool).parts[:2] == (".venv", "bin"), entry
            assert (ROOT / tool).exists(), entry
