"""``python -m infra.count_resources [cdk.out]``: what a synthesis made, counted by type."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path


def count(assembly: Path) -> dict[str, Counter[str]]:
    """Resources by type, for each stack of the assembly. Raises ValueError when there is none."""
    templates = sorted(assembly.glob("*.template.json"))
    if not templates:
        raise ValueError(f"{assembly} holds no template: run the synthesis first")
    return {
        path.name.removesuffix(".template.json"): Counter(
            resource["Type"] for resource in json.loads(path.read_text())["Resources"].values()
        )
        for path in templates
    }


def report(assembly: Path) -> str:
    by_stack = count(assembly)
    total: Counter[str] = Counter()
    for types in by_stack.values():
        total.update(types)
    width = max(len(kind) for kind in total)
    lines = [f"{kind:<{width}}  {number:>4}" for kind, number in sorted(total.items())]
    stacks = ", ".join(f"{stack} {types.total()}" for stack, types in by_stack.items())
    return "\n".join([*lines, "", f"{total.total()} resources: {stacks}"])


def main() -> int:
    assembly = Path(sys.argv[1] if len(sys.argv) > 1 else "cdk.out")
    try:
        print(report(assembly))  # noqa: T201 a command prints
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)  # noqa: T201 a command prints
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
