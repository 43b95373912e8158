"""Tell buyers something by the generated client, as an organiser: operate.py <url> <event> <token>.

Runs beside buy.py; prints what the service said of the act that it did once, though asked twice.
"""

from __future__ import annotations

import sys

import httpx
from api_client import AuthenticatedClient
from api_client.api.operator import do_act, list_acts
from api_client.models import ActDoneView, ActRequest, ActRequestArguments, ActsView

SAY = "event say"


def main() -> None:
    base_url, event, token = sys.argv[1:]
    client = AuthenticatedClient(base_url=base_url, token=token, timeout=httpx.Timeout(30))
    known = list_acts.sync(client=client)
    assert isinstance(known, ActsView), known
    assert SAY in [one.act for one in known.acts]
    given = ActRequestArguments.from_dict({"event": event, "text": "The bar is open."})
    told = [
        do_act.sync(client=client, body=ActRequest(SAY, arguments=given), idempotency_key="say-1")
        for _ in range(2)
    ]
    first, again = told
    assert isinstance(first, ActDoneView), first
    assert first == again
    print("\n".join(first.said))


if __name__ == "__main__":
    main()
