"""Write the capacity plan's parts about keys: how hot they get, and how often writers meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.adapters.dynamodb.client import ATTEMPTS_MAX
from fairgate_ops.operate.capacity import access
from fairgate_ops.operate.capacity.markdown import table
from fairgate_ops.operate.capacity.meetings import HELD_SHARES, designs, simulated
from fairgate_ops.operate.capacity.plan import catalogue_readers

if TYPE_CHECKING:
    from fairgate_ops.operate.capacity.inputs import Inputs

TENTH = 10


def hottest(inputs: Inputs) -> str:
    """Write what one key of each pattern takes in the worst second."""
    heats = access.hottest_keys(inputs, catalogue_readers(inputs))
    hot = [heat.pattern.key for heat in heats if heat.too_hot]
    count, each = access.area_shard_writes(inputs)
    return "\n".join(
        [
            "## The hottest keys\n",
            (
                "Each key pattern of the three tables, the hottest first, by the units that one of"
                f" its keys takes in the worst\nsecond. A key takes"
                f" {access.PARTITION_WRITES:,} write units and {access.PARTITION_READS:,} read"
                " units a second at most, however many partitions there are.\n"
            ),
            table(
                ("table", "key", "keys", "writes", "reads", "of what one takes"),
                [_row(heat) for heat in heats],
            ),
            "\n**Too hot: " + ", ".join(f"`{key}`" for key in hot) + ".**\n"
            if hot
            else "\nNone is too hot.\n",
            (
                f"Where all places are of one area, `<event>#<area>#<shard>` has {count} keys of"
                f" {each:,.0f} write units. A seat that all\npicked at once would be too hot; the"
                " claims in the cache refuse them before the table. Tries that a table refuses\n"
                "cost write units, too, and are not counted.\n"
            ),
            "No row, by how often they are written: "
            + "; ".join(f"{why}: {', '.join(kinds)}" for why, kinds in access.LEFT_OUT.items())
            + ".\n",
        ]
    )


def _row(heat: access.Heat) -> tuple[str, ...]:
    one = heat.pattern
    return (
        one.table + (", index" if one.index else ""),
        f"`{one.key}`",
        "its own for each" if heat.keys is None else f"{heat.keys:,.0f}",
        f"{heat.writes:,.1f}",
        f"{heat.reads:,.1f}",
        f"{heat.share:.0%}" + (": **too hot**" if heat.too_hot else ""),
    )


def meeting(inputs: Inputs) -> str:
    """Write how often transactions meet at a counter, of this sale and of one a tenth as fast."""
    slow = inputs.for_crowd(inputs.waiting / TENTH)
    rows = []
    for sale, pace in ((inputs, "the worst second"), (slow, "a tenth of it")):
        for name, counters in designs(sale):
            met = [simulated(sale, counters, share) for share in HELD_SHARES]
            rows.append(
                (
                    pace,
                    name,
                    " / ".join(map(str, counters)),
                    " / ".join(f"{one.retries:.2f}" for one in met),
                    " / ".join(f"{one.given_up:.2%}" for one in met),
                )
            )
    whole, half = HELD_SHARES
    return "\n".join(
        [
            "## Transactions that meet\n",
            (
                "DynamoDB refuses a transaction while another one holds one of its items; the"
                f" functions then try again, {ATTEMPTS_MAX} times\nin all. Simulated"
                " (`meetings.py`) with"
                " openings, checkouts, payments and ends of the worst second, and durations of\n"
                "transactions that were measured in AWS by others. How long a transaction holds its"
                f" items is not known: the\nfigures are for {whole:.0%} / {half:.0%} of its"
                " duration.\n"
            ),
            table(
                (
                    "",
                    "",
                    "live counters a minute / capacity shards / tally counters",
                    "further tries a transaction",
                    "given up",
                ),
                rows,
            ),
            (
                "\nPartition keys do not matter here, only items: four keys and sixteen with as"
                " many counters meet as often. Who is\ngiven up is told that the system is busy,"
                " and the page asks again after two seconds"
                " ([ADR 45](adr/0045-counters-by-the-plans-worst-second.md)).\n"
            ),
        ]
    )
