"""Is the deployed gate right? ``python -m fairgate_ops.operate.gate_check --function NAME``.

Gives every row of edge/gate/rows.json to ``aws cloudfront test-function``, filled with the
present time and with tokens of an event that exists for the check alone, and compares the answers.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from fairgate_ops.operate.gate_check.rows import read_rows
from fairgate_ops.operate.gate_check.run import Clients, GateCheckError, Outcome, check_function


def aws_clients() -> Clients:
    """Clients with the caller's credentials. The KeyValueStore's signs with SigV4A (awscrt)."""
    import boto3
    from botocore.config import Config

    config = Config(connect_timeout=3, read_timeout=20, retries={"mode": "standard"})
    session = boto3.Session()
    return Clients(
        cloudfront=session.client("cloudfront", region_name="us-east-1", config=config),
        store=session.client("cloudfront-keyvaluestore", region_name="us-east-1", config=config),
        now_s=time.time,
        pause=time.sleep,
    )


def report(outcomes: list[Outcome]) -> str:
    lines = []
    for outcome in outcomes:
        lines.append(f"{'ok    ' if not outcome.wrong else 'WRONG '} {outcome.name}")
        lines += [f"       {text}" for text in outcome.wrong]
    bad = sum(1 for outcome in outcomes if outcome.wrong)
    most = max((outcome.utilization for outcome in outcomes), default=0)
    lines.append(f"{len(outcomes)} rows, {bad} wrong. Compute utilization at most {most} of 100.")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None, clients: Clients | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fairgate_ops.operate.gate_check", description=__doc__
    )
    parser.add_argument(
        "--function", required=True, help="its name: fairgate-<stage>-gate-<region>"
    )
    parser.add_argument("--stage", choices=("LIVE", "DEVELOPMENT"), default="LIVE")
    parser.add_argument("--row", action="append", help="only this row of edge/gate/rows.json")
    chosen = parser.parse_args(arguments)
    # An empty value cannot be stored in AWS; njs alone proves that row.
    rows = [row for row in read_rows() if row.value is None or row.value]
    if chosen.row:
        rows = [row for row in rows if row.name in chosen.row]
    if not rows:
        print("No row has such a name.", file=sys.stderr)
        return 2
    try:
        outcomes = check_function(clients or aws_clients(), chosen.function, chosen.stage, rows)
    except GateCheckError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(report(outcomes))
    return 1 if any(outcome.wrong for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
