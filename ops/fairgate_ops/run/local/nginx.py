"""The edge on one machine: nginx runs the gate in njs and caches as CloudFront would.

The configuration is made from the same tables as CloudFront's behaviours. :func:`prepare_edge`
writes everything that ``nginx -c <conf>`` needs below one folder, without root.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate.adapters.aws.files import PAGE, PINNED
from fairgate.http import paths
from fairgate_ops.run.local.nginx_problems import BODY_BYTES_MAX, RETRY_AFTER_S, problem_pages
from fairgate_ops.shared.paths import ROOT
from infra import firewall
from infra import headers as site
from infra.behaviours import DEFAULT, Behaviour, behaviours
from infra.logs import DISTRIBUTION_FIELDS
from infra.routes import CACHING, CachePolicy, Caching
from infra.screen import pages_source, screen_source

if TYPE_CHECKING:
    from collections.abc import Mapping

CONNECTIONS_MAX = 16_384  # of a worker, where the machine allows it as many files
GZIP_BYTES_MIN = 1_000  # below it CloudFront does not compress
ERROR_LOG = "error.log"
_MODULE = "ngx_http_js_module.so"
_MODULE_FOLDERS = (
    "/usr/lib/nginx/modules",
    "/usr/lib64/nginx/modules",
    "/usr/share/nginx/modules",
    "/usr/local/lib/nginx/modules",
    "/usr/local/libexec/nginx",
    "/etc/nginx/modules",
)
API = "/api/"
_FORWARD = "/.fairgate/forward"  # where the gate's driver sends what goes on to the API
_SCREENED = "/.fairgate/screened"  # the same of the screen
_PAGES = "@pages"
_LOCAL_SOURCES = ROOT / "edge" / "local"
_TEMP = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
_TYPES = {
    "text/html": "html",
    "text/css": "css",
    "text/javascript": "js mjs",
    "application/json": "json webmanifest",
    "application/wasm": "wasm",
    "application/xml": "xml",
    "image/svg+xml": "svg",
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/x-icon": "ico",
    "font/woff2": "woff2",
    "text/plain": "txt",
}
# What CloudFront compresses of all that is served; text/html always is.
# Source: CloudFront Developer Guide, "Serve compressed files".
_ZIPPED = (
    "application/json",
    "application/wasm",
    "application/xml",
    "image/svg+xml",
    "text/css",
    "text/javascript",
    "text/plain",
)


@dataclass(frozen=True)
class EdgePlan:
    """Where the local edge listens, what stands behind it, and where its files are."""

    port: int
    api_upstream: str  # host:port
    web_root: Path
    layouts_root: Path  # holds <hash>/venue.json
    kvs_dir: Path
    gate_js: Path  # the built gate
    run_dir: Path
    extra_upstreams: Mapping[str, str] = field(default_factory=dict)  # "/sandbox/" → host:port
    gated_upstreams: Mapping[str, str] = field(default_factory=dict)  # a path's pattern → host:port
    host: str = "127.0.0.1"
    request_log: Path | None = None  # lines with the columns of ``edge_requests``
    front_door: str = ""  # by which the API knows that a request came through here


def find_njs_module() -> Path | None:
    """The njs module that nginx can load, or None."""
    candidates = (Path(folder) / _MODULE for folder in _MODULE_FOLDERS)
    return next((path for path in candidates if path.is_file()), None)


def edge_available() -> str | None:
    """None when nginx and njs are here, else the reason why they cannot serve."""
    if shutil.which("nginx", path=_search_path()) is None:
        return "nginx is not installed"
    if find_njs_module() is None:
        return "nginx has no njs module (Debian: libnginx-mod-http-js)"
    return None


def nginx_command(plan: EdgePlan) -> list[str]:
    """Starts the prepared edge in the foreground."""
    nginx = shutil.which("nginx", path=_search_path()) or "nginx"
    run_dir = plan.run_dir
    return [
        nginx,
        "-p",
        str(run_dir),
        "-c",
        str(run_dir / "nginx.conf"),
        "-e",
        str(run_dir / ERROR_LOG),
    ]


def prepare_edge(plan: EdgePlan) -> Path:
    """Writes nginx.conf, gate and screen with their driver, and the folders nginx writes to."""
    njs = plan.run_dir / "njs"
    for folder in (njs, plan.run_dir / "cache", *(plan.run_dir / "temp" / name for name in _TEMP)):
        folder.mkdir(parents=True, exist_ok=True)
    (njs / "cloudfront").write_text((_LOCAL_SOURCES / "cloudfront.js").read_text("utf-8"), "utf-8")
    driver = (_LOCAL_SOURCES / "driver.js").read_text("utf-8")
    (njs / "gate.js").write_text(plan.gate_js.read_text("utf-8") + driver, "utf-8")
    (njs / "screen.js").write_text(screen_source() + driver, "utf-8")
    (njs / "pages.js").write_text(pages_source() + driver, "utf-8")
    conf = plan.run_dir / "nginx.conf"
    conf.write_text(render_nginx(plan), "utf-8")
    return conf


def render_nginx(plan: EdgePlan) -> str:
    """The whole configuration as text; raises ValueError for a path that nginx cannot be told."""
    for path in (plan.web_root, plan.layouts_root, plan.kvs_dir, plan.gate_js, plan.run_dir):
        if not path.is_absolute() or re.search(r"[\s;{}$\"'\\]", str(path)):
            raise ValueError(f"{path}: must be absolute and free of spaces and nginx's own signs")
    module = find_njs_module()
    run = plan.run_dir
    temps = "".join(f"    {name}_temp_path {run}/temp/{name};\n" for name in _TEMP)
    types = "".join(f"        {kind} {endings};\n" for kind, endings in _TYPES.items())
    locations = "\n".join(
        [
            *(_extra_location(prefix, to, plan) for prefix, to in plan.extra_upstreams.items()),
            *(_location(behaviour, plan) for behaviour in (*behaviours(), DEFAULT)),
            *(_kept(policy, caching, plan) for policy, caching in CACHING.items() if caching),
            f"        location {_PAGES} {{\n            {_static(DEFAULT, plan)}\n        }}",
        ]
    )
    files = _files_max()
    return f"""{f"load_module {module};" if module else ""}
{"user root;" if os.geteuid() == 0 else ""}
daemon off;
worker_processes auto;
worker_rlimit_nofile {files};
pid {run}/nginx.pid;
error_log {run}/{ERROR_LOG} warn;
events {{ worker_connections {min(CONNECTIONS_MAX, files // 2)}; }}
http {{
{temps}{_request_log(plan.request_log)}    server_tokens off;
    types {{
{types}    }}
    default_type application/octet-stream;
    sendfile on;
    tcp_nopush on;
    keepalive_timeout 65;
    client_max_body_size {BODY_BYTES_MAX};
    client_body_buffer_size {BODY_BYTES_MAX};
    large_client_header_buffers 4 20k;
    gzip on;
    gzip_vary on;
    gzip_min_length {GZIP_BYTES_MIN};
    gzip_comp_level 4;
    gzip_types {" ".join(_ZIPPED)};
    proxy_cache_path {run}/cache levels=1:2 keys_zone=fairgate:10m max_size=512m inactive=10m
        use_temp_path=off;
    js_path {run}/njs/;
    js_import gate from gate.js;
    js_import screen from screen.js;
    js_import pages from pages.js;
    js_var $fairgate_edge;
    js_var $fairgate_file;
    js_var $fairgate_query;
    js_var $fairgate_target;
{_upstreams(plan)}    map $http_accept_encoding $fairgate_encoding {{ default ""; ~*gzip gzip; }}
    limit_req_zone $http_authorization zone=joins:1m rate={firewall.JOINS_A_MINUTE}r/m;
    limit_req_status 429;
{_own_maps(plan)}    server {{
        listen {plan.host}:{plan.port} backlog=4096;
        absolute_redirect off;
        set $fairgate_by "";
        set $fairgate_kvs_dir {plan.kvs_dir};
        set $fairgate_front_door "{plan.front_door}";
{problem_pages()}{_passed_on(plan)}
{locations}
    }}
}}
"""


def render_node_routes(plan: EdgePlan) -> str:
    """The same plan as JSON for ``edge/local/server.mjs``."""
    routes = [
        {
            "pattern": _regex(behaviour),
            "gated": behaviour.gated,
            "origin": behaviour.origin,
            "pages": behaviour == DEFAULT,
            "cache": _caching_json(CACHING[behaviour.cache]),
            "kept": _keeping(behaviour),
        }
        for behaviour in (*behaviours(), DEFAULT)
    ]
    value = {
        "host": plan.host,
        "port": plan.port,
        "api": plan.api_upstream,
        "gated": dict(plan.gated_upstreams),
        "webRoot": str(plan.web_root),
        "layoutsRoot": str(plan.layouts_root),
        "kvsDir": str(plan.kvs_dir),
        "gate": str(plan.gate_js),
        "bodyBytesMax": BODY_BYTES_MAX,
        "retryAfterS": RETRY_AFTER_S,
        "types": {end: kind for kind, ends in _TYPES.items() for end in ends.split()},
        "headers": _site_headers(plan),
        "own": site.AN_ANSWERS_OWN,
        "everywhere": site.EVERYWHERE,
        "extra": dict(plan.extra_upstreams),
        "frontDoor": plan.front_door,
        "screen": screen_source(),
        "pages": pages_source(),
        "routes": routes,
    }
    return json.dumps(value, indent=2) + "\n"


def _passed_on(plan: EdgePlan) -> str:
    """Where requests go that gate or screen let through to the API, and no cache answers."""
    to = "$fairgate_share$fairgate_target"
    bodies = {
        _FORWARD: f"{_proxy(to, edge='$fairgate_edge')}\n            {_instead(site.EVERYWHERE)}",
        _SCREENED: f"{_proxy(to)}\n            {_answered(plan)}",
    }
    return "\n".join(
        f"        location = {name} {{\n            internal;\n"
        f"            set $fairgate_by Miss;\n            {body}\n        }}"
        for name, body in bodies.items()
    )


def _location(behaviour: Behaviour, plan: EdgePlan) -> str:
    if behaviour.origin == "api":
        forward = _FORWARD if behaviour.gated else _SCREENED
        then = forward if behaviour.cache == "none" else _name(behaviour.cache)
        function = "gate.handle" if behaviour.gated else "screen.screen"
        lines: tuple[str, ...] = (
            "set $fairgate_by FunctionGeneratedResponse;",
            f"set $fairgate_then {then};",
            f"js_content {function};",
        )
        if behaviour.pattern.endswith("/queue"):
            burst = firewall.JOINS_A_MINUTE - 1
            lines = (f"limit_req zone=joins burst={burst} nodelay;", *lines)
        body = "\n            ".join(lines)
    elif behaviour == DEFAULT:
        body = "\n            ".join(
            (
                "set $fairgate_by FunctionGeneratedResponse;",
                f"set $fairgate_then {_PAGES};",
                "js_content pages.screen;",
            )
        )
    else:
        body = _static(behaviour, plan)
    return f"        location ~ {_regex(behaviour)} {{\n            {body}\n        }}"


def _kept(policy: CachePolicy, caching: Caching, plan: EdgePlan) -> str:
    """Where the screen sends what a cache may answer."""
    body = f'set $fairgate_by "";\n            {_cached(caching)}\n            {_answered(plan)}'
    return f"        location {_name(policy)} {{\n            {body}\n        }}"


def _name(policy: CachePolicy) -> str:
    return f"@{policy}"


def _regex(behaviour: Behaviour) -> str:
    """CloudFront's pattern, where ``*`` is any text, line ends too, and everything else itself."""
    return "^" + re.escape(behaviour.pattern).replace(r"\*", r"[\s\S]*").replace(r"\-", "-") + "$"


def _files_max() -> int:
    """How many files a worker may open."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 2 * CONNECTIONS_MAX
    return most if hard == resource.RLIM_INFINITY else min(hard, most)


def _proxy(
    to: str, edge: str = '""', encoding: str = '""', door: str = "$fairgate_front_door"
) -> str:
    """To the API, without what only the gate may say, and with what only the edge can."""
    return "\n            ".join(
        (
            f"proxy_pass http://{to};",
            "proxy_http_version 1.1;",
            'proxy_set_header Connection "";',
            "proxy_set_header Host $http_host;",
            "proxy_set_header X-Forwarded-For $remote_addr;",
            "proxy_set_header X-Forwarded-Proto $scheme;",
            "proxy_set_header X-Amz-Cf-Id $request_id;",  # CloudFront's, in place of a caller's
            'proxy_set_header X-Request-Start "t=$msec";',
            f"proxy_set_header Accept-Encoding {encoding};",
            f"proxy_set_header {paths.HEADER_EDGE} {edge};",
            f"proxy_set_header {paths.HEADER_FRONT_DOOR} {door};",
            "proxy_connect_timeout 2s;",
            "proxy_read_timeout 30s;",
        )
    )


def _cached(caching: Caching) -> str:
    """Through the cache: one request to the API for any number of callers.

    As CloudFront has it: what is not part of the key does not travel either; the accepted encoding
    is part of it, in one spelling; how long a stale answer may be shown while a newer one is
    fetched is for the answer to say; what is out of date is asked for with its tag.
    """
    return "\n            ".join(
        (
            "set $args $fairgate_query;",
            _proxy("fairgate_api", encoding="$fairgate_encoding"),
            'proxy_set_header Authorization "";',
            'proxy_set_header Cookie "";',
            "proxy_cache fairgate;",
            'proxy_cache_key "$uri?$fairgate_query $fairgate_encoding";',
            "proxy_ignore_headers Vary;",  # the key has it
            f"proxy_cache_valid 200 {caching.default_ttl_s}s;",
            "proxy_cache_lock on;",
            "proxy_cache_revalidate on;",
            "proxy_cache_use_stale error timeout http_500 http_502 http_503 http_504;",
            "proxy_cache_background_update on;",
            "add_header x-cache $upstream_cache_status;",
        )
    )


def _static(behaviour: Behaviour, plan: EdgePlan) -> str:
    layouts, pages = behaviour.origin == "layouts", behaviour == DEFAULT
    lines = [
        "set $fairgate_by Hit;",
        # The layouts' folder stands for the bucket behind /layouts/, whose keys lack that prefix.
        *(["rewrite ^/layouts(/.*)$ $1 break;"] if layouts else []),
        f"root {plan.layouts_root if layouts else plan.web_root};",
        *(["try_files $fairgate_file $fairgate_file/index.html =404;"] if pages else []),
        f'add_header Cache-Control "{_keeping(behaviour)}";',
        *(f'add_header {name} "{value}" always;' for name, value in _site_headers(plan).items()),
    ]
    return "\n            ".join(lines)


def _keeping(behaviour: Behaviour) -> str:
    """What a file says of how long it may be kept, as the deployment writes it beside the file."""
    return PINNED if behaviour.cache == "immutable" else PAGE


def _extra_location(prefix: str, to: str, plan: EdgePlan) -> str:
    ours = prefix.startswith(API)
    # What stands for others than CloudFront leaves no line in its log.
    body = f"{_proxy(to)}\n            {_answered(plan)}" if ours else _not_ours(to)
    return f"        location ^~ {prefix} {{\n            {body}\n        }}"


def _not_ours(to: str) -> str:
    return "access_log off;\n            " + _proxy(to, door='""')


def _request_log(path: Path | None) -> str:
    """Log as CloudFront does, with the names that its fields have in Parquet, in UTC.

    Source of the values of a result: CloudFront Developer Guide, "Standard logging reference".
    """
    if path is None:
        return "    access_log off;\n"
    said = {
        "date": "$fairgate_date",
        "time": "$fairgate_time",
        "x-edge-location": "LOCAL",
        "x-edge-request-id": "$request_id",
        "cs-method": "$request_method",
        "cs-uri-stem": "$fairgate_stem",
        "cs-protocol-version": "$server_protocol",
        "sc-status": "$status",
        "sc-bytes": "$bytes_sent",
        "x-edge-result-type": "$fairgate_result",
        "x-edge-detailed-result-type": "$fairgate_result",
        "time-taken": "$request_time",
        "time-to-first-byte": "$request_time",
        "c-country": "-",
    }
    line = ",".join(f'"{name.replace("-", "_")}":"{said[name]}"' for name in DISTRIBUTION_FIELDS)
    return f"""    map $time_iso8601 $fairgate_date {{ default ""; "~^(?<on>[^T]+)T" $on; }}
    map $time_iso8601 $fairgate_time {{ default ""; "~T(?<at>[0-9:]+)" $at; }}
    map $request_uri $fairgate_stem {{ default ""; "~^(?<stem>[^?]*)" $stem; }}
    map "$fairgate_by$upstream_cache_status" $fairgate_result {{
        default $fairgate_by; "" Miss; HIT Hit; STALE Hit; UPDATING Hit; REVALIDATED RefreshHit;
        MISS Miss; EXPIRED Miss; BYPASS Miss;
    }}
    log_format fairgate escape=json '{{{line}}}';
    access_log {path} fairgate buffer=64k flush=1s;
"""


def _upstreams(plan: EdgePlan) -> str:
    """Name the API's listeners, and which of them takes what the gate hands on."""
    listeners = {"fairgate_api": plan.api_upstream} | {
        f"fairgate_gated_{number}": to
        for number, to in enumerate(dict.fromkeys(plan.gated_upstreams.values()))
    }
    named = {to: name for name, to in listeners.items()}
    shares = "".join(
        f'        "~{pattern.removesuffix("$")}([?]|$)" {named[to]};\n'
        for pattern, to in plan.gated_upstreams.items()
    )
    upstreams = "".join(
        f"    upstream {name} {{\n        server {to} max_fails=0;\n        keepalive 64;\n    }}\n"
        for name, to in listeners.items()
    )
    return (
        f"{upstreams}    map $fairgate_target $fairgate_share {{\n"
        f"        default fairgate_api;\n{shares}    }}\n"
    )


def _own_maps(plan: EdgePlan) -> str:
    """What is added of the headers that an answer may have itself: nothing where it has them."""
    return "".join(
        f"    map $upstream_http_{name.replace('-', '_')} {_own(name)}"
        f' {{ default ""; "" "{_site_headers(plan)[name]}"; }}\n'
        for name in site.AN_ANSWERS_OWN
    )


def _own(name: str) -> str:
    return f"$fairgate_own_{name.replace('-', '_')}"


def _answered(plan: EdgePlan) -> str:
    """The site's headers on an answer of the API, as CloudFront's policy adds them."""
    own = site.AN_ANSWERS_OWN
    yields = (f"add_header {name} {_own(name)} always;" for name in own)
    replaces = {name: value for name, value in _site_headers(plan).items() if name not in own}
    return "\n            ".join((*yields, _instead(replaces)))


def _instead(headers: Mapping[str, str]) -> str:
    """Headers of an answer in place of those that it has itself."""
    return "\n            ".join(
        f'proxy_hide_header {name};\n            add_header {name} "{value}" always;'
        for name, value in headers.items()
    )


def _caching_json(caching: Caching | None) -> dict[str, object] | None:
    if caching is None:
        return None
    return {
        "defaultTtlS": caching.default_ttl_s,
        "ttlMaxS": caching.ttl_max_s,
    }


def _site_headers(plan: EdgePlan) -> dict[str, str]:
    page = plan.web_root / "index.html"
    text = page.read_text("utf-8") if page.is_file() else ""  # tests of routes have none
    return {
        "content-security-policy": site.content_security_policy(text),
        "referrer-policy": site.REFERRER_POLICY,
        "permissions-policy": site.PERMISSIONS_POLICY,
        "x-frame-options": "DENY",
        **site.EVERYWHERE,
    }


def _search_path() -> str:
    """Daemons live in sbin, which an ordinary user's PATH may lack."""
    return os.pathsep.join((os.defpath, "/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/sbin"))
