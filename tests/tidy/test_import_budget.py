"""Cold start: what a function's import may not drag in. The cost itself: `make bench-imports`."""

from __future__ import annotations

import pytest

from fairgate_ops.prove.bench.imports import functions, imported_by

# The X-Ray SDK alone costs half a second; boto3 twice what botocore's client does, which itself
# waits for the first call (Powertools imports the bare package); pydantic 160 ms; the rest belongs
# to the one function that uses it, lazily.
HEAVY = {"aws_xray_sdk", "boto3", "botocore.client", "pydantic", "pynamodb", "cryptography"}
HEAVY |= {"PIL", "reportlab", "stripe"}
HEAVY |= {"awscrt", "jwt", "redis", "requests", "segno", "valkey"}


@pytest.mark.parametrize("function", functions())
def test_nothing_heavy_is_imported_before_the_first_request(function: str) -> None:
    modules = imported_by(function)["modules"]
    assert isinstance(modules, list)
    assert HEAVY & set(modules) == set()


def test_the_probe_sees_what_is_imported() -> None:
    modules = imported_by("catalog")["modules"]
    assert isinstance(modules, list)
    assert "aws_lambda_powertools" in modules
