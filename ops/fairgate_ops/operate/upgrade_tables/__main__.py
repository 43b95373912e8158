"""``python -m fairgate_ops.operate.upgrade_tables``: carry a stage of version 0.1.0 over.

Its tables are read and stay as they are; a new stage, which has sold nothing, gets the converted
items. docs/deploying.md, "From version 0.1.0".
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from fairgate.adapters.dynamodb.codec import from_item, to_item
from fairgate.adapters.dynamodb.schema import TABLES
from fairgate.ports.record import PK, DamagedItemError
from fairgate.service.shared.keys import CATALOG_PK
from fairgate_ops.operate.laws.read_tables import scan
from fairgate_ops.operate.remains.__main__ import aws_client
from fairgate_ops.operate.upgrade_tables.convert import (
    Item,
    UnknownItemError,
    convert_catalog,
    convert_reservations,
    convert_seats,
    event_of,
)
from infra.naming import name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate_ops.operate.remains.find import Aws

_NEW = f"attribute_not_exists({PK})"
_ORDER = ("seats", "reservations", "catalog")  # an event is seen once all of it is there


def main(arguments: Sequence[str] | None = None, aws: Aws = aws_client) -> int:
    """Exit codes: 0 done, or it could be done; 1 not."""
    from botocore.exceptions import BotoCoreError, ClientError

    options = _parser().parse_args(arguments)
    names = [_names(stage) for stage in (options.from_stage, options.stage)]
    try:
        client = aws("dynamodb", options.region)
        counts = carry_over(client, *names, write=options.write)
    except (UnknownItemError, DamagedItemError) as error:
        print(f"error: nothing was written: {error}", file=sys.stderr)
        return 1
    except (BotoCoreError, ClientError) as error:
        print(f"error: {error}\nCheck the credentials, the stages and --region.", file=sys.stderr)
        return 1
    for table, (items, new) in counts.items():
        done = f"{new:,} written" if options.write else "none written: add --write"
        print(f"{table:<12} {items:,} items converted, {done}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m fairgate_ops.operate.upgrade_tables", description=__doc__
    )
    parser.add_argument("--from-stage", required=True, help="the stage of version 0.1.0")
    parser.add_argument("--stage", required=True, help="the new stage")
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    parser.add_argument("--region", default=region, required=region is None)
    parser.add_argument("--write", action="store_true", help="without it nothing is written")
    return parser


def _names(stage: str) -> dict[str, str]:
    return {schema.name: name(stage, schema.name) for schema in TABLES}


def carry_over(
    client: Any, former: Mapping[str, str], later: Mapping[str, str], *, write: bool
) -> dict[str, tuple[int, int]]:
    """Convert all, then write what is not there yet, so that it can be run again.

    Args:
        client: botocore's, for DynamoDB.
        former, later: the names of the tables of both stages.

    Returns:
        For each table how many items there are, and how many of them were new.

    Raises:
        UnknownItemError, DamagedItemError: nothing was written.

    Cost: a scan of the former tables, a write of each item; all items are in memory.
    """
    read = {table: [from_item(item) for item in scan(client, former[table])] for table in _ORDER}
    events = {item["SK"]: event_of(item) for item in read["catalog"] if item[PK] == CATALOG_PK}
    converted = {
        "seats": list(convert_seats(read["seats"])),
        "reservations": list(convert_reservations(read["reservations"], events)),
        "catalog": list(convert_catalog(read["catalog"])),
    }
    return {
        table: (
            len(items),
            sum(_put(client, later[table], item) if write else 1 for item in items),
        )
        for table, items in converted.items()
    }


def _put(client: Any, table: str, item: Item) -> bool:
    """Write an item unless its key is taken: by an earlier run, or by what was sold since."""
    from botocore.exceptions import ClientError

    try:
        client.put_item(TableName=table, Item=to_item(item), ConditionExpression=_NEW)
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
