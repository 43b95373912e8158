"""Connect to Valkey, and translate its errors.

A caller only learns that the cache has no answer now. Operators also learn if a script of ours, or
the content of its keys, is wrong, because such an error does not pass.
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

# Errors about the server's state, which pass or which an operator ends; commands within a script
# cause them too. Source: Valkey, server.c "createSharedObjects",
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
# Errors that only a wrong script, or a key of another writer, can cause.
_DEFECTS = frozenset({"CROSSSLOT", "EXECABORT", "NOSCRIPT", "WRONGTYPE"})
_IN_A_SCRIPT = ("user_script", "Error compiling script", "script: ")


def connect(url: str, *, timeout_s: float, connect_s: float) -> Any:
    """Make a client. Its connections send no greeting: they sign in if ``url`` names a user, and
    then send the first command.

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
    """Split the URL into the address and the user with its tokens, if there is one."""
    from urllib.parse import parse_qsl, urlsplit

    parts = urlsplit(url)
    cache = dict(parse_qsl(parts.query)).get("iam")
    if not cache:
        return url, None
    from fairgate.adapters.valkey.iam import IamTokens

    user, _, place = parts.netloc.rpartition("@")
    return parts._replace(netloc=place, query="").geturl(), IamTokens(user, cache)


def _patient_tls() -> type:
    """Return a connection whose TLS handshake may take the time to connect."""
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
    """Raise CacheUnavailableError for every failure, CacheScriptError if it is our defect."""
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
        # An answer of another shape may belong to another command, and so may the next one.
        client.connection_pool.disconnect()
        raise _defect(error) from error


def _defect(error: Exception) -> CacheScriptError:
    """Log the error, because the caller goes on without the cache."""
    _log.error("the cache refuses a command as wrong", exc_info=error)
    return CacheScriptError(repr(error))


def _refused(error: Exception) -> None:
    """Log that the cache refuses our user, which does not pass by itself.

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
