"""GET and HEAD of events, one event, its layout: serve what anyone may look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.bootstrap import container
from fairgate.http import paths
from fairgate.http.app import answer, create_app, resolve
from fairgate.http.views.events import event_view, events_view, layout_url
from fairgate.service.catalog.list_events import list_events

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import Response

app = create_app()
# Pages look every 15 to 30 s: a page that is alone at a cache mostly gets a fresh answer.
CACHED = {
    "cache-control": "public, max-age=0, s-maxage=5, stale-while-revalidate=15, stale-if-error=30"
}
LOOKS = ["GET", "HEAD"]  # API Gateway keeps the body of a HEAD to itself


@app.route(paths.powertools_rule(paths.EVENTS), LOOKS)
def get_events() -> Response[str]:
    world = container()
    after = str(app.current_event.get_query_string_value("after", default_value="") or "")
    page = list_events(world.table, world.clock.now_ms(), after)
    return answer(200, events_view(page), CACHED)


@app.route(paths.powertools_rule(paths.EVENT), LOOKS)
def get_event(event: str) -> Response[str]:
    return answer(200, event_view(container().catalog.published(event)), CACHED)


@app.route(paths.powertools_rule(paths.LAYOUT), LOOKS)
def get_layout(event: str) -> Response[str]:
    location = layout_url(container().catalog.published(event))
    return answer(307, None, {**CACHED, "location": location})


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    return resolve(app, event, context)
