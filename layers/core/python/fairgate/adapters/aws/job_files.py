"""Keep what operators' jobs wrote in a private bucket, and sign addresses that download it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fairgate.adapters.aws.client import SdkClient, unavailable_as

READ_S = 60.0  # a file may have some hundred megabytes
URL_S = 300
# An address is signed for the bucket's own region: the one of all regions leads on to it, and the
# signature is of the name before. Source: Amazon S3 User Guide, "Sharing objects with presigned
# URLs".
_SIGNED: dict[str, Any] = {"signature_version": "s3v4", "s3": {"addressing_style": "virtual"}}


class S3JobFiles:
    """Implements ports.JobFiles: ``<job>/<name>`` in the bucket, which forgets it by itself."""

    def __init__(self, bucket: str, s3: SdkClient | None = None) -> None:
        self._bucket = bucket
        self._s3 = s3 or SdkClient("s3", read_s=READ_S, **_SIGNED)

    def write(self, job: str, name: str, path: str) -> None:
        def put(s3: Any) -> None:
            with Path(path).open("rb") as body:  # anew at each try
                s3.put_object(Bucket=self._bucket, Key=f"{job}/{name}", Body=body)

        away = "The store of files does not answer. Please try again."
        with unavailable_as(away, when_refused=True):
            self._s3.run(put)

    def url(self, job: str, name: str) -> str:
        """Sign it: nothing is asked. The browser saves the file under its name."""
        s3: Any = self._s3.client()
        signed: str = s3.generate_presigned_url(
            "get_object",
            Params={
                "Bucket": self._bucket,
                "Key": f"{job}/{name}",
                "ResponseContentDisposition": f'attachment; filename="{name}"',
            },
            ExpiresIn=URL_S,
        )
        return signed
