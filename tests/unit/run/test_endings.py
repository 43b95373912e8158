"""How a command that runs for minutes ends: refused, interrupted, terminated."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence

import pytest

from fairgate_ops.run.local.processes import StartError
from fairgate_ops.shared.endings import INTERRUPTED, TERMINATED, ends_with


def test_a_refusal_is_told_and_ends_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    @ends_with(StartError)
    def main(_arguments: Sequence[str] | None = None) -> int:
        raise StartError("Port 8080 is in use by another program.")

    before = signal.getsignal(signal.SIGTERM)
    assert main() == 1
    assert signal.getsignal(signal.SIGTERM) is before  # who calls it goes on
    assert capsys.readouterr().err == "Port 8080 is in use by another program.\n"


def test_a_defect_is_nobodys_refusal() -> None:
    @ends_with(StartError)
    def main(_arguments: Sequence[str] | None = None) -> int:
        raise ValueError("a defect")

    with pytest.raises(ValueError, match="a defect"):
        main()


@pytest.fixture
def _in_the_background() -> Iterator[None]:
    """Ignore SIGINT, as a job that a shell has put in the background inherits it."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("_in_the_background")
def test_what_was_started_is_ended_on_each_signal() -> None:
    ended: list[str] = []

    @ends_with(StartError)
    def main(arguments: Sequence[str] | None = None) -> int:
        try:
            os.kill(os.getpid(), signal.SIGINT if arguments else signal.SIGTERM)
            raise AssertionError("nobody heard the signal")
        finally:
            ended.append("its servers")
        return 0

    assert main(["by Ctrl-C"]) == INTERRUPTED
    with pytest.raises(SystemExit) as left:
        main([])
    assert left.value.code == TERMINATED
    assert ended == ["its servers"] * 2
