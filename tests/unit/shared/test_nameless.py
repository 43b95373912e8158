"""No line of the log contains a mail address, and the line stays JSON."""

from __future__ import annotations

import json
import time

from hypothesis import given
from hypothesis import strategies as st

from fairgate.nameless import PLACEHOLDER, nameless

ADDRESSES = st.sampled_from(
    [
        "ann@example.org",
        "Ann.O'Neil+1@mail.example.org",
        "a@b",
        "ü@ü.example",
        "名@例え.example",
        '"ann"@example.org',
        '"ann quux"@example.org',
        '"a\\"n\\\\n"@example.org',
    ]
)


@given(ADDRESSES, st.text(), st.text(), st.booleans())
def test_an_address_is_gone_and_the_line_is_json(
    address: str, before: str, after: str, ascii_only: bool
) -> None:
    line = {"message": f"{before} {address}\n{after}", "level": "ERROR"}
    told = json.loads(nameless(json.dumps(line, ensure_ascii=ascii_only)))
    assert address not in told["message"]
    assert PLACEHOLDER in told["message"]
    assert told["level"] == "ERROR"


@given(ADDRESSES, st.sampled_from(["\n", "\t", "\x00", "\\", '"', "\x1f", "<", "("]), st.booleans())
def test_an_address_behind_an_escape_is_gone(address: str, sign: str, ascii_only: bool) -> None:
    line = json.dumps([f"{sign}{address}{sign}"], ensure_ascii=ascii_only)
    told = json.loads(nameless(line))
    assert told == [f"{sign}{PLACEHOLDER}{sign}"]


@given(st.text(alphabet=st.characters(exclude_characters="@")))
def test_a_line_without_an_address_is_left_as_it_is(text: str) -> None:
    line = json.dumps(text)
    assert nameless(line) == line


def test_a_long_line_takes_no_time() -> None:
    began = time.process_time()
    nameless(json.dumps("a" * 65_536 + " @ " + "\\" * 65_536))
    nameless(json.dumps("@" + '"a' * 65_536))
    assert time.process_time() - began < 5
