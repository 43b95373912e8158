"""Read layout files from a folder or S3. They never change, so they are kept in memory."""

from __future__ import annotations

import os
import re
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.adapters.aws.client import SdkClient
from fairgate.domain.seating.layout import HASH_CHARS, INDEX, OVERVIEW, PICTURE, SEATS
from fairgate.domain.shared.ids import PLACE_ID
from fairgate.errors import DependencyUnavailableError, NotFoundError

if TYPE_CHECKING:
    from fairgate.ports.outside import Layouts
    from fairgate.settings import Settings

READ_S = 5.0  # a layout has some megabytes
S3_PREFIX = "layouts/"  # the path under which CloudFront serves them
_KEPT_BYTES_MAX = 32_000_000  # a venue of 100,000 seats has about 12 MB of them
_HASH = re.compile(rf"[0-9a-f]{{{HASH_CHARS}}}")
_FIXED = "|".join(map(re.escape, (OVERVIEW, INDEX, SEATS, PICTURE)))
_NAME = re.compile(rf"{_FIXED}|sections/{PLACE_ID.pattern}\.json")
_MISSING = frozenset({"NoSuchKey", "404"})
_BUSY = frozenset({"SlowDown", "ServiceUnavailable", "InternalError", "RequestTimeout"})


def layouts(settings: Settings) -> Layouts:
    """Choose the store that the settings name: a folder before a bucket."""
    if settings.layouts_dir:
        return KeptLayouts(DirectoryLayouts(Path(settings.layouts_dir)))
    return KeptLayouts(S3Layouts(settings.layouts_bucket, SdkClient("s3", read_s=READ_S)))


class DirectoryLayouts:
    """Reads ``<folder>/<hash>/<name>``, which the web server that serves the folder can read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, layout: str, name: str) -> bytes:
        try:
            return self._path(layout, name).read_bytes()
        except FileNotFoundError as error:
            raise _missing() from error

    def write(self, layout: str, name: str, body: bytes) -> None:
        """Write atomically: a reader sees the whole file or none."""
        path = self._path(layout, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(body)
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        finally:
            Path(temporary).unlink(missing_ok=True)

    def _path(self, layout: str, name: str) -> Path:
        return self._folder / _checked(layout, name)


class S3Layouts:
    """Reads ``layouts/<hash>/<name>`` in the bucket that CloudFront serves."""

    def __init__(self, bucket: str, s3: SdkClient) -> None:
        self._bucket = bucket
        self._s3 = s3

    def read(self, layout: str, name: str) -> bytes:
        key = S3_PREFIX + _checked(layout, name)
        body: bytes = self._call(lambda s3: _read_object(s3, self._bucket, key))
        return body

    def write(self, layout: str, name: str, body: bytes) -> None:
        key = S3_PREFIX + _checked(layout, name)
        self._call(
            lambda s3: s3.put_object(
                Bucket=self._bucket,
                Key=key,
                Body=body,
                ContentType="application/json",
                CacheControl="public, max-age=31536000, immutable",
            )
        )

    def _call(self, action: Callable[[Any], Any]) -> Any:
        """Translate known failures by name; anything else propagates."""
        from botocore import exceptions

        try:
            return self._s3.run(action)
        except exceptions.ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            if code in _MISSING:
                raise _missing() from error
            if code in _BUSY:
                raise _unavailable() from error
            raise
        except (exceptions.ConnectionError, exceptions.HTTPClientError) as error:
            raise _unavailable() from error


class KeptLayouts:
    """Keeps the files read last, up to a number of bytes: immutable, so never stale."""

    def __init__(self, inner: Layouts, *, bytes_max: int = _KEPT_BYTES_MAX) -> None:
        self._inner = inner
        self._bytes_max = bytes_max
        self._bytes = 0
        self._files: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, layout: str, name: str) -> bytes:
        key = (layout, name)
        with self._lock:
            if key in self._files:
                self._files.move_to_end(key)
                return self._files[key]
        body = self._inner.read(layout, name)
        with self._lock:
            self._keep(key, body)
        return body

    def write(self, layout: str, name: str, body: bytes) -> None:
        self._inner.write(layout, name, body)

    def _keep(self, key: tuple[str, str], body: bytes) -> None:
        if key in self._files or len(body) > self._bytes_max:
            return
        self._files[key] = body
        self._bytes += len(body)
        while self._bytes > self._bytes_max:
            _, dropped = self._files.popitem(last=False)
            self._bytes -= len(dropped)


def _checked(layout: str, name: str) -> str:
    """Return the relative path. Raises NotFoundError for a name that no layout has."""
    if not _HASH.fullmatch(layout) or not _NAME.fullmatch(name):
        raise _missing()
    return f"{layout}/{name}"


def _read_object(client: Any, bucket: str, key: str) -> bytes:
    body: bytes = client.get_object(Bucket=bucket, Key=key)["Body"].read()
    return body


def _missing() -> NotFoundError:
    return NotFoundError("There is no such layout file.")


def _unavailable() -> DependencyUnavailableError:
    return DependencyUnavailableError("The layout store does not answer.", retry_after_s=1)
