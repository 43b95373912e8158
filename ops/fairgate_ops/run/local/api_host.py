"""The local API Gateway: pre-forked workers that run the real Lambda handlers.

Every worker is one execution environment and runs one invocation at a time, as Lambda does. Those
of one share accept from one listening socket. A request becomes an HTTP API v2 event, goes to the
handler that ``infra.routes.ROUTES`` names, and its answer becomes HTTP again.
Source: API Gateway developer guide, "Working with AWS Lambda proxy integrations for HTTP APIs".
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import importlib.util
import mmap
import os
import signal
import socket
import struct
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from fairgate_ops.run.local.access_log import HEADER_MARK, RequestLogs
from fairgate_ops.run.local.api_events import (
    Answer,
    LambdaContext,
    RefusedError,
    Request,
    RouteTable,
    answer_of,
    event_of,
    given_s_of,
    problem,
    read_request,
    request_id_of,
)
from fairgate_ops.run.local.front_door import AUTHORIZER, behind
from fairgate_ops.run.local.processes import die_with_parent
from fairgate_ops.run.local.shares import WORKERS, Share
from infra.routes import ROUTES, Route, api_functions
from infra.throttles import UNROUTED_KEY

if TYPE_CHECKING:
    from types import FrameType

INVOCATION_S = 30.0  # the integration time-out of an HTTP API
KILL_AFTER_S = INVOCATION_S + 5  # a worker deaf to its own alarm is ended from outside
READ_S = 10.0  # a caller who does not finish its request gives the worker back
RESTARTS_MAX = 200  # a worker that cannot live is a defect to show, not to hide
SLOT = struct.Struct("d")

# What handlers import at their first use of it; imported once here, every fork has it at once.
WARM = ("botocore.session", "botocore.httpsession", "valkey", "jwt", "awscrt.auth", "segno")

Handler = Callable[[dict[str, Any], Any], Any]


def load_handlers(functions_dir: Path, names: Sequence[str]) -> dict[str, Handler]:
    """The ``handler`` of each folder, imported by file path under a module name of its own.

    Raises:
        FileNotFoundError: naming every function that has no ``handler.py``.
    """
    missing = [name for name in names if not (functions_dir / name / "handler.py").is_file()]
    if missing:
        raise FileNotFoundError(f"functions without handler.py: {', '.join(missing)}")
    return {name: _load(functions_dir / name / "handler.py", name) for name in names}


def warm(names: Sequence[str] = WARM) -> None:
    """Import what is installed of ``names``."""
    for name in names:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def _load(path: Path, name: str) -> Handler:
    module_name = f"fairgate_function_{name}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    handler: Handler = module.handler
    return handler


class Worker:
    """One execution environment: accepts, invokes, answers, closes; until it is told to stop."""

    def __init__(
        self,
        listener: socket.socket,
        handlers: Mapping[str, Handler],
        routes: RouteTable,
        busy_since: Callable[[float], None],
        invocation_s: float,
        logs: RequestLogs,
    ) -> None:
        self._listener = listener
        self._logs = logs
        self._handlers = handlers
        self._routes = routes
        self._busy_since = busy_since
        self._invocation_s = invocation_s
        self._connection: socket.socket | None = None
        self._stopping = False

    def run(self) -> None:
        signal.signal(signal.SIGTERM, self._on_term)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the host decides about Ctrl-C
        signal.signal(signal.SIGALRM, self._on_alarm)
        while not self._stopping:
            connection, peer = self._listener.accept()
            self._connection = connection
            try:
                self._serve(connection, str(peer[0]))
            except OSError as error:  # the caller went away; the next one has not
                print(f"connection lost: {error}", file=sys.stderr, flush=True)
            finally:
                self._connection = None
                _hang_up(connection)

    def _serve(self, connection: socket.socket, peer: str) -> None:
        connection.settimeout(READ_S)
        request_id = request_id_of()
        request: Request | None = None
        try:
            request = read_request(connection, peer)
            if request is None:
                return
            route, parameters = self._routes.match(request.method, request.path)
        except RefusedError as refused:
            answer = refused.answer(request_id)
            if request is not None:  # it reached the API, though no function
                self._logs.note(request, UNROUTED_KEY, request_id, time.time(), answer)
            head_only = request is not None and request.method == "HEAD"
            connection.sendall(answer.encode(head_only=head_only))
            return
        event = event_of(request, route, parameters, request_id)
        came = time.time()
        answer = self._invoke(str(route.function), event, request_id)
        key, took_s = f"{route.method} {route.path}", time.time() - came
        self._logs.note(request, key, request_id, came, answer, took_s=took_s)
        connection.sendall(answer.encode(head_only=request.method == "HEAD"))

    def _invoke(self, function: str, event: dict[str, Any], request_id: str) -> Answer:
        self._busy_since(time.monotonic())
        signal.setitimer(signal.ITIMER_REAL, self._invocation_s)
        try:
            given_s = given_s_of(function, self._invocation_s)
            context = LambdaContext(function, request_id, given_s)
            return answer_of(self._handlers[function](event, context))
        except Exception:  # noqa: BLE001 whatever a handler raises is a 500, as in Lambda
            print(f"{function} raised, request {request_id}", file=sys.stderr)
            traceback.print_exc()
            sys.stderr.flush()
            return problem(500, "internal", "Something went wrong on our side.", request_id)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._busy_since(0.0)

    def _on_term(self, _signal: int, _frame: FrameType | None) -> None:
        if self._connection is None:
            os._exit(0)
        self._stopping = True

    def _on_alarm(self, _signal: int, frame: FrameType | None) -> NoReturn:
        """Lambda throws an environment away that exceeds its time; so does this."""
        print(f"invocation exceeded {self._invocation_s} s", file=sys.stderr)
        traceback.print_stack(frame)
        sys.stderr.flush()
        if self._connection is not None:
            detail = "The request took too long. Nothing was lost, please try again."
            answer = problem(
                503, "dependency-unavailable", detail, request_id_of(), retry_after_s=2
            )
            try:
                self._connection.sendall(answer.encode())
                _hang_up(self._connection)
            except OSError:
                os._exit(70)
        os._exit(70)


class ApiHost:
    """Forks the workers, replaces the dead and the stuck, and stops them all."""

    def __init__(
        self,
        listener: socket.socket,
        functions_dir: Path,
        *,
        workers: int = WORKERS,
        invocation_s: float = INVOCATION_S,
        routes: Sequence[Route] = ROUTES,
        functions: Sequence[str] = (),
        logs: RequestLogs | None = None,
        shares: Sequence[tuple[socket.socket, Share]] = (),
        guarded: bool = False,
    ) -> None:
        # By slot: where a worker listens, and how far it yields.
        self._listeners = [listener] * workers
        self._yields = [0] * workers
        for own, share in shares:
            self._listeners += [own] * share.workers
            self._yields += [share.yields] * share.workers
        self._logs = logs or RequestLogs()
        self._invocation_s = invocation_s
        self._routes = RouteTable(routes)
        self._handlers = load_handlers(functions_dir, functions or api_functions())
        if guarded:
            [authorizer] = load_handlers(functions_dir, [AUTHORIZER]).values()
            self._handlers = behind(authorizer, self._handlers)
        self._slots = mmap.mmap(-1, SLOT.size * len(self._listeners))
        self._pids: dict[int, int] = {}  # pid → slot
        self._stopping = False

    def run(self) -> int:
        """Serve until SIGTERM or SIGINT; 0, or 1 when workers die faster than makes sense."""
        signal.signal(signal.SIGTERM, self._on_stop)
        signal.signal(signal.SIGINT, self._on_stop)
        for listener in set(self._listeners):
            listener.listen(512)
        for slot in range(len(self._listeners)):
            self._fork(slot)
        print(f"ready: {len(self._listeners)} workers", flush=True)
        restarts = 0
        while not self._stopping:
            restarts += self._replace_dead()
            if restarts > RESTARTS_MAX:
                print(f"gave up after {restarts} restarts", file=sys.stderr, flush=True)
                self._stop_workers()
                return 1
            self._kill_stuck()
            signal.sigtimedwait([signal.SIGCHLD], 0.2)
        self._stop_workers()
        return 0

    def _fork(self, slot: int) -> None:
        SLOT.pack_into(self._slots, slot * SLOT.size, 0.0)
        host = os.getpid()
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
        pid = os.fork()
        if pid:
            self._pids[pid] = slot
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
            return
        status = 1
        try:
            # By the host's own handler a worker that has just begun would take note, and go on.
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
            die_with_parent(host)
            os.nice(self._yields[slot])
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
            mark = _marker(self._slots, slot)
            Worker(
                self._listeners[slot],
                self._handlers,
                self._routes,
                mark,
                self._invocation_s,
                self._logs,
            ).run()
            status = 0
        except BaseException:  # noqa: BLE001 a forked child must never return into its parent's code
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)

    def _replace_dead(self) -> int:
        replaced = 0
        while self._pids:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            slot = self._pids.pop(pid)
            if not self._stopping:
                how = os.waitstatus_to_exitcode(status)
                print(f"worker {pid} ended ({how}), replaced", file=sys.stderr, flush=True)
                self._fork(slot)
                replaced += 1
        return replaced

    def _kill_stuck(self) -> None:
        limit = self._invocation_s + (KILL_AFTER_S - INVOCATION_S)
        for pid, slot in self._pids.items():
            (since,) = SLOT.unpack_from(self._slots, slot * SLOT.size)
            if since and time.monotonic() - since > limit:
                os.kill(pid, signal.SIGKILL)

    def _stop_workers(self) -> None:
        for listener in set(self._listeners):
            listener.close()
        for pid in self._pids:
            os.kill(pid, signal.SIGTERM)
        deadline = time.monotonic() + 3
        while self._pids and time.monotonic() < deadline:
            pid, _ = os.waitpid(-1, os.WNOHANG)
            if pid:
                self._pids.pop(pid)
            else:
                signal.sigtimedwait([signal.SIGCHLD], 0.05)
        for pid in self._pids:
            os.kill(pid, signal.SIGKILL)

    def _on_stop(self, _signal: int, _frame: FrameType | None) -> None:
        self._stopping = True


def _marker(slots: mmap.mmap, slot: int) -> Callable[[float], None]:
    return lambda since: SLOT.pack_into(slots, slot * SLOT.size, since)


def _hang_up(connection: socket.socket) -> None:
    """Close without losing the answer: unread bytes of a refused body would reset it."""
    try:
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(0.2)
        for _ in range(256):
            if not connection.recv(65_536):
                break
    except OSError:
        pass  # the caller hung up first, or sends without end
    finally:
        connection.close()


def _share(text: str) -> tuple[int, Share]:
    port, workers, yields = map(int, text.split(":"))
    return port, Share(workers, yields)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--fd", type=int, default=-1, help="a bound socket inherited from above")
    parser.add_argument("--port", type=int, default=0, help="bind 127.0.0.1 here instead")
    parser.add_argument(
        "--share",
        type=_share,
        action="append",
        default=[],
        metavar="PORT:WORKERS:NICE",
        help="so many workers more, for this port alone, that yield so far to the others",
    )
    parser.add_argument("--functions", type=Path, default=Path("functions"))
    parser.add_argument("--workers", type=int, default=WORKERS)
    parser.add_argument("--timeout", type=float, default=INVOCATION_S, help="seconds")
    parser.add_argument(
        "--access-log",
        type=Path,
        help="a line a request: ms, method, target, status, ms taken, ms waited for a worker"
        f" and, where a load marked it ({HEADER_MARK}), its mark",
    )
    parser.add_argument("--request-log", type=Path, help="lines as API Gateway writes them")
    parser.add_argument("--guarded", action="store_true", help="refuse what the edge did not send")
    options = parser.parse_args(arguments)
    die_with_parent()
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    if options.fd >= 0:
        listener = socket.socket(fileno=options.fd)
    else:
        listener = socket.create_server(("127.0.0.1", options.port))
    shares = [(socket.create_server(("127.0.0.1", port)), own) for port, own in options.share]
    warm()
    host = ApiHost(
        listener,
        options.functions,
        workers=options.workers,
        invocation_s=options.timeout,
        logs=RequestLogs(options.access_log, options.request_log),
        shares=shares,
        guarded=options.guarded,
    )
    return host.run()


if __name__ == "__main__":
    sys.exit(main())
