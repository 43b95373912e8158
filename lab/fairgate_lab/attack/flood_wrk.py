"""Send many requests with wrk, as fast as it can or so many a second."""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate_ops.run.local.processes import StartError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate_lab.attack.flood_kinds import Sent

CONNECTIONS = 32
ANSWER_S = 10
_LATE_S = 30.0  # wrk ends when its time is over and its answers are there
_SCRIPT = Path(__file__).parent / "flood.lua"


@dataclass(frozen=True)
class Answered:
    """How often each status came, and how many requests got no answer."""

    statuses: Mapping[int, int]
    errors: int

    @property
    def requests(self) -> int:
        return sum(self.statuses.values())


def missing_wrk() -> str | None:
    """Say why wrk cannot run here, or None."""
    return None if shutil.which("wrk") else "wrk is not installed (Debian: wrk)"


async def send(
    base_url: str, requests: Sequence[Sent], seconds: int, folder: Path, rate: float = 0.0
) -> Answered:
    """Send these by turns for so many seconds.

    Args:
        folder: for the files that wrk reads and writes.
        rate: a second; 0: as many as there are answers.

    Raises:
        StartError: wrk failed.
    """
    listed, results = folder / "requests.lua", folder / "results.txt"
    listed.write_text(lua(requests), "utf-8")
    results.unlink(missing_ok=True)
    process = await asyncio.create_subprocess_exec(
        "wrk",
        *("-t", "1", "-c", str(CONNECTIONS), "-d", f"{seconds}s", "--timeout", f"{ANSWER_S}s"),
        *("-s", str(_SCRIPT), base_url, "--", str(listed), str(results), f"{rate:.3f}"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        said, _ = await asyncio.wait_for(process.communicate(), seconds + _LATE_S)
    except TimeoutError:
        raise StartError("wrk did not come to an end.") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode or not results.exists():
        raise StartError(f"wrk failed: {said.decode(errors='replace')[-2000:]}")
    return answered(results.read_text("utf-8"))


def answered(text: str) -> Answered:
    """Read what the script wrote: a line for each status, and one of errors."""
    counts: Counter[str] = Counter()
    for line in text.splitlines():
        name, count = line.split(" ")
        counts[name] += int(count)
    errors = counts.pop("errors", 0)
    return Answered({int(status): count for status, count in sorted(counts.items())}, errors)


def lua(requests: Sequence[Sent]) -> str:
    """Write requests as the table that the script reads."""
    rows = "".join(
        f"  {{ method = {_text(one.method)}, path = {_text(one.path)}, headers = {{ "
        + ", ".join(f"[{_text(name)}] = {_text(value)}" for name, value in one.headers.items())
        + " } },\n"
        for one in requests
    )
    return f"return {{\n{rows}}}\n"


def _text(value: str) -> str:
    if not value.isascii() or not value.isprintable():
        raise ValueError("a request's text is printable ASCII")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
