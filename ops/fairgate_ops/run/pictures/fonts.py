"""The fonts that `make setup` builds, for a Chromium whose pictures are the same anywhere."""

from __future__ import annotations

import os
from pathlib import Path

from fairgate_ops.build.fonts import FAMILIES
from fairgate_ops.shared.paths import ROOT

FONTS = ROOT / "build" / "fonts" / FAMILIES
UNHINTED = "--font-render-hinting=none"
_SLICES = ("latin", "latin-ext", "greek", "symbols", "emoji-2")
_FAMILY = "fg latin"  # as build/fonts.py names it


def font_environment(folder: Path) -> dict[str, str]:
    """Return the environment of a program that has no other fonts; writes into ``folder``."""
    found = "".join(f"<dir>{FONTS / name}</dir>" for name in _SLICES)
    aliases = "".join(
        f'<alias binding="same"><family>{name}</family>'
        f"<prefer><family>{_FAMILY}</family></prefer></alias>"
        for name in ("Noto Sans", "sans-serif", "monospace")
    )
    conf = folder / "fonts.conf"
    conf.write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">'
        f"<fontconfig>{found}<cachedir>{folder}</cachedir>{aliases}</fontconfig>"
    )
    return {**os.environ, "FONTCONFIG_FILE": str(conf)}
