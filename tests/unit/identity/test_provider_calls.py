"""A call of the identity provider ends in time, whatever is on the other side."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fairgate import deadline
from fairgate.adapters.identity import provider_calls
from fairgate.adapters.identity.provider_calls import ANSWER_BYTES_MAX, call_provider
from tests.support.certificates import self_signed
from tests.support.listeners import Listener
from tests.support.waiting import patience_s

HEAD = b"HTTP/1.1 200 OK\r\n"
QUICK_S = 0.4


class Site(Listener):
    """Reads a request and hands it to ``answer`` with the connection."""

    def __init__(self, answer: Callable[[socket.socket], object]) -> None:
        self.answer = answer
        self.requests: list[bytes] = []
        super().__init__()
        self.url = f"http://127.0.0.1:{self.port}"

    def serve(self, caller: socket.socket) -> None:
        with caller, contextlib.suppress(OSError):
            request = b""
            while b"\r\n\r\n" not in request:
                request += caller.recv(65_536)
            head, _, body = request.partition(b"\r\n\r\n")
            for line in head.lower().split(b"\r\n"):
                if line.startswith(b"content-length:"):
                    while len(body) < int(line[15:]):
                        body += caller.recv(65_536)
            self.requests.append(head + b"\r\n\r\n" + body)
            self.answer(caller)


@contextlib.contextmanager
def site(answer: Callable[[socket.socket], object]) -> Iterator[Site]:
    made = Site(answer)
    try:
        yield made
    finally:
        made.close()


def says(*parts: bytes, pause_s: float = 0) -> Callable[[socket.socket], Any]:
    def answer(caller: socket.socket) -> None:
        for part in parts:
            caller.sendall(part)
            time.sleep(pause_s)

    return answer


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provider_calls, "CALL_S_MAX", QUICK_S)


def test_status_and_body_come_back_when_a_form_is_sent() -> None:
    with site(says(HEAD + b"content-length: 2\r\n\r\nok")) as running:
        assert call_provider(f"{running.url}/token?a=b", b"x=1", {"x-a": "b"}) == (200, b"ok")
    (request,) = running.requests
    assert request.startswith(b"POST /token?a=b HTTP/1.1\r\n")
    assert b"x-a: b\r\n" in request
    assert request.endswith(b"\r\n\r\nx=1")


def test_a_redirect_is_not_followed() -> None:
    with site(says(HEAD + b"content-length: 0\r\n\r\n")) as other:
        away = (
            b"HTTP/1.1 307 T\r\nlocation: " + other.url.encode() + b"\r\ncontent-length: 0\r\n\r\n"
        )
        with site(says(away)) as running:
            assert call_provider(running.url, b"secret=1") == (307, b"")
        assert other.requests == []


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    "answer",
    [
        says(b"", pause_s=9),
        says(*[b"H"] * 90, pause_s=0.1),
        says(HEAD, *[b"x-a: b\r\n"] * 90, pause_s=0.1),
        says(HEAD + b"content-length: 90\r\n\r\n", *[b"x"] * 90, pause_s=0.1),
        says(HEAD + b"\r\n", *[b"x"] * 90, pause_s=0.1),  # ends with the connection
    ],
    ids=["silent", "status", "headers", "body", "endless"],
)
def test_it_ends_in_time_when_the_answer_drips(answer: Callable[[socket.socket], Any]) -> None:
    began = time.monotonic()
    with site(answer) as running, pytest.raises((OSError, http.client.HTTPException)):
        call_provider(running.url)
    assert time.monotonic() - began < QUICK_S + patience_s(3)


@pytest.mark.parametrize("extra", [0, 1])
def test_an_answer_is_refused_when_it_is_too_long(extra: int) -> None:
    body = b"x" * (ANSWER_BYTES_MAX + extra)
    expected = pytest.raises(ValueError, match="too long") if extra else contextlib.nullcontext()
    with site(says(HEAD + b"\r\n", body)) as running, expected:
        assert len(call_provider(running.url)[1]) == ANSWER_BYTES_MAX


@pytest.mark.parametrize("answer", [b"", b"nonsense\r\n\r\n", HEAD + b"content-length: 9\r\n\r\nx"])
def test_an_answer_is_refused_when_it_is_a_part_or_none(answer: bytes) -> None:
    with site(says(answer)) as running, pytest.raises((OSError, http.client.HTTPException)):
        call_provider(running.url)


@pytest.mark.parametrize("url", ["", "file:///etc/passwd", "ftp://x/", "https://", "x"])
def test_an_address_is_refused_when_it_is_not_http(url: str) -> None:
    with pytest.raises(ValueError, match="not http or https"):
        call_provider(url)


class SecureSite(Site):
    """The same with a certificate of its own making."""

    def __init__(self, answer: Callable[[socket.socket], object], certificate: Path) -> None:
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate)
        super().__init__(answer)
        self.url = f"https://127.0.0.1:{self.port}"

    def serve(self, caller: socket.socket) -> None:
        with contextlib.suppress(OSError):
            super().serve(self._context.wrap_socket(caller, server_side=True))


def test_a_certificate_is_needed_that_somebody_trusts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = self_signed(tmp_path)
    running = SecureSite(says(HEAD + b"content-length: 2\r\n\r\nok"), certificate)
    try:
        with pytest.raises(ssl.SSLCertVerificationError):
            call_provider(running.url)
        trusting = ssl.create_default_context(cafile=certificate)
        monkeypatch.setattr(provider_calls, "_trusted", lambda: trusting)
        assert call_provider(running.url) == (200, b"ok")
    finally:
        running.close()
    assert len(running.requests) == 1


class Nowhere:
    """What a name stands for: so many addresses that swallow each packet, then ``port`` here."""

    def __init__(self, silent: int, port: int) -> None:
        self.listening = []
        for _ in range(silent):
            # A queue of one that is full: what comes after it is answered by nobody.
            full = socket.socket()
            full.bind(("127.0.0.1", 0))
            full.listen(0)
            callers = [socket.socket() for _ in range(2)]
            for caller in callers:
                caller.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    caller.connect(full.getsockname())
            self.listening += [full, *callers]
        ports = [s.getsockname()[1] for s in self.listening[::3]] + [port] * bool(port)
        self.found = [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", each)) for each in ports
        ]

    def __call__(self, *_args: object, **_options: object) -> list[Any]:
        return self.found

    def close(self) -> None:
        for each in self.listening:
            each.close()


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int, int], Nowhere]]:
    made: list[Nowhere] = []

    def make(silent: int, port: int = 0) -> Nowhere:
        made.append(Nowhere(silent, port))
        monkeypatch.setattr(socket, "getaddrinfo", made[-1])
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.mark.usefixtures("quick")
def test_it_ends_in_time_when_none_of_many_addresses_answers(
    nowhere: Callable[..., Nowhere],
) -> None:
    nowhere(12)
    began = time.monotonic()
    with pytest.raises(OSError, match=r"."):
        call_provider("http://id.example/")
    assert time.monotonic() - began < patience_s(2 * QUICK_S)


def test_the_next_address_is_tried_when_one_does_not_answer(
    nowhere: Callable[..., Nowhere], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider_calls, "CALL_S_MAX", 2.0)
    with site(says(HEAD + b"content-length: 2\r\n\r\nok")) as running:
        nowhere(2, running.port)
        assert call_provider("http://id.example/") == (200, b"ok")


@pytest.mark.usefixtures("quick")
def test_it_ends_in_time_when_the_answer_drips_behind_tls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = self_signed(tmp_path)
    monkeypatch.setattr(
        provider_calls, "_trusted", lambda: ssl.create_default_context(cafile=certificate)
    )
    running = SecureSite(says(HEAD + b"\r\n", *[b"x"] * 90, pause_s=0.1), certificate)
    began = time.monotonic()
    try:
        with pytest.raises((OSError, http.client.HTTPException)):
            call_provider(running.url)
    finally:
        running.close()
    assert time.monotonic() - began < QUICK_S + patience_s(3)


def test_the_request_s_own_deadline_is_kept() -> None:
    cut_off = pytest.raises((TimeoutError, ConnectionError))
    with site(says(b"", pause_s=9)) as running, deadline.within(0.5), cut_off:
        began = time.monotonic()
        call_provider(running.url)
    assert time.monotonic() - began < patience_s(3)
