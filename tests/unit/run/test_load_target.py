"""Load goes to no system that might sell: each line of the guard is shown to stop something."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from fairgate_ops.run.crowd import distributed
from fairgate_ops.run.crowd.load_target import LoadTarget, RefusedTargetError
from tests.support.http_server import Quiet, served

Serve = Callable[[Any], str]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve this document as ``/config.json`` on loopback; anything else is 404."""
    with ExitStack() as servers:

        def started(document: Any) -> str:
            class Handler(Quiet, BaseHTTPRequestHandler):
                def do_GET(self) -> None:
                    found = self.path == "/config.json"
                    body = json.dumps(document).encode() if found else b""
                    self.send_response(200 if found else 404)
                    self.send_header("content-length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            return servers.enter_context(served(Handler))

        yield started


@contextmanager
def refused(words: str) -> Iterator[None]:
    with pytest.raises(RefusedTargetError, match=words):
        yield


def test_a_test_stage_of_this_machine_is_permitted_without_a_word(serve: Serve) -> None:
    LoadTarget(serve({"test_stage": True})).permit()


@pytest.mark.parametrize(
    "document", [{}, {"test_stage": False}, {"test_stage": "true"}, {"test_stage": 1}, []]
)
def test_a_stage_is_refused_when_it_does_not_say_that_it_sells_nothing(
    serve: Serve, document: Any
) -> None:
    with refused("does not say that it is a test's stage"):
        LoadTarget(serve(document)).permit()


def test_a_target_is_refused_when_it_cannot_be_asked(serve: Serve) -> None:
    base_url = serve({"test_stage": True})
    with refused("cannot be read"):
        LoadTarget(f"{base_url}/elsewhere").permit()


@pytest.mark.parametrize("go", ["", "tickets.example.org", "yes", "127.0.0.1"])
def test_another_machine_is_refused_without_its_own_name_as_the_operators_word(
    go: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LoadTarget, "_config", lambda _self: {"test_stage": True})
    with refused("GO=rehearsal.example.org"):
        LoadTarget("https://rehearsal.example.org", go).permit()


def test_another_machine_is_permitted_when_the_operator_names_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LoadTarget, "_config", lambda _self: {"test_stage": True})
    LoadTarget("https://rehearsal.example.org", "rehearsal.example.org").permit()


def test_the_operators_word_is_not_enough_for_a_stage_that_sells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LoadTarget, "_config", lambda _self: {"identity": None})
    with refused("real buyers may be there"):
        LoadTarget("https://tickets.example.org", "tickets.example.org").permit()


@pytest.mark.parametrize(
    ("base_url", "words"),
    [("http://rehearsal.example.org", "https alone"), ("rehearsal", "no address"), ("", "no addr")],
)
def test_what_is_no_https_address_is_refused(base_url: str, words: str) -> None:
    with refused(words):
        LoadTarget(base_url, "rehearsal.example.org").permit()


@pytest.mark.parametrize("host", ["127.0.0.1.example.org", "localhost.example.org"])
def test_a_name_that_looks_like_this_machine_is_another(host: str) -> None:
    assert not LoadTarget(f"https://{host}").here


def test_this_machine_is_known_by_its_names() -> None:
    for host in ("127.0.0.1", "localhost", "[::1]"):
        assert LoadTarget(f"http://{host}:8080").here


@pytest.mark.parametrize(
    "words",
    [
        *(["--buyers", number] for number in ("0", "-1", "2.5", "many", "")),
        *(["--seconds", number] for number in ("0", "-1", "nan", "inf")),
        ["--workers", "-1"],
        ["--workers", "0"],
        ["--elsewhere", "-1"],
    ],
    ids=" ".join,
)
def test_a_load_of_nothing_is_refused_before_anything_starts(
    words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as refused:
        distributed.main(["--run-dir", str(tmp_path), *words])
    assert refused.value.code == 2
    assert "no whole number" in (said := capsys.readouterr().err) or "has to work" in said
