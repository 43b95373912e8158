"""A stage that stands and sells is deployed anew: what it holds stays, its code moves on."""

from __future__ import annotations

import io
import shutil
import zipfile
from urllib.parse import urlsplit

from emulator import sale
from fairgate_lab.emulator.system import STAGE
from fairgate_ops.shared.paths import ROOT
from infra.functions import BY_NAME
from infra.naming import LIVE
from tests.e2e.shopper import Shopper, call
from tests.infra.kept import KEPT

LATER = "# the next version\n"
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


def test_sale_goes_on_over_an_update(deployed, tmp_path):
    before, versions = ids(deployed), live_versions(deployed)
    functions = shutil.copytree(ROOT / "functions", tmp_path / "functions")
    for handler in functions.glob("*/handler.py"):
        handler.write_text(handler.read_text("utf-8") + LATER, "utf-8")
    inside = sale.walk_in(deployed)
    sale.hold_free(deployed, inside, 1)
    outside = sale.sign_in(Shopper(deployed.base_url, sale.EVENT))
    assert outside.queue().status == 200
    assert RETENTION_DAYS not in retention(deployed)

    deployed.update(functions=str(functions), log_retention_days=str(RETENTION_DAYS))

    statuses = {name: stack.status for name, stack in deployed.stacks.items()}
    assert {statuses.pop(name) for name in ("Events", "Api")} == {"UPDATE_COMPLETE"}
    assert set(statuses.values()) <= {"CREATE_COMPLETE", "UPDATE_COMPLETE"}
    assert ids(deployed) == before
    now = live_versions(deployed)
    assert {name for name in BY_NAME if now[name] > versions[name]} == set(BY_NAME)
    assert live_code(deployed, "holds").endswith(LATER)
    assert retention(deployed) == {RETENTION_DAYS}
    assert inside.checkout().status == 201
    inside.pay()
    assert inside.order_becomes("ticketed")["tickets"] == 1
    outside.wait_for_admission(sale.ADMITTED_WITHIN_S)
    sale.look_around(deployed)
    sale.operate(deployed)
