"""``python -m fairgate_lab.emulator.additions.start``: the emulator with what it lacks."""

from __future__ import annotations

import os

from ministack.app import main

from fairgate_lab.emulator.additions import (
    access,
    cloudformation,
    cloudfront,
    layers,
    pipes,
    told,
)


def start() -> None:
    """Serve until told to stop. Raises AdditionError: the emulator is not as expected."""
    for addition in (access, cloudformation, cloudfront, layers, pipes):
        addition.add()
    # A function finds what its layers hold and nothing of this checkout.
    os.environ["PYTHONPATH"] = os.environ[told.INTERPRETER]
    main()


if __name__ == "__main__":
    start()
