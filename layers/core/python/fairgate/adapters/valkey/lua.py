"""Run Lua scripts in Valkey by their digest, and send the text if a server lacks it.

The text goes with the keys (EVAL), so it reaches the node that has their slot; SCRIPT LOAD has no
keys and would need a right of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

Call = tuple[Sequence[str], Sequence[object]]  # keys, arguments


class Script:
    """One script on one client.

    Args:
        parts: the length of its answer, a list; 0: any length. Another answer belongs to another
            command, and raises ValueError.
    """

    def __init__(self, client: Any, text: str, *, parts: int | None = None) -> None:
        self._client = client
        self._text = text
        self._parts = parts
        # The name by which Valkey knows a script; it protects nothing.
        self._digest = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()

    def __call__(self, keys: Sequence[str], args: Sequence[object] = ()) -> Any:
        """Run it. Cost: one round trip; two if the server does not know it yet."""
        from valkey.exceptions import NoScriptError

        try:
            answer = self._client.evalsha(self._digest, len(keys), *keys, *args)
        except NoScriptError:
            answer = self._client.eval(self._text, len(keys), *keys, *args)
        return self._checked(answer)

    def many(self, calls: Sequence[Call]) -> list[Any]:
        """Run it for each call, in order. The keys of a call have one slot; calls may differ.

        Cost: one round trip for all. Raises the error of the first call that failed; the others
        ran.
        """
        from valkey.exceptions import NoScriptError

        answers = self._sent("EVALSHA", self._digest, calls)
        unknown = [at for at, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
        if unknown:
            again = self._sent("EVAL", self._text, [calls[at] for at in unknown])
            for at, answer in zip(unknown, again, strict=True):
                answers[at] = answer
        return [self._checked(answer) for answer in answers]

    def _sent(self, command: str, script: str, calls: Sequence[Call]) -> list[Any]:
        together = self._client.pipeline(transaction=False)
        for keys, args in calls:
            together.execute_command(command, script, len(keys), *keys, *args)
        return list(together.execute(raise_on_error=False))

    def _checked(self, answer: Any) -> Any:
        if isinstance(answer, Exception):
            raise answer
        if self._parts is not None and (
            not isinstance(answer, list) or self._parts not in (0, len(answer))
        ):
            raise ValueError("an answer of another shape")
        return answer
