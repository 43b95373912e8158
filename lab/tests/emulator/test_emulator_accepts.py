"""What the emulator creates although CloudFormation would refuse it."""

from __future__ import annotations

import pytest

from fairgate_lab.emulator.engine import Emulator, Told, emulator_client
from fairgate_ops.run.local.processes import free_port
from tests.support.waiting import wait_until
from tests.support.wrong_resources import REFUSED_BY_THE_EMULATOR, WRONG, template


@pytest.fixture
def stacks(runnable, tmp_path):
    port = free_port()
    told = Told("http://127.0.0.1:1", "localhost:1", tmp_path / "cache.pem")
    with Emulator(tmp_path, port, told):
        yield emulator_client("cloudformation", f"http://127.0.0.1:{port}")


def settled(stacks, name) -> str:
    """How the stack ended."""

    def status() -> str:
        [stack] = stacks.describe_stacks(StackName=name)["Stacks"]
        return str(stack["StackStatus"])

    wait_until(lambda: not status().endswith("IN_PROGRESS"), f"the stack {name}")
    return status()


def test_nearly_all_that_cloudformation_would_refuse_is_created(stacks):
    """What docs/testing.md counts; each is checked elsewhere (tests/infra/test_lint.py)."""
    created = set()
    for number, (what, resource) in enumerate(WRONG.items()):
        name = f"wrong-{number}"
        stacks.create_stack(StackName=name, TemplateBody=template(resource))

        if settled(stacks, name) == "CREATE_COMPLETE":
            created.add(what)
    assert created == set(WRONG) - REFUSED_BY_THE_EMULATOR
