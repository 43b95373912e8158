"""The local edge: nginx with njs, or the Node server where that is missing."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from fairgate_ops.run.local.environment import Place, Ports, base_environment
from fairgate_ops.run.local.nginx import (
    ERROR_LOG,
    EdgePlan,
    edge_available,
    nginx_command,
    prepare_edge,
    render_node_routes,
)
from fairgate_ops.run.local.processes import Child, StartError, start_child
from fairgate_ops.run.local.shares import gated_patterns, plain_paths
from fairgate_ops.shared.log_names import EDGE_REQUESTS
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def start_edge(
    place: Place, ports: Ports, gate: Path, front_door: str, say: Callable[[str], None]
) -> Child:
    """Start whichever edge this machine can run, and say so when it is the substitute."""
    plan = EdgePlan(
        port=ports.public,
        api_upstream=f"127.0.0.1:{ports.api}",
        web_root=place.pages,
        layouts_root=place.layouts,
        kvs_dir=place.kvs,
        gate_js=gate,
        run_dir=place.edge,
        front_door=front_door,
        request_log=place.logs / EDGE_REQUESTS,
        extra_upstreams={
            "/sandbox/": f"127.0.0.1:{ports.sandbox}",
            "/idp/": f"127.0.0.1:{ports.idp}",
            "/config.json": f"127.0.0.1:{ports.idp}",
            **{path: _own(ports, share) for path, share in plain_paths().items()},
        },
        gated_upstreams={
            pattern: _own(ports, share) for pattern, share in gated_patterns().items()
        },
    )
    reason = edge_available()
    if reason is None:
        return _nginx(place, plan)
    say(f"nginx with njs is not here ({reason}): a Node server replaces it.")
    return _node(place, plan)


def _own(ports: Ports, share: str) -> str:
    return f"127.0.0.1:{ports.shares[share]}"


def _nginx(place: Place, plan: EdgePlan) -> Child:
    try:
        prepare_edge(plan)
    except ValueError as error:
        raise StartError(f"nginx cannot serve from here: {error}") from error
    (place.edge / ERROR_LOG).symlink_to(place.logs / "nginx-errors.log")  # it outlives the run
    return start_child(
        "nginx",
        nginx_command(plan),
        logs_dir=place.logs,
        env=base_environment() | {"TZ": "UTC"},  # as CloudFront writes its times
        cwd=place.edge,
    )


def _node(place: Place, plan: EdgePlan) -> Child:
    routes = place.edge / "routes.json"
    routes.write_text(render_node_routes(plan), "utf-8")
    binary = shutil.which("node")
    if binary is None:
        raise StartError("Neither nginx with njs nor Node.js is installed. Run: make setup")
    command = [binary, str(ROOT / "edge" / "local" / "server.mjs"), str(routes)]
    return start_child("edge-node", command, logs_dir=place.logs, env=base_environment(), cwd=ROOT)
