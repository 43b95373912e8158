"""A mail address is named by a hash that only the deployment can make, one for each mailbox."""

from __future__ import annotations

import pytest

from fairgate.domain.shared.ids import MAILBOX
from fairgate.domain.shared.mailbox import mailbox_of

KEY, OTHER = b"m" * 32, b"n" * 32
ANN = "ann@example.org"


@pytest.mark.parametrize("spelling", ["Ann@Example.ORG", " ann@example.org ", "ANN@EXAMPLE.ORG"])
def test_an_address_has_one_name_however_it_is_typed(spelling: str) -> None:
    assert mailbox_of(KEY, spelling) == mailbox_of(KEY, ANN)


@pytest.mark.parametrize(
    "other",
    [
        "bob@example.org",
        "ann@example.com",
        "ann+1@example.org",
        "an\u0274@example.org",
        "\u00e4nn@example.org",
    ],
)
def test_another_address_has_another_name(other: str) -> None:
    assert mailbox_of(KEY, other) != mailbox_of(KEY, ANN)


def test_no_letter_of_another_alphabet_becomes_somebodys_own() -> None:
    kelvin = "mi\u212ae@example.org"
    assert kelvin.lower() == "mike@example.org"  # as a mailbox must not be compared
    assert mailbox_of(KEY, kelvin) != mailbox_of(KEY, "mike@example.org")


def test_a_name_cannot_be_made_without_the_key() -> None:
    assert mailbox_of(KEY, ANN) != mailbox_of(OTHER, ANN)
    assert MAILBOX.fullmatch(mailbox_of(KEY, ANN))
    assert "ann" not in mailbox_of(KEY, ANN)


def test_an_address_has_no_name_without_a_key() -> None:
    assert mailbox_of(b"", ANN) == ""
