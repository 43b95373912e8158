"""What can be typed of ``fairgate cache``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairgate_ops.operate.cli.box_office_arguments import AddVerb

AT_ONCE, AT_ONCE_MAX = 4, 32


def add_cache(verbs: Any, add_verb: AddVerb) -> None:
    again = add_verb(
        verbs,
        "rebuild",
        "Fill the availability cache from the table, while reads and changes go on.",
    )
    again.add_argument("event")
    again.add_argument(
        "--place",
        action="append",
        metavar="ID",
        help="only this section or area; repeat for more (default: all)",
    )
    again.add_argument(
        "--forget",
        action="store_true",
        help="first forget what is cached, even if newer: after the table was restored",
    )
    again.add_argument(
        "--at-once",
        type=_at_once,
        default=AT_ONCE,
        metavar="N",
        help=f"so many sections at a time (default: {AT_ONCE})",
    )


def _at_once(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= AT_ONCE_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is not 1 to {AT_ONCE_MAX}")
    return int(text)
