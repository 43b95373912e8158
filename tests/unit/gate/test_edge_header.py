"""The gate's word to the origin: believed for this request alone, and only from its own key."""

from __future__ import annotations

import pytest

from fairgate.domain.gate.edge_header import VERDICTS, sign_edge_header, verify_edge_header
from fairgate.errors import ForbiddenError
from tests.edge.gate_tools import NOW_S, make_gate

GATE = make_gate()


@pytest.mark.parametrize("verdict", VERDICTS)
def test_the_verdict_is_heard_when_the_gate_said_it(verdict: str) -> None:
    said = sign_edge_header(GATE, verdict, "e", "ada", NOW_S + 0.9)
    assert verify_edge_header(said, GATE, "e", "ada", NOW_S + 120) == verdict


@pytest.mark.parametrize(
    ("event", "sub", "now_s"),
    [("f", "ada", NOW_S), ("e", "bob", NOW_S), ("e", "", NOW_S), ("e", "ada", NOW_S + 121),
     ("e", "ada", NOW_S - 121)],
)  # fmt: skip
def test_the_word_is_refused_when_it_is_about_something_else(
    event: str, sub: str, now_s: int
) -> None:
    said = sign_edge_header(GATE, "admit", "e", "ada", NOW_S)
    with pytest.raises(ForbiddenError):
        verify_edge_header(said, GATE, event, sub, now_s)


def test_the_word_is_refused_when_another_key_or_verdict_signed_it() -> None:
    said = sign_edge_header(GATE, "early", "e", "ada", NOW_S)
    for wrong, gate in (
        (said.replace("early", "admit"), GATE),
        (said, make_gate(edge_key=bytes(32))),
        (sign_edge_header(GATE, "anything", "e", "ada", NOW_S), GATE),
        (said + "A", GATE),
        (said + "\n", GATE),
        ("", GATE),
        ("é", GATE),
    ):
        with pytest.raises(ForbiddenError):
            verify_edge_header(wrong, gate, "e", "ada", NOW_S)
