"""A CloudFront KeyValueStore on one machine: the REST data plane that boto3 speaks, over files.

One file per key, so that the local gate reads a value as the edge does: its name is the key in
``encodeURIComponent`` spelling, its content the value, replaced by an atomic rename. It holds to
AWS's limits and errors and to nothing more than memory, so a restart begins with a new ETag, as a
change by somebody else would. With a lag, the files follow the data plane so many seconds late, as
edges do: what is written is read back at once, and the gate does not see it yet.

Source: Amazon CloudFront KeyValueStore API Reference; limits from the Developer Guide,
cloudfront-limits; the text for a stale ETag as users of the service report it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import secrets
import signal
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Literal, Self
from urllib.parse import parse_qs, quote, unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

KEY_BYTES_MAX = 512
VALUE_BYTES_MAX = 1024
STORE_BYTES_MAX = 5 * 1024 * 1024
UPDATE_KEYS_MAX = 50
UPDATE_BYTES_MAX = 3 * 1024 * 1024
LIST_PAGE_MAX = 50
FILE_NAME_BYTES_MAX = 255  # of this machine's file systems, not of AWS

LOCAL_ARN = "arn:aws:cloudfront::000000000000:key-value-store/00000000-0000-4000-8000-00000000fa1e"
StaleEtag = Literal["ValidationException", "ConflictException"]

_STATUS = {
    "ValidationException": 400,
    "ServiceQuotaExceededException": 402,
    "AccessDeniedException": 403,
    "ResourceNotFoundException": 404,
    "ConflictException": 409,
}
_PATH = re.compile(r"/key-value-stores/([^/]+)(?:(/keys)(?:/([^/]+))?)?")


class KvsFaultError(Exception):
    """An error of the service: its name and its message."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


def file_name(key: str) -> str:
    """The file that holds a key; a leading dot is escaped, so no key can hide or leave."""
    name = quote(key, safe="")
    return "%2E" + name[1:] if name.startswith(".") else name


class KvsStore:
    """The keys, their limits and the one ETag that covers them all. Safe between threads."""

    def __init__(
        self,
        directory: Path,
        stale_etag: StaleEtag = "ValidationException",
        *,
        lag_s: float = 0.0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._directory = directory
        self._lag_s = lag_s
        self._monotonic = monotonic
        self._under_way: deque[tuple[float, Mapping[str, str], set[str]]] = deque()
        self._stale_etag = stale_etag
        self._lock = threading.Lock()
        self._versions = itertools.count(1)
        self._run = secrets.token_hex(4).upper()
        self.created_s = time.time()
        self.modified_s = self.created_s
        directory.mkdir(parents=True, exist_ok=True)
        files = (f for f in directory.iterdir() if f.is_file() and not f.name.startswith("."))
        self._values = {unquote(f.name): f.read_text(encoding="utf-8") for f in files}
        self._etag = self._next_etag()

    @property
    def etag(self) -> str:
        return self._etag

    def figures(self) -> dict[str, int]:
        with self._lock:
            return {"ItemCount": len(self._values), "TotalSizeInBytes": _size(self._values)}

    def get(self, key: str) -> str:
        with self._lock:
            if key not in self._values:
                raise KvsFaultError("ResourceNotFoundException", f"Key {key} was not found.")
            return self._values[key]

    def page(self, start: int, size: int) -> tuple[list[tuple[str, str]], int | None]:
        """Keys in order from position ``start``, and where the next page starts."""
        with self._lock:
            items = sorted(self._values.items())
        end = start + size
        return items[start:end], end if end < len(items) else None

    def change(self, if_match: str | None, puts: Mapping[str, str], deletes: set[str]) -> str:
        """All of it or nothing; the new ETag. Deleting a missing key succeeds."""
        with self._lock:
            if not if_match:
                raise KvsFaultError("ValidationException", "If-Match is required.")
            if if_match != self._etag:
                message = "Pre-Condition failed for provided ETag. Please provide the latest ETag."
                raise KvsFaultError(self._stale_etag, message)
            _check(puts, deletes)
            after = {k: v for k, v in self._values.items() if k not in deletes} | dict(puts)
            if _size(after) > STORE_BYTES_MAX:
                raise KvsFaultError("ServiceQuotaExceededException", "The store is full (5 MB).")
            self._under_way.append((self._monotonic() + self._lag_s, dict(puts), set(deletes)))
            self._arrive()
            self._values = after
            self._etag = self._next_etag()
            self.modified_s = time.time()
            return self._etag

    def propagate(self, *, all_of_it: bool = False) -> None:
        """Show the gate what is due by now, in the order in which it was written."""
        with self._lock:
            self._arrive(all_of_it=all_of_it)

    def _arrive(self, *, all_of_it: bool = False) -> None:
        now = self._monotonic()
        while self._under_way and (all_of_it or self._under_way[0][0] <= now):
            _due, puts, deletes = self._under_way.popleft()
            for key, value in puts.items():
                self._replace(file_name(key), value)
            for key in deletes:
                (self._directory / file_name(key)).unlink(missing_ok=True)

    def _replace(self, name: str, value: str) -> None:
        draft = self._directory / f".draft-{secrets.token_hex(8)}"
        draft.write_text(value, encoding="utf-8", newline="")
        draft.replace(self._directory / name)

    def _next_etag(self) -> str:
        return f"KV{self._run}{next(self._versions):06d}"


def _size(values: Mapping[str, str]) -> int:
    return sum(len(k.encode()) + len(v.encode()) for k, v in values.items())


def _check(puts: Mapping[str, str], deletes: set[str]) -> None:
    """Raises for whatever breaks a limit of the service, or of the files below it."""
    keys = [*puts, *deletes]
    if not keys:
        raise KvsFaultError("ValidationException", "Nothing to put or delete.")
    if len(keys) > UPDATE_KEYS_MAX or _size(puts) > UPDATE_BYTES_MAX:
        raise KvsFaultError("ValidationException", "At most 50 keys and 3 MB in one update.")
    if puts.keys() & deletes:
        raise KvsFaultError("ValidationException", "A key cannot be both put and deleted.")
    for key in keys:
        if not 1 <= len(key.encode()) <= KEY_BYTES_MAX:
            raise KvsFaultError("ValidationException", "A key has 1 to 512 bytes.")
        if len(file_name(key)) > FILE_NAME_BYTES_MAX:
            message = "This local store names files by keys: at most 255 bytes when encoded."
            raise KvsFaultError("ValidationException", message)
    for key, value in puts.items():
        if len(value.encode()) > VALUE_BYTES_MAX:
            message = f"The value of {key} has {len(value.encode())} bytes, the maximum is 1024."
            raise KvsFaultError("ValidationException", message)


@dataclass(frozen=True)
class _Answer:
    body: Mapping[str, Any]
    etag: str = ""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 the base class's name
        """Quiet: values hold keys, and a log is no place for them."""

    def do_GET(self) -> None:
        self._answer("GET")

    def do_PUT(self) -> None:
        self._answer("PUT")

    def do_POST(self) -> None:
        self._answer("POST")

    def do_DELETE(self) -> None:
        self._answer("DELETE")

    def _answer(self, method: str) -> None:
        try:
            body = self._body()
            answer = self._route(method, body)
        except KvsFaultError as fault:
            self._send(_STATUS[fault.name], _Answer({"Message": str(fault)}), fault.name)
        else:
            self._send(200, answer)

    def _body(self) -> dict[str, Any]:
        length = int(self.headers.get("content-length") or 0)
        if length > UPDATE_BYTES_MAX * 2:  # JSON may spell a byte with more than one
            self.close_connection = True
            raise KvsFaultError("ValidationException", "At most 50 keys and 3 MB in one update.")
        text = self.rfile.read(length)
        try:
            body = json.loads(text) if text else {}
        except ValueError as error:
            raise KvsFaultError("ValidationException", "The body is not JSON.") from error
        if not isinstance(body, dict):
            raise KvsFaultError("ValidationException", "The body is not an object.")
        return body

    def _route(self, method: str, body: dict[str, Any]) -> _Answer:
        url = urlsplit(self.path)
        match = _PATH.fullmatch(url.path)
        if not self.headers.get("authorization", "").startswith("AWS4-ECDSA-P256-SHA256 "):
            raise KvsFaultError("AccessDeniedException", "Sign the request with SigV4A.")
        if match is None or unquote(match[1]) != self.server.arn:
            raise KvsFaultError("ResourceNotFoundException", "No such key value store.")
        key = unquote(match[3]) if match[3] else None
        if match[2] is None and method == "GET":
            return self._describe()
        if match[2] and key is None:
            return self._list(parse_qs(url.query)) if method == "GET" else self._update(body)
        if key is not None and method == "GET":
            store = self.server.store
            return _Answer({"Key": key, "Value": store.get(key), **store.figures()})
        if key is not None and method == "PUT":
            return self._change({key: _text(body, "Value")}, set())
        if key is not None and method == "DELETE":
            return self._change({}, {key})
        raise KvsFaultError("ValidationException", f"{method} is not possible here.")

    def _describe(self) -> _Answer:
        store = self.server.store
        times = {"Created": store.created_s, "LastModified": store.modified_s}
        etag = store.etag
        return _Answer(
            {"KvsARN": self.server.arn, "Status": "READY", **times, **store.figures()}, etag
        )

    def _list(self, query: Mapping[str, list[str]]) -> _Answer:
        try:
            size = int(query.get("MaxResults", ["10"])[0])
            start = int(query.get("NextToken", ["0"])[0])
        except ValueError as error:
            raise KvsFaultError("ValidationException", "No such page.") from error
        if not 1 <= size <= LIST_PAGE_MAX or start < 0:
            raise KvsFaultError("ValidationException", "MaxResults is 1 to 50.")
        items, following = self.server.store.page(start, size)
        body: dict[str, Any] = {"Items": [{"Key": k, "Value": v} for k, v in items]}
        if following is not None:
            body["NextToken"] = str(following)
        return _Answer(body)

    def _update(self, body: dict[str, Any]) -> _Answer:
        puts, deletes = body.get("Puts") or [], body.get("Deletes") or []
        pairs = [(_text(put, "Key"), _text(put, "Value")) for put in puts]
        keys = [k for k, _ in pairs] + [_text(delete, "Key") for delete in deletes]
        if len(set(keys)) != len(keys):
            raise KvsFaultError("ValidationException", "A key appears twice in one update.")
        return self._change(dict(pairs), set(keys[len(pairs) :]))

    def _change(self, puts: Mapping[str, str], deletes: set[str]) -> _Answer:
        store = self.server.store
        etag = store.change(self.headers.get("if-match"), puts, deletes)
        return _Answer(store.figures(), etag)

    def _send(self, status: int, answer: _Answer, error: str = "") -> None:
        body = json.dumps(answer.body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        if answer.etag:
            self.send_header("etag", answer.etag)
        if error:
            self.send_header("x-amzn-errortype", error)
        self.end_headers()
        self.wfile.write(body)


def _text(item: Any, name: str) -> str:
    value = item.get(name) if isinstance(item, dict) else None
    if not isinstance(value, str):
        raise KvsFaultError("ValidationException", f"{name} is required.")
    return value


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, store: KvsStore, arn: str, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.store = store
        self.arn = arn

    def service_actions(self) -> None:
        """Between requests, many times a second."""
        self.store.propagate()


class KvsFake:
    """The store behind a loopback port, from ``start`` to ``stop``; also a context manager."""

    def __init__(
        self,
        directory: Path,
        port: int = 0,
        *,
        arn: str = LOCAL_ARN,
        stale_etag: StaleEtag = "ValidationException",
        lag_s: float = 0.0,
    ) -> None:
        self.arn = arn
        self._server = _Server(KvsStore(directory, stale_etag, lag_s=lag_s), arn, port)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def start(self) -> Self:
        self._thread.start()
        return self

    def stop(self) -> None:
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()
        self._server.store.propagate(all_of_it=True)  # the files are all that outlives it

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *error: object) -> None:
        self.stop()


def main(argv: list[str] | None = None) -> int:
    """Serve until SIGINT or SIGTERM; says endpoint and ARN as one line of JSON first."""
    from pathlib import Path

    parser = argparse.ArgumentParser(prog="python -m fairgate_ops.run.local.kvs_fake")
    parser.add_argument("--dir", required=True, type=Path, help="folder that holds the keys")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument(
        "--lag", type=float, default=0.0, metavar="SECONDS", help="how late the gate hears (0)"
    )
    options = parser.parse_args(argv)
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    with KvsFake(options.dir, options.port, lag_s=options.lag) as fake:
        print(json.dumps({"endpoint": fake.endpoint, "arn": fake.arn}), flush=True)
        stopped.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
