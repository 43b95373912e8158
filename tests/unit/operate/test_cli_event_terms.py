"""``fairgate event edit``: prices, fees, limits and sale start; what never changes; the log."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.service.catalog.cancel_event import mark_cancelled
from fairgate.service.catalog.move_sale_start import CACHES_S
from tests.support.sale import EVENT, Sale

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.world import World


@pytest.fixture
def sale(world: World, tmp_path: Path) -> Sale:
    made = Sale(world, tmp_path)
    made.create()
    return made


def answer(sale: Sale, capsys: pytest.CaptureFixture[str], words: str, code: int = 0) -> Any:
    capsys.readouterr()
    assert sale.run(f"{words} --json") == code
    return json.loads(capsys.readouterr().out)


def in_s(sale: Sale, seconds: float) -> str:
    return rfc3339(sale.clock.ms + round(seconds * 1000))


def far_sale_start(sale: Sale) -> None:
    """Doors in an hour instead of a minute."""
    assert sale.run(f"event open {EVENT} --at {in_s(sale, 3_600)}") == 0


def test_prices_and_fees_are_shown_before_and_after(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    tiers = [tier["id"] for tier in sale.item["tiers"]]
    words = f"event edit {EVENT} --price-all 60 --price {tiers[0]}=70 --fee-order 1"
    dry = answer(sale, capsys, f"{words} --dry-run")
    assert (dry["changed"], sale.item["tiers"][0]["priceMinor"]) == (False, 4_500)
    done = answer(sale, capsys, f"{words} --reason demand")
    assert done["before"]["prices_minor"] == dict.fromkeys(tiers, 4_500)
    wanted = dict.fromkeys(tiers, 6_000) | {tiers[0]: 7_000}
    assert done["after"] == {"prices_minor": wanted, "fee_order_minor": 100}
    assert {tier["id"]: tier["priceMinor"] for tier in sale.item["tiers"]} == wanted
    entry = answer(sale, capsys, f"event log {EVENT}")["entries"][-1]
    assert entry["detail"]["prices_minor_was"] == dict.fromkeys(tiers, 4_500)
    assert (entry["detail"]["fee_order_minor_was"], entry["detail"]["reason"]) == (0, "demand")
    assert sale.run(f"event edit {EVENT} --price {tiers[0]}=71 --user-limit 12") == 0
    said = capsys.readouterr().out
    assert f"price {tiers[0]}: 70.00 EUR → 71.00 EUR" in said
    assert "user-limit: 10 → 12" in said
    assert "counts for buyers who are admitted from now on" in said


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("--currency USD", "--currency: never changes"),
        ("--checkout-s 60", "--checkout-s: never changes"),
        ("--price nowhere=1", "no such tier"),
        ("--user-limit 5", "a whole number from 10"),
    ],
)
def test_what_may_not_change_is_refused_with_its_reason(
    sale: Sale, capsys: pytest.CaptureFixture[str], options: str, why: str
) -> None:
    before = sale.item
    refused = answer(sale, capsys, f"event edit {EVENT} {options}", code=1)
    assert why in refused["error"]["detail"]
    assert sale.item == before


def test_the_sale_start_moves_before_the_sale_has_started(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    far_sale_start(sale)
    sale_start = in_s(sale, 7_200)
    dry = answer(sale, capsys, f"event edit {EVENT} --sale-starts-at {sale_start} --dry-run")
    assert (dry["after"], dry["changed"]) == ({"sale_starts_at": sale_start}, False)
    assert sale.item["saleOpensAt"] != sale_start
    done = answer(sale, capsys, f"event edit {EVENT} --sale-starts-at {sale_start}")
    assert done["changed"]
    assert sale.item["saleOpensAt"] == sale_start
    assert sale.gate.sale_start_s * 1000 == epoch_ms(sale_start)
    entry = answer(sale, capsys, f"event log {EVENT}")["entries"][-1]
    assert (entry["act"], entry["phase"]) == ("event edited", "done")
    assert entry["detail"]["sale_starts_at"] == sale_start


def test_the_sale_start_is_not_moved_to_where_caches_would_tell_otherwise(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    far_sale_start(sale)
    soon = in_s(sale, CACHES_S - 1)
    refused = answer(sale, capsys, f"event edit {EVENT} --sale-starts-at {soon}", code=1)
    assert "The sale can start from" in refused["error"]["detail"]
    answer(sale, capsys, f"event edit {EVENT} --sale-starts-at {in_s(sale, CACHES_S + 1)}")
    sale.clock.tick(round(CACHES_S) + 2)
    refused = answer(sale, capsys, f"event edit {EVENT} --sale-starts-at {in_s(sale, 600)}", code=1)
    assert "started at" in refused["error"]["detail"]


def test_the_sale_start_of_a_paused_sale_stays(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    far_sale_start(sale)
    assert sale.run(f"event pause {EVENT}") == 0
    refused = answer(sale, capsys, f"event edit {EVENT} --sale-starts-at {in_s(sale, 600)}", code=1)
    assert "is paused" in refused["error"]["detail"]
    assert sale.gate.state == "paused"


def test_the_sale_starts_before_the_performance_and_after_the_beacon(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    far_sale_start(sale)
    night = f"--starts-at {in_s(sale, 9_000)} --time-zone Europe/Berlin"
    answer(sale, capsys, f"event edit {EVENT} {night}")
    late = in_s(sale, 9_000)
    refused = answer(sale, capsys, f"event edit {EVENT} --sale-starts-at {late}", code=1)
    assert "before it ends" in refused["error"]["detail"]
    both = f"--sale-starts-at {late} --starts-at {in_s(sale, 90_000)}"
    done = answer(sale, capsys, f"event edit {EVENT} {both}")
    assert done["after"]["sale_starts_at"] == late
    assert sale.item["startsAt"] == in_s(sale, 90_000)
    capsys.readouterr()
    assert sale.run(f"draw announce {EVENT} --source drand --at {in_s(sale, 3_000)} --yes") == 0
    refused = answer(
        sale, capsys, f"event edit {EVENT} --sale-starts-at {in_s(sale, 2_000)}", code=1
    )
    assert "beacon" in refused["error"]["detail"]


def test_a_sale_start_that_cannot_move_moves_nothing_else(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sale.item
    words = f"event edit {EVENT} --artist Ann --sale-starts-at {in_s(sale, 5)}"
    answer(sale, capsys, words, code=1)
    assert sale.item == before


def test_the_log_says_a_moment_as_it_was_typed_and_in_utc(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = "2031-06-01T20:00:00+02:00"
    words = f"event edit {EVENT} --starts-at {typed} --time-zone Europe/Berlin"
    answer(sale, capsys, f"{words} --cancel-until 2031-05-01T00:00:00+02:00")
    asked, done = answer(sale, capsys, f"event log {EVENT}")["entries"][-2:]
    for entry in (asked, done):
        assert entry["detail"]["starts_at"] == typed
        assert entry["detail"]["starts_at_utc"] == "2031-06-01T18:00:00.000Z"
        assert entry["detail"]["cancel_until_utc"] == "2031-04-30T22:00:00.000Z"
    answer(sale, capsys, f"event edit {EVENT} --starts-at tomorrow", code=1)
    answer(
        sale, capsys, f"event edit {EVENT} --starts-at tomorrow --sale-starts-at {typed}", code=1
    )


def test_a_cancelled_event_is_edited_no_more(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    mark_cancelled(sale.table, sale.clock, EVENT)
    for options in ("--artist Ann", f"--sale-starts-at {in_s(sale, 600)}"):
        refused = answer(sale, capsys, f"event edit {EVENT} {options}", code=1)
        assert "was cancelled" in refused["error"]["detail"]


def live(sale: Sale) -> str:
    """The sale has started; returns a tier."""
    sale.clock.tick(3_600)
    return str(sale.item["tiers"][0]["id"])


def test_terms_of_a_live_sale_are_shown_and_asked_about(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    tier = live(sale)
    words = f"event edit {EVENT} --price {tier}=60 --user-limit 12 --vat {tier}=19%"
    assert sale.run(words) == 1
    said = capsys.readouterr().err
    changes = (f"{tier}: 45.00 EUR → 60.00 EUR", "user-limit: 10 → 12", f"VAT {tier}: 0 % → 19 %")
    for line in (*changes, "Confirm with --yes"):
        assert line in said
    assert sale.item["tiers"][0]["priceMinor"] == 4_500
    assert sale.run(f"{words} --yes") == 0
    assert sale.item["tiers"][0]["priceMinor"] == 6_000
    sale.clock.tick(10)
    assert sale.run(f"event edit {EVENT} --price {tier}=60 --artist Ann --no-mail") == 0


@pytest.mark.parametrize(("minor", "large"), [(9_000, False), (9_001, True), (2_249, True)])
def test_a_price_of_a_live_sale_that_is_doubled_or_halved_needs_the_word(
    sale: Sale, capsys: pytest.CaptureFixture[str], minor: int, *, large: bool
) -> None:
    words = f"event edit {EVENT} --price {live(sale)}={minor / 100:.2f}"
    assert sale.run(f"{words} --yes") == int(large)
    if large:
        assert f"Confirm with --confirm {EVENT}" in capsys.readouterr().err
        assert sale.run(f"{words} --confirm other") == 1
        assert sale.run(f"{words} --confirm {EVENT}") == 0
    assert sale.item["tiers"][0]["priceMinor"] == minor


def test_a_fee_of_a_live_sale_that_is_doubled_needs_the_word(sale: Sale) -> None:
    live(sale)
    for fee, words in (("1", "--yes"), ("2", "--yes"), ("4.01", f"--confirm {EVENT}")):
        edit = f"event edit {EVENT} --fee-order {fee}"
        assert sale.run(f"{edit} --yes") == int(words != "--yes")
        assert sale.run(f"{edit} {words}") == 0
        sale.clock.tick(10)


@pytest.mark.parametrize(
    ("words", "asked"),
    [("19999", ""), ("20000", "5,000 → 20,000"), ("1250", "5,000 → 1,250"), ("1251", "")],
)
def test_a_target_of_a_live_sale_that_is_much_larger_or_smaller_is_asked_about(
    sale: Sale, capsys: pytest.CaptureFixture[str], words: str, asked: str
) -> None:
    live(sale)
    assert sale.run(f"event target {EVENT} {words}") == int(bool(asked))
    said = capsys.readouterr()
    assert asked in said.err
    assert sale.run(f"event target {EVENT} {words} --yes") == 0
    assert sale.item["liveMax"] == int(words)


def test_who_steers_a_live_sale_is_asked_about(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"event target {EVENT} 5000 --control auto"
    assert sale.run(f"{words} --dry-run") == 0
    live(sale)
    assert sale.run(words) == 1
    assert "control: manual → auto" in capsys.readouterr().err
    assert sale.run(f"{words} --yes") == 0
