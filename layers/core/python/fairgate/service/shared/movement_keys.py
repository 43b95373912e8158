"""Make the keys of what moved on the balance at the payment provider, written once."""

from __future__ import annotations

from fairgate.ports.record import Key

MOVEMENTS = "MOVES"  # how partitions of movements begin, one for each day
PAYOUTS = "PAYOUTS"  # the partition of what was heard of every payout
PAYOUT_PART = "PART"  # how the partition of a movement's payout begins
IMPORTED = "IMPORTED"  # the mark until when movements have been entered


def movement_key(at: str, movement: str) -> Key:
    """Key a movement by the provider's time of it, in the partition of that day."""
    return Key(movements_of_day(at), movement)


def movements_of_day(at: str) -> str:
    """Name the partition of what moved on the day of a time."""
    return f"{MOVEMENTS}#{at[:10]}"


def payout_part_key(movement: str) -> Key:
    """Key which payout a movement is part of, by the movement alone."""
    return Key(f"{PAYOUT_PART}#{movement}", PAYOUT_PART)


def payout_step_key(payout: str, step: str) -> Key:
    """Key what was heard of a payout, each step once."""
    return Key(PAYOUTS, f"{payout_steps(payout)}{step}")


def payout_steps(payout: str) -> str:
    """Return how the sort keys of what was heard of a payout begin."""
    return f"{payout}#"


def imported_key() -> Key:
    return Key(IMPORTED, IMPORTED)


def shape_of_balance(pk: str) -> str | None:
    """Name the kind of item in a partition of these; None for any other partition."""
    return {
        MOVEMENTS: "movement",
        PAYOUTS: "payout step",
        PAYOUT_PART: "payout part",
        IMPORTED: "import cursor",
    }.get(pk.partition("#")[0])
