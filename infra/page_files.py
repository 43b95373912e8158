"""The pages as they are served: all assets below a folder whose name is the hash of them all.

Browsers and CloudFront keep these files for good, and no deployment removes them, so a page that
was opened before an update goes on with the modules that it began with, also with those that it
has not loaded yet. Modules name each other by relative addresses, hence no file is rewritten but
``index.html``, which alone names the folder. It imports nothing of the CDK.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

INDEX = "index.html"
ASSETS = "assets"
_HASH_CHARS = 20  # 80 bits of SHA-256
# In quotes, as an attribute of the page or a text of a script, or bare in a style's url().
_NAMED = re.compile(r"""(["'`(])/assets/""")
_TEXTS = (".css", ".html", ".js", ".svg")


def write_release(source: Path, folder: Path) -> str:
    """Copy the pages of ``source`` into ``folder``, which is made; return the page itself.

    Raises:
        ValueError: an asset names another by an address that an update changes, or the page none.
    """
    files = {
        path.relative_to(source / ASSETS).as_posix(): path.read_bytes()
        for path in sorted((source / ASSETS).rglob("*"))
        if path.is_file()
    }
    for name, content in files.items():
        if name.endswith(_TEXTS) and _NAMED.search(content.decode()):
            raise ValueError(f"{name} names an asset by /{ASSETS}/…: it must say it relatively")
    kept = f"{ASSETS}/{_hash_of(files)}"
    page, count = _NAMED.subn(rf"\1/{kept}/", (source / INDEX).read_text("utf-8"))
    if not count:
        raise ValueError(f"{INDEX} names no asset")
    for name, content in files.items():
        target = folder / kept / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    (folder / INDEX).write_text(page, "utf-8")
    return page


def _hash_of(files: dict[str, bytes]) -> str:
    """Of names and contents, each with its length, so that no two sets have the same."""
    digest = hashlib.sha256()
    for name, content in files.items():
        for part in (name.encode(), content):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:_HASH_CHARS]
