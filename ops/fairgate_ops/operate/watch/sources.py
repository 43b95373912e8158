"""What `fairgate watch` reads: the operator function's figures, and what AWS and the web say.

The figures come by the operator's route, as a console's would. Who may not read the keys that sign
for it, and who finds the route away, reads the item that the function reads.
"""

from __future__ import annotations

import json
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec
from botocore.exceptions import ClientError

from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.domain.shared.ids import EVENT_ID
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import (
    DependencyUnavailableError,
    FairgateError,
    NotFoundError,
    UnknownEventError,
)
from fairgate.http.paths import AVAILABILITY, HEADER_SOURCE, OPERATOR_EVENT
from fairgate.ports.record import decode_json
from fairgate.service.gate.rotate_keys import auth_ring
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.watch.figures import PARTS, Figures
from fairgate.service.watch.gate_parts import key_due
from fairgate.service.watch.read_figures import read_kept
from fairgate_ops.operate.doctor.site import UnreachableError
from fairgate_ops.operate.queues import count_messages
from fairgate_ops.operate.watch.alarms import described, prefix_of, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fairgate_ops.operate.doctor.site import Fetch
    from fairgate_ops.operate.target import Target

TOKEN_S = 300
OPERATOR = "fairgate-watch"  # whom the route's log names
GROUP = "operators"  # as functions/operator/handler.py
QUEUES = ("tickets", "mails", "expiry", "invalidations", "jobs")


def no_figures(event: str) -> dict[str, Any]:
    """Return an event's figures where nobody has any: each of them None."""
    empty: dict[str, Any] = msgspec.to_builtins(Figures(event=event, name="", at=""))
    return empty


def read_figures(target: Target, fetch: Fetch, event: str) -> dict[str, Any]:
    """Read the figures by the route, else from the table; ``via`` says which.

    Raises NotFoundError, UnreachableError and what the table raises: neither had them.
    """
    if not EVENT_ID.fullmatch(event):  # it becomes part of an address
        raise UnknownEventError(event)
    try:
        return {**_by_route(target, fetch, event), "via": "route", "route_error": ""}
    except (UnreachableError, FairgateError, ClientError) as error:
        kept = read_kept(target.world.table, event)
        if kept is None:
            target.world.catalog.event(event)
            why = "Nobody has made figures of this event yet: is the controller called?"
            raise NotFoundError(why) from error
        now = rfc3339(target.world.clock.now_ms())
        figures = msgspec.to_builtins(msgspec.structs.replace(kept, now=now))
        return {**figures, "via": "table", "route_error": str(error)}


def _by_route(target: Target, fetch: Fetch, event: str) -> dict[str, Any]:
    keys, now_s = target.world.secrets.sign_in(), target.world.clock.now_ms() / 1000
    key = keys.auth[keys.auth_kid]
    token = issue_auth_token(OPERATOR, (GROUP,), key, keys.auth_kid, now_s, TOKEN_S)
    path = OPERATOR_EVENT.format(event=event)
    answer = fetch(f"{target.world.settings.public_url}{path}", bearer=token)
    if answer.status != HTTPStatus.OK:
        raise DependencyUnavailableError(f"{path} answers {answer.status}.")
    try:
        figures = decode_json(answer.body, Figures)
    except msgspec.DecodeError as error:
        raise DependencyUnavailableError(f"{path} answers nonsense.") from error
    built: dict[str, Any] = msgspec.to_builtins(figures)
    return built


def aged(shown: Mapping[str, Any]) -> dict[str, Any]:
    """Give each part of an event's figures the age that it has by now.

    Args:
        shown: of the source: ``now`` is when it was answered, ``age_s`` how long ago that was.
    """
    answered_ms = epoch_ms(shown["now"]) if shown["now"] else 0
    since_s, parts = shown["age_s"], {}
    for name in PARTS:
        part = dict(shown[name])
        known = part["at"] is not None and since_s is not None
        part["age_s"] = (
            round(since_s + (answered_ms - epoch_ms(part["at"])) / 1000, 1) if known else None
        )
        part["error"] = part["error"] or (shown["error"] if not known else "")
        parts[name] = part
    return parts


def read_cache(target: Target, fetch: Fetch, event: str) -> dict[str, Any]:
    """Look at the map as buyers get it: from the cache or from the table, and how old it is."""
    if not EVENT_ID.fullmatch(event):
        raise UnknownEventError(event)
    path = AVAILABILITY.format(event=event)
    answer = fetch(f"{target.world.settings.public_url}{path}")
    if answer.status != HTTPStatus.OK:
        raise UnreachableError(f"{path} answers {answer.status}")
    try:
        as_of = str(answer.json()["as_of"])
        age_s = (target.world.clock.now_ms() - epoch_ms(as_of)) / 1000
    except (ValueError, LookupError, TypeError) as error:
        raise UnreachableError(f"{path} answers nonsense") from error
    return {
        "source": answer.headers.get(HEADER_SOURCE),
        "as_of": as_of,
        "map_age_s": round(max(0.0, age_s), 1),
    }


NO_CACHE: Mapping[str, Any] = {"source": None, "as_of": None, "map_age_s": None}


def read_queues(target: Target) -> dict[str, Any]:
    counts = count_messages(target.sqs(), target.queues())
    return {"queues": {name: c._asdict() for name, c in counts.items()}}


NO_QUEUES: Mapping[str, Any] = {
    "queues": {name: {"waiting": None, "given_up": None} for name in QUEUES}
}


def read_alarms(client: Callable[[], Any], prefix: str) -> dict[str, Any]:
    """List the alarms that are up, each with its step in the runbook."""
    up = [shown(one, prefix) for one in described(client(), prefix, StateValue="ALARM")]
    return {
        "alarms": [
            {"name": one.name, "since": one.since, "do": one.do}
            for one in sorted(up, key=lambda one: one.name)
        ]
    }


NO_ALARMS: Mapping[str, Any] = {"alarms": None}


def no_aws() -> dict[str, Any]:
    raise NotFoundError("AWS alone has alarms; none here.")


def read_sign_in_keys(target: Target) -> dict[str, Any]:
    """Name the key that signs sign-ins, and what is due about it; never the key."""
    document = json.loads(target.secret("keys").read())
    ring = auth_ring(document)
    due, due_at_s = key_due(ring, target.world.clock.now_ms() // 1000)
    began_s = ring.signed[ring.signing].began_s if ring.signing in ring.signed else 0
    return {
        "signing": ring.signing,
        "since": rfc3339(began_s * 1000) if began_s else None,
        "other": ring.other or None,
        "due": due,
        "due_at": None if due_at_s is None else rfc3339(due_at_s * 1000),
    }


NO_KEYS: Mapping[str, Any] = dict.fromkeys(("signing", "since", "other", "due", "due_at"))


def read_tasks(target: Target) -> dict[str, Any]:
    tasks = ManualTasks(target.world.table, target.world.clock).open()
    return {"open": len(tasks), "oldest_since": tasks[0].since if tasks else None}


NO_TASKS: Mapping[str, Any] = {"open": None, "oldest_since": None}


def readers(target: Target, stage: str) -> dict[str, Callable[[], dict[str, Any]]]:
    """Return what reads each source that concerns the whole deployment."""
    alarms = no_aws
    if target.aws is not None:
        client = partial(target.aws, "cloudwatch", None)
        alarms = partial(read_alarms, client, prefix_of(stage))
    return {
        "queues": partial(read_queues, target),
        "tasks": partial(read_tasks, target),
        "alarms": alarms,
        "sign_in_keys": partial(read_sign_in_keys, target),
    }
