"""The operators' command, as forks of one process that has imported it already.

Its import takes half a second of the processor, and these tests run some two hundred commands.
Each is a process of its own, with the environment and the streams of one that was started.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from typing import NoReturn, Self

from botocore.session import get_session

from fairgate import service
from fairgate_ops import operate
from fairgate_ops.operate.cli.main import main
from fairgate_ops.run.local.environment import base_environment
from fairgate_ops.shared.paths import ROOT
from tests.support import sdk_files
from tests.support.waiting import patience_s

REQUEST_MAX = 65_536
CALLED = ("dynamodb", "sqs", "s3", "cloudfront-keyvaluestore")
STREAMS = 3  # standard output, standard error, and where its end is told


class Commands:
    """Starts commands, from any thread."""

    def __init__(self) -> None:
        self._asked, serving = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        self._server = subprocess.Popen(
            [sys.executable, "-m", __name__, str(serving.fileno())],
            pass_fds=[serving.fileno()],
            cwd=ROOT,
            env=base_environment(),
            stdin=subprocess.DEVNULL,
        )
        serving.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._asked.close()
        self._server.wait(patience_s(10))

    def run(self, words: list[str], within_s: float) -> subprocess.CompletedProcess[str]:
        """Run one command. Raises subprocess.TimeoutExpired, after which it runs no more."""
        told, telling = os.pipe()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            with self._lock:
                streams = [out.fileno(), err.fileno(), telling]
                socket.send_fds(self._asked, [json.dumps(words).encode()], streams)
            os.close(telling)
            with os.fdopen(told, encoding="ascii") as end:
                pid = int(end.readline())
                if not select.select([end], [], [], within_s)[0]:
                    os.kill(pid, signal.SIGKILL)
                    raise subprocess.TimeoutExpired(words, within_s)
                code = int(end.readline())
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess(
                words, code, out.read().decode(), err.read().decode()
            )


class Server:
    """Forks for each request; the end of each fork is told by the code that ``wait`` has of it."""

    def __init__(self, asked: socket.socket) -> None:
        self._asked = asked
        self._running: dict[int, int] = {}  # process → where its end is told
        self._woken, self._wakes = os.pipe()
        os.set_blocking(self._wakes, False)
        signal.set_wakeup_fd(self._wakes)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self) -> int:
        while True:
            asked = self._asked.fileno()
            ready, _, _ = select.select([asked, self._woken], [], [])
            if self._woken in ready:
                os.read(self._woken, REQUEST_MAX)
                self._tell_ends()
            if asked in ready:
                request, streams, _, _ = socket.recv_fds(self._asked, REQUEST_MAX, STREAMS)
                if not request:
                    return 0
                pid = os.fork()
                if pid == 0:
                    self._become(json.loads(request), *streams)
                self._running[pid] = streams.pop()
                os.write(self._running[pid], b"%d\n" % pid)
                for stream in streams:
                    os.close(stream)

    def _tell_ends(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                told = self._running.pop(ended[0])
                with contextlib.suppress(BrokenPipeError):  # the caller has stopped waiting
                    os.write(told, b"%d\n" % os.waitstatus_to_exitcode(ended[1]))
                os.close(told)

    def _become(self, words: list[str], out: int, err: int, telling: int) -> NoReturn:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(out, 1)
        os.dup2(err, 2)
        others = (self._asked.detach(), self._woken, self._wakes, *self._running.values())
        for one in (out, err, telling, *others):
            os.close(one)
        sys.argv[1:] = words
        try:
            code = main()
        except SystemExit as ended:  # after help, or for what cannot be understood
            code = int(ended.code or 0)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # to take down what the server imported costs as much as a command


def warm() -> None:
    """Import whatever a command imports when it runs, and read AWS's descriptions of its services.

    To make a client costs a tenth of a second more: each would read them again.
    """
    for package in (operate, service):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    sdk_files.read_once()
    for name in CALLED:
        get_session().create_client(name, endpoint_url="http://127.0.0.1:1", region_name="local")
    gc.freeze()  # or each fork would look through all of it, and copy its pages
    faulthandler.enable()


def serve(descriptor: int) -> int:
    warm()
    return Server(socket.socket(fileno=descriptor)).serve()


if __name__ == "__main__":
    sys.exit(serve(int(sys.argv[1])))
