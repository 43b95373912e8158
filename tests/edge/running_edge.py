"""The local edge in front of a stub of the API, as tests start and ask it."""

from __future__ import annotations

import gzip
import http.client
import itertools
import json
import socket
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from fairgate.domain.gate.gate_config import Epoch
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate_ops.run.local.nginx import EdgePlan, nginx_command, prepare_edge, render_node_routes
from fairgate_ops.run.local.processes import free_port
from fairgate_ops.run.local.shares import gated_patterns
from tests.edge.gate_tools import EVENT, ROOT, SUB, make_gate, write_gates
from tests.support.gate_build import gate_source
from tests.support.http_server import ENDS_WITHIN_S, Quiet
from tests.support.waiting import patience_s, wait_until

SIGN_INS = itertools.count()
MINUTE = "public, max-age=60"


class Stub(Quiet, BaseHTTPRequestHandler):
    server: StubServer

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        self.answer()

    def do_DELETE(self) -> None:
        self.answer()

    def answer(self) -> None:
        seen: dict[str, Any] = {"path": self.path, "words": self.headers.get_all("x-fairgate-edge")}
        seen["share"] = self.server.share
        seen["headers"] = {k.lower(): v for k, v in self.headers.items()}
        self.server.seen.append(seen)
        if self.server.tag and self.headers.get("if-none-match") == self.server.tag:
            self.send_response(304)
            self.send_header("etag", self.server.tag)
            self.send_header("cache-control", self.server.cache_control)
            self.end_headers()
            return
        body = json.dumps(seen).encode()
        self.send_response(self.server.status)
        self.send_header("content-type", "application/json")
        if self.server.tag:
            self.send_header("etag", self.server.tag)
        if "gzip" in self.headers.get("accept-encoding", ""):
            body = gzip.compress(body)
            self.send_header("content-encoding", "gzip")
            self.send_header("vary", "accept-encoding")
        self.send_header("content-length", str(len(body)))
        self.send_header("cache-control", self.server.cache_control)
        for name, value in self.server.own.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


class StubServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, share: str = "api", seen: list[dict[str, Any]] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Stub)
        self.share = share
        self.seen: list[dict[str, Any]] = [] if seen is None else seen
        self.cache_control = MINUTE
        self.tag = ""
        self.status = 200
        self.own: dict[str, str] = {}

    def asked(self, path: str, before: int) -> int:
        """Count the requests for a path; a cache may still renew other tests' paths.

        Args:
            before: how much it had seen.
        """
        own = path.partition("?")[0]
        return sum(seen["path"].partition("?")[0] == own for seen in self.seen[before:])


@contextmanager
def stubs(shares: Iterable[str]) -> Iterator[dict[str, StubServer]]:
    """Serve ``api`` and each share; the list of ``api`` has what any of them sees."""
    api = StubServer()
    servers = {"api": api} | {share: StubServer(share, api.seen) for share in shares}
    for server in servers.values():
        threading.Thread(target=server.serve_forever, args=(ENDS_WITHIN_S,), daemon=True).start()
    try:
        yield servers
    finally:
        for server in servers.values():
            server.shutdown()
            server.server_close()


def address_of(server: StubServer) -> str:
    return f"127.0.0.1:{server.server_address[1]}"


def nobody_asks_for(seconds: float) -> None:
    """Leave the edge alone: its own clock cannot be injected."""
    threading.Event().wait(seconds)


def accepts(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Edge:
    """The running edge and the stub behind it."""

    def __init__(self, plan: EdgePlan, api: StubServer) -> None:
        self.plan = plan
        self.api = api

    def ask(
        self,
        method: str,
        path: str,
        headers: dict[str, str] | None = None,
        body: bytes | None = None,
    ) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.plan.port, timeout=patience_s(10))
        try:
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def gated(
        self, action: str, event: str = EVENT, **headers: str
    ) -> tuple[int, dict[str, str], Any]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        path = f"/api/events/{event}/{action}"
        status, found, body = self.ask("POST", path, {**signed_in(), **named})
        return status, found, json.loads(body)


def signed_in() -> dict[str, str]:
    """The headers of a caller with a session of a name that nobody has."""
    gate, lasts_s = make_gate(), 600 + next(SIGN_INS) % 3000  # each a sign-in of its own
    auth = issue_auth_token(SUB, [], gate.auth_keys["a1"], "a1", time.time(), lasts_s)
    return {"authorization": f"Bearer {auth}", "x-fairgate-session": "s", "x-fairgate-token": "x"}


def command(plan: EdgePlan, server: str) -> list[str]:
    if server == "nginx":
        prepare_edge(plan)
        return nginx_command(plan)
    plan.run_dir.mkdir()
    routes = plan.run_dir / "routes.json"
    routes.write_text(render_node_routes(plan))
    return ["node", str(ROOT / "edge" / "local" / "server.mjs"), str(routes)]


# What tests ask of the cache: events of their own, so that none meets another's answer.
OTHERS = (
    "by-the-edge",
    "cached",
    "encoded",
    "f",
    "o",
    "queried",
    "spoofed",
    "stale",
    "t",
    "watched",
)


def reset(plan: EdgePlan, **changes: Any) -> None:
    """A sale that opened an hour before this machine's time."""
    start = int(time.time()) - 3600
    gate = {"epochs": (Epoch(start, 0.0, 1 / 300),), "sale_start_s": start, "pow_bits": 0} | changes
    write_gates(plan.kvs_dir, dict.fromkeys((EVENT, *OTHERS), make_gate(**gate)))


def running_edge(folder: Path, kind: str, servers: dict[str, StubServer]) -> Iterator[Edge]:
    """Run nginx or node, as ``kind`` says, until the caller has done."""
    plan = EdgePlan(
        port=free_port(),
        api_upstream=address_of(servers["api"]),
        web_root=folder / "web",
        layouts_root=folder / "layouts",
        kvs_dir=folder / "kvs",
        gate_js=folder / "gate.js",
        run_dir=folder / "run",
        extra_upstreams={"/sandbox/": address_of(servers["api"])},
        gated_upstreams={
            pattern: address_of(servers[share]) for pattern, share in gated_patterns().items()
        },
        front_door="known-to-two",
    )
    (folder / "web" / "assets").mkdir(parents=True)
    (folder / "web" / "index.html").write_text("<!doctype html><title>hello</title>")
    (folder / "web" / "assets" / "main.js").write_text("export const one = 1\n" + "// long\n" * 200)
    (folder / "layouts" / "abc").mkdir(parents=True)
    (folder / "layouts" / "abc" / "venue.json").write_text("{}")
    plan.gate_js.write_text(gate_source())
    reset(plan)
    process = subprocess.Popen(command(plan, kind), stdout=subprocess.PIPE)
    try:
        wait_until(lambda: accepts(plan.port) or process.poll() is not None, "the edge listening")
        log = plan.run_dir / "error.log"
        assert process.poll() is None, log.read_text() if log.exists() else "the server ended"
        yield Edge(plan, servers["api"])
    finally:
        process.terminate()
        process.communicate(timeout=patience_s(10))
