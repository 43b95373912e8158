"""The local API Gateway, as its callers and its handlers see it."""

from __future__ import annotations

import base64
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from fairgate.http import paths
from fairgate_ops.run.local.processes import free_port
from infra.functions import BY_NAME
from infra.routes import api_functions
from tests.support.waiting import patience_s, wait_until

REPOSITORY = Path(__file__).resolve().parents[2]
PYTHONPATH = os.pathsep.join(str(REPOSITORY / p) for p in ("", "ops", "layers/core/python"))
HANDLER = """
import base64, json, os, time

def handler(event, context):
    query = event.get("queryStringParameters", {})
    if "raise" in query:
        raise ValueError("a secret detail")
    if "sleep" in query:
        time.sleep(float(query["sleep"]))
    if "die" in query:
        os._exit(3)
    if "plain" in query:
        return {"hello": context.function_name}
    if "binary" in query:
        body = base64.b64encode(bytes(range(256))).decode()
        return {"statusCode": 201, "headers": {"Content-Type": "application/octet-stream"},
                "cookies": ["a=1; Path=/", "b=2"], "body": body, "isBase64Encoded": True}
    seen = {"event": event, "pid": os.getpid(), "left": context.get_remaining_time_in_millis(),
            "id": context.aws_request_id, "module": __name__}
    return {"statusCode": 200, "headers": {"content-type": "application/json"},
            "body": json.dumps(seen)}
"""


def functions_in(folder: Path) -> Path:
    functions = folder / "functions"
    for name in api_functions():
        (functions / name).mkdir(parents=True)
        (functions / name / "handler.py").write_text(HANDLER)
    return functions


class Host:
    def __init__(self, folder: Path, *, workers: int = 2, timeout_s: float = 30) -> None:
        functions = functions_in(folder)
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        self.webhook_port = free_port()
        self.log = folder / "api.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "fairgate_ops.run.local.api_host"),
                    *("--fd", str(listener.fileno()), "--functions", str(functions)),
                    *("--workers", str(workers), "--timeout", str(timeout_s)),
                    f"--share={self.webhook_port}:1:3",
                ],
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONPATH": PYTHONPATH},
                pass_fds=[listener.fileno()],
            )
        listener.close()
        wait_until(lambda: "ready" in self.log.read_text(), "the host", within_s=30)

    def call(self, method, target, body=None, headers=None, port=None):
        connection = http.client.HTTPConnection(
            "127.0.0.1", port or self.port, timeout=patience_s(20)
        )
        connection.request(method, target, body, headers or {})
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response, data

    def raw(self, data: bytes) -> bytes:
        with socket.create_connection(
            ("127.0.0.1", self.port), timeout=patience_s(20)
        ) as connection:
            connection.sendall(data)
            answer = b""
            while chunk := connection.recv(65_536):
                answer += chunk
        return answer

    def stop(self) -> int:
        self.process.terminate()
        return self.process.wait(patience_s(10))


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    running = Host(tmp_path_factory.mktemp("host"))
    yield running
    assert running.stop() == 0


def problem_of(answer, data, status):
    assert answer.status == status
    assert answer.headers["content-type"] == "application/problem+json"
    document = json.loads(data)
    assert document["status"] == status
    assert document["type"] == f"urn:fairgate:problem:{document['code']}"
    return document


def test_handler_gets_a_v2_event_when_a_request_comes(host):
    path = paths.SECTION_SEATS.format(event="demo", section="A%20b")
    answer, data = host.call(
        "GET", f"{path}?x=1&x=2&y=%C3%A4", headers={"X-Thing": "v", "Cookie": "c=1; d=2"}
    )
    assert answer.status == 200
    seen = json.loads(data)
    event = seen["event"]
    assert event["version"] == "2.0"
    assert event["routeKey"] == f"GET {paths.SECTION_SEATS}"
    assert event["rawPath"] == path
    assert event["rawQueryString"] == "x=1&x=2&y=%C3%A4"
    assert event["queryStringParameters"] == {"x": "1,2", "y": "ä"}
    assert event["pathParameters"] == {"event": "demo", "section": "A b"}
    assert event["headers"]["x-thing"] == "v"
    assert "cookie" not in event["headers"]
    assert event["cookies"] == ["c=1", "d=2"]
    assert event["requestContext"]["http"]["sourceIp"] == "127.0.0.1"
    assert event["requestContext"]["requestId"] == seen["id"]
    assert "body" not in event
    assert seen["module"] == "fairgate_function_seatmap"
    given_ms = 1000 * BY_NAME["seatmap"].timeout_s  # as in AWS
    assert given_ms - 5_000 < seen["left"] <= given_ms


def test_body_is_text_or_base64_when_its_type_says_so(host):
    _, data = host.call(
        "POST", paths.AUTH_EXCHANGE, b'{"a": 1}', {"content-type": "application/json"}
    )
    event = json.loads(data)["event"]
    assert (event["body"], event["isBase64Encoded"]) == ('{"a": 1}', False)
    raw = bytes(range(256))
    _, data = host.call("POST", paths.AUTH_EXCHANGE, raw, {"content-type": "image/png"})
    event = json.loads(data)["event"]
    assert event["isBase64Encoded"] is True
    assert base64.b64decode(event["body"]) == raw
    _, data = host.call("POST", paths.AUTH_EXCHANGE, raw, {"content-type": "application/json"})
    assert json.loads(data)["event"]["isBase64Encoded"] is True


def test_answer_keeps_bytes_and_cookies_when_the_handler_sets_them(host):
    answer, data = host.call("GET", f"{paths.EVENTS}?binary=1")
    assert answer.status == 201
    assert data == bytes(range(256))
    assert answer.headers.get_all("set-cookie") == ["a=1; Path=/", "b=2"]


def test_return_value_is_the_body_when_it_has_no_status(host):
    answer, data = host.call("GET", f"{paths.EVENTS}?plain=1")
    assert (answer.status, json.loads(data)) == (200, {"hello": "catalog"})


def test_longest_literal_wins_when_two_routes_fit(host):
    _, data = host.call("POST", "/api/sessions/s/holds/best-available")
    assert json.loads(data)["event"]["routeKey"] == f"POST {paths.BEST_AVAILABLE}"


def test_problem_names_the_fault_when_nothing_answers_the_route(host):
    answer, data = host.call("GET", "/api/nothing")
    assert problem_of(answer, data, 404)["code"] == "not-found"
    answer, data = host.call("PUT", paths.EVENTS)
    assert problem_of(answer, data, 405)["code"] == "method-not-allowed"
    assert answer.headers["allow"] == "GET, HEAD"
    answer, data = host.call("HEAD", paths.ORDERS)
    assert (answer.status, answer.headers["allow"], data) == (405, "GET", b"")
    answer, data = host.call("OPTIONS", paths.TICKET_OFFER)
    assert (answer.status, answer.headers["allow"], data) == (204, "DELETE, POST", b"")


def test_a_head_has_the_headers_of_a_get_and_no_body(host):
    get, body = host.call("GET", f"{paths.EVENTS}?plain=1")
    head, data = host.call("HEAD", f"{paths.EVENTS}?plain=1")
    assert (head.status, data) == (200, b"")
    assert head.headers["content-length"] == get.headers["content-length"] == str(len(body))


def test_no_detail_escapes_when_a_handler_raises(host):
    answer, data = host.call("GET", f"{paths.EVENTS}?raise=1")
    document = problem_of(answer, data, 500)
    assert b"secret" not in data
    log = host.log.read_text()
    assert "a secret detail" in log
    assert document["request_id"] in log


def test_body_is_refused_when_it_exceeds_the_limit(host):
    ten_mb = b"x" * 10_000_000
    answer, data = host.call("POST", paths.AUTH_EXCHANGE, ten_mb)
    assert problem_of(answer, data, 413)["code"] == "body-too-large"
    assert host.call("POST", paths.AUTH_EXCHANGE, b"x" * 5_000_000)[0].status == 200
    assert host.call("POST", paths.AUTH_EXCHANGE, b"x" * 5_000_001)[0].status == 413


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\na b: c\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 101 + b"\r\n", 400),
        (b"GET / HTTP/1.1\r\na: " + b"b" * 11_000 + b"\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ],
)
def test_problem_is_answered_when_the_request_breaks_http(host, request_bytes, status):
    answer = host.raw(request_bytes)
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    assert b"application/problem+json" in answer


def test_worker_survives_when_the_caller_hangs_up(host):
    for _ in range(10):
        socket.create_connection(("127.0.0.1", host.port)).close()
    assert host.call("GET", paths.EVENTS)[0].status == 200


def test_worker_is_replaced_and_said_when_it_crashes(tmp_path):
    host = Host(tmp_path, workers=1)
    try:
        with pytest.raises((http.client.HTTPException, ConnectionError)):
            host.call("GET", f"{paths.EVENTS}?die=1")
        assert host.call("GET", paths.EVENTS)[0].status == 200
        assert "replaced" in host.log.read_text()
    finally:
        assert host.stop() == 0


def test_caller_gets_503_and_the_worker_goes_when_an_invocation_is_too_long(tmp_path):
    host = Host(tmp_path, workers=1, timeout_s=0.3)
    try:
        _, data = host.call("GET", paths.EVENTS)
        first = json.loads(data)["pid"]
        answer, data = host.call("GET", f"{paths.EVENTS}?sleep=5")
        assert problem_of(answer, data, 503)["code"] == "dependency-unavailable"
        assert answer.headers["retry-after"]
        _, data = host.call("GET", paths.EVENTS)
        assert json.loads(data)["pid"] != first
    finally:
        host.stop()


def test_invocations_never_share_a_worker_when_they_overlap(host):
    seen = []

    def call() -> None:
        seen.append(json.loads(host.call("GET", f"{paths.EVENTS}?sleep=0.4")[1])["pid"])

    callers = [threading.Thread(target=call) for _ in range(4)]
    started = time.monotonic()
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert len(set(seen)) == 2
    assert 0.75 < time.monotonic() - started < patience_s(5)


def test_invocation_finishes_when_the_host_is_told_to_stop(tmp_path):
    host = Host(tmp_path, workers=1)
    answers = []
    caller = threading.Thread(
        target=lambda: answers.append(host.call("GET", f"{paths.EVENTS}?sleep=0.5")[0].status)
    )
    caller.start()
    wait_until(lambda: _connected(host.port), "the connection")
    assert host.stop() == 0
    caller.join()
    assert answers == [200]


def test_workers_end_when_the_host_is_killed(tmp_path):
    host = Host(tmp_path, workers=1)
    worker = json.loads(host.call("GET", paths.EVENTS)[1])["pid"]
    os.kill(host.process.pid, signal.SIGKILL)
    host.process.wait(patience_s(10))
    wait_until(lambda: not _runs(worker), "the worker's end", within_s=10)


# A host whose workers dawdle before they are tied to it, or after, and handle no signal yet.
DAWDLING = """
import os, sys, time
from fairgate_ops.run.local import api_host

host, tie = os.getpid(), api_host.die_with_parent

def dawdle():
    print(os.getpid(), flush=True)
    time.sleep(1)

def tied(*parent):
    if sys.argv[1] == "before" and os.getpid() != host:
        dawdle()
    tie(*parent)

class Idle:
    def __init__(self, *_):
        pass

    def run(self):
        if sys.argv[1] == "after":
            dawdle()
        time.sleep(60)

api_host.die_with_parent, api_host.Worker = tied, Idle
api_host.main(["--functions", sys.argv[2], "--workers", "1"])
"""


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_worker_that_has_just_begun_ends_with_its_host(tmp_path, when):
    functions = functions_in(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", DAWDLING, when, str(functions)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": PYTHONPATH},
    ) as host:
        assert host.stdout is not None
        lines = (line.strip() for line in host.stdout)
        worker = int(next(line for line in lines if line.isdigit()))
        host.kill()
    try:
        wait_until(lambda: not _runs(worker), "the worker's end", within_s=10)
    finally:
        if _runs(worker):
            os.kill(worker, signal.SIGKILL)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


def _connected(port: int) -> bool:
    """Somebody's connection to ``port`` is established, seen from the kernel's table."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    rows = [line.split() for line in lines]
    return any(row[2].endswith(f":{port:04X}") and row[3] == "01" for row in rows)


def test_a_webhook_has_a_worker_when_the_crowd_has_all_the_others(tmp_path):
    running = Host(tmp_path, workers=1)
    slow = threading.Thread(target=running.call, args=("GET", f"{paths.EVENTS}?sleep=8"))
    slow.start()
    try:
        wait_until(lambda: waits(running, paths.EVENTS), "a crowd", within_s=10)
        port = running.webhook_port
        answer, data = running.call("POST", paths.PAYMENT_WEBHOOK, port=port)
        assert answer.status == 200, data
        worker, host = json.loads(data)["pid"], running.process.pid
        yields = os.getpriority(os.PRIO_PROCESS, worker) - os.getpriority(os.PRIO_PROCESS, host)
        assert yields == 3
        assert slow.is_alive()
    finally:
        slow.join()
        assert running.stop() == 0


def waits(host, target) -> bool:
    """Whether nobody has time for a call to the crowd's port."""
    connection = http.client.HTTPConnection("127.0.0.1", host.port, timeout=0.5)
    try:
        connection.request("GET", target)
        connection.getresponse()
    except TimeoutError:
        return True
    else:
        return False
    finally:
        connection.close()
