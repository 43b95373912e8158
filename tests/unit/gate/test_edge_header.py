"""The gate's word to the origin: believed for this request alone, and only from its own key."""

from __future__ import annotations

import pytest

from fairgate.domain.gate.edge_header import (
    VERDICTS,
    EdgeWord,
    sign_edge_header,
    verify_edge_header,
)
from fairgate.domain.shared import jws
from fairgate.errors import ForbiddenError
from tests.edge.gate_tools import NOW_S, make_gate

GATE = make_gate()
ADDRESS = "203.0.113.7"


@pytest.mark.parametrize("verdict", VERDICTS)
def test_the_verdict_is_heard_when_the_gate_said_it(verdict: str) -> None:
    said = sign_edge_header(GATE, verdict, "e", "ada", NOW_S + 0.9, "2001:db8::7")
    word = verify_edge_header(said, GATE, "e", "ada", NOW_S + 120)
    assert word == EdgeWord(verdict, "2001:db8::7")
    assert word.share(GATE) == GATE.sample_violations


@pytest.mark.parametrize(
    ("event", "sub", "now_s"),
    [("f", "ada", NOW_S), ("e", "bob", NOW_S), ("e", "", NOW_S), ("e", "ada", NOW_S + 121),
     ("e", "ada", NOW_S - 121)],
)  # fmt: skip
def test_the_word_is_refused_when_it_is_about_something_else(
    event: str, sub: str, now_s: int
) -> None:
    said = sign_edge_header(GATE, "admit", "e", "ada", NOW_S, ADDRESS)
    with pytest.raises(ForbiddenError):
        verify_edge_header(said, GATE, event, sub, now_s)


def test_the_word_is_refused_when_another_key_or_verdict_signed_it() -> None:
    said = sign_edge_header(GATE, "early", "e", "ada", NOW_S, ADDRESS)
    for wrong, gate in (
        (said.replace("early", "admit"), GATE),
        (said, make_gate(edge_key=bytes(32))),
        (sign_edge_header(GATE, "anything", "e", "ada", NOW_S, ADDRESS), GATE),
        (sign_edge_header(GATE, "early", "e", "ada", NOW_S, "me"), GATE),
        (said.replace(ADDRESS, "203.0.113.8"), GATE),
        (said.removesuffix("." + ADDRESS), GATE),
        ("v1" + said[2:], GATE),
        (said + "A", GATE),
        (said + "\n", GATE),
        ("", GATE),
        ("é", GATE),
    ):
        with pytest.raises(ForbiddenError):
            verify_edge_header(wrong, gate, "e", "ada", NOW_S)


def of_the_first_version(verdict: str, sub: str) -> str:
    """As the gate said it before it signed the address."""
    mac = jws.mac(GATE.edge_key, f"v1|{NOW_S}|{verdict}|e|{sub}")
    return f"v1.{NOW_S}.{verdict}.{jws.b64url(mac)[:22]}"


def test_a_word_of_the_first_version_is_believed_and_names_no_address() -> None:
    word = verify_edge_header(of_the_first_version("early", "ada"), GATE, "e", "ada", NOW_S)
    assert word == EdgeWord("early", "")
    assert word.share(GATE) == 1.0  # that gate forwarded every one of them


def test_no_address_can_be_put_behind_a_word_of_the_first_version() -> None:
    said = of_the_first_version("early", "ada")
    for wrong in (f"{said}.{ADDRESS}", f"v2{said[2:]}.{ADDRESS}", f"v2{said[2:]}"):
        with pytest.raises(ForbiddenError):
            verify_edge_header(wrong, GATE, "e", "ada", NOW_S)
