"""Run the checks side by side, each within its time; what refuses or stalls says so itself."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as StalledError
from typing import TYPE_CHECKING

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    NoCredentialsError,
    ReadTimeoutError,
)

from fairgate.errors import FairgateError
from fairgate_ops.operate.away import detail_of
from fairgate_ops.operate.doctor.finding import Finding, off, unseen
from fairgate_ops.operate.doctor.site import UnreachableError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate_ops.operate.doctor.finding import Check
    from fairgate_ops.operate.doctor.site import Site

AT_ONCE = 8
_REFUSED = ("AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "AuthorizationError")
_THROTTLED = (
    "Throttling",
    "ThrottlingException",
    "TooManyRequestsException",
    "RequestLimitExceeded",
)


def examine(
    site: Site, everywhere: Mapping[str, Check], in_aws: Mapping[str, Check], *, within_s: float
) -> list[Finding]:
    """Make every check, in order. A stalled one is left behind, and holds up neither another nor
    the end of the command.

    Args:
        within_s: how long the last of them may take altogether.
    """
    checks = {**in_aws, **everywhere}
    turns = threading.Semaphore(AT_ONCE)
    running = {
        name: _started(turns, site, name, check)
        for name, check in checks.items()
        if name not in in_aws or site.client is not None
    }
    ends = site.monotonic() + within_s
    findings: list[Finding] = []
    for name in checks:
        if name not in running:
            findings.append(off(name, "AWS alone has this; nothing to see on this machine."))
            continue
        try:
            findings += running[name].result(max(ends - site.monotonic(), 0.0))
        except StalledError:
            running[name].cancel()  # where it waits for its turn
            findings.append(unseen(name, f"No answer within {within_s:g} s."))
    return findings


def _started(
    turns: threading.Semaphore, site: Site, name: str, check: Check
) -> Future[list[Finding]]:
    """Make a check in a thread that ends with the command; a pool's would have to end before it."""
    future: Future[list[Finding]] = Future()

    def look() -> None:
        with turns:
            if future.set_running_or_notify_cancel():
                future.set_result(looked_at(site, name, check))

    threading.Thread(target=look, name=f"doctor: {name}", daemon=True).start()
    return future


def looked_at(site: Site, name: str, check: Check) -> list[Finding]:
    """Make one check; whatever stops it is its finding, and never "ok"."""
    try:
        findings = list(check(site))
    except Exception as error:  # noqa: BLE001 a check that breaks has seen nothing, and stops no other
        return [_stopped(name, error)]
    return findings or [unseen(name, "The check looked at nothing.")]


def _stopped(name: str, error: Exception) -> Finding:
    match error:
        case ClientError():
            return _refused(name, error)
        case ConnectTimeoutError() | ReadTimeoutError():
            return unseen(name, f"AWS does not answer in time: {error}")
        case NoCredentialsError():
            return unseen(name, "There are no credentials here.", "Sign in to the account.")
        case BotoCoreError() | UnreachableError():
            return unseen(name, f"No answer: {error}")
        case FairgateError():
            return unseen(name, detail_of(error))
    return unseen(name, f"The check itself broke: {error!r}")


def _refused(name: str, error: ClientError) -> Finding:
    code = error.response["Error"]["Code"]
    if code in _REFUSED or code.startswith("AccessDenied"):
        return unseen(
            name,
            f"You may not look: {error.operation_name} is refused ({code}).",
            f"Ask for the right to call {error.operation_name}.",
        )
    if code in _THROTTLED:
        return unseen(name, f"AWS refuses {error.operation_name}: too many calls.", "Run it again.")
    message = error.response["Error"].get("Message", "")
    return unseen(name, f"{error.operation_name} failed ({code}): {message}")
