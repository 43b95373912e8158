"""The release before this one, as a checkout of its own, from the history of this one."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

_RELEASE = re.compile(r"^## \[(\d+\.\d+\.\d+)\]", re.MULTILINE)


class NoHistoryError(Exception):
    """The release before is not in the history of this checkout, or there is no history."""


def former_release(folder: Path) -> str:
    """Write the last release into ``folder``, which is made; return its version.

    Raises NoHistoryError.
    """
    version = _RELEASE.findall((ROOT / "CHANGELOG.md").read_text("utf-8"))[0]
    commit = _commit_of(version)
    folder.mkdir(parents=True)
    files = _git("archive", commit)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=files, check=True)
    (folder / "node_modules").symlink_to(ROOT / "node_modules", target_is_directory=True)
    (folder / "build").mkdir()
    (folder / "build" / "fonts").symlink_to(ROOT / "build" / "fonts", target_is_directory=True)
    return version


def _commit_of(version: str) -> str:
    """Return the tagged commit, or without a tag the one that gave the project this version."""
    try:
        return _git("rev-parse", f"v{version}^{{commit}}").decode().strip()
    except NoHistoryError:
        named = _git("log", "--format=%H", f'-Sversion = "{version}"', "--", "pyproject.toml")
    commits = named.decode().split()
    if not commits:
        raise NoHistoryError(f"no commit gave the project the version {version}")
    return commits[-1]


def _git(*words: str) -> bytes:
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise NoHistoryError(f"git {words[0]}: {error}") from error
    return done.stdout
