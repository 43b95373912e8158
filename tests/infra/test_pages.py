"""A release of the pages stands beside those before it, and is named by its content."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from infra.page_files import write_release
from infra.routes import PAGE, PINNED

from .conftest import ROOT, Assembly

WEB = ROOT / "edge" / "web"


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
    assert copies["config.json"]["names"] == ["config.json", "index.html"]
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


def _released(folder: Path, source: Path = WEB) -> str:
    page = write_release(source, folder)
    assert page == (folder / "index.html").read_text()
    [release] = (folder / "assets").iterdir()
    return release.name


def test_each_changed_byte_and_name_is_another_release(tmp_path: Path) -> None:
    changed = tmp_path / "changed"
    shutil.copytree(WEB, changed, ignore=shutil.ignore_patterns("tests"))
    names = [_released(tmp_path / "1"), _released(tmp_path / "2", changed)]
    assert names[0] == names[1]
    view = changed / "assets" / "js" / "view-sale.js"
    view.write_bytes(view.read_bytes() + b" ")
    names.append(_released(tmp_path / "3", changed))
    view.rename(view.with_name("view-sold.js"))
    names.append(_released(tmp_path / "4", changed))
    assert len(set(names)) == 3


def test_every_file_of_a_release_is_the_sources_and_the_page_names_no_other(tmp_path: Path) -> None:
    release = _released(tmp_path)
    folder = tmp_path / "assets" / release
    sources = WEB / "assets"
    written = {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    assert written == {
        p.relative_to(sources): p.read_bytes() for p in sources.rglob("*") if p.is_file()
    }
    named = re.findall(r'(?:src|href)="(/[^"]*)"', (tmp_path / "index.html").read_text())
    assert len(named) >= 3
    for address in named:
        assert address.startswith(f"/assets/{release}/")
        assert (tmp_path / address[1:]).is_file()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("js/late.js", "new Worker('/assets/js/pow-worker.js')"),
        ("js/late.js", "import(`/assets/js/${name}.js`)"),
        ("late.css", "body { background: url(/assets/icon.svg) }"),
    ],
)
def test_an_asset_that_names_another_for_any_release_is_refused(
    tmp_path: Path, name: str, text: str
) -> None:
    source = tmp_path / "web"
    shutil.copytree(WEB, source, ignore=shutil.ignore_patterns("tests"))
    (source / "assets" / name).write_text(text)
    with pytest.raises(ValueError, match=f"{name} names an asset by /assets/"):
        write_release(source, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_page_without_assets_is_refused(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>")
    with pytest.raises(ValueError, match="names no asset"):
        write_release(tmp_path, tmp_path / "out")
