"""What a test needs beyond Python, asked for in one way: where it is missing, the test skips."""

from __future__ import annotations

import importlib
import os
import shutil
from types import ModuleType
from unittest.mock import patch

import pytest

# Each of seven workers would wait for these: the CDK starts Node.js, SciPy takes most of a second.
SLOW_IMPORTS = {"aws_cdk", "jsii", "scipy"}
IMPORTED_SLOWLY = pytest.StashKey[set[str]]()  # what a collection had imported of them at its end


def node() -> str:
    """Return the path of Node.js, or skip."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("Node.js is not installed", allow_module_level=True)
    return found


def cdk(module: str, *, validated: bool = False) -> ModuleType:
    """Import a module of ``infra`` that loads the CDK, which starts Node.js; or skip.

    Never at the top of a test module: there it would cost every test of the module, and a start
    of Node.js at each collection.

    Args:
        validated: with the CDK's own rules. Without the flags of ``cdk.json`` they only warn, where
            nobody reads it, and take most of a synthesis's time.
    """
    if shutil.which("node") is None:
        pytest.skip("the CDK runs in Node.js, which is not installed", allow_module_level=True)
    with patch.dict(os.environ, {} if validated else {"CDK_VALIDATION": "false"}):
        return importlib.import_module(module)
