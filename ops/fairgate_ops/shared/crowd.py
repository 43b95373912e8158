"""How many people a command may be told to expect."""

from __future__ import annotations

import argparse

CROWD, CROWD_MAX = 100_000, 100_000_000


def crowd(text: str) -> int:
    """Raises ArgumentTypeError outside of 1 to CROWD_MAX people."""
    if not text.isdecimal() or not 0 < int(text) <= CROWD_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is not 1 to {CROWD_MAX:,}")
    return int(text)
