"""What an operator may have done at a rehearsal while simulated buyers buy: scripts by name."""

from __future__ import annotations

from typing import NamedTuple


class Timed(NamedTuple):
    """A command that is done so long after the sale start; EVENT stands for the event."""

    after_s: float
    do: str


class RehearsalScript(NamedTuple):
    """A script: its sentence, and its commands in their order."""

    about: str
    acts: tuple[Timed, ...] = ()


SCRIPTS: dict[str, RehearsalScript] = {
    "calm": RehearsalScript("Nothing is done: the sale goes on by itself."),
    "pause-and-go-on": RehearsalScript(
        "20 seconds after its start the sale is paused, with a message to buyers; half a minute"
        " later it goes on.",
        (
            Timed(20, "event say EVENT --template paused"),
            Timed(20, "event pause EVENT"),
            Timed(50, "event resume EVENT"),
            Timed(50, "event say EVENT --off"),
        ),
    ),
    "let-all-in": RehearsalScript(
        "20 seconds after its start every buyer who waits is let in for one minute; then the draw"
        " decides again.",
        (Timed(20, "event open-until EVENT --minutes 1"),),
    ),
    "too-fast": RehearsalScript(
        "20 seconds after its start τ is set to 1 second, which is too fast: slow the pace down"
        " under “Steer”.",
        (Timed(20, "tau set EVENT 1 --yes"),),
    ),
}
