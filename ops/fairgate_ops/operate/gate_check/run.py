"""The check itself: values into the deployed store, one TestFunction per row, values out again."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from botocore.exceptions import ClientError

from fairgate.domain.gate.gate_config import gate_key
from fairgate.domain.shared.jws import b64url
from fairgate_ops.operate.gate_check.judge import differences
from fairgate_ops.operate.gate_check.rows import AUTH_HEAD, Row
from fairgate_ops.operate.gate_check.templates import FilledValue, fill_event, fill_value

_KEYS_MAX = 50  # of one UpdateKeys
_STALE = ("ConflictException", "ValidationException")  # either tells of a stale ETag
_ATTEMPTS_MAX = 5
ARRIVAL_S_MAX = 180.0
_POLL_S = 5.0


class GateCheckError(Exception):
    """The check could not run; the text says why and what is left behind, if anything."""


@dataclass(frozen=True)
class Outcome:
    """One row. ``utilization`` is CloudFront's 0–100 of what a function may use."""

    name: str
    wrong: list[str]
    utilization: int


@dataclass(frozen=True)
class Clients:
    """boto3's ``cloudfront`` and ``cloudfront-keyvaluestore``, the time and a pause."""

    cloudfront: Any
    store: Any
    now_s: Callable[[], float]
    pause: Callable[[float], object]


def check_function(
    clients: Clients, name: str, stage: str, rows: list[Row], told: Callable[[str], object] = print
) -> list[Outcome]:
    """Ask the function each row and compare.

    The store holds the check's own events meanwhile, under an unguessable id and with fresh keys;
    they are in no catalogue, so no session opens for them.

    Raises:
        GateCheckError: no such function, no store, or the values did not arrive.
    """
    described = _described(clients, name, stage)
    arn = _store_of(described, name)
    values = _values(rows, round(clients.now_s()))
    keys = {gate_key(v.event_id): v.text for v in values.values()}
    _update(clients, arn, puts=keys)
    try:
        ask = _Ask(clients, name, stage, str(described["ETag"]))
        _await_arrival(ask, values, told)
        return [_outcome(ask, row, values.get(row.value or "")) for row in rows]
    finally:
        _update(clients, arn, deletes=list(keys))


@dataclass(frozen=True)
class _Ask:
    clients: Clients
    name: str
    stage: str
    etag: str

    def __call__(self, event: dict[str, Any]) -> tuple[dict[str, Any], int]:
        """The function's output and its utilization; a crash is an output of its own."""
        result = self.clients.cloudfront.test_function(
            Name=self.name,
            IfMatch=self.etag,
            Stage=self.stage,
            EventObject=json.dumps(event).encode(),
        )["TestResult"]
        used = int(result.get("ComputeUtilization") or 0)
        if result.get("FunctionErrorMessage"):
            return {"error": result["FunctionErrorMessage"]}, used
        output: dict[str, Any] = json.loads(result["FunctionOutput"])
        return output, used


def _described(clients: Clients, name: str, stage: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = clients.cloudfront.describe_function(Name=name, Stage=stage)
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code == "NoSuchFunctionExists":
            raise GateCheckError(f"There is no function {name} at stage {stage}.") from error
        raise
    return found


def _store_of(described: dict[str, Any], name: str) -> str:
    config = described["FunctionSummary"]["FunctionConfig"]
    stores = config.get("KeyValueStoreAssociations", {}).get("Items", [])
    if not stores:
        raise GateCheckError(f"The function {name} has no KeyValueStore.")
    return str(stores[0]["KeyValueStoreARN"])


def _values(rows: list[Row], now_s: int) -> dict[str, FilledValue]:
    """One event of the check's own for each different value of the rows."""
    run = secrets.token_hex(4)
    texts = sorted({row.value for row in rows if row.value})
    if len(texts) > _KEYS_MAX:
        raise GateCheckError(f"{len(texts)} values; one update takes {_KEYS_MAX}.")
    by_text = {row.value: row for row in rows}
    return {
        text: fill_value(by_text[text], f"gate-check-{run}-{n}", now_s)
        for n, text in enumerate(texts)
    }


def _outcome(ask: _Ask, row: Row, filled: FilledValue | None) -> Outcome:
    now_s = ask.clients.now_s()
    event = fill_event(row, filled, int(now_s))
    output, used = ask(event)
    if "error" in output:
        return Outcome(row.name, [f"the function failed: {output['error']}"], used)
    return Outcome(row.name, differences(row, filled, event, output, ask.clients.now_s()), used)


def _await_arrival(
    ask: _Ask, values: dict[str, FilledValue], told: Callable[[str], object]
) -> None:
    """Until the function knows every event: it says 404 to one that it does not.

    Only to a caller who might be signed in; it refuses all others first.
    """
    told(f"{len(values)} values are on their way to the function …")
    until = ask.clients.now_s() + ARRIVAL_S_MAX
    for filled in values.values():
        while _unknown(ask, filled.event_id):
            if ask.clients.now_s() > until:
                raise GateCheckError(
                    f"The values did not arrive at the function within {ARRIVAL_S_MAX:.0f} s."
                )
            ask.clients.pause(_POLL_S)


def _unknown(ask: _Ask, event_id: str) -> bool:
    event = {
        "version": "1.0",
        "context": {"eventType": "viewer-request", "requestId": "gate-check"},
        "viewer": {"ip": "203.0.113.7"},
        "request": {
            "method": "POST",
            "uri": f"/api/events/{event_id}/queue",
            "querystring": {},
            "headers": {"authorization": {"value": f"Bearer {b64url(AUTH_HEAD)}"}},
            "cookies": {},
        },
    }
    output, _ = ask(event)
    return bool(output.get("response", {}).get("statusCode") == HTTPStatus.NOT_FOUND)


def _update(
    clients: Clients, arn: str, puts: dict[str, str] | None = None, deletes: list[str] | None = None
) -> None:
    """One atomic change of the store, again with the new ETag when somebody else was quicker."""
    if not puts and not deletes:
        return
    for attempt in range(_ATTEMPTS_MAX):
        etag = clients.store.describe_key_value_store(KvsARN=arn)["ETag"]
        try:
            clients.store.update_keys(
                KvsARN=arn,
                IfMatch=etag,
                Puts=[{"Key": key, "Value": value} for key, value in (puts or {}).items()],
                Deletes=[{"Key": key} for key in deletes or []],
            )
        except ClientError as error:
            if error.response["Error"]["Code"] not in _STALE or attempt == _ATTEMPTS_MAX - 1:
                left = f" Remove by hand: {', '.join(deletes)}." if deletes else ""
                raise GateCheckError(f"The store was not changed: {error}.{left}") from error
        else:
            return
