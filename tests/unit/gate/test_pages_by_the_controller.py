"""The controller's run of a minute writes the pages of events; no admission depends on them."""

from __future__ import annotations

import pytest

from fairgate.adapters.aws.client import SdkClient
from fairgate.adapters.aws.files import PAGE, Bucket
from fairgate.adapters.aws.site import PageFiles, site
from fairgate.domain.gate.gate_config import page_key
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import Update
from fairgate.service.catalog.hide_event import set_hidden
from fairgate.service.catalog.read_catalog import OVER_AFTER_MS
from fairgate.service.shared.keys import event_key
from fairgate.settings import from_environment
from fairgate_lab.engine.layouts import MemorySite
from functions.controller import handler as controller
from tests.support.pages_build import WEB
from tests.support.world import EVENT
from tests.unit.seating.test_layout import FakeS3

pytestmark = pytest.mark.table_in_memory


@pytest.fixture
def files(world, monkeypatch):
    """The files of a stage whose pages are deployed."""
    monkeypatch.setattr(controller, "container", lambda: world.container)
    world.container.__dict__["site"] = MemorySite()
    world.container.site.files["index.html"] = (WEB / "index.html").read_bytes()
    return world.container.site.files


def test_a_run_writes_them_where_an_event_has_changed(world, files):
    controller.handler({"beat": 1}, None)
    assert {f"e/{EVENT}.html", "events.json", "sitemap.xml"} < set(files)
    assert world.edge_config.values[page_key(EVENT)] == "1"
    files["index.html"] += b"<!-- a release -->"
    controller.handler({"beat": 2}, None)
    assert b"a release" not in files[f"e/{EVENT}.html"]
    set_hidden(world.table, world.clock, EVENT, hidden=True)
    controller.handler({"beat": 3}, None)
    assert b"noindex" in files[f"e/{EVENT}.html"]


def test_the_first_run_of_a_minute_finds_a_release_of_the_pages(world, files):
    controller.handler({"beat": 0}, None)
    files["index.html"] += b"<!-- a release -->"
    controller.handler({"beat": 0}, None)
    assert b"a release" in files[f"e/{EVENT}.html"]


def test_a_past_event_that_is_hidden_leaves_its_page_within_an_hour(world, files):
    past = world.clock.now_ms() - OVER_AFTER_MS
    over = {"state": "closed", "startsAt": rfc3339(past), "saleEndsAt": rfc3339(past)}
    controller.handler({"beat": 0}, None)
    world.table.update(Update("catalog", *event_key(EVENT), set=over))
    controller.handler({"beat": 0}, None)
    set_hidden(world.table, world.clock, EVENT, hidden=True)
    world.clock.tick(3_600)
    controller.handler({"beat": 0}, None)
    assert b"noindex" in files[f"e/{EVENT}.html"]


def test_events_are_planned_while_no_page_can_be_written(world, files, monkeypatch):
    def fails(*_arguments):
        raise DependencyUnavailableError("away")

    with monkeypatch.context() as away:
        away.setattr(world.container.site, "read", fails)
        failed = controller.handler({"beat": 1}, None)
    assert set(files) == {"index.html"}
    assert controller.handler({"beat": 2}, None) == failed
    assert f"e/{EVENT}.html" in files


def test_a_page_waits_for_the_next_minute_where_the_run_has_no_time(world, files, monkeypatch):
    monkeypatch.setattr(controller, "left_s", lambda: controller.PAGES_LEFT_S - 0.1)
    controller.handler({"beat": 0}, None)
    assert set(files) == {"index.html"}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("e/show.html", "text/html; charset=utf-8"),
        ("events.json", "application/json"),
        ("sitemap.xml", "application/xml"),
    ],
)
def test_the_bucket_says_of_a_file_what_it_is_and_that_it_changes(path, kind):
    s3 = FakeS3()
    client = SdkClient("s3", make=lambda _config: s3, sleep=lambda _s: None)
    PageFiles(Bucket("web", client)).write(path, b"x")
    written = s3.objects["web", path]
    assert (written["ContentType"], written["CacheControl"]) == (kind, PAGE)


def test_settings_choose_where_the_files_are(tmp_path):
    store = site(from_environment({"FAIRGATE_PAGES_DIR": str(tmp_path)}))
    assert store is not None
    store.write("e/show.html", b"x")
    assert (tmp_path / "e" / "show.html").read_bytes() == b"x"
    assert site(from_environment({})) is None
