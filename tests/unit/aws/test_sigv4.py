"""Our signature is botocore's, byte for byte."""

from __future__ import annotations

import json
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qsl, urlencode

from botocore.auth import SigV4Auth, SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.compat import HTTPHeaders
from botocore.credentials import Credentials
from hypothesis import given
from hypothesis import strategies as st

from fairgate.adapters.aws.sigv4 import authorization, presigned_query

word = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=40)
moment = st.datetimes().map(lambda at: at.replace(year=2000 + at.year % 100))


@given(
    key_id=word,
    secret_key=word,
    token=st.none() | word,
    region=st.sampled_from(["eu-central-1", "us-gov-west-1"]),
    service=st.sampled_from(["dynamodb", "sqs", "secretsmanager"]),
    body=st.dictionaries(word, st.text(max_size=20)).map(lambda d: json.dumps(d).encode()),
    at=moment,
)
def test_the_signature_is_botocores(
    key_id: str, secret_key: str, token: str | None, region: str, service: str, body: bytes, at: Any
) -> None:
    """One request, signed by both from the same moment."""
    headers = {
        "content-type": "application/x-amz-json-1.0",
        "host": f"{service}.{region}.amazonaws.com",
        "x-amz-date": at.strftime("%Y%m%dT%H%M%SZ"),
        "x-amz-target": "DynamoDB_20120810.TransactWriteItems",
    }
    if token is not None:
        headers["x-amz-security-token"] = token
    ours = authorization(
        headers, body, key_id=key_id, secret_key=secret_key, region=region, service=service
    )
    assert ours == theirs(headers, body, Credentials(key_id, secret_key, token), region, service)


def theirs(
    headers: dict[str, str], body: bytes, keys: Credentials, region: str, service: str
) -> str:
    request = AWSRequest("POST", f"https://{headers['host']}/", dict(headers), body)
    request.context["timestamp"] = headers["x-amz-date"]
    signer = SigV4Auth(keys, service, region)
    text = signer.string_to_sign(request, signer.canonical_request(request))
    names = signer.signed_headers(signer.headers_to_sign(request))
    assert isinstance(request.headers, HTTPHeaders)
    return (
        f"AWS4-HMAC-SHA256 Credential={signer.scope(request)}, SignedHeaders={names}, "
        f"Signature={signer.signature(text, request)}"
    )


@given(
    key_id=word,
    secret_key=word,
    token=st.none() | st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1),
    user=st.from_regex(r"fairgate-[a-z]{1,12}-functions", fullmatch=True),
    at=moment,
)
def test_a_presigned_query_is_botocores(
    key_id: str, secret_key: str, token: str | None, user: str, at: Any
) -> None:
    query = {"Action": "connect", "ResourceType": "ServerlessCache", "User": user}
    ours = presigned_query(
        query,
        host="fairgate-test-availability",
        at=at.strftime("%Y%m%dT%H%M%SZ"),
        expires_s=900,
        key_id=key_id,
        secret_key=secret_key,
        session_token=token or "",
        region="eu-central-1",
        service="elasticache",
    )
    request = AWSRequest("GET", f"http://fairgate-test-availability/?{urlencode(query)}")
    request.context["timestamp"] = at.strftime("%Y%m%dT%H%M%SZ")
    credentials = Credentials(key_id, secret_key, token)
    signer = SigV4QueryAuth(credentials, "elasticache", "eu-central-1", expires=900)
    with patch("botocore.auth.get_current_datetime", lambda: at):
        signer.add_auth(request)
    theirs = str(request.prepare().url).partition("?")[2]
    assert sorted(parse_qsl(ours)) == sorted(parse_qsl(theirs))
