"""``python -m fairgate_ops.operate.remains --stage dev``: what `cdk destroy` has left of a stage.

Tables, keys, KeyValueStore, buckets and daily backups outlive their stacks, so that no slip ends a
sale. This lists them; --remove removes them for good, once the stage's name was typed again.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.remains.find import US, Place, Remnant
from fairgate_ops.operate.remains.remove import remove

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate_ops.operate.remains.find import Aws

DONE, REFUSED = 0, 1
_STAGE = re.compile(r"[a-z][a-z0-9]{0,11}")  # as infra/config.py
_WHAT_GOES = """\
This cannot be undone. With the tables go the orders, the only record here of who paid and whom you
owe, and with the backup vault its daily copies; with the secrets the keys, without which no ticket
can be checked."""


def aws_client(service: str, region: str) -> Any:
    """Make a client with the caller's credentials."""
    import boto3
    from botocore.config import Config

    config = Config(connect_timeout=3, read_timeout=30, retries={"mode": "standard"})
    made: Any = boto3.Session()  # its stubs know services by literal names alone
    return made.client(service, region_name=region, config=config)


def main(arguments: Sequence[str] | None = None, aws: Aws = aws_client) -> int:
    """Exit codes: 0 nothing of it remains, or all was removed; 1 something does."""
    from botocore.exceptions import BotoCoreError, ClientError

    options = _parser().parse_args(arguments)
    place = Place(options.stage, options.region, aws)
    try:
        return _run(options, place)
    except (BotoCoreError, ClientError) as error:
        print(f"error: {error}\nCheck the credentials, --stage and --region.", file=sys.stderr)
        return REFUSED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m fairgate_ops.operate.remains", description=__doc__
    )
    parser.add_argument("--stage", required=True, type=_stage)
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    parser.add_argument("--region", default=region, required=region is None)
    parser.add_argument("--remove", action="store_true", help="remove it all, for good")
    parser.add_argument("--yes", metavar="STAGE", help="its name once more; for scripts")
    parser.add_argument(
        "--toolkit", action="store_true", help="also what `cdk bootstrap` made in this region"
    )
    return parser


def _stage(text: str) -> str:
    if not _STAGE.fullmatch(text):
        raise argparse.ArgumentTypeError("a small letter, then up to 11 small letters or digits")
    return text


def _run(options: argparse.Namespace, place: Place) -> int:
    if standing := place.standing():
        print(f"The stage {place.stage} still stands: {', '.join(standing)}.", file=sys.stderr)
        print("First `npx cdk destroy`, with every -c of the deployment.", file=sys.stderr)
        return REFUSED
    if elsewhere := place.elsewhere():
        print(
            f"Of this stage, or of its namesake in another region: {', '.join(elsewhere)}, in {US}."
        )
    remains = place.find()
    if options.toolkit:
        if users := place.uses_toolkit():
            print(
                f"What `cdk bootstrap` made is still needed: {', '.join(users)}.", file=sys.stderr
            )
            return REFUSED
        remains += place.toolkit()
    if not remains:
        print(f"Nothing of the stage {place.stage} remains in {place.region}.")
        return DONE
    for remnant in remains:
        print(remnant)
    if not options.remove:
        print(f"{len(remains)} remain. To remove them for good: the same with --remove.")
        return REFUSED
    if not _sure(options):
        print("Nothing was removed.", file=sys.stderr)
        return REFUSED
    return _remove_all(place, remains)


def _sure(options: argparse.Namespace) -> bool:
    if options.yes is not None:
        return bool(options.yes == options.stage)
    if not sys.stdin.isatty():
        print(f"Confirm with --yes {options.stage}.", file=sys.stderr)
        return False
    print(_WHAT_GOES, file=sys.stderr)
    print(f"Type the stage's name, {options.stage}, to remove it all: ", end="", file=sys.stderr)
    sys.stderr.flush()
    return bool(sys.stdin.readline().strip() == options.stage)


def _remove_all(place: Place, remains: Sequence[Remnant]) -> int:
    from botocore.exceptions import ClientError, WaiterError

    failed = 0
    for remnant in remains:
        try:
            remove(place, remnant)
        except (ClientError, WaiterError) as error:
            failed += 1
            print(f"not removed: {remnant}: {error}", file=sys.stderr)
    if failed:
        print(
            f"{failed} remain. Logs come late, and backups go slowly: try again in an hour.",
            file=sys.stderr,
        )
        return REFUSED
    print(f"Removed. Nothing of the stage {place.stage} remains in {place.region}.")
    return DONE


if __name__ == "__main__":
    sys.exit(main())
