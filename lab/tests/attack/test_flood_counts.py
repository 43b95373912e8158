"""What a flood sends, and what is counted of it where it arrives."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairgate_lab.attack.flood import reached_in
from fairgate_lab.attack.flood_kinds import Sent
from fairgate_lab.attack.flood_wrk import answered, lua
from fairgate_ops.run.local.access_log import HEADER_MARK, access_line
from fairgate_ops.run.local.api_events import Request


def line(mark: str | None, status: int = 401) -> str:
    headers = {"x-request-start": "t=100.000"} | ({} if mark is None else {HEADER_MARK: mark})
    request = Request("POST", "/api/desk?event=e", headers, (), b"", "127.0.0.1")
    return access_line(request, 100.5, 0.0021, status)


def test_a_marked_call_carries_its_mark_in_the_log() -> None:
    assert line("bad-token") == "100500 POST /api/desk?event=e 401 2.1 500.0 bad-token\n"


@pytest.mark.parametrize("mark", [None, "", "two words", "x\ny", "UPPER", "a" * 33])
def test_a_call_without_a_mark_or_with_another_is_logged_as_ever(mark: str | None) -> None:
    assert line(mark) == "100500 POST /api/desk?event=e 401 2.1 500.0\n"


def test_only_marked_calls_are_counted_by_mark_and_answer(tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    log.write_text(line("early", 429) + line(None) + line("early", 429) + line("early", 503))
    assert reached_in(log) == {"early": {429: 2, 503: 1}}
    assert reached_in(tmp_path / "none.log") == {}
    assert reached_in(None) == {}


def test_answers_are_read_by_status_with_what_got_none() -> None:
    seen = answered("429 7\n401 3\nerrors 2\n")
    assert (seen.statuses, seen.errors, seen.requests) == ({401: 3, 429: 7}, 2, 10)


def test_a_request_is_written_as_lua_reads_it() -> None:
    sent = Sent("/api/x", {"authorization": 'Bearer "a\\b"'}).marked("early")
    assert lua([sent]) == (
        'return {\n  { method = "POST", path = "/api/x", headers = { '
        '["authorization"] = "Bearer \\"a\\\\b\\"", ["x-load-mark"] = "early" } },\n}\n'
    )
    with pytest.raises(ValueError, match="printable"):
        lua([Sent("/api/x", {"a": "two\nlines"})])
