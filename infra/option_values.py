"""How the value of an option is read."""

from __future__ import annotations

from urllib.parse import urlsplit

LOOPBACK = "127.0.0.1"  # the address of an emulator of AWS; nobody can listen in


class ConfigError(Exception):
    """The deployment is not described well enough; the text says what to do."""


def is_provider_address(url: str) -> bool:
    """Whether it is an https address without credentials or fragment; on loopback http will do."""
    try:
        address = urlsplit(url)
    except ValueError:
        return False
    plain = not (address.fragment or "@" in address.netloc or any(c.isspace() for c in url))
    private = address.scheme == "http" and address.hostname == LOOPBACK
    return (private or address.scheme == "https") and bool(address.hostname) and plain


def switch(value: str, option: str) -> bool:
    """On or off in so many words: what is meant as "on" must not leave it off in silence."""
    if value not in {"", "on", "off"}:
        raise ConfigError(f"{option} must be on or off, not {value!r}")
    return value == "on"


def listed(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def number(value: str, option: str) -> int | None:
    if not value:
        return None
    if not value.isdecimal() or int(value) < 1:
        raise ConfigError(f"{option} must be a whole number above 0, not {value!r}")
    return int(value)
