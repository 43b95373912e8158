"""The functions that nobody calls over HTTP: those of streams, queues and the clock.

Its threads stand for pipes, event source mappings and the scheduler; its handlers are the real
ones. One process a part. Drawing tickets for the mail takes the processor that the others leave:
in AWS, too, no buyer waits for it.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.sale_report.logs import FolderLogs
from fairgate_ops.operate.sale_report.source import read_folders
from fairgate_ops.run.local.api_events import LambdaContext, given_s_of, request_id_of
from fairgate_ops.run.local.api_host import load_handlers
from fairgate_ops.run.local.local_config import LocalConfig
from fairgate_ops.run.local.ministack import local_client
from fairgate_ops.run.local.patterns import accepts_any
from fairgate_ops.run.local.processes import die_with_parent
from fairgate_ops.run.local.pump import Pump, QueueToHandler, StreamToQueue
from fairgate_ops.shared.paths import ROOT
from infra.feeds import MAILED_CHANGES, PAID_ORDERS, SEAT_CHANGES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate_ops.run.local.api_host import Handler

# As scheduled in AWS.
PERIODS_S = {"auditor": 600.0, "controller": 10.0, "sweeper": 60.0, "reconcile": 3_600.0}
MINUTE_S, HOUR_S = 60.0, 3_600.0
MAIL_IDLE_S = 1.0  # for a mail a second is little
POLLERS = 2  # of the busiest queue; Lambda begins with five
PARTS = {
    "feeds": ("invalidator", "expiry", *PERIODS_S),
    "tickets": ("ticketer",),
    "mails": ("ticketer",),
    "jobs": ("jobs",),
}
NICE = {"mails": 10, "jobs": 10}  # by part: yields to the others


# The pipes' own filters: an order whose state is now paid and was not before; what buyers may have
# to be mailed; seats that change.
became_paid = accepts_any(PAID_ORDERS)
may_be_mailed = accepts_any(MAILED_CHANGES)
seat_changed = accepts_any(SEAT_CHANGES)


Connect = Callable[[LocalConfig, str, "Mapping[str, Handler]"], "list[Pump]"]


def pumps(
    config: LocalConfig,
    part: str,
    handlers: Mapping[str, Handler],
    seats: Callable[[Mapping[str, Any]], bool] = seat_changed,
) -> list[Pump]:
    """The connections to these handlers that CDK makes with a pipe or an event source mapping.

    Args:
        part: one of ``PARTS``.
        handlers: those of the part.
        seats: the filter of the seats' pipe.
    """
    engine, tables, queues = config["dynamodb_endpoint"], config["tables"], config["queues"]

    def client(service: str) -> Any:
        return local_client(service, engine)

    def stream(table: str, queue: str, **options: Any) -> StreamToQueue:
        source = tables[table]
        sink = queues[queue]
        return StreamToQueue(client("dynamodbstreams"), client("sqs"), source, sink, **options)

    def consumer(queue: str, function: str, batch_max: int = 10, **more: Any) -> QueueToHandler:
        handler = handlers[function]
        url = queues[queue]
        more |= {"function": function, "batch_max": batch_max}
        return QueueToHandler(client("sqs"), url, handler, **more)

    later: dict[str, Any] = {"from_start": True, "idle_s": MAIL_IDLE_S}
    if part == "tickets":
        paid = stream("reservations", "tickets", accept=became_paid, **later)
        return [paid, consumer("tickets", "ticketer")]
    if part == "mails":
        changes = stream("reservations", "mails", accept=may_be_mailed, **later)
        return [changes, consumer("mails", "ticketer")]
    if part == "jobs":
        return [consumer("jobs", "jobs", 1, given_s=HOUR_S)]
    invalidators = [consumer("invalidations", "invalidator", 100) for _ in range(POLLERS)]
    changes = stream("seats", "invalidations", accept=seats)
    return [changes, *invalidators, consumer("expiry", "expiry")]


class Timer(threading.Thread):
    """Calls a function every ``period_s``, as its schedule does; a failure is logged.

    The calls of a minute are numbered from zero, as infra/constructs/ten_second_schedule.py has it.
    """

    def __init__(self, name: str, handler: Handler, period_s: float) -> None:
        super().__init__(name=name, daemon=True)
        self._handler, self._period_s = handler, period_s
        self._stopping = threading.Event()

    def run(self) -> None:
        numbers = cycle(range(max(1, round(MINUTE_S / self._period_s))))
        while not self._stopping.wait(self._period_s):
            try:
                context = LambdaContext(self.name, request_id_of(), given_s_of(self.name, HOUR_S))
                self._handler({"beat": next(numbers)}, context)
            except Exception:  # noqa: BLE001 the next tick is a new invocation, as in Lambda
                traceback.print_exc()

    def stop(self) -> None:
        self._stopping.set()


def main(arguments: Sequence[str] | None = None, connect: Connect = pumps) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--run-dir", type=Path, default=Path(".run"))
    parser.add_argument("--part", choices=PARTS, required=True)
    options = parser.parse_args(arguments)
    die_with_parent()
    os.nice(NICE.get(options.part, 0))
    if options.part == "jobs":
        read_folders(FolderLogs)
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    handlers = load_handlers(ROOT / "functions", PARTS[options.part])
    config = LocalConfig.read(options.run_dir)
    running = [pump.start() for pump in connect(config, options.part, handlers)]
    timed = sorted(PERIODS_S.keys() & handlers.keys())
    timers = [Timer(name, handlers[name], PERIODS_S[name]) for name in timed]
    for timer in timers:
        timer.start()
    print("ready", flush=True)
    while not stopping.wait(1.0):
        silent = [pump.name for pump in running if not pump.running]
        if silent:
            print(f"stopped by itself: {', '.join(silent)}", file=sys.stderr, flush=True)
            return 1
    for timer in timers:
        timer.stop()
    for pump in running:
        pump.ask_to_stop()  # all at once: each may be in the middle of a long poll
    for pump in running:
        pump.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
