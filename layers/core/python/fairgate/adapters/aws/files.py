"""Read and write files in a folder, or in a bucket that CloudFront serves."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from fairgate.errors import DependencyUnavailableError, NotFoundError

if TYPE_CHECKING:
    from fairgate.adapters.aws.client import SdkClient

T = TypeVar("T")
# What files say whose address names their content.
PINNED = "public, max-age=31536000, immutable"
# A page: browsers ask about it at each visit, as after no-cache. That word would also have
# CloudFront ask the bucket for each of them (Developer Guide, "Simultaneous requests for the same
# object (request collapsing)"); so it keeps the page for five seconds.
PAGE = "public, max-age=0, s-maxage=5"
_MISSING = frozenset({"NoSuchKey", "404"})
_BUSY = frozenset({"SlowDown", "ServiceUnavailable", "InternalError", "RequestTimeout"})


class Kept(NamedTuple):
    """What a bucket says of a file: its type, and how long it may be kept."""

    content_type: str
    cache_control: str


class Folder:
    """Files below a folder that a web server serves. Paths are the caller's to check."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, path: str) -> bytes:
        """Raises NotFoundError."""
        try:
            return (self._folder / path).read_bytes()
        except FileNotFoundError as error:
            raise _missing() from error

    def write(self, path: str, body: bytes, _kept: Kept) -> None:
        """Write atomically: a reader sees the whole file or none."""
        file = self._folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as part:
                part.write(body)
            Path(temporary).chmod(0o644)
            Path(temporary).replace(file)
        finally:
            Path(temporary).unlink(missing_ok=True)


class Bucket:
    """Files of an S3 bucket. Known failures are translated by name, others propagate."""

    def __init__(self, bucket: str, s3: SdkClient) -> None:
        self._bucket = bucket
        self._s3 = s3

    def read(self, path: str) -> bytes:
        """Raises NotFoundError, DependencyUnavailableError."""

        def read(s3: Any) -> bytes:
            body: bytes = s3.get_object(Bucket=self._bucket, Key=path)["Body"].read()
            return body

        return self._call(read)

    def write(self, path: str, body: bytes, kept: Kept) -> None:
        """Raises DependencyUnavailableError."""
        self._call(
            lambda s3: s3.put_object(
                Bucket=self._bucket,
                Key=path,
                Body=body,
                ContentType=kept.content_type,
                CacheControl=kept.cache_control,
            )
        )

    def _call(self, action: Callable[[Any], T]) -> T:
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


def _missing() -> NotFoundError:
    return NotFoundError("There is no such file.")


def _unavailable() -> DependencyUnavailableError:
    return DependencyUnavailableError("The store of files does not answer.", retry_after_s=1)
