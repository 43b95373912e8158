"""Connect to Valkey, and translate whatever it answers but an answer.

Who asks the cache is to notice one thing alone: that it has no answer now. Operators are to notice
another: that a script of ours, or what it finds in its keys, is wrong, which no waiting mends.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fairgate.ports.availability import CacheScriptError, CacheUnavailableError

if TYPE_CHECKING:
    from fairgate.adapters.valkey.iam import IamTokens

TIMEOUT_S = 0.2  # to read: a cache slower than the table's own index is no cache
CONNECT_S = 1.0  # once for many requests: a name, a route, and TLS by a proxy that wakes up
POOL_WAIT_S = 1.0
CONNECTIONS_MAX = 32

_log = logging.getLogger(__name__)

# What a server says of its own state, and what passes by itself or by an operator's hand; Valkey
# says them of commands within a script as well. Source: Valkey, server.c "createSharedObjects",
# cluster.c "clusterRedirectClient"; Valkey documentation, "Cluster specification".
_STATES = frozenset(
    {
        "ASK",
        "BUSY",
        "CLUSTERDOWN",
        "LOADING",
        "MASTERDOWN",
        "MISCONF",
        "MOVED",
        "NOAUTH",
        "NOPERM",
        "NOREPLICAS",
        "OOM",
        "READONLY",
        "TRYAGAIN",
        "UNBLOCKED",
        "WRONGPASS",
    }
)
# What only a wrong script, or a key that no script of ours has written, can cause.
_DEFECTS = frozenset({"CROSSSLOT", "EXECABORT", "NOSCRIPT", "WRONGTYPE"})
_IN_A_SCRIPT = ("user_script", "Error compiling script", "script: ")


def connect(url: str, *, timeout_s: float, connect_s: float) -> Any:
    """Make a client. Its connections greet nobody: they sign in where ``url`` names somebody, and
    the first question is all else that they send.

    Args:
        url: ``valkey[s]://[<user>[:<password>]@]host:port``; with ``?iam=<cache>`` the user signs
            in with a token of IAM.
    """
    from valkey import BlockingConnectionPool, Valkey

    address, tokens = _signed_in(url)
    pool = BlockingConnectionPool.from_url(  # type: ignore[no-untyped-call] # valkey-py types half
        address,
        **({"credential_provider": tokens} if tokens else {}),
        max_connections=CONNECTIONS_MAX,
        timeout=POOL_WAIT_S,
        socket_timeout=timeout_s,
        socket_connect_timeout=connect_s,
        lib_name=None,
        lib_version=None,
    )
    if url.startswith("valkeys:"):
        pool.connection_class = _patient_tls()
    return Valkey(connection_pool=pool)


def _signed_in(url: str) -> tuple[str, IamTokens | None]:
    """Take apart where the cache is and who signs in with which tokens, if anybody does."""
    from urllib.parse import parse_qsl, urlsplit

    parts = urlsplit(url)
    cache = dict(parse_qsl(parts.query)).get("iam")
    if not cache:
        return url, None
    from fairgate.adapters.valkey.iam import IamTokens

    user, _, place = parts.netloc.rpartition("@")
    return parts._replace(netloc=place, query="").geturl(), IamTokens(user, cache)


def _patient_tls() -> type:
    """Return a connection that shakes hands within the time to connect, not the time to read."""
    from valkey.connection import SSLConnection

    class PatientTls(SSLConnection):
        def _wrap_socket_with_ssl(self, sock: Any) -> Any:
            sock.settimeout(self.socket_connect_timeout)
            wrapped = super()._wrap_socket_with_ssl(sock)  # type: ignore[no-untyped-call] # valkey-py
            wrapped.settimeout(self.socket_timeout)
            return wrapped

    return PatientTls


@contextmanager
def translated(client: Any) -> Iterator[None]:
    """Raise CacheUnavailableError for every failure, CacheScriptError where it is our defect."""
    from valkey import exceptions

    try:
        yield
    except exceptions.ResponseError as error:
        if _is_defect(error):
            raise _defect(error) from error
        if isinstance(error, exceptions.NoPermissionError) or _code(error) == "NOAUTH":
            _refused(error)
        raise CacheUnavailableError(str(error)) from error
    except exceptions.AuthenticationError as error:
        _refused(error)
        raise CacheUnavailableError(str(error)) from error
    except exceptions.DataError as error:  # a question that cannot be put into words
        raise _defect(error) from error
    except (exceptions.ValkeyError, OSError) as error:
        raise CacheUnavailableError(str(error)) from error
    except (TypeError, ValueError, AttributeError, LookupError) as error:
        # An answer of another shape. Were it another question's, the next one's would be as well.
        client.connection_pool.disconnect()
        raise _defect(error) from error


def _defect(error: Exception) -> CacheScriptError:
    """Log where it failed, because the caller goes on without the cache."""
    _log.error("the cache takes a question of ours for wrong", exc_info=error)
    return CacheScriptError(repr(error))


def _refused(error: Exception) -> None:
    """Log that it is there and takes us for nobody, or for somebody else: no waiting mends that.

    The caller goes on without the cache. The breaker keeps these lines rare.
    """
    _log.error("the cache refuses our user; it may lack a right: %s", error)


def _code(error: Exception) -> str:
    return str(error).rpartition(" of pipeline caused error: ")[2].partition(" ")[0]


def _is_defect(error: Exception) -> bool:
    from valkey import exceptions

    if isinstance(error, exceptions.NoScriptError | exceptions.ExecAbortError):
        return True
    text = str(error).rpartition(" of pipeline caused error: ")[2]
    code = _code(error)
    if code in _STATES or isinstance(error, _state_errors()):
        return False
    return code in _DEFECTS or any(sign in text for sign in _IN_A_SCRIPT)


def _state_errors() -> tuple[type[Exception], ...]:
    """Return the errors that the client has types for, and takes the code from."""
    from valkey import exceptions

    return (
        exceptions.NoPermissionError,
        exceptions.OutOfMemoryError,
        exceptions.ReadOnlyError,
        exceptions.TryAgainError,
    )
