"""Check that an event's rows are its chart's: none missing, none left by a broken creation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from fairgate.adapters.dynamodb.client import table_names
from fairgate.adapters.dynamodb.codec import read_item
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import PK, SK
from fairgate.service.shared.keys import SEAT, creation_key
from fairgate.service.shared.records.gate import Creation
from fairgate_ops.operate.doctor.finding import Finding, Mend, good, wrong

if TYPE_CHECKING:
    from fairgate.service.shared.records.catalog import Event
    from fairgate_ops.operate.doctor.site import Site

T = TypeVar("T")


def rows(site: Site) -> Iterator[Finding]:
    """Compare the seats and counters that there are with those that the Catalog says.

    Cost: a read of the whole table of seats.
    """
    sale = next((one for one in site.every_event if one.id == site.only), None)
    sections, counters = _there(site)
    if sale is None:
        count = sections.total() + len(counters)
        begun = site.target.world.table.find(Creation, creation_key(site.only))
        if count or begun is not None:
            mend = Mend(
                f"`fairgate event create {site.only}` again, with the same chart.",
                "it completes what broke off",
                "minutes",
            )
            who = "" if begun is None else f", begun by {begun.who} at {rfc3339(begun.at_ms)},"
            yield wrong("rows", f"A creation{who} broke off and left {count:,} rows.", mend)
        else:
            yield good("rows", "Nothing is left of such an event.")
        return
    yield from _compared(sale, sections, counters)


def _compared(
    sale: Event, sections: Counter[str], counters: set[tuple[str, int]]
) -> Iterator[Finding]:
    wanted = Counter({section.id: section.seats for section in sale.sections})
    shards = {(area, n) for area, facts in sale.areas.items() for n in range(facts.shards)}
    orphans = (sections - wanted).total() + len(counters - shards)
    missing = (wanted - sections).total() + len(shards - counters)
    if missing:
        mend = Mend("Bring the table back.", "docs/disaster.md, a table put back", "an hour")
        yield wrong("rows", f"{missing:,} seats or counters of the chart are missing.", mend)
    if orphans:
        mend = Mend(
            "Nobody can hold them, maps may count them: create it under another id.",
            "before the sale starts; else leave them",
            "minutes",
        )
        strange = sorted((sections - wanted).keys() | {a for a, _ in counters - shards})
        where = ", ".join(strange[:5])
        yield wrong("orphans", f"{orphans:,} rows are of another chart, in {where}.", mend)
    if not missing and not orphans:
        count = sum(wanted.values())
        yield good("rows", f"{count:,} seats and {len(shards)} counters, as the chart says.")


def _there(site: Site) -> tuple[Counter[str], set[tuple[str, int]]]:
    """Count the event's seats by section, and name its counters by area and number."""
    names = {"#pk": PK, "#sk": SK, "#s": "sectionId", "#a": "areaId", "#n": "shard"}
    request: dict[str, Any] = {
        "TableName": table_names(site.target.world.settings)["seats"],
        "FilterExpression": "begins_with(#pk, :event)",
        "ProjectionExpression": ", ".join(names),
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": {":event": {"S": f"{site.only}#"}},
    }
    sections, counters = Counter[str](), set[tuple[str, int]]()
    client = site.target.dynamodb()
    while True:
        page = client.scan(**request)
        for item in map(read_item, page["Items"]):
            if item[SK] == SEAT:
                sections[_as(str, item.get("sectionId"), "?")] += 1
            else:
                counters.add((_as(str, item.get("areaId"), "?"), _as(int, item.get("shard"), -1)))
        if "LastEvaluatedKey" not in page:
            return sections, counters
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def _as(kind: type[T], value: object, strange: T) -> T:
    """Take a value for what it should be; a damaged one is none of the chart's."""
    return value if isinstance(value, kind) else strange
