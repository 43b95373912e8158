"""Write the log: every line, of handlers and of modules alike, with the ids of ``request_ids``."""

from __future__ import annotations

import logging
import sys
from functools import cache
from typing import TYPE_CHECKING, TextIO

from aws_lambda_powertools import Logger
from aws_lambda_powertools.logging.filters import SuppressFilter
from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter

from fairgate import request_ids
from fairgate.nameless import nameless

if TYPE_CHECKING:
    from aws_lambda_powertools.logging.types import LogRecord
    from aws_lambda_powertools.metrics import EphemeralMetrics

_PACKAGE = "fairgate"  # whose modules log by the standard library


class LogLines(LambdaPowertoolsFormatter):
    """Adds the ids, and with an error AWS's id of the failed call.

    A line never contains a mail address.
    """

    def format(self, record: logging.LogRecord) -> str:
        for name, value in request_ids.fields().items():
            setattr(record, name, value)
        error = record.exc_info[1] if record.exc_info else None
        if not hasattr(record, "aws_request_id") and (id_ := request_ids.aws_request_id(error)):
            record.aws_request_id = id_
        return super().format(record)

    def serialize(self, log: LogRecord) -> str:
        return nameless(super().serialize(log))


def name_figures(figures: EphemeralMetrics) -> None:
    """Let a line of figures name its call, as every other line does."""
    for name, value in request_ids.fields().items():
        figures.add_metadata(name, value)


class _StandardOutput(logging.StreamHandler[TextIO]):
    """Writes to what is standard output at that moment."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:
        return sys.stdout

    @stream.setter
    def stream(self, _stream: TextIO) -> None:
        """Stay with standard output."""


@cache
def logger() -> Logger:
    """Return the function's logger, which the package's modules then use too."""
    lines = Logger(logger_formatter=LogLines(), logger_handler=_StandardOutput())
    modules = logging.getLogger(_PACKAGE)
    modules.addHandler(lines.registered_handler)
    modules.setLevel(lines.log_level)
    for handler in logging.root.handlers:
        if type(handler).__name__ != "LogCaptureHandler":  # pytest's hears everything
            handler.addFilter(SuppressFilter(_PACKAGE))
    return lines
