"""The whole of Fairgate on one machine: started in order, watched, and ended together."""

from __future__ import annotations

import fcntl
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate_ops.run.local.edge import start_edge
from fairgate_ops.run.local.environment import (
    Place,
    Ports,
    base_environment,
    function_environment,
    operator_config,
    python_module,
)
from fairgate_ops.run.local.front_door import write_front_door
from fairgate_ops.run.local.ministack import Ministack
from fairgate_ops.run.local.parts import Parts
from fairgate_ops.run.local.processes import (
    Child,
    StartError,
    accepts,
    bindable,
    free_port,
    last_lines,
    start_child,
    wait_until,
)
from fairgate_ops.run.local.resources import create_buckets, create_queues, create_tables
from fairgate_ops.run.local.shares import SHARES, WORKERS
from fairgate_ops.run.local.valkey_server import ValkeyServer
from fairgate_ops.run.local.worker import PARTS
from fairgate_ops.shared.log_names import API_REQUESTS
from fairgate_ops.shared.paths import ROOT
from fairgate_ops.shared.secret_file import write_secret_files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

BUILD_S = 60
HTTP_S = 5
REHEARSALS = "rehearsals"


class LocalSystem(Parts):
    """Every part, from ``start`` to ``stop``.

    Start it from a thread that lives as long as the system: the children end with it.

    Args:
        run_dir: belongs to one run at a time; what an earlier run left is cleared away.
        port: of the one public address; 0 takes a free one.
        workers: of the API host, one invocation each at a time.
        say: hears what a person who waits may want to know.

    A measurement may count what reaches the API and watch the change feed:

    Attributes:
        access_log: where the API host writes a line for each request; None: nowhere.
        worker_module: connects streams, queues and the clock to their functions.
    """

    access_log: Path | None = None
    worker_module = "fairgate_ops.run.local.worker"

    def __init__(
        self,
        run_dir: Path,
        port: int = 0,
        *,
        workers: int = WORKERS,
        say: Callable[[str], None] = lambda _text: None,
    ) -> None:
        super().__init__()
        self.place = Place(run_dir.resolve())
        self._wanted_port, self._workers, self._say = port, workers, say
        self._lock: Any = None
        self.base_url = ""
        self.config: dict[str, Any] = {}

    @property
    def run_dir(self) -> Path:
        return self.place.run_dir

    def _start(self) -> None:
        self._claim()
        listener = socket.create_server(("127.0.0.1", 0))
        ports = self._ports(listener.getsockname()[1])
        self.base_url = f"http://127.0.0.1:{ports.public}"
        write_secret_files(self.place.secrets)
        front_door = write_front_door(self.place.front_door)
        gate = build_gate(self.place)
        build_pages(self.place, target=self.place.pages)
        self._engines(ports)
        self._say("tables and queues")
        create_tables(f"http://127.0.0.1:{ports.dynamodb}")
        queues = create_queues(f"http://127.0.0.1:{ports.dynamodb}")
        create_buckets(f"http://127.0.0.1:{ports.dynamodb}")
        self.config = operator_config(ports, self.place, queues)
        _write(self.place.config, self.config)
        env = function_environment(ports, self.place, queues)
        self._functions(listener, ports.shares, env)
        self._say("the edge")
        edge = start_edge(self.place, ports, gate, front_door, self._say)
        self._keep(edge)
        wait_until(lambda: accepts(ports.public), "the edge", child=edge, within_s=15)
        wait_until(self._answers, f"{self.base_url}/api/events", within_s=30, every_s=0.2)

    def _claim(self) -> None:
        """Take the folder, or say who has it; then clear what an earlier run left."""
        self.run_dir.mkdir(parents=True, exist_ok=True)
        if any(self.run_dir.iterdir()) and not (self.run_dir / "lock").exists():
            raise StartError(f"{self.run_dir} holds other files. Choose an empty folder.")
        self._lock = (self.run_dir / "lock").open("a+")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            self._lock = None
            raise StartError(_running_already(self.place)) from None
        self._forget()
        shutil.rmtree(self.place.logs, ignore_errors=True)
        for folder in (self.place.logs, self.place.kvs, self.place.layouts, self.place.edge):
            folder.mkdir()
        self.place.mail.mkdir(exist_ok=True)

    def _forget(self) -> None:
        """Remove what has keys and what nobody serves any more; logs and mails stay."""
        for file in (self.place.config, self.place.front_door):
            file.unlink(missing_ok=True)
        for folder in (self.place.secrets, self.place.kvs, self.place.layouts, self.place.edge):
            shutil.rmtree(folder, ignore_errors=True)

    def _ports(self, api: int) -> Ports:
        public = self._wanted_port or free_port()
        if not bindable(public):
            raise StartError(
                f"Port {public} is in use by another program. "
                f"End that one, or choose another: make up PORT={public + 1}"
            )
        dynamodb, valkey, kvs, idp, sandbox = (free_port() for _ in range(5))
        shares = {share: free_port() for share in SHARES}
        return Ports(public, api, dynamodb, valkey, kvs, idp, sandbox, shares)

    def _engines(self, ports: Ports) -> None:
        logs, plain = self.place.logs, base_environment()
        self._say("the database engine and the cache")
        for engine in (Ministack(logs, ports.dynamodb), ValkeyServer(logs, ports.valkey)):
            self._serve(engine)
        kvs = python_module(
            "fairgate_ops.run.local.kvs_fake",
            "--dir",
            str(self.place.kvs),
            "--port",
            str(ports.kvs),
        )
        idp = python_module(
            "fairgate_ops.run.local.identity_provider",
            *("--port", str(ports.idp), "--public-url", self.base_url),
        )
        sandbox = python_module(
            "fairgate_ops.run.local.sandbox_provider",
            *(
                "--port",
                str(ports.sandbox),
                "--secret-file",
                str(self.place.secrets / "payments.json"),
            ),
            *("--webhook-url", f"{self.base_url}/api/payments/webhook"),
            *("--public-url", self.base_url),
        )
        parts = (
            ("keyvaluestore", kvs, ports.kvs),
            ("identity", idp, ports.idp),
            ("sandbox", sandbox, ports.sandbox),
        )
        started = [
            (self._keep(start_child(name, command, logs_dir=logs, env=plain, cwd=ROOT)), port)
            for name, command, port in parts
        ]
        for child, port in started:
            wait_until(lambda port=port: accepts(port), child.name, child=child)  # type: ignore[misc]

    def _functions(
        self, listener: socket.socket, shares: Mapping[str, int], env: dict[str, str]
    ) -> None:
        self._say("the functions")
        command = python_module(
            "fairgate_ops.run.local.api_host",
            *("--fd", str(listener.fileno()), "--functions", str(ROOT / "functions")),
            *("--workers", str(self._workers), "--guarded"),
            *(
                f"--share={port}:{SHARES[share].workers}:{SHARES[share].yields}"
                for share, port in shares.items()
            ),
            *("--request-log", str(self.place.logs / API_REQUESTS)),
            *(("--access-log", str(self.access_log)) if self.access_log else ()),
        )
        port = listener.getsockname()[1]
        api = start_child(
            "api",
            command,
            logs_dir=self.place.logs,
            env=env,
            cwd=ROOT,
            pass_fds=[listener.fileno()],
        )
        listener.close()
        self._keep(api)
        workers = [self._worker(part, env) for part in PARTS]
        wait_until(lambda: accepts(port), "the API host", child=api)
        for worker in workers:
            wait_until(partial(_said, worker.log, "ready"), f"the {worker.name}", child=worker)

    def _worker(self, part: str, env: dict[str, str]) -> Child:
        """Connects streams, queues and the clock to the functions of one part."""
        command = python_module(self.worker_module, "--run-dir", str(self.run_dir), "--part", part)
        name = f"worker-{part}"
        return self._keep(start_child(name, command, logs_dir=self.place.logs, env=env, cwd=ROOT))

    def follow_rehearsals(self) -> None:
        """Start what brings the crowds of ``event rehearse``: one more part, unless it runs."""
        if any(child.name == REHEARSALS for child in self._children):
            return
        follow = "fairgate_ops.run.rehearse.follow"
        command = python_module(follow, "--run-file", str(self.place.config))
        logs, env = self.place.logs, base_environment()
        self._keep(start_child(REHEARSALS, command, logs_dir=logs, env=env, cwd=ROOT))

    def _answers(self) -> bool:
        self.watch()
        try:
            return get_status(self.base_url, "/api/events") == http.client.OK
        except (OSError, http.client.HTTPException):
            return False

    def groups(self) -> dict[str, int]:
        """Name the process group of each part."""
        return {child.name: child.process.pid for child in self._children}

    def stop(self) -> None:
        # A second Ctrl-C must not leave half of the parts running.
        previous = _ignore_interrupts()
        try:
            super().stop()
            if self._lock is not None:
                self._forget()
                self._lock.close()
                self._lock = None
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)


def get_status(base_url: str, path: str) -> int:
    connection = http.client.HTTPConnection(base_url.removeprefix("http://"), timeout=HTTP_S)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


def build_gate(place: Place, source: Path | None = None) -> Path:
    """Build the deployable gate. Raises StartError with the build's own words.

    Interrupted, it ends every process of the build.

    Args:
        source: another checkout than this one.
    """
    source = source or ROOT
    _build("gate", place, source)
    return source / "build" / "gate.js"


def build_pages(place: Place, source: Path | None = None, target: Path | None = None) -> None:
    """Build the buyers' pages, as ``build_gate`` does the gate.

    Args:
        source: another checkout than this one; of a release that has none to build, none are.
        target: another folder than the checkout's ``build/web``.
    """
    _build("pages", place, source or ROOT, *([str(target)] if target else []))


def _build(what: str, place: Place, source: Path, *words: str) -> None:
    if not (source / "node_modules").is_dir():
        raise StartError("The npm packages are missing. Run: make setup")
    npm = shutil.which("npm")
    if npm is None:
        raise StartError("Node.js with npm is missing. Install it, then: make setup")
    command = [npm, "run", "--silent", "--if-present", f"build:{what}", "--", *words]
    build = start_child(f"{what}-build", command, logs_dir=place.logs, env=os.environ, cwd=source)
    try:
        code = build.process.wait(BUILD_S)
    except subprocess.TimeoutExpired:
        took = f"The {what}'s build took over {BUILD_S} s; see {build.log}."
        raise StartError(took) from None
    finally:
        build.stop()
    if code:
        raise StartError(f"The build of the {what} failed:\n{last_lines(build.log)}")


def _running_already(place: Place) -> str:
    try:
        running = json.loads(place.config.read_text("utf-8"))
    except (OSError, ValueError):
        return f"Another run is just using {place.run_dir}. Wait a moment and try again."
    return (
        f"Fairgate already runs at {running['public_url']} (process {running['pid']}). "
        f"Stop it with Ctrl-C in its window, or with: kill {running['pid']}"
    )


def _said(log: Path, word: str) -> bool:
    return log.is_file() and word in log.read_text(errors="replace")


def _write(path: Path, document: dict[str, Any]) -> None:
    """Write it whole or not at all, because others may read it at the same moment."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(document, indent=2) + "\n", "utf-8")
    part.replace(path)


def _ignore_interrupts() -> dict[signal.Signals, Any]:
    try:
        return {
            number: signal.signal(number, signal.SIG_IGN)
            for number in (signal.SIGINT, signal.SIGTERM)
        }
    except ValueError:  # not in the main thread, where no signal arrives either
        return {}
