"""Answer queries a page at a time, as DynamoDB does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

TypedItem = Mapping[str, Any]


def page_of(
    items: Sequence[TypedItem],
    order: Sequence[str],
    named: Sequence[str],
    request: Mapping[str, Any],
) -> dict[str, Any]:
    """Sort, begin after ``ExclusiveStartKey`` (whose item may be gone), and end at ``Limit``."""

    def place(item: TypedItem) -> tuple[str, ...]:
        return tuple(str(item[name]["S"]) for name in order)

    ahead, start = request.get("ScanIndexForward", True), request.get("ExclusiveStartKey")
    ordered = sorted(items, key=place, reverse=not ahead)
    if start is not None:
        after = place(start)
        ordered = [i for i in ordered if (place(i) > after if ahead else place(i) < after)]
    page = ordered[: request.get("Limit", len(ordered))]
    answer: dict[str, Any] = {"Items": page, "Count": len(page)}
    if page and len(page) == request.get("Limit"):
        answer["LastEvaluatedKey"] = {name: page[-1][name] for name in named}
    return answer
