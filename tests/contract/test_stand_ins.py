"""What stands in for a service fails loudly when it is broken, and is gone when it is closed."""

from __future__ import annotations

import socket
import threading
import urllib.error
import urllib.request
from http.client import RemoteDisconnected
from http.server import BaseHTTPRequestHandler

import pytest

from tests.support.http_server import Quiet, served
from tests.support.listeners import OneLine
from tests.support.waiting import patience_s


class Broken(Quiet, BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        raise LookupError("the stand-in is broken")


class Left(Quiet, BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        raise BrokenPipeError


def test_what_a_stand_in_raises_fails_the_test_that_took_it_for_an_outage() -> None:
    with pytest.raises(LookupError, match="the stand-in is broken"), served(Broken) as address:
        ask(address)


def test_a_caller_that_left_is_no_failure_of_the_stand_in() -> None:
    with served(Left) as address:
        ask(address)


def ask(address: str) -> None:
    with pytest.raises((RemoteDisconnected, urllib.error.URLError)):
        urllib.request.urlopen(address, timeout=patience_s(10))  # noqa: S310 on the loopback


def test_nobody_is_answered_by_a_listener_that_was_closed() -> None:
    before = set(threading.enumerate())
    listener = OneLine(b"+OK\r\n")
    [accepts] = set(threading.enumerate()) - before
    with socket.create_connection(("127.0.0.1", listener.port), patience_s(10)) as caller:
        caller.sendall(b"*1\r\n$4\r\nPING\r\n")
        assert caller.recv(5) == b"+OK\r\n"  # by now it waits for the next
    listener.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", listener.port), patience_s(10))
    accepts.join(patience_s(10))
    assert not accepts.is_alive()
