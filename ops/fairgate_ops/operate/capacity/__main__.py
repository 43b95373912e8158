"""``python -m fairgate_ops.operate.capacity``: the capacity plan, docs/capacity.md.

``--write`` writes the page; ``--inputs FILE`` plans another sale, ``--crowd N`` another crowd;
``--rest`` says what a stage costs that sells nothing.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate_ops.operate.capacity.inputs import INPUTS, read_inputs
from fairgate_ops.operate.capacity.page import page
from fairgate_ops.operate.capacity.rest import TRIAL_HOURS, rest_table, streams_told, trial_cost
from fairgate_ops.operate.capacity.watching import options_table
from fairgate_ops.shared.crowd import crowd

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGE = Path("docs/capacity.md")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="fairgate_ops.operate.capacity", description=__doc__)
    parser.add_argument("--inputs", type=Path, default=INPUTS, metavar="FILE")
    parser.add_argument("--crowd", type=crowd, metavar="N", help="so many wait")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE}")
    parser.add_argument("--rest", action="store_true", help="what a stage costs that sells nothing")
    options = parser.parse_args(arguments)
    try:
        inputs = read_inputs(options.inputs)
        if options.rest:
            print(rest_table())
            print(f"\n{options_table()}\n")
            print(streams_told())
            print(
                f"A trial of {TRIAL_HOURS} hours and one ticket: {trial_cost(inputs):.2f} dollars."
            )
            return 0
        text = page(inputs.for_crowd(options.crowd) if options.crowd else inputs)
        if options.write:
            PAGE.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if not options.write:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
