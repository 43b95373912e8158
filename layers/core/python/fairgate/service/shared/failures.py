"""Describe a failure for the log without anything that could name a person."""

from __future__ import annotations

from pathlib import PurePath

from msgspec import Struct

from fairgate import request_ids
from fairgate.errors import DependencyUnavailableError, FairgateError


class Failure(Struct, frozen=True):
    """One entry of many that failed.

    ``what`` holds ids only. The message of an error that is not ours may quote anything, so the log
    has only its type and its place in the code.
    """

    what: str
    error: str
    where: str
    detail: str = ""
    temporary: bool = False
    correlation_id: str = ""  # of the session that it was about
    aws_request_id: str = ""  # by which AWS knows the call that failed


def failure_of(what: str, error: Exception) -> Failure:
    return Failure(
        what,
        type(error).__name__,
        _where(error),
        error.detail if isinstance(error, FairgateError) else "",
        isinstance(error, DependencyUnavailableError),
        request_ids.current(),
        request_ids.aws_request_id(error),
    )


def _where(error: Exception) -> str:
    trace = error.__traceback__
    if trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    return f"{PurePath(code.co_filename).name}:{trace.tb_lineno} in {code.co_name}"
