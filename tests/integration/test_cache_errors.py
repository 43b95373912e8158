"""Whatever Valkey answers but an answer: unavailable to who asks, and a defect of ours told apart.

What a server can be brought to say is said by a real one; the rest by one that says one line.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from valkey import Valkey
from valkey.exceptions import ResponseError

from fairgate.adapters.valkey import connection
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.deadline import within
from fairgate.ports.availability import (
    CacheScriptError,
    CacheUnavailableError,
    Claim,
    SeatStatus,
    ShardStatus,
)
from fairgate.service.holds.claim_seats import Claims
from fairgate_lab.engine.clock import MemoryClock
from fairgate_ops.run.local.valkey_server import ValkeyServer
from tests.support.availability import seats, started_valkey
from tests.support.listeners import OneLine
from tests.support.waiting import wait_until

EVENT = "show"
CHOICES = [Claim((("a", "s-1"),))]

QUESTIONS: dict[str, Callable[[ValkeyAvailability], object]] = {
    "apply": lambda cache: cache.apply(EVENT, "a", seats(1)),
    "life": lambda cache: cache.life(EVENT, "a"),
    "fill": lambda cache: cache.fill(EVENT, "a", seats(1)),
    "forget": lambda cache: cache.forget(EVENT, "a"),
    "forget_area": lambda cache: cache.forget_area(EVENT, "f"),
    "section": lambda cache: cache.section(EVENT, "a"),
    "codes": lambda cache: cache.codes(EVENT, ["a"], 0),
    "counts": lambda cache: cache.counts(EVENT, ["a"], 0),
    "apply_shards": lambda cache: cache.apply_shards(EVENT, [ShardStatus("f", 0, 1, 1)]),
    "fill_area": lambda cache: cache.fill_area(EVENT, "f", []),
    "shards": lambda cache: cache.shards(EVENT),
    "places": lambda cache: cache.places(EVENT),
    "keep_places": lambda cache: cache.keep_places(EVENT, b""),
    "position": lambda cache: cache.position(EVENT, "a"),
    "seat_changes": lambda cache: cache.seat_changes(EVENT, "a"),
    "place_changes": lambda cache: cache.place_changes(EVENT),
    "begin_refill": lambda cache: cache.begin_refill(EVENT, "a"),
    "end_refill": lambda cache: cache.end_refill(EVENT, "a"),
    "claim": lambda cache: cache.claim(EVENT, CHOICES, "me", 3_000),
    "claimed": lambda cache: cache.claimed(EVENT, ["a"]),
    "unclaim": lambda cache: cache.unclaim(EVENT, [("a", "s-1")], "me"),
    "end_claims": lambda cache: cache.end_claims(EVENT, "a", ["s-1"]),
}

UNAVAILABLE = (
    "TRYAGAIN Multiple keys request during rehashing of slot",
    "BUSY Valkey is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
    "CLUSTERDOWN The cluster is down",
    "MOVED 3999 127.0.0.1:6381",
    "ASK 3999 127.0.0.1:6381",
    "NOREPLICAS Not enough good replicas to write.",
    "MISCONF Valkey is configured to save RDB snapshots, but it's unable to persist to disk.",
    "MISCONF Errors writing to the AOF file. script: 6b1bf486, on @user_script:1.",
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    "LOADING Valkey is loading the dataset in memory",
    "OOM command not allowed when used memory > 'maxmemory'. script: 6b1b, on @user_script:1.",
    "READONLY You can't write against a read only replica. script: 6b1b, on @user_script:1.",
    "NOAUTH Authentication required.",
    "WRONGPASS invalid username-password pair or user is disabled.",
    "NOPERM User default has no permissions to run the 'evalsha' command",
    "ERR max number of clients reached",
    "ERR something that nobody has thought of",
    "SOMETHING new",
)
DEFECTS = (
    "ERR user_script:7: attempt to compare nil with number script: 6b1b, on @user_script:7.",
    "ERR Error compiling script (new function): user_script:1: '=' expected near 'x'",
    "ERR value is not an integer or out of range script: 6b1b, on @user_script:3.",
    "WRONGTYPE Operation against a key holding the wrong kind of value",
    "WRONGTYPE Operation against a key holding the wrong kind of value script: 6b, on @user_script",
    "CROSSSLOT Keys in request don't hash to the same slot",
    "NOSCRIPT No matching script. Please use EVAL.",
)


@pytest.fixture(scope="module")
def one_line() -> Iterator[OneLine]:
    made = OneLine()
    yield made
    made.close()


@contextmanager
def asking(url: str, timeout_s: float = 2.0) -> Iterator[ValkeyAvailability]:
    cache = ValkeyAvailability(url, timeout_s=timeout_s)
    try:
        yield cache
    finally:
        cache.close()


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_error_is_unavailable_and_only_a_defect_is_one(
    one_line: OneLine, question: str
) -> None:
    with asking(one_line.url) as cache:
        for line in UNAVAILABLE + DEFECTS:
            one_line.answer = f"-{line}\r\n".encode()
            with pytest.raises(CacheUnavailableError) as failure:
                QUESTIONS[question](cache)
            assert isinstance(failure.value, CacheScriptError) == (line in DEFECTS), line


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("line", [b"?what\r\n", b"HTTP/1.1 400 Bad Request\r\n\r\n", b":x\r\n"])
def test_what_is_no_answer_of_the_protocol_is_unavailable(
    one_line: OneLine, question: str, line: bytes
) -> None:
    one_line.answer = line
    with asking(one_line.url) as cache, pytest.raises(CacheUnavailableError):
        QUESTIONS[question](cache)


def test_an_answer_of_another_shape_is_a_defect_and_its_connection_is_not_used_again(
    one_line: OneLine,
) -> None:
    one_line.answer = b"+OK\r\n"
    with asking(one_line.url) as cache:
        for question in ("apply", "claim", "codes", "counts", "position", "seat_changes"):
            with pytest.raises(CacheScriptError):
                QUESTIONS[question](cache)
            assert all(c._sock is None for c in pool_of(cache)), question


def pool_of(cache: ValkeyAvailability) -> list[Any]:
    return list(cache._client().client.connection_pool._connections)


def test_a_hold_s_claims_notice_no_error_and_count_the_defects(one_line: OneLine) -> None:
    clock = MemoryClock()
    with asking(one_line.url) as cache:
        claims = Claims(cache, clock)
        for line in UNAVAILABLE + DEFECTS:
            one_line.answer = f"-{line}\r\n".encode()
            assert claims.claim(EVENT, CHOICES, "me") is None
            assert claims.claimed(EVENT, ["a"]) == set()
            claims.give_up(EVENT, [("a", "s-1")], "me")
            clock.ms += 10_000
        figures = claims.fallbacks()
    assert figures["ClaimsSkipped"] == 3 * len(UNAVAILABLE + DEFECTS)
    assert figures["CacheScriptDefects"] == 3 * len(DEFECTS)


# --- a real server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyServer]:
    """A plain one: a node of a cluster is not made a replica by REPLICAOF."""
    server = started_valkey(tmp_path_factory.mktemp("plain"), clustered=False)
    yield server
    server.stop()


@pytest.fixture
def admin(server: Any) -> Iterator[Any]:
    """Rules the server, and leaves it as it was."""
    client: Any = Valkey.from_url(server.url, single_connection_client=True)
    client.flushall()
    changed = ("maxmemory", "maxmemory-policy", "min-replicas-to-write", "requirepass")
    before = {name: client.config_get(name)[name] for name in changed}
    yield client
    client.execute_command("REPLICAOF", "NO", "ONE")
    client.execute_command("ACL", "SETUSER", "default", "+@all")
    for name, value in before.items():
        client.config_set(name, value)
    client.flushall()
    client.close()


def refused(cache: ValkeyAvailability, question: str) -> str:
    """Return what the server said when it was unavailable, by no defect of ours."""
    with pytest.raises(CacheUnavailableError) as failure:
        QUESTIONS[question](cache)
    assert not isinstance(failure.value, CacheScriptError), failure.value
    return str(failure.value)


def test_a_full_cache_is_unavailable(server: Any, admin: Any) -> None:
    admin.config_set("maxmemory-policy", "noeviction")
    admin.config_set("maxmemory", 1)
    with asking(server.url) as cache:
        assert "maxmemory" in refused(cache, "claim")
        assert "maxmemory" in refused(cache, "keep_places")


def test_a_replica_is_unavailable(server: Any, admin: Any) -> None:
    admin.execute_command("REPLICAOF", "127.0.0.1", "1")
    with asking(server.url) as cache:
        assert "read only replica" in refused(cache, "claim")
        assert "read only replica" in refused(cache, "begin_refill")


def test_a_primary_without_its_replicas_is_unavailable(server: Any, admin: Any) -> None:
    admin.config_set("min-replicas-to-write", 1)
    with asking(server.url) as cache:
        assert refused(cache, "claim").startswith("NOREPLICAS")


def test_a_cache_that_wants_a_password_is_unavailable(server: Any, admin: Any) -> None:
    admin.config_set("requirepass", "secret")
    with asking(server.url) as cache:
        assert "uthentication" in refused(cache, "claim")
    with asking(server.url.replace("//", "//:wrong@")) as cache:
        assert "invalid username-password" in refused(cache, "claim")


def test_a_cache_that_permits_no_script_is_unavailable(server: Any, admin: Any) -> None:
    admin.execute_command("ACL", "SETUSER", "default", "-evalsha")
    with asking(server.url) as cache:
        assert "permissions" in refused(cache, "claim")


def test_a_cache_whose_thread_a_script_keeps_is_unavailable(server: Any, admin: Any) -> None:
    admin.config_set("busy-reply-threshold", 10)
    stuck = Valkey.from_url(server.url, socket_timeout=60)

    killed: list[str] = []

    def spin() -> None:
        try:
            stuck.eval("while true do end", 0)
        except ResponseError as error:
            killed.append(str(error))

    thread = threading.Thread(target=spin)
    thread.start()
    with asking(server.url) as cache:
        try:
            wait_until(lambda: busy(admin), "the script to be noticed")
            assert refused(cache, "places").startswith("BUSY")
            assert refused(cache, "claim").startswith("BUSY")
        finally:
            admin.script_kill()
            thread.join()
        assert cache.places(EVENT) is None
    assert len(killed) == 1
    stuck.close()
    admin.config_set("busy-reply-threshold", 5_000)


def busy(admin: Any) -> bool:
    try:
        admin.get("x")
    except ResponseError as error:
        return str(error).startswith("BUSY")
    return False


def test_a_defect_says_in_the_log_where_it_was(
    one_line: OneLine, caplog: pytest.LogCaptureFixture
) -> None:
    one_line.answer = b"-WRONGTYPE Operation against a key\r\n"
    with asking(one_line.url) as cache, pytest.raises(CacheScriptError):
        cache.claimed(EVENT, ["a"])
    assert "WRONGTYPE" in caplog.text
    assert "in claimed" in caplog.text
    caplog.clear()
    one_line.answer = b"-BUSY now\r\n"
    with asking(one_line.url) as cache, pytest.raises(CacheUnavailableError):
        cache.claimed(EVENT, ["a"])
    assert caplog.text == ""


def test_keys_that_another_hand_has_written_are_a_defect(server: Any, admin: Any) -> None:
    with asking(server.url) as cache:
        cache.fill(EVENT, "b", seats(2))
        admin.set(f"claims:{{{EVENT}:a}}", "text")
        with pytest.raises(CacheScriptError, match="wrong kind of value"):
            cache.claim(EVENT, CHOICES, "me", 3_000)
        with pytest.raises(CacheScriptError, match="wrong kind of value"):
            cache.end_claims(EVENT, "a", ["s-1"])
        admin.hset(f"seatmap:{{{EVENT}:b}}", "0", "nonsense")
        with pytest.raises(CacheScriptError, match="compare nil"):
            cache.apply(EVENT, "b", [SeatStatus(0, "reserved", 0, 9)])
        with pytest.raises(CacheScriptError):
            cache.section(EVENT, "b")
        assert cache.codes(EVENT, ["b"], 0) != [None]  # the vector is sound


def test_a_cache_that_forgot_its_scripts_learns_them_again(server: Any, admin: Any) -> None:
    with asking(server.url) as cache:
        cache.claim(EVENT, CHOICES, "me", 3_000)
        admin.script_flush()
        assert cache.claim(EVENT, CHOICES, "me", 3_000).choice == 0


# --- the time


def test_connecting_has_more_time_than_reading(server: Any) -> None:
    assert (connection.TIMEOUT_S, connection.CONNECT_S) == (0.2, 1.0)
    cache = ValkeyAvailability(server.url)
    made = cache._client().client.connection_pool.make_connection()
    assert (made.socket_timeout, made.socket_connect_timeout) == (0.2, 1.0)
    cache.close()


def test_a_new_connection_sends_nothing_but_the_question(one_line: OneLine) -> None:
    one_line.answer = b"$-1\r\n"
    with asking(one_line.url) as cache:
        assert cache.places(EVENT) is None  # a greeting would have taken this answer


def test_no_request_waits_for_the_cache_beyond_its_end(one_line: OneLine) -> None:
    one_line.answer = b"$-1\r\n"
    with asking(one_line.url, timeout_s=0.2) as cache:
        with within(1.1), pytest.raises(CacheUnavailableError, match="no time"):
            cache.places(EVENT)
        with within(2.0):
            assert cache.places(EVENT) is None
