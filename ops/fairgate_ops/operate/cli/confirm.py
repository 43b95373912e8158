"""Ask before what cannot be taken back."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from fairgate.errors import FairgateError, WrongStateError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

_YES = ("y", "yes")


def add_yes(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--yes", action="store_true", help="do not ask; for scripts")


def confirm(options: argparse.Namespace, ends: Sequence[str]) -> None:
    """Say what it ends and wait for a yes; ``--yes`` has said so, and a dry run ends nothing.

    Args:
        ends: what cannot be taken back, a line each.

    Raises:
        WrongStateError: the answer was another, or nobody is there to ask.
    """
    if options.yes or options.dry_run:
        return
    if options.json or not sys.stdin.isatty():
        told = " ".join(line.strip() for line in ends)
        raise WrongStateError(f"{told} Say so with --yes.")
    print(*ends, sep="\n", file=sys.stderr)
    print("Do it? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in _YES:
        raise WrongStateError("Nothing was changed.")


def confirm_possible(options: argparse.Namespace, tried: Callable[[], object], ends: str) -> None:
    """Ask as ``confirm`` does, unless it is refused anyway: the act itself says and logs why.

    Args:
        tried: the act as a dry run.
    """
    if options.yes or options.dry_run:
        return
    try:
        tried()
    except FairgateError:
        return
    confirm(options, [ends])
