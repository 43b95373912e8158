"""The sample does not show: over HTTP, the edge and the desk behind it give the same bytes.

The edge is nginx with the built gate, the desk the real handler over its table.
"""

from __future__ import annotations

import http.client
import json
import re
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from fairgate.domain.gate.admission import sampled_account
from fairgate.domain.gate.gate_config import Epoch, dump_gate
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.service.gate.count_crowd import sampled_cohorts
from fairgate_lab.engine.table import CountedTable
from fairgate_ops.run.local.nginx import EdgePlan, edge_available, nginx_command, prepare_edge
from fairgate_ops.run.local.processes import free_port, start_child
from functions.desk import handler as desk
from infra import firewall
from tests.contract.http import request
from tests.edge.gate_tools import make_gate, missing_tool, write_gates
from tests.edge.running_edge import accepts
from tests.support.gate_build import gate_source
from tests.support.http_server import Quiet, served
from tests.support.moto_direct import dynamodb
from tests.support.waiting import patience_s, wait_until
from tests.support.world import EVENT, World

REASON = missing_tool() or edge_available()
pytestmark = pytest.mark.skipif(REASON is not None, reason=str(REASON))
JOINS = 80
# What differs for each join: the place, its moment, and the time.
OWN = re.compile(
    r"""(?<="token":")[^"]+|(?<="ch":")[^"]+|(?<="boff":)\d+|(?<="now":)\d+|(?<="estimate":){[^}]+}"""
)
OWN_HEADERS = {"date", "content-length"}


@dataclass
class Room:
    """The running edge, and what the desk behind it did."""

    port: int
    world: World
    table: CountedTable
    asked: list[str] = field(default_factory=list)

    def join(self, auth: str) -> tuple[int, list[tuple[str, str]], str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=patience_s(10))
        try:
            path = f"/api/events/{EVENT}/queue"
            connection.request("POST", path, headers={"authorization": auth})
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read().decode()
        finally:
            connection.close()

    def auth(self, user: str) -> str:
        key = self.world.secrets.current.auth["1"]
        return f"Bearer {issue_auth_token(user, [], key, '1', int(time.time()) - 1, 600)}"


def rules(world: World) -> Any:
    start = int(time.time()) - 3600
    return make_gate(
        epochs=(Epoch(start, 0.0, 1e-5),),
        sale_start_s=start,
        sample_queue=0.5,
        auth_keys=dict(world.secrets.current.auth),
    )


@pytest.fixture
def world() -> Iterator[World]:
    with dynamodb() as client:
        yield World(client)


@pytest.fixture
def room(world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Room]:
    gate = rules(world)
    world.clock.ms = int(time.time() * 1000)
    world.edge_config.values[f"e:{EVENT}"] = dump_gate(gate)
    table = CountedTable(world.table)
    world.container.__dict__["table"] = table
    monkeypatch.setattr(desk, "container", lambda: world.container)
    here = Room(free_port(), world, table)

    class Desk(Quiet, BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            here.asked.append(self.path)
            world.clock.ms = int(time.time() * 1000)
            path, query = urlsplit(self.path).path, urlsplit(self.path).query
            sent = {name.lower(): value for name, value in self.headers.items()}
            answer = desk.handler(request("POST", path, query=query, **sent), None)
            body = answer["body"].encode()
            self.send_response(answer["statusCode"])
            for name, value in {**answer["headers"], "content-length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    with served(Desk) as url:
        address = url.removeprefix("http://")
        plan = EdgePlan(
            port=here.port,
            api_upstream=address,
            web_root=tmp_path / "web",
            layouts_root=tmp_path / "web",
            kvs_dir=tmp_path / "kvs",
            gate_js=tmp_path / "gate.js",
            run_dir=tmp_path / "run",
        )
        plan.web_root.mkdir()
        plan.gate_js.write_text(gate_source())
        write_gates(plan.kvs_dir, {EVENT: gate})
        prepare_edge(plan)
        environment = {"PATH": "/usr/sbin:/usr/bin:/bin"}
        assert shutil.which("nginx", path=environment["PATH"])
        child = start_child(
            "nginx", nginx_command(plan), logs_dir=tmp_path, env=environment, cwd=plan.run_dir
        )
        try:
            wait_until(lambda: accepts(here.port), "the edge listening")
            yield here
        finally:
            child.stop()


def accounts(world: World, *, sampled: bool) -> str:
    gate = rules(world)
    return next(
        f"user{n}" for n in range(99) if sampled_account(gate, EVENT, f"user{n}") is sampled
    )


def without_own(answer: tuple[int, list[tuple[str, str]], str]) -> tuple[Any, ...]:
    status, headers, body = answer
    names = [(n.lower(), "" if n.lower() in OWN_HEADERS else value) for n, value in headers]
    return status, names, OWN.sub("…", body)


def test_a_sampled_account_gets_the_bytes_that_others_get(room: Room) -> None:
    answers = {
        sampled: room.join(room.auth(accounts(room.world, sampled=sampled)))
        for sampled in (True, False)
    }
    assert [status for status, _, _ in answers.values()] == [200, 200]
    assert len(room.asked) == 1
    assert without_own(answers[True]) == without_own(answers[False])
    assert list(json.loads(answers[True][2])) == list(json.loads(answers[False][2]))


@pytest.mark.parametrize("sampled", [True, False])
def test_eighty_joins_of_one_sign_in_are_held_back_alike_and_write_once(
    room: Room, *, sampled: bool
) -> None:
    auth = room.auth(accounts(room.world, sampled=sampled))
    answers = [room.join(auth) for _ in range(JOINS)]
    seen = Counter(status for status, _, _ in answers)
    assert set(seen) == {200, 429}
    # One more for each six seconds that this took.
    assert firewall.JOINS_A_MINUTE <= seen[200] <= firewall.JOINS_A_MINUTE + 3
    refused = next(headers for status, headers, _ in answers if status == 429)
    assert ("Retry-After", "60") in refused or any(n.lower() == "retry-after" for n, _ in refused)
    assert len(room.asked) == (seen[200] if sampled else 0)
    assert room.table.calls["transact"] == (1 if sampled else 0)
    assert room.table.calls["update"] == 0
    assert [c.count for c in sampled_cohorts(room.world.table, EVENT)] == ([1] if sampled else [])
