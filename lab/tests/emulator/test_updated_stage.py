"""A stage that sells is deployed anew: what it holds stays, and nobody loses a place or a page."""

from __future__ import annotations

import io
import re
import shutil
import zipfile
from urllib.parse import urlsplit

import pytest

from emulator import sale
from emulator.former import NoHistoryError, former_release
from fairgate.adapters.aws.files import PINNED
from fairgate_lab.emulator.system import STAGE, EmulatedSystem
from fairgate_ops.shared.paths import ROOT
from infra.functions import BY_NAME
from infra.naming import LIVE
from tests.e2e import browser
from tests.e2e.shopper import Shopper, call
from tests.infra.kept import KEPT
from tests.support import pages_build
from tests.support.waiting import patience_s

LATER = "# the next version\n"
NAMED = re.compile(rb"""["'`](?:\./|/assets/)([\w-]+\.\w+)["'`]""")
RETENTION_DAYS = 30


def ids(system) -> dict[tuple[str, str], str]:
    """The physical id of each thing that holds something, by stack and logical id."""
    stacks = system.client("cloudformation")
    found = {}
    for stack in {kept.stack for kept in KEPT}:
        name = f"fairgate-{STAGE}-{stack.lower()}"
        for resource in stacks.describe_stack_resources(StackName=name)["StackResources"]:
            found[stack, resource["LogicalResourceId"]] = resource["PhysicalResourceId"]
    return {(kept.stack, kept.logical_id): found[kept.stack, kept.logical_id] for kept in KEPT}


def live_versions(system) -> dict[str, int]:
    functions = system.client("lambda")
    return {
        name: int(
            functions.get_alias(FunctionName=f"fairgate-{STAGE}-{name}", Name=LIVE)[
                "FunctionVersion"
            ]
        )
        for name in BY_NAME
    }


def live_code(system, name: str) -> str:
    """The handler's text that the alias stands for."""
    found = system.client("lambda").get_function(
        FunctionName=f"fairgate-{STAGE}-{name}", Qualifier=LIVE
    )
    place = urlsplit(found["Code"]["Location"])
    code = call(system.endpoint, "GET", f"{place.path}?{place.query}")
    return zipfile.ZipFile(io.BytesIO(code.data)).read("handler.py").decode()


def retention(system) -> set[int]:
    groups = system.client("logs").describe_log_groups(logGroupNamePrefix="/aws/lambda/fairgate-")
    return {group["retentionInDays"] for group in groups["logGroups"]}


def pages_at(system) -> dict[str, bytes]:
    """The assets that the page names now, and those that these name, by name."""
    found: dict[str, bytes] = {}
    named = NAMED.findall(call(system.base_url, "GET", "/").data)
    while named:
        name = named.pop().decode()
        if name not in found:
            found[name] = asset(system, name)
            named += NAMED.findall(found[name])
    return found


def asset(system, name: str) -> bytes:
    """Of any release: it may be kept for good."""
    answer = call(system.base_url, "GET", f"/assets/{name}")
    assert (answer.status, answer.headers["cache-control"]) == (200, PINNED), answer
    return answer.data


def late_view(assets: dict[str, bytes]) -> str:
    """The name of a script that a page loads late."""
    [name] = [name for name in assets if name.startswith("view-sale-")]
    return name


def test_sale_goes_on_over_an_update(deployed, tmp_path):
    before, versions = ids(deployed), live_versions(deployed)
    functions = shutil.copytree(ROOT / "functions", tmp_path / "functions")
    for handler in functions.glob("*/handler.py"):
        handler.write_text(handler.read_text("utf-8") + LATER, "utf-8")
    source = shutil.copytree(pages_build.WEB, tmp_path / "source")
    view = source / "assets" / "js" / "view-sale.js"
    view.write_text(view.read_text("utf-8") + "console.info('the next version');\n", "utf-8")
    pages_build.build(tmp_path / "web", source)
    pages = pages_at(deployed)
    inside = sale.walk_in(deployed)
    sale.hold_free(deployed, inside, 1)
    outside = sale.sign_in(Shopper(deployed.base_url, sale.EVENT))
    assert outside.queue().status == 200
    assert RETENTION_DAYS not in retention(deployed)

    deployed.update(
        functions=str(functions), web=str(tmp_path / "web"), log_retention_days=str(RETENTION_DAYS)
    )

    statuses = {name: stack.status for name, stack in deployed.stacks.items()}
    assert {statuses.pop(name) for name in ("Events", "Api")} == {"UPDATE_COMPLETE"}
    assert set(statuses.values()) <= {"CREATE_COMPLETE", "UPDATE_COMPLETE"}
    assert ids(deployed) == before
    now = live_versions(deployed)
    assert {name for name in BY_NAME if now[name] > versions[name]} == set(BY_NAME)
    assert live_code(deployed, "holds").endswith(LATER)
    assert retention(deployed) == {RETENTION_DAYS}
    assert {name: asset(deployed, name) for name in pages} == pages
    after = pages_at(deployed)
    assert late_view(after) != late_view(pages)
    assert b"the next version" in after[late_view(after)]
    assert inside.checkout().status == 201
    inside.pay()
    assert inside.order_becomes("ticketed")["tickets"] == 1
    outside.wait_for_admission(sale.ADMITTED_WITHIN_S)
    sale.look_around(deployed)
    sale.operate(deployed)


# --- the last release, and this one over it

SEATS = 20
IN_MINOR_UNITS = ("--price-all", "4500")  # as the last release's command takes prices
PACE = ("--tau", "1", "--pow", "6", "--backoff-s", "1", "2")
ASSET = re.compile(r"/assets/.*")


@pytest.fixture
def former(runnable, tmp_path):
    try:
        former_release(tmp_path / "former")
    except NoHistoryError as error:
        pytest.skip(f"the last release is not in this checkout's history: {error}")
    with EmulatedSystem(tmp_path / "run", source=tmp_path / "former", say=print) as system:
        yield system
        system.watch()


def test_nobody_loses_a_place_or_a_page_when_this_release_comes_in_mid_sale(former, tmp_path):
    begins = ("--sale-starts-in", str(sale.SALE_START_IN_S))
    former.create_event(sale.EVENT, sale.hall(SEATS), *begins, *PACE, sold_for=IN_MINOR_UNITS)
    inside = sale.walk_in(former)
    sale.hold_free(former, inside, 1)
    outside = sale.sign_in(Shopper(former.base_url, sale.EVENT))
    assert outside.queue().status == 200
    with browser.started() as chromium, browser.window(chromium) as page:
        asked: list[tuple[int, str]] = []
        page.on("response", lambda answer: asked.append((answer.status, answer.url)))
        reader = sale.sign_in(Shopper(former.base_url, sale.EVENT))
        browser.open_signed_in(page, reader, f"/e/{sale.EVENT}")
        page.locator(".venue-svg").wait_for()  # the map of 0.2.0
        assert not any("view-wait" in url or "view-sale" in url for _, url in asked)
        before = set(assets(asked))
        asked.clear()

        former.update()

        assert inside.checkout().status == 201
        inside.pay()
        assert inside.order_becomes("ticketed")["tickets"] == 1
        outside.wait_for_admission(sale.ADMITTED_WITHIN_S)
        page.locator(".way").locator("a.primary, button.primary").click()
        page.locator(".sale-head").wait_for(timeout=1_000 * patience_s(sale.ADMITTED_WITHIN_S))
        late = assets(asked)
        assert {status for status, url in asked if ASSET.search(url)} == {200}
        assert {folder(path) for path in late} == {folder(path) for path in before}
        for view in ("view-wait.js", "pow-worker.js", "view-sale.js"):
            assert any(path.endswith(view) for path in late), late

        asked.clear()
        page.goto("about:blank")
        page.goto(f"{former.base_url}/#/e/{sale.EVENT}")
        page.locator(".map-front").wait_for()
        ours = {f"/assets/{path.name}" for path in (pages_build.pages() / "assets").iterdir()}
        assert assets(asked)
        assert set(assets(asked)) <= ours
    sale.look_around(former)


def assets(asked: list[tuple[int, str]]) -> list[str]:
    return [found[0] for _, url in asked if (found := ASSET.search(url))]


def folder(path: str) -> str:
    """Of a release: what stands before the kind of file."""
    return re.sub(r"(js/)?[^/]*$", "", path)
