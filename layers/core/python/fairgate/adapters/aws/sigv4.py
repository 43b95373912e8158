"""Sign a POST to ``/`` with a JSON body by AWS Signature Version 4.

Source: AWS IAM User Guide, "Create a signed AWS API request". ``tests/unit/aws/test_sigv4.py``
compares each byte with botocore's own signer, which costs half a millisecond a request and 200 ms
of import.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256

ALGORITHM = "AWS4-HMAC-SHA256"


def authorization(
    headers: Mapping[str, str],
    body: bytes,
    *,
    key_id: str,
    secret_key: str,
    region: str,
    service: str,
) -> str:
    """Make the Authorization header of ``POST /`` with exactly these headers and this body.

    Args:
        headers: all headers to sign, with ``host`` and ``x-amz-date``; names in lower case, values
            without surrounding or doubled blanks.
    """
    names = sorted(headers)
    signed = ";".join(names)
    lines = "".join(f"{name}:{headers[name]}\n" for name in names)
    canonical = f"POST\n/\n\n{lines}\n{signed}\n{sha256(body).hexdigest()}"
    at = headers["x-amz-date"]
    scope = f"{at[:8]}/{region}/{service}/aws4_request"
    text = f"{ALGORITHM}\n{at}\n{scope}\n{sha256(canonical.encode()).hexdigest()}"
    key = _signing_key(secret_key, at[:8], region, service)
    signature = hmac.digest(key, text.encode(), "sha256").hex()
    return f"{ALGORITHM} Credential={key_id}/{scope}, SignedHeaders={signed}, Signature={signature}"


@lru_cache(maxsize=4)
def _signing_key(secret_key: str, day: str, region: str, service: str) -> bytes:
    """Derive the key, the same for a whole day."""
    key = f"AWS4{secret_key}".encode()
    for part in (day, region, service, "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    return key


def presigned_query(
    query: Mapping[str, str],
    *,
    host: str,
    at: str,
    expires_s: int,
    key_id: str,
    secret_key: str,
    session_token: str,
    region: str,
    service: str,
) -> str:
    """Make the query string of a ``GET /`` at ``host`` that is valid for ``expires_s`` from ``at``.

    Args:
        at: as ``x-amz-date`` has it.
        session_token: empty where the keys have none.
    """
    from urllib.parse import quote, urlencode

    scope = f"{at[:8]}/{region}/{service}/aws4_request"
    parts = {
        **query,
        "X-Amz-Algorithm": ALGORITHM,
        "X-Amz-Credential": f"{key_id}/{scope}",
        "X-Amz-Date": at,
        "X-Amz-Expires": str(expires_s),
        "X-Amz-SignedHeaders": "host",
    }
    if session_token:
        parts["X-Amz-Security-Token"] = session_token
    text = urlencode(sorted(parts.items()), safe="-_.~", quote_via=quote)
    canonical = f"GET\n/\n{text}\nhost:{host}\n\nhost\n{sha256(b'').hexdigest()}"
    signed = f"{ALGORITHM}\n{at}\n{scope}\n{sha256(canonical.encode()).hexdigest()}"
    key = _signing_key(secret_key, at[:8], region, service)
    return f"{text}&X-Amz-Signature={hmac.digest(key, signed.encode(), 'sha256').hex()}"
