"""Ticket codes: small, signed, checkable with the public key alone. Their SVG: escaped."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import segno
from msgspec.structs import replace

from fairgate.adapters.tickets.ed25519 import public_key_of, signer, verifier
from fairgate.adapters.tickets.qr import QUIET_ZONE, qr_path
from fairgate.adapters.tickets.ticket_files import ticket_svg
from fairgate.domain.shared.jws import b64url, from_b64url
from fairgate.domain.tickets.ticket import Ticket, TicketFace, encode, places_of, ticket_id, verify
from fairgate.errors import UnauthenticatedError
from fairgate.service.shared.records.orders import OrderUnit

KEY = bytes(range(32))
SIGN, CHECK = signer(lambda: KEY), verifier(public_key_of(KEY))
ORDER = "ord_" + "0123456789abcdef" * 2 + "_89abcdef"
TICKET = Ticket(ticket_id(ORDER, 3), "autumn-concert", ORDER, 3, "104-B-12", 1_800_000_000)
FACE = TicketFace("Concert", "Hall", "Row B · Seat 12", "Stalls", "tkt_1", "FG1.x.y", 2, 3)


def test_a_code_reads_back_when_checked_with_the_public_key() -> None:
    assert verify(encode(TICKET, SIGN), CHECK) == TICKET


def test_a_code_fits_a_small_qr_code_when_its_ids_are_of_usual_length() -> None:
    code = encode(TICKET, SIGN)
    assert len(code) < 181
    assert int(segno.make(code, error="m", micro=False, boost_error=False).version) <= 9


def test_a_code_still_fits_when_its_ids_are_as_long_as_they_may_be() -> None:
    longest = replace(TICKET, event="e" * 40, place="p" * 64, unit=65_535)
    assert verify(encode(longest, SIGN), CHECK) == longest


def test_a_code_is_refused_when_another_key_signed_it() -> None:
    forged = encode(TICKET, signer(lambda: b"x" * 32))
    with pytest.raises(UnauthenticatedError):
        verify(forged, CHECK)


def test_a_code_is_refused_when_its_seat_was_changed() -> None:
    version, payload, signature = encode(TICKET, SIGN).split(".")
    changed = b64url(from_b64url(payload).replace(b"104-B-12", b"104-A-12"))
    assert changed != payload
    with pytest.raises(UnauthenticatedError):
        verify(f"{version}.{changed}.{signature}", CHECK)


@pytest.mark.parametrize("text", ["", "FG1", "FG2." + "A" * 60 + "." + "A" * 86, "x" * 100_000])
def test_a_code_is_refused_when_it_is_no_ticket(text: str) -> None:
    with pytest.raises(UnauthenticatedError):
        verify(text, CHECK)


@pytest.mark.parametrize("payload", [b"\0" * 38, b"\xff" * 60, b"\0" * 34 + b"\x05" + b"event"])
def test_a_code_is_refused_when_the_signed_payload_is_no_ticket(payload: bytes) -> None:
    signed = f"FG1.{b64url(payload)}"
    with pytest.raises(UnauthenticatedError):
        verify(f"{signed}.{b64url(SIGN(signed.encode()))}", CHECK)


@pytest.mark.parametrize("change", [{"event": "A"}, {"place": "é"}, {"order": "ord_1"}])
def test_encoding_fails_when_an_id_has_not_its_shape(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="a ticket needs"):
        encode(replace(TICKET, **change), SIGN)


def test_ids_repeat_for_the_same_ticket_and_differ_for_others() -> None:
    ids = [ticket_id(ORDER, unit) for unit in range(1000)]
    assert len(set(ids)) == 1000
    assert ids[7] == ticket_id(ORDER, 7)
    assert ticket_id(ORDER[:-1] + "0", 7) != ids[7]


def test_an_area_of_three_is_three_places_when_beside_a_seat() -> None:
    units = [
        OrderUnit(kind="seat", seat="A-1", section="A", tier="t", label="Row A"),
        OrderUnit(kind="area", area="floor", quantity=3, shard=0, tier="g", label=""),
    ]
    places = places_of(units)
    assert [p.place for p in places] == ["A-1", "floor", "floor", "floor"]
    assert [p.label for p in places] == ["Row A", "floor", "floor", "floor"]


def test_a_table_for_three_is_three_places() -> None:
    table = OrderUnit(kind="seat", seat="T-1", quantity=3, tier="t", label="Table 1")
    assert [p.label for p in places_of([table])] == ["Table 1"] * 3


@pytest.mark.parametrize("quantity", [0, -1, 1001, None])
def test_places_are_refused_when_a_quantity_is_out_of_bounds(quantity: int | None) -> None:
    with pytest.raises(ValueError, match="quantity"):
        places_of([OrderUnit(kind="area", area="floor", tier="g", label="", quantity=quantity)])


def test_the_qr_path_draws_exactly_the_dark_modules() -> None:
    code = encode(TICKET, SIGN)
    path = qr_path(code)
    matrix = segno.make(code, error="m", micro=False, boost_error=False).matrix
    drawn = {
        (x + i, y)
        for x, y, n in (map(int, m) for m in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", path.d))
        for i in range(n)
    }
    dark = {
        (x + QUIET_ZONE, y + QUIET_ZONE)
        for y, row in enumerate(matrix)
        for x, cell in enumerate(row)
        if cell
    }
    assert drawn == dark
    assert path.size == len(matrix) + 2 * QUIET_ZONE


def test_the_svg_is_inert_when_the_event_is_named_by_an_attacker() -> None:
    evil = "<script>alert(1)</script>\"' onload=x &\x00\x1b\ud800"
    svg = ticket_svg(replace(FACE, event_name=evil, venue_name=evil, label=evil, tier=evil))
    root = ET.fromstring(svg)  # noqa: S314 our own output, well-formed whatever it is named
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags == {"svg", "title", "g", "use", "defs", "symbol", "rect", "path"}
    assert not any(name.startswith("on") for e in root.iter() for name in e.attrib)
    links = {value for e in root.iter() for name, value in e.attrib.items() if "href" in name}
    assert all(link.startswith("#g") for link in links)
