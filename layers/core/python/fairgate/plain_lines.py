"""Write the package's log lines as ``log_lines`` does, without the import of Powertools.

It is for the authorizer, which every request may have to wait for and which logs nothing itself.
"""

from __future__ import annotations

import json
import logging
import sys

from fairgate import request_ids, settings
from fairgate.nameless import nameless


class PlainLines(logging.Formatter):
    """One line of JSON, with the fields that Powertools gives a line, and the ids."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "level": record.levelname,
            "location": f"{record.funcName}:{record.lineno}",
            "message": record.getMessage(),
            "timestamp": self.formatTime(record),
            "service": settings.service_name(),
            **request_ids.fields(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
            if id_ := request_ids.aws_request_id(record.exc_info[1]):
                line["aws_request_id"] = id_
        return nameless(json.dumps(line, default=str, separators=(",", ":")))


def write() -> None:
    """Let the package's modules log in this way, instead of in Lambda's default form."""
    modules = logging.getLogger("fairgate")
    if any(isinstance(handler.formatter, PlainLines) for handler in modules.handlers):
        return
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(PlainLines())
    modules.addHandler(handler)
    modules.setLevel(logging.INFO)
    for outer in logging.root.handlers:
        if type(outer).__name__ != "LogCaptureHandler":  # pytest's hears everything
            outer.addFilter(lambda record: not record.name.startswith("fairgate"))
