"""docs/payments.md says of every refusal what the adapters do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import stripe

from fairgate.adapters.payments import refusals
from fairgate.adapters.payments.stripe_refusals import FINAL, SETUP, TEMPORARY, meaning
from fairgate.errors import FairgateError, PaymentRefusedError, ProviderSetupError

PAGE = (Path(__file__).parents[2] / "docs/payments.md").read_text()
# One of each class that the API's own reference names, or that the table speaks of.
CLASSES: dict[str, stripe.StripeError] = {
    "APIConnectionError": stripe.APIConnectionError("x"),
    "APIError": stripe.APIError("x"),
    "AuthenticationError": stripe.AuthenticationError("x"),
    "CardError": stripe.CardError("x", None, "card_declined"),
    "IdempotencyError": stripe.IdempotencyError("x"),
    "InvalidRequestError": stripe.InvalidRequestError("x", None, "amount_too_small"),
    "PermissionError": stripe.PermissionError("x"),
    "RateLimitError": stripe.RateLimitError("x"),
}
TEMPORARY_ROWS = {
    refusals.LOW_BALANCE: "temporary: low balance",
    refusals.NOT_YET: "temporary: not yet",
}
EXAMPLES = {"amount_too_small", "amount_too_large", "expires_at"}  # in the table, in no mapping


def rows(heading: str) -> list[list[str]]:
    table = PAGE.partition(heading)[2].partition("|---")[2].partition("\n\n")[0]
    lines = table.splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


MEANINGS = {cells[0]: cells[1:] for cells in rows("## What the provider refuses")}
ANSWERS = [
    (word, cells[1])
    for cells in rows("## Stripe's answers")
    for word in re.findall(r"`(\w+)`", cells[0])
]


def named(error: FairgateError) -> str:
    """The meaning of an error, as the page calls it."""
    if isinstance(error, PaymentRefusedError):
        return error.reason
    if isinstance(error, ProviderSetupError):
        return "setup"
    return TEMPORARY_ROWS.get(error.detail, "temporary")


def theirs(word: str) -> stripe.StripeError:
    if word == "expires_at":
        return stripe.InvalidRequestError("x", word)
    return CLASSES.get(word) or stripe.InvalidRequestError("x", None, word)


def test_every_meaning_has_a_row_with_the_text_that_is_told() -> None:
    told = {meaning: cells[1] for meaning, cells in MEANINGS.items()}
    assert told == {
        **refusals.TEXTS,
        "temporary": refusals.AWAY,
        "temporary: unreadable": refusals.NO_SENSE,
        **{row: text for text, row in TEMPORARY_ROWS.items()},
        "setup": refusals.SETUP,
    }
    assert all(len(cells) == 3 and all(cells) for cells in MEANINGS.values())


def test_every_answer_that_is_told_apart_has_a_row() -> None:
    assert {word for word, _ in ANSWERS} == {*FINAL, *TEMPORARY, *SETUP, *CLASSES, *EXAMPLES}
    assert len(ANSWERS) == len(set(ANSWERS))


@pytest.mark.parametrize(("word", "shown"), ANSWERS)
def test_an_answer_means_what_the_page_says(word: str, shown: str) -> None:
    assert named(meaning(theirs(word))) == shown


def test_the_guide_asks_for_each_right_that_a_call_of_stripe_needs() -> None:
    root = Path(__file__).parents[2]
    sources = root.glob("layers/core/python/fairgate/adapters/payments/stripe_*.py")
    things = {
        "sessions": "Checkout Sessions",
        "intents": "payment intents",
        "balance_transactions": "balance transactions",
    }
    needed: dict[str, set[str]] = {}
    for source in sources:
        call = r"\b(?:payment_)?(\w+)\.(create|expire|capture|cancel|retrieve|list)\b"
        for name, verb in re.findall(call, source.read_text()):
            right = "read" if verb in {"retrieve", "list"} else "write"
            needed.setdefault(things.get(name, name), set()).add(right)
    guide = " ".join((root / "docs/money.md").read_text().split())
    asked = re.search(r"restricted key that may write (.+?), and read (.+?)\.", guide)
    assert asked is not None
    write, read = (set(re.split(r", | and ", part)) for part in asked.groups())
    assert write == {thing for thing, rights in needed.items() if "write" in rights}
    assert read == needed.keys() - write  # who may write may read
