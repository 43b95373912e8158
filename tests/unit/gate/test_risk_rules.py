"""Cases are counted by account, address and network, and rules decide by the counts."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairgate.domain.gate.edge_header import VERDICTS
from fairgate.domain.gate.risk import (
    FREE_REPEATS,
    POINTS,
    REPEATS,
    RULES,
    SEEN_TO_FLAG,
    SEEN_TO_LOCK,
    WINDOW_S,
    Assessment,
    Subject,
    Tally,
    account,
    assess,
    hashed_address,
    sliding,
    subjects,
    windows,
)
from fairgate.domain.shared.jws import b64url

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
def test_a_malformed_address_is_not_counted(text: str) -> None:
    assert subjects(KEY, "ann", text) == {"user": "u#ann"}
    assert subjects(KEY, "", text) == {}


def test_no_address_can_be_read_back_or_brought_together_with_another_event() -> None:
    mine, theirs = address("203.0.113.7"), address("203.0.113.7", b"h" * 32)
    assert not {*mine.values()} & {*theirs.values()}
    assert "203" not in "".join(mine.values())
    assert all(len(value) == 24 for value in mine.values())


@given(st.ip_addresses())
def test_a_name_is_the_hash_of_the_network_as_ipaddress_writes_it(
    ip: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    ip = getattr(ip, "ipv4_mapped", None) or ip
    for subject, bits in (("address", {4: 32, 6: 64}), ("network", {4: 24, 6: 48})):
        network = ipaddress.ip_network((ip, bits[ip.version]), strict=False)
        digest = hmac.digest(KEY, f"desk|{subject}|{network}".encode(), hashlib.sha256)[:16]
        assert address(str(ip))[subject] == f"{subject[0]}#{b64url(digest)}"


@pytest.mark.parametrize(
    "text", ["203.0.113.7", "2001:db8::7", "::ffff:203.0.113.7", "unknown", ""]
)
def test_limits_name_an_account_and_an_address_as_the_desk_does(text: str) -> None:
    named = subjects(KEY, "ann", text)
    assert (account("ann"), hashed_address(KEY, text)) == (
        named["user"],
        named.get("address", ""),
    )


def test_counts_slide_out_of_the_window() -> None:
    now_s = 1_800_000_000
    assert windows(now_s) == (now_s, now_s - WINDOW_S)
    assert windows(now_s + WINDOW_S - 1) == (now_s, now_s - WINDOW_S)
    before = Tally({"early": 10.0, "bad-token": 2.0}, 3)
    slid = [sliding(Tally(), before, now_s + at) for at in (0, 300, 599)]
    assert [tally.cases["early"] for tally in slid] == pytest.approx([10, 5, 1 / 60])
    assert [tally.sampled for tally in slid] == pytest.approx([3, 1.5, 1 / 200])
    both = sliding(Tally({"early": 1.0}, 1), before, now_s + 300)
    assert both == Tally({"early": 6, "bad-token": 1}, 2.5)


def every(cases: dict[str, float]) -> Tally:
    """Make a tally of cases that are all forwarded."""
    return Tally(cases, sum(count for name, count in cases.items() if name not in REPEATS))


def verdict_of(cases: dict[str, float]) -> Assessment | None:
    return assess({"user": every(cases)})


def rule_of(found: Assessment | None) -> tuple[str | None, int]:
    return (found.rule, found.level) if found else (None, 0)


@pytest.mark.parametrize(
    ("early", "rule", "level"),
    [
        (5.9, None, 0),
        (6, "account", 1),
        (23.9, "account", 1),
        (24, "account-persists", 2),
    ],
)
def test_a_rule_applies_from_its_points_on(early: float, rule: str | None, level: int) -> None:
    assert rule_of(verdict_of({"early": early})) == (rule, level)


SHARED: list[tuple[Subject, float]] = [("address", 60), ("network", 600)]


@pytest.mark.parametrize(("subject", "points"), SHARED)
@pytest.mark.parametrize(
    ("own", "others", "flagged"),
    [
        (3, 1.0, True),
        (3, 0.99, False),
        (2.9, 1.0, False),  # seen too rarely, and too few points
        (0, 1_000.0, False),
    ],
)
def test_a_shared_address_flags_only_accounts_that_break_rules(
    subject: Subject, points: float, own: float, others: float, *, flagged: bool
) -> None:
    tallies: dict[Subject, Tally] = {
        "user": every({"early": own} if own else {}),
        subject: every({"early": points * others}),
    }
    assert rule_of(assess(tallies)) == ((subject, 1) if flagged else (None, 0))


@pytest.mark.parametrize(("subject", "points"), SHARED)
def test_points_of_ones_own_are_asked_for_as_well_as_cases(subject: Subject, points: float) -> None:
    """Three cases that weigh one together, as they do when they slide out of the window."""
    own = Tally({"early": 2.9}, 3)
    assert assess({"user": own, subject: every({"early": points})}) is None


@pytest.mark.parametrize(
    ("points", "cases", "labelled", "flagged"),
    [(3.0, 3, 3, True), (2.9, 3, 3, False), (3.0, 2, 2, False), (3.0, 3, 2.9, False)],
)
def test_an_anonymous_address_asks_for_points_and_cases_of_ones_own(
    points: float, cases: float, labelled: float, *, flagged: bool
) -> None:
    own = Tally({"early": points}, cases, labelled)
    assert rule_of(assess({"user": own})) == (("anonymous", 1) if flagged else (None, 0))


def test_an_anonymous_address_alone_flags_nobody() -> None:
    crowd = Tally({"early": 50.0}, 50, 50)
    assert assess({"user": Tally({}, 0, 1_000), "address": crowd, "network": crowd}) is None
    assert [rule.level for rule in RULES if rule.labelled] == [1]


def test_what_came_with_a_label_slides_out_with_its_case() -> None:
    before = Tally({"early": 4.0}, 4, 4)
    assert sliding(Tally({"early": 1.0}, 1, 0), before, WINDOW_S // 2).labelled == 2


def test_only_what_an_account_does_itself_can_lock_it_out() -> None:
    assert {rule.subject for rule in RULES if rule.level == 2} == {"user"}
    assert all(rule.own_points > 0 for rule in RULES if rule.subject != "user")


def test_ordinary_requests_weigh_nothing() -> None:
    assert verdict_of({"sample-queue": 1_000, "sample-admit": 1_000, "admit": 1_000}) is None
    assert set(POINTS) <= {*VERDICTS, *REPEATS}
    assert not {"no-auth", "bad-auth"} & set(POINTS)


@pytest.mark.parametrize("verdict", sorted(set(POINTS) - REPEATS))
def test_no_single_case_convicts_whatever_it_stands_for(verdict: str) -> None:
    """If one in a thousand is forwarded, a case counts as a thousand, and is still one."""
    for seen in (1, 2):
        assert assess({"user": Tally({verdict: 1_000.0 * seen}, seen)}) is None
    assert rule_of(assess({"user": Tally({verdict: 3_000.0}, 3)})) == ("account", 1)
    assert rule_of(assess({"user": Tally({verdict: 5_000.0}, 5)})) == ("account", 1)
    assert rule_of(assess({"user": Tally({verdict: 6_000.0}, 6)})) == ("account-persists", 2)


def test_the_bound_of_the_documentation_holds() -> None:
    """docs/gate.md: how likely it is that an account is flagged for few early attempts."""

    def seen(least: int, attempts: int, share: float = 0.05) -> float:
        return sum(
            math.comb(attempts, n) * share**n * (1 - share) ** (attempts - n)
            for n in range(least, attempts + 1)
        )

    assert seen(SEEN_TO_FLAG, 2) == 0
    assert seen(SEEN_TO_FLAG, 5) == pytest.approx(0.0012, abs=0.0001)
    assert seen(SEEN_TO_FLAG, 120) > 0.93
    assert seen(SEEN_TO_LOCK, 5) == 0
    assert seen(SEEN_TO_LOCK, 23) == pytest.approx(0.0008, abs=0.0001)


@pytest.mark.parametrize("verdict", sorted(REPEATS))
def test_the_first_two_repeats_weigh_nothing(verdict: str) -> None:
    assert every({verdict: 2.0}).points == 0
    assert verdict_of({verdict: FREE_REPEATS + 2.9}) is None  # 5.8 points, but seen too rarely
    assert rule_of(verdict_of({verdict: FREE_REPEATS + 3.0})) == ("account", 1)
    assert rule_of(verdict_of({verdict: FREE_REPEATS + 12.0})) == ("account-persists", 2)


def test_heavier_cases_lead_there_sooner_and_are_the_ones_that_are_told() -> None:
    found = verdict_of({"other-user": 1, "early": 2})
    assert found is not None
    assert found.level == 1
    assert found.noticed.endswith("this account used somebody else's waiting token once.")
    assert rule_of(verdict_of({"other-user": 3}))[1] == 1
    assert rule_of(verdict_of({"other-user": 3, "early": 3}))[1] == 2


def test_an_estimate_is_told_as_one() -> None:
    found = assess({"user": Tally({"early": 60.0}, 3)})
    assert found is not None
    assert found.noticed == (
        "In the last ten minutes this account asked before the time that was given about 60 times."
    )


def test_an_account_flagged_for_an_address_is_told_its_own_cases() -> None:
    found = assess({"user": every({"early": 3}), "address": every({"early": 70})})
    assert found is not None
    assert found.noticed == (
        "In the last ten minutes this account asked before the time that was given 3 times, and"
        " many requests of this kind came from this internet address."
    )
