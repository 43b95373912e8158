"""What the environment says is read as the SDK reads it."""

from __future__ import annotations

import botocore.session
import pytest

from fairgate.settings import aws_access, endpoint_variable

KEYS = {
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_ACCESS_KEY_ID": "AKID",
    "AWS_SECRET_ACCESS_KEY": "secret",
}
SIGNED_BY_US = ("dynamodb", "secretsmanager", "sqs")


@pytest.mark.parametrize("service", SIGNED_BY_US)
def test_an_endpoint_is_named_as_the_sdk_names_it(
    service: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_CA_BUNDLE", raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv(endpoint_variable(service), "http://127.0.0.1:2")
    client = botocore.session.get_session().create_client(service, region_name="eu-central-1")
    access = aws_access(service)
    assert access is not None
    assert access.endpoint == client.meta.endpoint_url == "http://127.0.0.1:2"


def test_the_endpoint_of_one_service_is_not_anothers() -> None:
    name = "AWS_ENDPOINT_URL_SECRETS_MANAGER"
    access = aws_access("secretsmanager", {**KEYS, name: "http://127.0.0.1:3"})
    other = aws_access("sqs", {**KEYS, name: "http://127.0.0.1:3"})
    assert access is not None
    assert other is not None
    assert access.endpoint == "http://127.0.0.1:3"
    assert other.endpoint == "https://sqs.eu-central-1.amazonaws.com"
