"""What the local nginx answers itself, in the API's own form: problem+json."""

from __future__ import annotations

import json

from infra.headers import EVERYWHERE

BODY_BYTES_MAX = 5_000_000  # of an act with its files; other handlers take less, and say so
RETRY_AFTER_S = 2
_PROBLEM = "/.fairgate/problem/"


def problem_pages() -> str:
    """Render the pages, as part of a server block."""
    pages = (
        ("400 414 494", 400, "malformed-input", "The request cannot be understood."),
        ("403 404", 404, "not-found", "There is nothing here."),
        ("405", 405, "method-not-allowed", "This method is not possible here."),
        ("413", 413, "body-too-large", f"At most {BODY_BYTES_MAX} bytes are accepted."),
        ("429", 429, "too-many-requests", "Please wait a minute."),
        ("500", 500, "internal", "Something went wrong."),
        ("502 503 504", 503, "dependency-unavailable", "The service does not answer right now."),
    )
    everywhere = " ".join(f'add_header {n} "{value}" always;' for n, value in EVERYWHERE.items())
    lines = []
    for codes, status, code, detail in pages:
        body = json.dumps(
            {
                "type": f"urn:fairgate:problem:{code}",
                "title": code.replace("-", " ").capitalize(),
                "status": status,
                "detail": detail,
                "code": code,
                "request_id": "$request_id",
            }
        )
        retry = f'add_header Retry-After "{RETRY_AFTER_S}" always; ' if status in (429, 503) else ""
        lines.append(
            f"        error_page {codes} = {_PROBLEM}{status};\n"
            f"        location = {_PROBLEM}{status} {{\n"
            "            internal;\n"
            "            default_type application/problem+json;\n"
            f'            {retry}add_header Cache-Control "no-store" always; {everywhere}\n'
            f"            return {status} '{body}';\n"
            "        }\n"
        )
    return "".join(lines)
