"""Whom a case is counted under, how counts slide, and what follows from them."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.domain.gate.edge_header import VERDICTS
from fairgate.domain.gate.risk import POINTS, RULES, WINDOW_S, assess, sliding, subjects, windows

KEY = b"g" * 32


def address(text: str, key: bytes = KEY) -> dict[str, str]:
    return {str(name): value for name, value in subjects(key, "", text).items()}


def test_addresses_of_one_household_and_one_network_are_counted_together() -> None:
    first, second = address("203.0.113.7"), address("203.0.113.8")
    assert first["address"] != second["address"]
    assert first["network"] == second["network"]
    assert first["network"] != address("203.0.114.7")["network"]
    home, phone = address("2001:db8:1:2::7"), address("2001:db8:1:2:ffff::9")
    assert home == phone
    assert home["network"] == address("2001:db8:1:3::7")["network"]
    assert home["address"] != address("2001:db8:1:3::7")["address"]


def test_an_address_is_the_same_in_both_of_its_spellings() -> None:
    assert address("::ffff:203.0.113.7") == address("203.0.113.7")
    assert address("2001:DB8::0:7") == address("2001:db8::7")


@pytest.mark.parametrize("text", ["", "unknown", "203.0.113.7:80", "203.0.113.256", "é", "1" * 999])
def test_what_is_no_address_is_not_counted_as_one(text: str) -> None:
    assert subjects(KEY, "ann", text) == {"user": "u#ann"}
    assert subjects(KEY, "", text) == {}


def test_no_address_can_be_read_back_or_brought_together_with_another_event() -> None:
    mine, theirs = address("203.0.113.7"), address("203.0.113.7", b"h" * 32)
    assert not {*mine.values()} & {*theirs.values()}
    assert "203" not in "".join(mine.values())
    assert all(len(value) == 24 for value in mine.values())


def test_counts_slide_out_of_the_window() -> None:
    now_s = 1_800_000_000
    assert windows(now_s) == (now_s, now_s - WINDOW_S)
    assert windows(now_s + WINDOW_S - 1) == (now_s, now_s - WINDOW_S)
    seen = [sliding({}, {"early": 10}, now_s + at)["early"] for at in (0, 300, 599)]
    assert seen == pytest.approx([10, 5, 1 / 60])
    assert sliding({"early": 1}, {"early": 10, "bad-token": 2}, now_s + 300) == {
        "early": 6,
        "bad-token": 1,
    }


def verdict_of(counts: dict[str, Any], subject: Any = "user", share: float = 0.0) -> Any:
    return assess({subject: counts}, share)


@pytest.mark.parametrize(
    ("subject", "early", "rule", "level"),
    [
        ("user", 5.9, None, 0),
        ("user", 6, "account", 1),
        ("user", 23.9, "account", 1),
        ("user", 24, "account-persists", 2),
        ("address", 59.9, None, 0),
        ("address", 9_999, "address", 1),
        ("network", 599.9, None, 0),
        ("network", 9_999, "network", 1),
    ],
)
def test_a_rule_applies_from_its_points_on(
    subject: str, early: float, rule: str | None, level: int
) -> None:
    found = verdict_of({"early": early}, subject)
    assert (found.rule if found else None) == rule
    assert (found.level if found else 0) == level


def test_only_what_an_account_does_itself_can_lock_it_out() -> None:
    assert {rule.subject for rule in RULES if rule.level == 2} == {"user"}


def test_what_honest_people_do_by_the_way_weighs_nothing() -> None:
    assert verdict_of({"sample-queue": 1_000, "sample-admit": 1_000}) is None
    assert set(POINTS) <= set(VERDICTS)


def test_heavier_cases_lead_there_sooner_and_are_the_ones_that_are_told() -> None:
    found = verdict_of({"other-user": 1, "early": 2})
    assert found.level == 1
    assert found.noticed.endswith("used somebody else's waiting token once.")
    assert verdict_of({"other-user": 3}).level == 2


@pytest.mark.parametrize(
    ("sampled", "share", "flagged"),
    [(3, 0.05, True), (3, 0.07, False), (2, 0.001, False), (49, 1.0, False), (50, 1.0, True),
     (9, 0.0, False)],
)  # fmt: skip
def test_tokens_are_estimated_from_the_sample(sampled: int, share: float, *, flagged: bool) -> None:
    assert (verdict_of({"sample-queue": sampled}, share=share) is not None) == flagged
