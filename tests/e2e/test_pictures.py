"""`make pictures` on the running system: it makes what docs/organising.md shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairgate_ops.run.pictures.__main__ import Album, make_all
from fairgate_ops.shared.paths import ROOT
from tests.e2e import browser
from tests.support.lengths import in_full_only
from tests.support.running import Running

SALE_START_IN_S = 60.0


@in_full_only("a walk by all pages that `make pictures` takes as well")
@pytest.mark.skipif(bool(browser.missing()), reason=browser.missing() or "")
def test_every_picture_of_the_documentation_is_made_anew(system: Running, tmp_path: Path) -> None:
    if reason := browser.driver_fault():
        pytest.skip(reason)
    system.system.follow_rehearsals()
    make_all(system.run_file, Album(tmp_path, None), SALE_START_IN_S)
    shown = {file.name for file in (ROOT / "docs" / "pictures").iterdir()}
    assert {file.name for file in tmp_path.iterdir()} == shown
    assert all(file.read_bytes().startswith(b"RIFF") for file in tmp_path.iterdir())
