"""A release of the pages stands beside those before it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairgate.adapters.aws.files import PAGE, PINNED

from .conftest import Assembly


@pytest.fixture
def copies(assembly: Assembly) -> dict[str, dict[str, Any]]:
    """What the deployment copies, by the first file that it names."""
    found = {}
    for (stack, _), resource in assembly.resources("Custom::CDKBucketDeployment").items():
        assert stack == "Pages"
        keys = [key.removesuffix(".zip") for key in resource["Properties"]["SourceObjectKeys"]]
        names = sorted(
            path.name for key in keys for path in (assembly.folder / f"asset.{key}").iterdir()
        )
        found[names[0]] = resource | {"names": names}
    assert set(found) == {"assets", "config.json"}
    return found


def test_the_page_comes_last_and_nothing_before_it_is_removed(
    assembly: Assembly, copies: dict[str, dict[str, Any]]
) -> None:
    assert copies["assets"]["names"] == ["assets"]
    assert copies["config.json"]["names"] == ["config.json", "console.html", "index.html"]
    resources = assembly.templates()["Pages"]["Resources"]
    after = {resources[logical_id]["Type"] for logical_id in copies["config.json"]["DependsOn"]}
    assert "Custom::CDKBucketDeployment" in after
    for copied in copies.values():
        properties = copied["Properties"]
        assert properties["Prune"] is False
        assert properties.get("RetainOnDelete", True) is True  # nor when this stack goes
    manifest = json.loads((assembly.folder / "manifest.json").read_text())["artifacts"]
    assert "Api" in manifest["Pages"]["dependencies"]


def test_only_what_no_deployment_changes_is_kept_for_good(
    copies: dict[str, dict[str, Any]],
) -> None:
    kept = {name: c["Properties"]["SystemMetadata"]["cache-control"] for name, c in copies.items()}
    assert kept == {"assets": PINNED, "config.json": PAGE}


def test_no_lifecycle_rule_removes_pages(assembly: Assembly) -> None:
    bucket = assembly.templates()["Edge"]["Resources"]["WebBucketE51352C0"]["Properties"]
    assert "LifecycleConfiguration" not in bucket
