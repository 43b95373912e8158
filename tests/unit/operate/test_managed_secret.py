"""The deployment's keys: of two who write at the same moment one is told, and no key is lost."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest
from botocore.exceptions import ClientError
from botocore.session import get_session
from moto import mock_aws

from fairgate.errors import VersionConflictError
from fairgate_ops.operate.target import ManagedSecret

FIRST = json.dumps({"auth": ["a"]})
_NAMED = {"region_name": "eu-central-1", "aws_access_key_id": "x", "aws_secret_access_key": "x"}


@pytest.fixture
def client():
    with mock_aws():
        made = get_session().create_client("secretsmanager", **_NAMED)
        made.create_secret(Name="keys", SecretString=FIRST)
        yield made


@dataclass
class Between:
    """The client of one writer; what is to happen just before and just after one of its calls."""

    client: object
    before: dict = field(default_factory=dict)
    after: dict = field(default_factory=dict)

    def __getattr__(self, name):
        def call(**given):
            self.before.pop(name, lambda: None)()
            answer = getattr(self.client, name)(**given)
            self.after.pop(name, lambda: None)()
            return answer

        return call


def secret(client):
    return ManagedSecret(lambda: client, "keys")


def labels(client):
    versions = client.list_secret_version_ids(SecretId="keys", IncludeDeprecated=False)
    return sorted(label for v in versions["Versions"] for label in v.get("VersionStages", []))


def test_what_is_written_is_read_and_no_label_is_left_over(client):
    secret(client).write(FIRST, "second")
    secret(client).write("second", "third")
    assert secret(client).read() == "third"
    assert labels(client) == ["AWSCURRENT", "AWSPREVIOUS"]


def test_nothing_is_written_when_the_document_is_another(client):
    with pytest.raises(VersionConflictError):
        secret(client).write("something else", "second")
    assert secret(client).read() == FIRST


@pytest.mark.parametrize("call", ["put_secret_value", "update_secret_version_stage"])
def test_one_of_two_writers_is_refused_when_both_have_compared(client, call):
    """The other reads, compares and writes while this one is between comparing and writing."""
    other = secret(client)
    slow = Between(client, before={call: lambda: other.write(FIRST, "the other's")})
    with pytest.raises(VersionConflictError):
        secret(slow).write(FIRST, "this one's")
    assert secret(client).read() == "the other's"
    assert labels(client) == ["AWSCURRENT", "AWSPREVIOUS"]


def test_the_same_text_at_another_version_is_no_longer_the_same(client):
    """Written away and back in between: who wrote it back may have told gates of other keys."""

    def there_and_back():
        secret(client).write(FIRST, "away")
        secret(client).write("away", FIRST)

    slow = Between(client, before={"put_secret_value": there_and_back})
    with pytest.raises(VersionConflictError):
        secret(slow).write(FIRST, "this one's")
    assert secret(client).read() == FIRST


def refused(code):
    return ClientError({"Error": {"Code": code, "Message": ""}}, "UpdateSecretVersionStage")


def test_a_write_whose_answer_was_lost_is_no_conflict(client):
    """The client tries again, and by then the label is where it was to go."""

    def lost():
        raise refused("InvalidParameterException")

    lossy = Between(client, after={"update_secret_version_stage": lost})
    secret(lossy).write(FIRST, "second")
    assert secret(client).read() == "second"


def test_another_failure_is_not_taken_for_a_conflict(client):
    def away():
        raise refused("InternalServiceError")

    with pytest.raises(ClientError, match="InternalServiceError"):
        secret(Between(client, before={"update_secret_version_stage": away})).write(FIRST, "second")
    assert secret(client).read() == FIRST
    assert labels(client) == ["AWSCURRENT"]
