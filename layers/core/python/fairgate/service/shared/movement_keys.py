"""Make the keys of movements and payouts of the balance at the payment provider."""

from __future__ import annotations

from fairgate.ports.record import Key

MOVEMENTS = "MOVES"  # how partitions of movements begin, one for each day
PAYOUTS = "PAYOUTS"  # the partition of the steps of all payouts
PAYOUT_PART = "PART"  # how the partition of a movement's payout begins
IMPORTED = "IMPORTED"  # how far the import of movements got


def movement_key(at: str, movement: str) -> Key:
    """Key a movement by the provider's time of it, in the partition of that day."""
    return Key(movements_of_day(at), movement)


def movements_of_day(at: str) -> str:
    """Name the partition of what moved on the day of a time."""
    return f"{MOVEMENTS}#{at[:10]}"


def payout_part_key(movement: str) -> Key:
    """Key the payout of a movement, by the movement alone."""
    return Key(f"{PAYOUT_PART}#{movement}", PAYOUT_PART)


def payout_step_key(payout: str, step: str) -> Key:
    """Key a step of a payout."""
    return Key(PAYOUTS, f"{payout_steps(payout)}{step}")


def payout_steps(payout: str) -> str:
    """Return how the sort keys of a payout's steps begin."""
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
