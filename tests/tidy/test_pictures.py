"""The pictures of the documentation are shown, said in words, and small."""

from __future__ import annotations

import re

from fairgate_ops.shared.paths import ROOT

PICTURES = ROOT / "docs" / "pictures"
PAGE = (ROOT / "docs" / "organising.md").read_text("utf-8")
BYTES_MAX = 600_000
ALT_WORDS_MIN = 5


def test_every_picture_is_shown_once_and_every_one_shown_is_there() -> None:
    shown = re.findall(r'<img src="pictures/([^"]+)"', PAGE)
    assert sorted(shown) == sorted(file.name for file in PICTURES.iterdir())


def test_every_picture_says_in_words_what_is_seen() -> None:
    said = re.findall(r'<img src="pictures/[^"]+" width="\d+" alt="([^"]+)">', PAGE)
    assert len(said) == PAGE.count("<img ")
    assert min(len(words.split()) for words in said) >= ALT_WORDS_MIN


def test_together_they_are_small() -> None:
    assert 0 < sum(file.stat().st_size for file in PICTURES.iterdir()) < BYTES_MAX
