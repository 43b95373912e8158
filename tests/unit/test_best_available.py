from __future__ import annotations

import json
import random
import time

import pytest

from fairgate.domain.best_available import SectionSeats, find_best
from fairgate.domain.layout import section_file, split_layout
from fairgate.errors import MalformedInputError, NoSeatsFoundError
from fairgate_ops.importers.demo import demo_venue

STAGE = (95.0, -20.0)


def _section(*rows, name="S", gaps=(), tier="t", top=0):
    """Rows of letters, 20 apart: ``.`` standard, ``a`` accessible, ``c`` companion, ``t`` tier 2.

    Seats are named by row and position, such as ``0-3``; ``gaps`` are positions after an aisle.
    """
    kinds = {"a": "accessible", "c": "companion"}
    return SectionSeats.from_layout(
        {
            "section": name,
            "blocks": [
                {
                    "rows": [
                        {
                            "seats": [
                                {
                                    "id": f"{row}-{seat}" if name == "S" else f"{name}{row}-{seat}",
                                    "x": seat * 20.0 + 50.0 * sum(seat >= gap for gap in gaps),
                                    "y": top + row * 25.0,
                                    "tier": "second" if letter == "t" else tier,
                                    "kind": kinds.get(letter, "standard"),
                                }
                                for seat, letter in enumerate(letters)
                            ]
                        }
                        for row, letters in enumerate(rows)
                    ]
                }
            ],
        }
    )


def _find(section, statuses, quantity, **more):
    more.setdefault("focal_point", STAGE)
    return find_best([section], {section.section: statuses}, quantity=quantity, **more)


def test_seats_nearest_the_focal_point_are_found_when_all_are_free():
    assert _find(_section("." * 10, "." * 10), "0" * 20, 2) == ["0-4", "0-5"]
    assert _find(_section("." * 10), "0" * 10, 2, focal_point=(180.0, 0.0)) == ["0-8", "0-9"]


def test_middle_of_the_first_row_is_the_focal_point_when_none_is_given():
    assert _find(_section("." * 10), "0" * 10, 4, focal_point=None) == ["0-3", "0-4", "0-5", "0-6"]


def test_no_single_seat_is_left_when_another_place_avoids_it():
    # Two of the front row's three free seats would be nearer, and leave the third alone.
    assert _find(_section("." * 10, "." * 10), "2220002222" + "0" * 10, 2) == ["1-4", "1-5"]


def test_single_seat_is_left_when_nothing_else_is_free():
    assert _find(_section("." * 10), "2220002222", 2) == ["0-4", "0-5"]


def test_seat_of_another_tier_counts_as_left_alone():
    # The front row's two of tier t would be nearer, and leave the seat beside them alone.
    section = _section("..t", "....")
    found = _find(section, "000" + "0000", 2, tier="t", focal_point=(10.0, -20.0))
    assert found == ["1-0", "1-1"]


def test_taken_seats_are_never_offered():
    with pytest.raises(NoSeatsFoundError):
        _find(_section("....."), "01230", 2)


def test_seats_across_an_aisle_are_not_together():
    section = _section("....", gaps=(2,))
    with pytest.raises(NoSeatsFoundError):
        _find(section, "0000", 3)
    assert _find(section, "0000", 2, focal_point=(25.0, -20.0)) in (["0-0", "0-1"], ["0-2", "0-3"])
    with pytest.raises(NoSeatsFoundError):
        _find(section, "2002", 2)


def test_party_is_spread_over_rows_behind_each_other_when_no_row_has_room():
    found = _find(_section("." * 6, "." * 6), "002222" + "000222", 4)
    assert found == ["0-0", "0-1", "1-0", "1-1"]


def test_party_is_spread_over_three_rows_when_two_have_no_room():
    found = _find(_section("....", "....", "...."), "0022" * 3, 6)
    assert found == ["0-0", "0-1", "1-0", "1-1", "2-0", "2-1"]


def test_nobody_is_left_alone_when_the_party_is_spread():
    with pytest.raises(NoSeatsFoundError):
        _find(_section("....", "...."), "0022" + "0222", 3)
    with pytest.raises(NoSeatsFoundError):
        _find(_section("....", "...."), "0002" + "0222", 4)


def test_rows_that_are_far_apart_do_not_share_a_party():
    with pytest.raises(NoSeatsFoundError):
        _find(_section("." * 20, "." * 20), "00" + "2" * 36 + "00", 4)


def test_rows_of_different_blocks_do_not_share_a_party():
    def block(y):
        seats = [{"id": f"{y}-{n}", "x": n * 20.0, "y": y, "tier": "t"} for n in range(2)]
        return {"rows": [{"seats": seats}]}

    section = SectionSeats.from_layout({"section": "S", "blocks": [block(0.0), block(25.0)]})
    with pytest.raises(NoSeatsFoundError):
        _find(section, "0000", 4)


def test_accessible_and_companion_seats_are_kept_when_they_are_not_asked_for():
    section = _section("acac..")
    assert _find(section, "000000", 2) == ["0-4", "0-5"]
    with pytest.raises(NoSeatsFoundError):
        _find(section, "000022", 1)


def test_one_seat_is_accessible_when_it_is_asked_for():
    section = _section("......", "..ac..")
    found = _find(section, "0" * 12, 2, accessible=True)
    assert "1-2" in found
    with pytest.raises(NoSeatsFoundError, match="accessible"):
        _find(section, "0" * 8 + "2" + "000", 1, accessible=True)


def test_only_seats_of_the_tier_are_found_when_one_is_asked_for():
    section = _section("....", "..tt")
    assert _find(section, "0" * 8, 2, tier="second") == ["1-2", "1-3"]
    with pytest.raises(NoSeatsFoundError):
        _find(section, "0" * 8, 3, tier="second")


def test_excluded_seats_are_treated_as_taken():
    assert _find(_section("...."), "0000", 2, exclude={"0-1"}) == ["0-2", "0-3"]


def test_different_choices_do_not_share_a_seat_when_there_is_room():
    section = _section(*["." * 20] * 4)
    found = [tuple(_find(section, "0" * 80, 2, choose=n)) for n in range(6)]
    seats = [seat for pair in found for seat in pair]
    assert len(set(seats)) == len(seats) == 12
    assert found[0] == tuple(_find(section, "0" * 80, 2))


def test_choices_wrap_around_when_there_are_fewer():
    section = _section("....")
    found = {tuple(_find(section, "0000", 2, choose=n)) for n in range(50)}
    assert found == {("0-0", "0-1"), ("0-2", "0-3")}


def test_choice_is_never_much_worse_than_the_best():
    section = _section(*["." * 20] * 40)
    for choose in range(64):
        first = _find(section, "0" * 800, 2, choose=choose)[0]
        assert int(first.split("-")[0]) < 8


def test_nearest_of_several_sections_is_chosen():
    near, far = _section("....", name="N"), _section("....", name="F", top=500)
    statuses = {"N": "0000", "F": "0000"}
    assert find_best([far, near], statuses, quantity=2, focal_point=STAGE)[0].startswith("N")
    statuses["N"] = "0202"
    assert find_best([far, near], statuses, quantity=2, focal_point=STAGE)[0].startswith("F")


def test_section_has_nothing_free_when_its_statuses_are_missing_or_short():
    section = _section("....")
    for statuses in ({}, {"S": ""}, {"S": "000"}):
        with pytest.raises(NoSeatsFoundError):
            find_best([section], statuses, quantity=1)


@pytest.mark.parametrize("quantity", [0, -1, 41])
def test_quantity_is_refused_when_it_is_out_of_range(quantity):
    with pytest.raises(MalformedInputError):
        _find(_section("...."), "0000", quantity)


def test_section_of_2500_seats_is_searched_in_milliseconds():
    section = _section(*["." * 50] * 50)
    rng = random.Random(1)  # noqa: S311 a pattern, not a secret
    for share in (1.0, 0.5, 0.2):
        statuses = "".join("0" if rng.random() < share else "2" for _ in range(2500))
        best_s = min(_timed(section, statuses) for _ in range(7))
        assert best_s < 0.025  # 5 ms on an idle core; the margin is for a busy machine


def _timed(section, statuses):
    started = time.perf_counter()
    _find(section, statuses, 2, choose=3)
    return time.perf_counter() - started


def test_prepared_section_of_a_layout_keeps_the_layout_order():
    venue = demo_venue(200)
    layout = split_layout(venue)
    section = venue.sections[1]
    prepared = SectionSeats.from_layout(json.loads(layout.files[section_file(section.id)]))
    ids = [seat for row in prepared.rows for seat in row.ids]
    assert ids == [seat.id for seat in section.seats()]
    assert [row.start for row in prepared.rows][:2] == [0, len(prepared.rows[0].ids)]
