"""``make check``: check the laws of a sale, by the tables, the provider's books and the cache."""

from __future__ import annotations

import argparse
import json
import sys
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path

from botocore.exceptions import BotoCoreError, ClientError
from msgspec.structs import asdict, replace

from fairgate.adapters.dynamodb.client import table_names
from fairgate.errors import FairgateError
from fairgate.service.audit.snapshot import Snapshot
from fairgate_ops.operate.laws.checked import SETTLE_S, Report, checked
from fairgate_ops.operate.laws.read_tables import of_tables
from fairgate_ops.run.laws.snapshot import HTTP_S, books_of, take
from fairgate_ops.run.local.local_config import LocalConfig


def check(config: LocalConfig, *, within_s: float = 30.0, with_cache: bool = True) -> Report:
    """Check until nothing is wrong, or ``within_s`` has passed and the same things still are."""
    return checked(lambda: take(config, with_cache=with_cache), within_s=within_s)


def _stage(options: argparse.Namespace) -> Callable[[], Snapshot]:
    """Return what reads a test's stage in AWS, as its reader role may: no gate's keys, no cache.

    Raises ValueError for a stage whose pages do not say that it is a test's: a scan of all that
    was sold costs a sale that sells what it needs for its buyers.
    """
    from fairgate_ops.operate.target import target_of

    options.target = "aws"
    target = target_of(options)
    url = f"{target.world.settings.public_url}/config.json"
    with urllib.request.urlopen(url, timeout=HTTP_S) as answer:  # noqa: S310 the deployment's own
        if json.load(answer).get("test_stage") is not True:
            raise ValueError(f"{url} does not say that it is a test's.")
    names = {str(kind): name for kind, name in table_names(target.world.settings).items()}

    def read() -> Snapshot:
        tables = of_tables(target.dynamodb(), names, events_alone=True)
        return replace(tables, payments=books_of(options.books))

    return read


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fairgate_ops.run.laws.check", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--run-dir", type=Path, default=Path(".run"))
    parser.add_argument("--stage", help="a test's stage in AWS instead, as its reader role")
    parser.add_argument("--region")
    parser.add_argument(
        "--books", default="", help="with --stage: the sandbox's address, …/sandbox"
    )
    parser.add_argument(
        "--within", type=float, help="seconds until all is settled (30; stage: 120)"
    )
    parser.add_argument("--no-cache", action="store_true", help="leave the cache out")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    try:
        if options.stage:
            within_s = SETTLE_S if options.within is None else options.within
            report = checked(_stage(options), within_s=within_s)
        else:
            config = LocalConfig.read(options.run_dir)
            within_s = 30.0 if options.within is None else options.within
            report = check(config, within_s=within_s, with_cache=not options.no_cache)
    except FileNotFoundError:
        print(f"No system runs from {options.run_dir}: start one with `make up`.", file=sys.stderr)
        return 2
    except (FairgateError, ClientError, BotoCoreError, OSError, ValueError) as error:
        print(f"The sale cannot be checked: {error}", file=sys.stderr)
        return 2
    as_json = json.dumps([asdict(violation) for violation in report.violations])
    print(as_json if options.json else "\n".join(report.lines()))
    return 1 if report.violations else 0


if __name__ == "__main__":
    sys.exit(main())
