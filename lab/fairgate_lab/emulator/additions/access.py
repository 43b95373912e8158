"""IAM: the store and the label that a call names, loopback in the place of TLS, and its log."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ministack import app
from ministack.core import iam_actions, iam_evaluator
from ministack.services import sts

from fairgate_lab.emulator.additions import told
from fairgate_lab.emulator.additions.replace import replace

_STORE = re.compile(r"/key-value-stores/(arn:[^/]+/[A-Za-z0-9_-]+)")


def add() -> None:
    replace(iam_actions, "extract_resource_arn", _with_store)
    replace(iam_actions, "request_tag_context", _with_label)
    for module in (iam_evaluator, app):
        replace(module, "pin_request_origin", _as_over_tls)
    replace(iam_evaluator, "enforce", _noted)


def _with_store(extract: Any) -> Any:
    """Name the store in a call to its data plane; the emulator would ask for rights on all."""

    def resource_arn(service: str, method: str, path: str, *rest: Any, **named: Any) -> Any:
        store = _STORE.match(unquote(path))
        return store[1] if store else extract(service, method, path, *rest, **named)

    return resource_arn


def _with_label(context: Any) -> Any:
    """Give the label by which a secret's version is asked for; the emulator knows no such key."""

    def keys(service: str, action: str, body: bytes, *rest: Any) -> dict[str, Any]:
        found: dict[str, Any] = context(service, action, body, *rest)
        if action != "secretsmanager:GetSecretValue":
            return found
        return {**found, "secretsmanager:VersionStage": json.loads(body).get("VersionStage")}

    return keys


def _as_over_tls(pin: Any) -> Any:
    """Policies that refuse plain HTTP stand in the templates; loopback needs no TLS."""
    return lambda address, _secure: pin(address, True)


def _noted(enforce: Any) -> Any:
    """Write a line for each thing that a function asks for: which, what, of what, granted or not.

    CloudTrail's work on AWS; the controls of the grants read it.
    """
    # Open as long as the emulator runs, a line at a time.
    lines = Path(os.environ[told.DECISIONS]).open("a", buffering=1, encoding="utf-8")  # noqa: SIM115

    def noted(access_key: str, action: str, *rest: Any, **named: Any) -> Any:
        refused = enforce(access_key, action, *rest, **named)
        caller = sts._sessions.get(access_key, {}).get("Arn", "")
        if ":assumed-role/" in caller:
            session = caller.rsplit("/", 1)[-1]
            resource = named.get("resource_arn", "*")
            lines.write(json.dumps([session, action, resource, refused is None]) + "\n")
        return refused

    return noted
