"""End a command that runs for minutes as people and scripts expect."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import NoReturn

INTERRUPTED, TERMINATED = 130, 143  # 128 and the signal's number


def heed_signals() -> None:
    """Let SIGINT and SIGTERM raise KeyboardInterrupt, also where the parent ignores them."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)


def ends_with(*refusals: type[Exception]) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Let a command's ``main`` end with 1 and the error's text, or with 130 after Ctrl-C.

    SIGTERM raises SystemExit (143), so that what it started is ended as well. Both signals count
    where the parent ignores them, as a shell does for a job in the background.

    Args:
        refusals: the errors with a text for the caller of the command.
    """

    def decorate(main: Callable[..., int]) -> Callable[..., int]:
        @wraps(main)
        def run(arguments: Sequence[str] | None = None) -> int:
            before = signal.signal(signal.SIGTERM, _leave)
            before_int = signal.signal(signal.SIGINT, signal.default_int_handler)
            try:
                return main(arguments)
            except refusals as error:
                print(error, file=sys.stderr)
                return 1
            except KeyboardInterrupt:
                return INTERRUPTED
            finally:
                signal.signal(signal.SIGTERM, before)
                signal.signal(signal.SIGINT, before_int)

        return run

    return decorate


def _leave(*_signal: object) -> NoReturn:
    sys.exit(TERMINATED)
