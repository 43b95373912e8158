"""Return the version of this package, which only pyproject.toml contains."""

from functools import cache

# `infra.shipped` writes it here in its copy: Lambda has neither that file nor an installed package.
_SHIPPED = ""


@cache
def version() -> str:
    """Return the version: as shipped to Lambda, else of this checkout, else as installed.

    A checkout is not asked by its installed metadata, which may be of an older build.
    """
    if _SHIPPED:
        return _SHIPPED
    import tomllib
    from importlib import metadata
    from pathlib import Path

    try:
        text = (Path(__file__).resolve().parents[4] / "pyproject.toml").read_text("utf-8")
        project = tomllib.loads(text)["project"]
    except (OSError, tomllib.TOMLDecodeError, KeyError):
        project = {}
    return str(
        project["version"] if project.get("name") == "fairgate" else metadata.version("fairgate")
    )


def user_agent() -> str:
    """Return the package's User-Agent."""
    return f"fairgate/{version()}"
