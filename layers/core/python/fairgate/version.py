"""What this package calls itself to those it talks to."""

VERSION = "0.1.0"  # as in pyproject.toml, which Lambda does not have
USER_AGENT = f"fairgate/{VERSION}"
