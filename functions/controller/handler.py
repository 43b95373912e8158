"""On schedule: plan the next epoch of every event whose pace is automatic."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

from aws_lambda_powertools import Logger

from fairgate.adapters.keyvaluestore import wait_with_jitter
from fairgate.bootstrap import container
from fairgate.errors import FairgateError
from fairgate.service.control_gate import GateControl
from fairgate.service.plan_admission import AdmissionPlanner
from fairgate.service.record_gate import record_gate

logger = Logger()


def handler(_event: dict[str, Any], _context: object) -> dict[str, Any]:
    """What was done for each event; one that fails does not keep the others from their turn."""
    world = container()
    control = GateControl(world.edge_config, world.clock, wait=wait_with_jitter)
    planner = AdmissionPlanner(world.table, world.clock, control)
    planned: list[dict[str, Any]] = []
    for item in world.catalog.events():
        try:
            done = asdict(planner.plan(item))
            if done["outcome"] == "planned":
                read = partial(control.read, item["SK"])
                record_gate(world.table, item["SK"], read, world.clock)
        except FairgateError as error:
            logger.exception("not planned", sale=item["SK"], code=error.code)
            done = {"event": item["SK"], "outcome": error.code}
        else:
            logger.info("planned", plan=done)
        planned.append(done)
    return {"planned": planned}
