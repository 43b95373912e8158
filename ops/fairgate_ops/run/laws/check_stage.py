"""The checker after a load on a test's stage in AWS: it reads as the stage's reader role may."""

from __future__ import annotations

import argparse
import json
import sys
import urllib.request
from collections.abc import Sequence
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from msgspec.structs import replace

from fairgate.adapters.dynamodb.client import table_names
from fairgate.errors import FairgateError
from fairgate.service.audit.snapshot import Snapshot
from fairgate_ops.operate.target import Target, target_of
from fairgate_ops.run.laws.check import Report, checked
from fairgate_ops.run.laws.snapshot import books_of, of_tables

SETTLE_S = 120.0
HTTP_S = 10


def take_stage(target: Target, books_url: str = "") -> Snapshot:
    """Read the stage's tables, and the sandbox provider's books where its address is given.

    Of the catalogue the events alone: the reader role sees no gate's keys. The cache is in the
    network of the functions and is not read.
    """
    names = {str(kind): name for kind, name in table_names(target.world.settings).items()}
    snapshot = of_tables(target.dynamodb(), names, events_alone=True)
    return replace(snapshot, payments=books_of(books_url))


def refusal(target: Target) -> str:
    """Why the stage is not checked, or nothing: its pages have to say that it is a test's.

    A scan of all that was sold costs a sale that sells what it needs for its buyers.
    """
    url = f"{target.world.settings.public_url}/config.json"
    with urllib.request.urlopen(url, timeout=HTTP_S) as answer:  # noqa: S310 the deployment's own
        document: Any = json.load(answer)
    return "" if document.get("test_stage") is True else f"{url} does not say that it is a test's."


def check_stage(target: Target, books_url: str = "", *, within_s: float = SETTLE_S) -> Report:
    """Check until nothing is wrong, or ``within_s`` has passed and the same things still are."""
    return checked(lambda: take_stage(target, books_url), within_s=within_s)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--stage", required=True)
    parser.add_argument("--region")
    parser.add_argument("--books", default="", help="address of the sandbox: …/sandbox")
    parser.add_argument("--within", type=float, default=SETTLE_S, help="seconds until all settled")
    options = parser.parse_args(arguments)
    options.target = "aws"
    try:
        target = target_of(options)
        if reason := refusal(target):
            print(reason, file=sys.stderr)
            return 2
        report = check_stage(target, options.books, within_s=options.within)
    except (FairgateError, ClientError, BotoCoreError, OSError, ValueError) as error:
        print(f"The stage cannot be checked: {error}", file=sys.stderr)
        return 2
    print("\n".join(report.lines()))
    print("Not looked at: the cache" + ("." if options.books else ", and the provider's books."))
    return 1 if report.violations else 0


if __name__ == "__main__":
    sys.exit(main())
