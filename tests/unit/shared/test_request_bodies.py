"""What the shapes of bodies let through, and what they refuse."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fairgate.http.models import (
    Body,
    CancelRequest,
    ExchangeRequest,
    HoldRequest,
)
from fairgate.ports.record import decode_json

GOOD: list[tuple[type, dict[str, Any], str]] = [
    (CancelRequest, {"ticket": "tkt_" + "0" * 16}, "ticket"),
    (ExchangeRequest, {"code": "c1", "verifier": "v" * 43, "nonce": "12345678"}, "code"),
    (ExchangeRequest, {"code": "c1", "verifier": "v" * 43, "nonce": "12345678"}, "verifier"),
]


@pytest.mark.parametrize(("shape", "body", "field"), GOOD)
def test_a_line_break_at_the_end_is_refused(shape: type, body: dict[str, Any], field: str) -> None:
    msgspec.convert(body, shape)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(body | {field: body[field] + "\n"}, shape)


def test_a_line_break_after_a_place_is_refused() -> None:
    msgspec.convert({"seats": ["A-1-1"], "areas": {"floor": 1}}, HoldRequest)
    for body in ({"seats": ["A-1-1\n"]}, {"areas": {"floor\n": 1}}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(body, HoldRequest)


@pytest.mark.parametrize("shape", Body.__subclasses__(), ids=lambda kind: kind.__name__)
def test_an_unknown_field_is_refused_and_named(shape: type) -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field `tickets`"):
        decode_json(b'{"tickets": ["tkt_1"]}', shape)
