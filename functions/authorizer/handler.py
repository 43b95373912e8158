"""Let the API answer what came through the distribution, and nothing else.

API Gateway asks once for each value of the header, keeps the answer for a while, and refuses a
request without the header by itself. Source: API Gateway Developer Guide, "Control access to HTTP
APIs with AWS Lambda authorizers".
"""

from __future__ import annotations

from typing import Any

from fairgate import plain_lines
from fairgate.bootstrap import container
from fairgate.deadline import bounded
from fairgate.request_ids import begin_request

plain_lines.write()


@bounded
def handler(event: dict[str, Any], context: object) -> dict[str, bool]:
    """Answer in the simple format. What raises is answered with 500, and not kept."""
    begin_request(event, context)
    given = event.get("identitySource") or [""]
    return {"isAuthorized": container().front_door.admits(str(given[0]))}
