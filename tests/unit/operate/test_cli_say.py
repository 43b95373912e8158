"""`event say` puts a message of the organiser's on the event's pages, until a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairgate.domain.shared.language import LANGUAGES
from fairgate.domain.shared.times import rfc3339
from fairgate.http import paths
from fairgate.ports.table import Update
from fairgate.service.shared.keys import event_key
from tests.support.sale import CHART, EVENT, Sale, small_sale
from tests.unit.operate.test_cli_draft import answer

CREATE = f"event create {EVENT} --venue {CHART} --price-all 45 --name Gala --publish"
SAY = f"event say {EVENT}"


@pytest.fixture
def sale(tmp_path: Path) -> Iterator[Sale]:
    with small_sale(tmp_path) as made:
        assert made.run(f"{CREATE} --sale-starts-in 60") == 0
        yield made


def told(sale: Sale) -> Any:
    sale.clock.tick(6)  # the catalogue's readers keep an event for five seconds
    return answer(paths.EVENT, EVENT, "catalog")[1]["message"]


def shown(sale: Sale, capsys: pytest.CaptureFixture[str]) -> Any:
    """Return what operators are shown of it."""
    assert sale.run(f"event show {EVENT} --json") == 0
    return json.loads(capsys.readouterr().out)["message"]


def test_buyers_read_a_message_in_its_languages_until_its_end(sale: Sale) -> None:
    assert told(sale) is None
    now_ms = sale.clock.ms
    words = ["One moment.", "--in", "de=Einen Moment.", "--for", "10min", "--to", "waiting"]
    assert sale.run(SAY, *words) == 0
    assert told(sale) == {
        "texts": {"en": "One moment.", "de": "Einen Moment."},
        "to": "waiting",
        "at": rfc3339(now_ms),
        "until": rfc3339(now_ms + 600_000),
    }


def test_a_template_has_every_language_and_one_text_may_be_another(sale: Sale) -> None:
    words = ["--template", "paused", "--in", "de=Gleich geht es weiter."]
    assert sale.run(SAY, *words) == 0
    texts = told(sale)["texts"]
    assert set(texts) == set(LANGUAGES)
    assert texts["de"] == "Gleich geht es weiter."
    assert texts["en"].startswith("The sale is paused")


def test_a_message_is_taken_away_once(sale: Sale, capsys: pytest.CaptureFixture[str]) -> None:
    assert sale.run(f"{SAY} Hello") == 0
    assert sale.run(f"{SAY} --off --dry-run") == 0
    assert told(sale)["until"] > rfc3339(sale.clock.ms)
    capsys.readouterr()
    assert shown(sale, capsys)["texts"] == {"en": "Hello"}
    assert sale.run(f"{SAY} --off") == 0
    assert told(sale)["until"] <= rfc3339(sale.clock.ms)
    capsys.readouterr()
    assert shown(sale, capsys) is None
    assert sale.run(f"{SAY} --off") == 1
    assert "shows no message" in capsys.readouterr().err


def test_the_log_has_what_was_said(sale: Sale, capsys: pytest.CaptureFixture[str]) -> None:
    assert sale.run(f"{SAY} Hello --reason late") == 0
    capsys.readouterr()
    assert sale.run(f"event log {EVENT} --json") == 0
    entries = json.loads(capsys.readouterr().out)["entries"]
    [done] = [one for one in entries if (one["act"], one["phase"]) == ("say", "done")]
    assert done["detail"] == {"texts": {"en": "Hello"}, "to": "all", "reason": "late"}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["x" * 201], "1 to 200"),
        (["two\nlines"], "printable"),
        (["turned \u202e around"], "turns text"),
        (["--in", "xx=Hello"], "must be one of en, de"),
        (["--in", "de="], "de"),
    ],
)
def test_a_message_that_cannot_be_shown_is_refused_and_nothing_is_written(
    sale: Sale, words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sale.run(SAY, *words) == 1
    assert why in capsys.readouterr().err
    assert told(sale) is None


@pytest.mark.parametrize("words", [[], ["Hello", "--off"], ["--in", "Hello"], ["--template", "no"]])
def test_a_command_line_without_one_message_is_misused(sale: Sale, words: list[str]) -> None:
    with pytest.raises(SystemExit):
        sale.run(SAY, *words)


def test_a_cancelled_event_says_that_alone(sale: Sale) -> None:
    cancelled = {"cancelledAt": rfc3339(sale.clock.ms)}
    sale.world.table.update(Update("catalog", *event_key(EVENT), set=cancelled))
    assert sale.run(SAY, "Hello") == 1
    assert told(sale) is None
