"""Answer queries and scans a page at a time, as DynamoDB does."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from fairgate_lab.engine.keys import INDEX_KEYS, TABLE_KEYS
from fairgate_lab.engine.sizes import PAGE_BYTES_MAX, item_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate_lab.engine.keys import TypedItem


def page_of(
    items: Sequence[TypedItem], request: Mapping[str, Any], bytes_max: int
) -> dict[str, Any]:
    """Sort, begin after ``ExclusiveStartKey`` (whose item may be gone), and end the page.

    It ends at ``Limit``, or before more than a megabyte.

    Args:
        bytes_max: no item is larger.
    """
    names = (*INDEX_KEYS, *TABLE_KEYS) if "IndexName" in request else TABLE_KEYS

    def place(item: TypedItem) -> tuple[str, ...]:
        return tuple(str(item[name]["S"]) for name in names)

    ahead, start = request.get("ScanIndexForward", True), request.get("ExclusiveStartKey")
    ordered = sorted(items, key=place, reverse=not ahead)
    if start is not None:
        after = place(start)
        ordered = [i for i in ordered if (place(i) > after if ahead else place(i) < after)]
    page = ordered[: request.get("Limit", len(ordered))]
    if len(page) * bytes_max > PAGE_BYTES_MAX:
        page = page[: bisect_right(list(accumulate(map(item_bytes, page))), PAGE_BYTES_MAX)]
    answer: dict[str, Any] = {"Items": page, "Count": len(page)}
    if page and (len(page) < len(ordered) or len(page) == request.get("Limit")):
        answer["LastEvaluatedKey"] = {name: page[-1][name] for name in names}
    return answer
