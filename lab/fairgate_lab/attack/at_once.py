"""Work that several processes begin at the same moment."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Sequence
from multiprocessing.synchronize import Barrier
from typing import Any, TypeVar

from fairgate_ops.run.local.processes import StartError

PATIENCE_S = 120.0  # for processes that are slow to start or to end, beside their work
JOIN_S = 5.0
Start = Callable[[], object]
T = TypeVar("T")


def at_once(
    work: Callable[..., T], tasks: Sequence[tuple[Any, ...]], *, seconds: float = 0.0
) -> list[T]:
    """``work(start, *task)`` for each task, in a process of its own; results in their order.

    Each calls ``start()`` when it is prepared; that returns when all of them are.

    Args:
        work: a function of a module that is not the command's own: it is imported once for all.
        seconds: what the work itself may take.

    Raises:
        StartError: a process died, or did not come to its end in time.
    """
    # Processes forked from a server that has imported everything: quick to start, and safe in a
    # parent that has threads.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([work.__module__])
    barrier = context.Barrier(len(tasks))
    pipes, processes = [], []
    for task in tasks:
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_process, args=(work, task, barrier, theirs), daemon=True)
        process.start()
        theirs.close()
        pipes.append(ours)
        processes.append(process)
    deadline = time.monotonic() + seconds + PATIENCE_S
    try:
        return [_result(number, pipe, deadline) for number, pipe in enumerate(pipes)]
    finally:
        for process, pipe in zip(processes, pipes, strict=True):
            pipe.close()
            process.join(JOIN_S)
            if process.is_alive():
                process.kill()
                process.join()
            process.close()


def _result(number: int, pipe: Any, deadline: float) -> Any:
    if not pipe.poll(max(0.0, deadline - time.monotonic())):
        raise StartError(f"process {number} did not end in time")
    try:
        return pipe.recv()
    except EOFError:
        raise StartError(f"process {number} died; what it said stands above") from None


def _process(work: Callable[..., Any], task: tuple[Any, ...], barrier: Barrier, pipe: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    pipe.send(work(lambda: barrier.wait(PATIENCE_S), *task))
    pipe.close()
