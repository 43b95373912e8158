"""The search for the best seats: near the focal point, together, no single seat left."""

from __future__ import annotations

import json
import math

import pytest

from fairgate.domain.seating.adjacent_seats import Wish, runs
from fairgate.domain.seating.best_available import most_together, propose, whole_capacities
from fairgate.domain.seating.layout import OVERVIEW, section_file, split_layout
from fairgate.domain.seating.section_search import SectionSearch
from fairgate.domain.seating.section_seats import SectionSeats
from fairgate.errors import MalformedInputError
from fairgate_ops.operate.importers.demo import demo_venue
from tests.support.halls import first, hall, section

STAGE = (95.0, -20.0)


def found(drawn, statuses, quantity, *, tier=None, accessible=0, taken=(), count=1):
    wish = Wish(quantity, tier, accessible)
    return propose(hall([drawn], {drawn.section: statuses}, taken), wish, count)


def seats(*arguments, **more):
    return first(found(*arguments, **more))


def front(*rows, **more):
    return section(*rows, focal=more.pop("focal", STAGE), **more)


def test_seats_nearest_the_focal_point_are_found_when_all_are_free():
    assert seats(front("." * 10, "." * 10), "0" * 20, 2) == ["0-4", "0-5"]
    assert seats(front("." * 10, focal=(180.0, 0.0)), "0" * 10, 2) == ["0-8", "0-9"]


def test_middle_of_the_first_row_is_the_focal_point_when_none_is_given():
    assert seats(section("." * 10), "0" * 10, 4) == ["0-3", "0-4", "0-5", "0-6"]


def test_no_single_seat_is_left_when_another_place_avoids_it():
    # The two nearest of the front row's four would leave a single seat on either side.
    assert seats(front("." * 10, "." * 10), "2220000222" + "0" * 10, 2) == ["0-5", "0-6"]


def test_a_single_seat_does_not_count_when_any_choice_in_its_gap_leaves_it():
    # All places without one are ten rows behind.
    rows = ["." * 10] * 12
    statuses = "2220002222" + "2" * 100 + "0" * 10
    assert seats(front(*rows), statuses, 2) == ["0-4", "0-5"]


def test_places_about_as_near_are_taken_when_they_leave_no_single_seat():
    assert seats(front("." * 10, "." * 10), "2220002222" + "0" * 10, 2) == ["1-4", "1-5"]


def test_single_seats_are_left_when_nothing_else_is_free():
    # Only the middle two are of the tier: the seats beside them are left alone, avoidably.
    (best,) = found(front(".tt."), "0000", 2, tier="second")
    assert (best.step, best.ids()) == ("row-orphans", ["0-1", "0-2"])


def test_fewest_single_seats_are_left_when_some_must_be():
    drawn = front(".tt.", ".tt..")
    (best,) = found(drawn, "0000" + "00000", 2, tier="second")
    assert (best.step, best.ids()) == ("row-orphans", ["1-1", "1-2"])


def test_taken_seats_are_never_offered():
    assert seats(front("....."), "01230", 2) is None


def test_seats_across_an_aisle_are_not_together():
    drawn = front("....", gaps=(2,), focal=(25.0, -20.0))
    assert seats(drawn, "0000", 3) is None
    assert seats(drawn, "0000", 2) in (["0-0", "0-1"], ["0-2", "0-3"])
    assert seats(drawn, "2002", 2) is None


def test_seats_beside_a_table_are_not_together_across_it():
    assert seats(front("..4.."), "00000", 4) == ["0-0", "0-1", "0-3", "0-4"]  # in two groups
    assert seats(front("..4.."), "00000", 3) is None


def test_party_is_spread_over_rows_behind_each_other_when_no_row_has_room():
    (best,) = found(front("." * 6, "." * 6, focal=(0.0, 0.0)), "002222" + "000222", 4)
    assert best.step == "rows"
    assert best.ids() == ["0-0", "0-1", "1-0", "1-1"]


def test_party_is_spread_over_three_rows_when_two_have_no_room():
    expected = ["0-0", "0-1", "1-0", "1-1", "2-0", "2-1"]
    assert seats(front("....", "....", "...."), "0022" * 3, 6) == expected


def test_nobody_is_left_alone_when_the_party_is_spread():
    assert seats(front("....", "...."), "0022" + "0222", 3) is None
    assert seats(front("....", "...."), "0002" + "0222", 4) is None


def test_a_spread_party_leaves_no_single_seat_when_it_need_not():
    # Nearest would be four before two in the middle of the row behind, a single seat on each side.
    (best,) = found(front("....", "....", focal=(30.0, -20.0)), "00000000", 6)
    assert best.step == "rows"
    assert best.ids()[:4] == ["0-0", "0-1", "0-2", "0-3"]
    assert best.ids()[4:] in (["1-0", "1-1"], ["1-2", "1-3"])


def test_rows_that_are_far_apart_share_a_party_only_as_scattered_groups():
    (best,) = found(front("." * 20, "." * 20), "00" + "2" * 36 + "00", 4)
    assert best.step == "sections"


def test_party_is_scattered_over_sections_when_none_has_room():
    near = section("....", focal=STAGE, name="N")
    far = section("....", focal=STAGE, name="F", top=500)
    statuses = {"N": "0022", "F": "0002"}
    (best,) = propose(hall([near, far], statuses), Wish(4))
    assert best.step == "sections"
    assert best.units[:2] == (("N", "N0-0"), ("N", "N0-1"))
    assert {section for section, _ in best.units} == {"N", "F"}


def test_accessible_and_companion_seats_are_kept_when_they_are_not_asked_for():
    drawn = front("acac..")
    assert seats(drawn, "000000", 2) == ["0-4", "0-5"]
    assert seats(drawn, "000022", 1) is None


def test_a_standard_seat_between_accessible_ones_is_no_gap_of_theirs():
    # For an ordinary party the two free seats beside the wheelchair places are all there is.
    (best,) = found(front("..ac"), "0000", 2)
    assert (best.step, best.ids()) == ("row", ["0-0", "0-1"])


def test_companions_sit_beside_accessible_seats_when_those_are_asked_for():
    drawn = front("......", "..ac..")
    assert seats(drawn, "0" * 12, 2, accessible=1) == ["1-2", "1-3"]
    assert seats(drawn, "0" * 8 + "2" + "000", 1, accessible=1) is None
    assert seats(front("aaacc."), "000000", 4, accessible=2) == ["0-1", "0-2", "0-3", "0-4"]


def test_no_more_accessible_seats_are_taken_than_needed():
    # Nearer the stage, two wheelchair places would go to one who needs one.
    drawn = front("....aa....", "......ac..")
    assert "1-6" in seats(drawn, "2222002222" + "0" * 10, 2, accessible=1)
    assert seats(drawn, "2222002222" + "2" * 10, 2, accessible=1) == ["0-4", "0-5"]


def test_only_seats_of_the_tier_are_found_when_one_is_asked_for():
    drawn = front("....", "..tt")
    assert seats(drawn, "0" * 8, 2, tier="second") == ["1-2", "1-3"]
    assert seats(drawn, "0" * 8, 3, tier="second") is None


def test_seats_left_out_are_treated_as_taken():
    assert seats(front("...."), "0000", 2, taken={"0-1"}) == ["0-2", "0-3"]


def test_a_table_goes_to_the_party_that_fills_it():
    drawn = front("4", "24", focal=(0.0, 0.0))
    assert seats(drawn, "000", 4) == ["0-0"]
    assert seats(drawn, "100", 4) == ["1-1"]
    assert seats(drawn, "100", 4, taken={"1-1"}) is None
    assert seats(drawn, "000", 3) is None


def test_proposals_of_a_list_share_no_seat_and_leave_no_single_one():
    drawn = front(*["." * 20] * 4)
    listed = found(drawn, "0" * 80, 2, count=20)
    taken = [seat for proposal in listed for seat in proposal.ids()]
    assert len(set(taken)) == len(taken) == 40
    left = {f"{row}-{seat}" for row in range(4) for seat in range(20)} - set(taken)
    for name in left:
        row, seat = map(int, name.split("-"))
        assert {f"{row}-{seat - 1}", f"{row}-{seat + 1}"} & left


def test_neighbours_that_must_not_be_left_alone_are_named():
    (best,) = found(front("." * 10), "0" * 10, 2)
    assert best.beside == (("S", "0-3", "0-2"), ("S", "0-6", "0-7"))
    (at_the_wall, second) = found(front("." * 7, focal=(0.0, 0.0)), "0" * 7, 2, count=2)
    assert (at_the_wall.ids(), at_the_wall.beside) == (["0-0", "0-1"], (("S", "0-2", "0-3"),))
    # The second of the list relies on the first: without it 0-1 would be beside, not alone.
    assert second.beside == (("S", "0-1", "0-0"), ("S", "0-4", "0-5"))


def test_a_list_that_leans_on_itself_says_so():
    # Three free: whoever takes the third seat relies on the first two being taken together.
    listed = found(front("...", focal=(0.0, 0.0)), "000", 1, count=3)
    assert [proposal.ids() for proposal in listed] == [["0-0"], ["0-1"], ["0-2"]]
    assert listed[2].beside == (("S", "0-1", "0-0"),)


def test_sections_that_cannot_be_better_are_not_opened():
    opened = []
    drawn = {name: front("....", name=name, top=top) for name, top in (("N", 0), ("F", 500))}

    def read(name, at_least):
        opened.append(name)
        return drawn[name], "0000"

    propose(SectionSearch({name: s.nearest for name, s in drawn.items()}, read), Wish(2))
    assert opened == ["N"]


def test_sections_are_searched_by_what_is_nearest_in_them():
    near, far = front("....", name="N"), front("....", name="F", top=500)
    statuses = {"N": "0000", "F": "0000"}
    found, *_ = propose(hall([far, near], statuses), Wish(2))
    assert min(found.ids()).startswith("N")
    statuses["N"] = "0202"
    found, *_ = propose(hall([far, near], statuses), Wish(2))
    assert min(found.ids()).startswith("F")


def test_section_has_nothing_free_when_its_statuses_are_missing_or_short():
    drawn = front("....")
    for statuses in ({}, {"S": ""}, {"S": "000"}):
        assert propose(hall([drawn], statuses), Wish(1)) == []


@pytest.mark.parametrize("wish", [Wish(0), Wish(-1), Wish(41), Wish(2, None, 3), Wish(2, None, -1)])
def test_a_wish_is_refused_when_it_is_out_of_range(wish):
    with pytest.raises(MalformedInputError):
        propose(hall([front("....")], {"S": "0000"}), wish)


def test_alternatives_are_known_when_nothing_fits():
    drawn = front("....6", "..ac8")
    around = hall([drawn], {"S": "2000022000"[:10]})
    assert most_together(around, Wish(5)) == 3
    assert whole_capacities(around, Wish(5)) == [6, 8]
    assert most_together(around, Wish(5, None, 1)) == 2
    assert most_together(hall([drawn], {"S": "2" * 10}), Wish(5)) == 0


def test_runs_are_longest():
    assert list(runs(0b1101110010)) == [(1, 2), (4, 7), (8, 10)]
    assert list(runs(0)) == []


def test_prepared_section_of_a_layout_keeps_the_layout_order():
    venue = demo_venue(200)
    layout = split_layout(venue)
    drawn = venue.sections[1]
    prepared = SectionSeats.from_layout(json.loads(layout.files[section_file(drawn.id)]))
    benches = sorted(prepared.benches, key=lambda bench: bench.start)
    ids = [seat for bench in benches for seat in bench.ids]
    assert ids == [seat.id for seat in drawn.seats()]
    assert [bench.start for bench in benches][:2] == [0, len(benches[0].ids)]


def test_no_seat_is_nearer_than_the_layout_says():
    venue = demo_venue(200)
    overview = json.loads(split_layout(venue).files[OVERVIEW])
    for told, drawn in zip(overview["sections"], venue.sections, strict=True):
        focal = tuple(told["focalPoint"])
        nearest = min(math.dist(focal, (seat.x, seat.y)) for seat in drawn.seats())
        assert nearest - 0.011 <= told["nearest"] <= nearest
