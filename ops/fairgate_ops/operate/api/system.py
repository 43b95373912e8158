"""The system that the operators' functions reach: their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from fairgate.adapters.aws.client import SdkClient, unavailable_as
from fairgate.adapters.dynamodb.light import dynamodb_client
from fairgate.service.catalog.read_catalog import CatalogReader
from fairgate.service.gate.control_gate import LEAD_S
from fairgate_ops.operate.api.caller import TOKEN
from fairgate_ops.operate.target import LOCAL_LEAD_S, Target

if TYPE_CHECKING:
    from fairgate.bootstrap import Container
    from fairgate.ports.world import SecretName

NAME = "function"
PARTS_MAX = 300  # of a hundred entries and their orders each: 10 s, and 150 MB


def system_of(world: Container, sub: str) -> Target:
    """Return what an act reaches; ``sub`` names who asks, in the log.

    An act reads the events as they are, as a command does: the reader of the act before keeps them
    for seconds, in which somebody may have changed them here or elsewhere.
    """
    world.catalog = CatalogReader(world.table, world.clock)
    return Target(
        NAME,
        world,
        secret=_no_secret,
        dynamodb=dynamodb_client,
        lead_s=LOCAL_LEAD_S if world.settings.kvs_endpoint else LEAD_S,
        brand=lambda: _brand(world.settings.brand_parameter),
        who=lambda: sub if sub.startswith(TOKEN) else f"sign-in {sub}",
        mail_queue=lambda: world.mail_queue,
        parts_max=PARTS_MAX,
        sends_refunds=False,
    )


def _no_secret(named: SecretName) -> NoReturn:
    raise NotImplementedError(f"No act over HTTP reads the secret {named}.")


def _brand(parameter: str) -> str:
    """Return the stage's brand; "" where it was deployed without one.

    Raises DependencyUnavailableError.
    """
    if not parameter:
        return ""
    with unavailable_as("The stage's brand cannot be read now. Please try again."):
        answer = SdkClient("ssm").call("get_parameter", Name=parameter)
    return str(answer["Parameter"]["Value"])
