"""CloudFront: the KeyValueStore inside functions, an HTTP API and a private bucket as origins."""

from __future__ import annotations

import http.client
import re
from typing import Any
from urllib.parse import parse_qs, unquote

from ministack import app
from ministack.core import cloudfront_js, iam_evaluator
from ministack.core.concurrency import run_offloop
from ministack.services import cloudfront, cloudfront_keyvaluestore, s3

from fairgate_lab.emulator.additions.replace import replace

_IMPORT = re.compile(r"import (\w+) from ?[\"'](\w+)[\"'];?")
_API_HOST = re.compile(r"([a-z0-9]+)\.execute-api\.")
# The store comes with each event, so that the emulator's own cache of compiled code stays right.
_BEFORE = """let __items = {}; const __store = { kvs: () => ({
get: async (key) => { if (!(key in __items)) throw new Error("KeyNotFound: " + key)
 return __items[key] },
exists: async (key) => key in __items }) };
"""
_AFTER = """
;const __inner = handler; handler = async (event) => { __items = event.__kvs || {}
delete event.__kvs; return __inner(event) };"""


def add() -> None:
    replace(cloudfront, "_run_function", lambda _original: _run_function)
    replace(cloudfront, "_fetch_from_origin", _with_http_api)
    replace(s3, "_cloudfront_origin_allows", _over_tls)


async def _run_function(arn: str, event: dict[str, Any]) -> Any:
    """Run the published code with the values of the stores that it is associated with."""
    code = cloudfront.live_function_code(arn)
    if code is None:
        raise cloudfront.CloudFrontFunctionError(f"{arn} has no published code")
    name = arn.rsplit("/", 1)[-1]
    items: dict[str, str] = {}
    for store_arn in cloudfront._functions.get(name, {}).get("kvs_arns", []):
        store = cloudfront_keyvaluestore._stores.get(store_arn)
        items |= store["items"] if store else {}
    try:
        return await run_offloop(
            cloudfront_js.evaluate, with_store(code).encode(), {**event, "__kvs": items}
        )
    except cloudfront_js.CloudFrontFunctionError as error:
        raise cloudfront.CloudFrontFunctionError(str(error)) from error


def with_store(code: bytes | str) -> str:
    """The function's code with the module ``cloudfront``, which the emulator does not offer."""
    text = code.decode() if isinstance(code, bytes) else code
    text = _IMPORT.sub(
        lambda found: (
            f"const {found[1]} = __store;"
            if found[2] == "cloudfront"
            else f"const {found[1]} = require({found[2]!r});"
        ),
        text,
    )
    return _BEFORE + text + _AFTER


def _with_http_api(fetch: Any) -> Any:
    """An HTTP API as the origin; the emulator knows buckets, load balancers, function URLs."""

    async def from_origin(
        origin: dict[str, Any],
        method: str,
        uri: str,
        query: str,
        headers: dict[str, str],
        body: bytes,
        *rest: Any,  # whether by https, client's address, x-forwarded-for, distribution
    ) -> Any:
        api = _API_HOST.match(origin["domain_name"])
        if api is None:
            return await fetch(origin, method, uri, query, headers, body, *rest)
        _https, address, forwarded, _distribution = rest
        sent = cloudfront._origin_request_headers(origin, headers, address, forwarded)
        status, answered, data = await app._handle_execute_api_request(
            f"{api[1]}.execute-api.localhost",
            unquote(uri),
            method,
            {name.lower(): value for name, value in sent.items()},
            body or b"",
            parse_qs(query, keep_blank_values=True),
            raw_path=uri,
            raw_query_string=query,
        )
        pairs = [
            (name, value)
            for name, values in answered.items()
            for value in (values if isinstance(values, list) else [values])
        ]
        reason = http.client.responses.get(status, "")
        return status, reason, cloudfront._multidict_from_pairs(pairs), data

    return from_origin


def _over_tls(allows: Any) -> Any:
    """CloudFront asks S3 over TLS, whatever the viewer used to ask CloudFront."""

    def over_tls(*asked: Any) -> Any:
        address, _secure = iam_evaluator._request_origin.get()
        token = iam_evaluator._request_origin.set((address, True))
        try:
            return allows(*asked)
        finally:
            iam_evaluator._request_origin.reset(token)

    return over_tls
