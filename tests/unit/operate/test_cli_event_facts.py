"""``fairgate event create|edit``: what an event tells of itself, one operator at a time."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import VersionConflictError
from fairgate.http.views.events import event_view
from fairgate.service.catalog.edit_event import edit_event
from fairgate.service.shared.event_update import event_update
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event
from tests.support.sale import CHART, EVENT, Sale

if TYPE_CHECKING:
    from pathlib import Path

    from fairgate.ports.table import Update
    from tests.support.world import World

STARTS = ("--starts-at", "2031-06-01T20:00:00+02:00", "--time-zone", "Europe/Berlin")


@pytest.fixture
def sale(world: World, tmp_path: Path) -> Sale:
    return Sale(world, tmp_path)


def answer(sale: Sale, capsys: pytest.CaptureFixture[str], words: str, code: int = 0) -> Any:
    capsys.readouterr()
    assert sale.run(f"{words} --json") == code
    return json.loads(capsys.readouterr().out)


def test_what_is_said_at_creation_stands_in_the_catalogue_and_on_the_operators_page(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ("--artist", "The Tides", "--category", "Concert", "--text", "Bring a coat.\nOr two.")
    limits = ("--account-days", "30", "--card-limit", "4")
    sale.create(*STARTS, "--venue-address", "Quay 1", "--venue-name", "Harbour", *more, *limits)
    created = capsys.readouterr().out
    assert "Open to: accounts at least 30 days old" in created
    assert "one card may have 4 places" in created
    assert "Limits: 10 places in a hold" in created
    assert "The performance starts at 2031-06-01T18:00:00Z (20:00:00 CEST)." in created
    view = event_view(sale.container.catalog.event(EVENT))
    assert (view.starts_at, view.time_zone) == ("2031-06-01T18:00:00.000Z", "Europe/Berlin")
    assert (view.venue, view.venue_address) == ("Harbour", "Quay 1")
    assert (view.artist, view.category) == ("The Tides", "Concert")
    assert view.text == "Bring a coat.\nOr two."
    capsys.readouterr()
    assert sale.run(f"event show {EVENT}") == 0
    page = capsys.readouterr().out
    assert "2031-06-01" in page
    assert "by the clocks of Europe/Berlin" in page
    assert "The Tides" in page


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ((), "buyers may leave one seat alone in a row"),
        (("--avoid-single-seats",), "one that leaves one seat alone in a row is refused"),
    ],
)
def test_the_rule_on_single_seats_is_shown(
    sale: Sale, capsys: pytest.CaptureFixture[str], rule: tuple[str, ...], said: str
) -> None:
    sale.create(*rule)
    assert f"Choice: {said}" in capsys.readouterr().out
    assert sale.run(f"event show {EVENT}") == 0
    assert f"  Choice    {said}" in capsys.readouterr().out


def test_only_sections_and_areas_of_the_venue_are_said_to_be_the_fullest(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create("--fullest", "A, floor", "--travel", "Tram 4.\nThen on foot.")
    view = event_view(sale.container.catalog.event(EVENT))
    assert (view.fullest, view.travel) == ("A, floor", "Tram 4.\nThen on foot.")
    assert sale.run(f"event edit {EVENT} --fullest stalls,A") == 1
    assert "the venue has no stalls; its sections and areas: A, floor" in capsys.readouterr().err
    assert sale.run(f"event edit {EVENT} --fullest=") == 0
    with pytest.raises(AssertionError):
        sale.create("--fullest", "balcony")


def test_an_edit_says_what_it_does_to_the_hour_and_to_the_end_of_the_sale(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create(*STARTS)
    assert sale.run(f"event edit {EVENT} --time-zone Europe/London --yes") == 0
    said = capsys.readouterr().out
    assert "now read as 2031-06-01T19:00 instead of 2031-06-01T20:00" in said
    assert sale.run(f"event edit {EVENT} --yes --starts-at", "") == 0
    assert "never ends by itself" in capsys.readouterr().out


def test_an_event_that_tells_nothing_goes_on_working(sale: Sale) -> None:
    sale.create()
    assert "startsAt" not in sale.item
    view = event_view(sale.container.catalog.event(EVENT))
    told = (view.starts_at, view.time_zone, view.artist, view.category, view.text)
    assert told == (None,) * 5
    assert view.venue


def test_an_edit_shows_before_and_after_and_stands_in_the_log(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create("--artist", "Ann")
    dry = answer(sale, capsys, f"event edit {EVENT} --artist Bob --dry-run")
    assert (dry["changed"], sale.item["artist"]) == (False, "Ann")
    done = answer(sale, capsys, f"event edit {EVENT} --artist Bob {' '.join(STARTS)}")
    assert done["before"] == {"artist": "Ann", "starts_at": "", "time_zone": ""}
    assert done["after"]["starts_at"] == "2031-06-01T18:00:00.000Z"
    assert sale.item["artist"] == "Bob"
    entry = answer(sale, capsys, f"event log {EVENT}")["entries"][-1]
    assert (entry["act"], entry["phase"]) == ("event edited", "done")
    assert (entry["detail"]["artist_was"], entry["detail"]["artist"]) == ("Ann", "Bob")
    assert sale.run(f"event edit {EVENT} --artist Cy") == 0
    assert "artist: Bob → Cy" in capsys.readouterr().out
    assert sale.run(f"event log {EVENT}") == 0
    shown = capsys.readouterr().out
    assert "artist Bob, starts_at 2031" in shown
    assert 'starts_at_was "", time_zone_was ""' in shown
    gone = answer(sale, capsys, f"event edit {EVENT} --starts-at=")
    assert gone["after"] == {"starts_at": "", "time_zone": ""}


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("--starts-at 2031-06-01T18:00:00Z", "give both, or neither"),
        ("--time-zone Europe/Berlin", "give both, or neither"),
        ("--starts-at 2031-06-01T18:00:00Z --time-zone Europe/Atlantis", "a zone's name"),
        ("--starts-at 2031-06-01T18:00:00Z --time-zone Europe", "a zone's name"),
        ("--starts-at 2031-06-01T18:00:00Z --time-zone ../../etc/passwd", "a zone's name"),
        ("--starts-at 2031-06-01 --time-zone Europe/Berlin", "a date with a time"),
        ("--starts-at 2001-06-01T18:00:00Z --time-zone Europe/Berlin", "after the sale starts"),
        (f"--artist {'x' * 121}", "of 1 to 120 characters"),
        (f"--text {'x' * 2001}", "at most 2000"),
        ("--text=\x07", "printable"),
        ("--name=", "--name: cannot be empty"),
        ("--venue-name=", "--venue-name: cannot be empty"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_reason(
    sale: Sale, capsys: pytest.CaptureFixture[str], options: str, why: str
) -> None:
    sale.create()
    before = sale.item
    refused = answer(sale, capsys, f"event edit {EVENT} {options}", code=1)
    assert why in refused["error"]["detail"]
    assert "_" not in refused["error"]["detail"]  # fields are named as they are typed
    assert sale.item == before


def _meddled(sale: Sale, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]) -> None:
    """Let another operator's change come between the read and the write of the next edit."""
    table = sale.world.table
    update = table.update
    once = [change]

    def first_theirs(asked: Update, *args: Any, **more: Any) -> Any:
        if once:
            seen = table.find(Event, event_key(EVENT))
            assert seen is not None
            update(event_update(seen, once.pop()))
        return update(asked, *args, **more)

    monkeypatch.setattr(type(table), "update", lambda _self, *a, **m: first_theirs(*a, **m))


def test_the_second_of_two_operators_hears_of_the_first(
    sale: Sale, monkeypatch: pytest.MonkeyPatch
) -> None:
    sale.create("--artist", "Ann")
    _meddled(sale, monkeypatch, {"artist": "Bob"})
    with pytest.raises(VersionConflictError, match="has just changed the same"):
        edit_event(sale.world.table, sale.world.clock, EVENT, {"artist": "Cy"})
    assert sale.item["artist"] == "Bob"


def test_changes_of_other_fields_do_not_stand_in_each_others_way(
    sale: Sale, monkeypatch: pytest.MonkeyPatch
) -> None:
    sale.create()
    _meddled(sale, monkeypatch, {"category": "Opera"})
    edit_event(sale.world.table, sale.world.clock, EVENT, {"artist": "Cy"})
    assert (sale.item["artist"], sale.item["category"]) == ("Cy", "Opera")


@pytest.mark.parametrize(
    ("given", "emptied", "other"),
    [
        (
            ("--members", "gold", "--members-until", "2031-05-01T10:00:00Z"),
            ("--members", ""),
            "membersUntil",
        ),
        (("--ask-address", "--address-limit", "4"), ("--no-ask-address",), "addressLimit"),
        (
            ("--cancel-until", "2031-05-01T10:00:00Z", "--cancel-fee", "1"),
            ("--cancel-until", "never"),
            "cancelFeeMinor",
        ),
    ],
)
def test_what_says_nothing_alone_goes_with_what_it_needs(
    sale: Sale, capsys: pytest.CaptureFixture[str], given: Any, emptied: Any, other: str
) -> None:
    sale.create(*STARTS, *given)
    assert sale.item[other]
    assert sale.run(f"event edit {EVENT}", *emptied) == 0
    assert not sale.item[other]
    assert sale.run(f"event clone {EVENT} second --sale-starts-in 60 --dry-run") == 0


def test_one_of_two_that_go_together_changes_alone(sale: Sale) -> None:
    sale.create(*STARTS, "--members", "gold", "--ask-address")
    assert sale.run(f"event edit {EVENT} --members-until 2031-05-01T10:00:00Z") == 0
    assert sale.run(f"event edit {EVENT} --address-limit 4") == 0
    assert (sale.item["members"], sale.item["addressLimit"]) == ("gold", 4)


@pytest.mark.parametrize("command", ["create", "edit"])
@pytest.mark.parametrize("ends", [(), ("--sale-ends-at", "2031-05-30T10:00:00Z")])
def test_a_presale_ends_before_the_sale(
    sale: Sale, capsys: pytest.CaptureFixture[str], command: str, ends: tuple[str, ...]
) -> None:
    late, gold = ("--members-until", "2031-06-02T10:00:00Z"), (*STARTS, *ends, "--members", "gold")
    words = f"event create {EVENT} --venue {CHART} --price-all 45 --name Gala --sale-starts-in 60"
    if command == "edit":
        sale.create(*gold)
        words, gold = f"event edit {EVENT}", ()
    capsys.readouterr()
    assert sale.run(words, *gold, *late) == 1
    said = capsys.readouterr().err
    assert "--members-until: must be before the sale ends, at 2031-0" in said


@pytest.mark.parametrize("option", ["--members-until", "--starts-at", "--sale-ends-at"])
def test_a_time_that_is_past_is_refused_on_a_sale_that_goes_on(
    sale: Sale, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    sale.create(*STARTS, "--members", "gold")
    sale.clock.tick(7_200)
    past = rfc3339(sale.clock.ms - 3_600_000)
    assert sale.run(f"event edit {EVENT} {option} {past} --yes") == 1
    assert f"{option}: " in capsys.readouterr().err


@pytest.mark.parametrize(
    "option",
    [
        "--members gold",
        "--account-days 30",
        "--verified-phone",
        "--card-limit 4",
        "--address-limit 4",
        "--sale-ends-at 2031-05-30T10:00:00Z",
        "--cancel-until 2031-05-30T10:00:00Z",
    ],
)
def test_who_may_buy_from_a_live_sale_is_asked_about(
    sale: Sale, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    sale.create(*STARTS, "--ask-address")
    before = sale.item
    sale.clock.tick(120)
    assert sale.run(f"event edit {EVENT} {option}") == 1
    told = capsys.readouterr().err
    assert "is on sale" in told
    assert option.split(maxsplit=1)[0].removeprefix("--") in told
    assert sale.item == before
    assert sale.run(f"event edit {EVENT} {option} --yes") == 0


def test_what_is_missing_is_named_as_it_is_typed(
    sale: Sale, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    sale.create()
    assert sale.run(f"event edit {EVENT} --address-limit 4") == 1
    assert "needs --ask-address" in capsys.readouterr().err
    file = tmp_path / "event.toml"
    file.write_text("address-limit = 4\n")
    assert sale.run(f"event edit {EVENT} --from {file}") == 1
    assert "needs ask-address" in capsys.readouterr().err


def test_what_is_not_said_in_a_language_is_shown(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    german = '{"de": {"name": "Finale", "tiers": {"stalls": "Parkett"}}}'
    sale.create("--text", "Doors at seven.", "--translations", german)
    assert sale.run(f"event show {EVENT}") == 0
    assert "en; de without text, standing" in capsys.readouterr().out
    french = '{"fr": {"name": "La finale"}}'
    assert sale.run(f"event edit {EVENT} --translations", french) == 0
    assert "translations: de (name, stalls) → fr (name)" in capsys.readouterr().out
