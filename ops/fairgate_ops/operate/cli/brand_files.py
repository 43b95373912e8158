"""Take the files of ``--logo`` and ``--picture``, and keep them where pages load them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fairgate.domain.catalog.brand_files import NAMES, address_of, kept_at

if TYPE_CHECKING:
    import argparse

    from fairgate_ops.operate.target import Target


def taken(options: argparse.Namespace, fact: str, named: str) -> str:
    """Return the address that the named file will have, and note what is to be kept there.

    An address stays as it is: an event's file has it.

    Raises MalformedInputError: the file is no picture, or not within the bounds.
    """
    from fairgate_ops.operate.importers.brand import ENCODED

    if not named or kept_at(fact, named):
        return named
    body = ENCODED[fact](Path(named))
    address = address_of(fact, body)
    options.files = {**getattr(options, "files", {}), (fact, address): body}
    return address


def take_files(options: argparse.Namespace, target: Target) -> None:
    """Put the address of each file that was named among the options. Raises MalformedInputError."""
    from fairgate.errors import MalformedInputError, NotFoundError
    from fairgate_ops.operate.cli.typed_names import placed

    for fact in NAMES:
        named = getattr(options, fact, "")
        with placed(options, f"--{fact}"):
            address = taken(options, fact, named)
            if address == named and (kept := kept_at(fact, address)):
                if (fact, address) in getattr(options, "files", {}):
                    continue
                try:
                    target.world.layouts.read(*kept)
                except NotFoundError as error:
                    raise MalformedInputError(
                        f"{address} is not kept here: give the picture's file."
                    ) from error
        if hasattr(options, fact):
            setattr(options, fact, address)


def keep_files(options: argparse.Namespace, target: Target) -> None:
    """Write the files, before an event names them."""
    for (fact, address), body in getattr(options, "files", {}).items():
        if kept := kept_at(fact, address):
            target.world.layouts.write(*kept, body)
