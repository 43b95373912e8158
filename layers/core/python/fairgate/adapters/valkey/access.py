"""List what the functions' user may do in the cache: the commands in use, on our keys only.

The template and the local server both read it, so a missing right shows locally. Commands within
scripts count too. Source: Valkey documentation, "ACL"; ElastiCache User Guide, "Role-Based Access
Control (RBAC)", access strings.
"""

from __future__ import annotations

COMMANDS = (
    *("bitfield", "del", "eval", "evalsha", "exists", "expire", "get", "hdel", "hexists", "hget"),
    *("hgetall", "hincrby", "hkeys", "hmget", "hset", "hsetnx", "pexpire", "set", "time", "ttl"),
    *("xadd", "xrange", "xrevrange", "xtrim"),
    *("zadd", "zcount", "zrange", "zrangebyscore", "zrem", "zscore"),
)
# The kinds of keys.py.
KINDS = (
    *("changes", "claimants", "claims", "counts", "expiries", "inventory", "news", "rate"),
    *("refill", "seatmap", "vector"),
)


def access_string() -> str:
    """Return the rules of the user, without its name and authentication."""
    keys = " ".join(f"~{kind}:{{*" for kind in KINDS)
    return f"on {keys} resetchannels -@all {' '.join(f'+{command}' for command in COMMANDS)}"
