"""Sign in at ElastiCache as the function's role: a token instead of a password.

The token is a signed address, valid for a quarter of an hour, made for each connection. After
twelve hours AWS ends a connection, and the next command opens another. Source: ElastiCache User
Guide, "Authenticating with IAM".
"""

from __future__ import annotations

from datetime import UTC, datetime

from fairgate.adapters.aws.sigv4 import presigned_query
from fairgate.ports.availability import CacheUnavailableError
from fairgate.settings import AwsAccess, aws_access

EXPIRES_S = 900  # the longest that ElastiCache takes


class IamTokens:
    """Gives valkey-py the name and the token, like its CredentialProvider.

    Args:
        user: its id, which is also its name.
        cache: the serverless cache's name.
    """

    def __init__(self, user: str, cache: str) -> None:
        self._user = user
        self._cache = cache

    def get_credentials(self) -> tuple[str, str]:
        """Cost: no round trip. Raises CacheUnavailableError if no keys are known."""
        access = aws_access("elasticache") or _by_sdk()
        if access is None:
            raise CacheUnavailableError("the environment has no keys to sign in with")
        return self._user, self.token(access, datetime.now(UTC))

    def token(self, access: AwsAccess, at: datetime) -> str:
        query = {"Action": "connect", "ResourceType": "ServerlessCache", "User": self._user}
        signed = presigned_query(
            query,
            host=self._cache,
            at=at.strftime("%Y%m%dT%H%M%SZ"),
            expires_s=EXPIRES_S,
            key_id=access.key_id,
            secret_key=access.secret_key,
            session_token=access.session_token,
            region=access.region,
            service="elasticache",
        )
        return f"{self._cache}/?{signed}"


def _by_sdk() -> AwsAccess | None:
    """Find the keys that only the SDK finds, as from a profile or in another partition."""
    from botocore.session import Session

    session = Session()
    keys, region = session.get_credentials(), session.get_config_variable("region")
    if keys is None or not region:
        return None
    frozen = keys.get_frozen_credentials()
    if not (frozen.access_key and frozen.secret_key):
        return None
    return AwsAccess("", region, frozen.access_key, frozen.secret_key, frozen.token or "")
