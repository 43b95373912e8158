"""Seat statuses in two bits each: packed and unpacked alike, expired locks read as free."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairgate.domain.seating.status_vector import (
    AVAILABLE,
    BLOCKED,
    LOCKED,
    RESERVED,
    code_of,
    digits,
    fitted,
    pack,
    unpack,
)

codes = st.lists(st.integers(0, 3), max_size=300).map(bytes)


@given(codes)
def test_packed_seats_come_back_as_they_were(seats):
    assert unpack(pack(seats), len(seats)) == seats


@given(codes)
def test_digits_tell_each_seat_s_code(seats):
    assert [int(digit) for digit in digits(seats)] == list(seats)


def test_pack_puts_the_first_seat_lowest_and_pads_when_the_byte_is_not_full():
    assert pack(bytes([AVAILABLE, LOCKED, RESERVED, BLOCKED, LOCKED])) == bytes([0b11100100, 0b01])


def test_unpack_refuses_when_there_are_too_few_bytes():
    with pytest.raises(ValueError, match="5 seats"):
        unpack(b"\0", 5)


@pytest.mark.parametrize(
    ("now_ms", "code"), [(999, LOCKED), (1_000, AVAILABLE), (1_001, AVAILABLE)]
)
def test_a_lock_reads_available_when_it_has_expired(now_ms, code):
    assert code_of("locked", 1_000, now_ms) == code


def test_a_sold_seat_stays_sold_when_time_passes():
    assert code_of("reserved", 0, 10**15) == RESERVED


def test_a_section_is_blocked_where_nothing_is_known():
    assert fitted(bytes([AVAILABLE]), 3) == bytes([AVAILABLE, BLOCKED, BLOCKED])
    assert fitted(bytes(5), 3) == bytes(3)
