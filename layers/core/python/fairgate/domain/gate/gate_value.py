"""Pack one event's rules for the key-value store: text that the edge reads without parsing it.

A document is an object of docs/gate-config.schema.json. Its value has the keys as text and one
block of binary figures, because parsing costs time for each character at the edge. Layout:
docs/gate.md; edge/gate/src/gate.js reads the same.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any

from fairgate.domain.shared.jws import b64url, from_b64url

EPOCHS_MAX = 6
_KEY_CHARS = 43
_HEAD_CHARS = 27  # of a key id of sixteen characters, in quotes
STATES = ("open", "draining", "paused", "soldout", "closed", "draft")
_MODES = ("a", "t")
_RULES = ("v", "s", "m", "k", "p", "least", "most", "x", "sq", "sa", "ou", "ds")
_HEADS = 2  # where the newest auth key's head begins and ends
_FIGURES = struct.Struct(f"<{len(_RULES) + _HEADS + 3 * EPOCHS_MAX}d")
WAVED = 5  # the format that has two figures more
_LATER = ("w", "sv")
_FIGURES_WAVED = struct.Struct(f"{_FIGURES.format}{len(_LATER)}d")
FIGURES_AT = 5 * _KEY_CHARS  # token, auth, edge, draw, numbers
OLDER_AT = FIGURES_AT + len(b64url(bytes(_FIGURES.size)))
HEADS_AT = OLDER_AT + 2 * (_HEAD_CHARS + _KEY_CHARS)
# The two new figures are at the end, so that all others keep their place in both formats.
LATER_CHARS = len(b64url(bytes(_FIGURES_WAVED.size))) - (OLDER_AT - FIGURES_AT)
FIGURE_BYTES = 8
_VERSION_CHARS = 12  # nine bytes, of which the first figure has eight
_TIME = re.compile(r"[0-9]{10}")
_TIMES = re.compile(r"[0-9]{40}")  # begun and ended, of the signing key and of the other one


def pack(document: Mapping[str, Any]) -> str:
    """Return the value of a document that was checked."""
    signing = document["tc"]
    auth = list(document["a"].items())[::-1]
    tokens = sorted(document["t"].items(), key=lambda item: item[0] != signing)
    heads = [_head(tokens[0][0], quoted=False), _head(auth[0][0], quoted=True)]
    least, most = document["b"]
    state, mode = STATES.index(document["s"]), _MODES.index(document["m"])
    values = {**document, "s": state, "m": mode, "least": least, "most": most}
    # The newest epoch first; the oldest fills what is left.
    epochs = [*document["ep"][::-1], *[document["ep"][0]] * (EPOCHS_MAX - len(document["ep"]))]
    ends = accumulate(map(len, heads), initial=HEADS_AT)
    figures = [*(values[name] for name in _RULES), *[*ends][1:], *chain(*epochs)]
    if document["v"] >= WAVED:
        block = b64url(_FIGURES_WAVED.pack(*figures, *(values[name] for name in _LATER)))
    else:
        block = b64url(_FIGURES.pack(*figures))
    first, later = block[: OLDER_AT - FIGURES_AT], block[OLDER_AT - FIGURES_AT :]
    numbers = document.get("u", document["d"])
    keys = (tokens[0][1], auth[0][1], document["g"], document["d"], numbers)
    older = _older(tokens[1:], quoted=False) + _older(auth[1:], quoted=True)
    times = [document["ts"][kid] for kid, _key in tokens]
    noted = _filled("".join(f"{second:010.0f}" for second in chain(*times)))
    return "".join((*keys, first, older, *heads, noted, later))


def block_of(text: str) -> str:
    """Return the block of figures of a value, joined again.

    Raises:
        ValueError: it does not start with a figure.
    """
    start = from_b64url(text[FIGURES_AT : FIGURES_AT + _VERSION_CHARS])
    if len(start) < FIGURE_BYTES:
        raise ValueError("the figures have another length")
    waved = struct.unpack_from("<d", start)[0] >= WAVED
    return text[FIGURES_AT:OLDER_AT] + (text[-LATER_CHARS:] if waved else "")


def version_of(text: str) -> float:
    """Return the version at the start of a value's figures; 0 if there is none."""
    try:
        start = from_b64url(text[FIGURES_AT : FIGURES_AT + _VERSION_CHARS])
    except ValueError:  # UnicodeEncodeError among them
        return 0.0
    version: float = struct.unpack_from("<d", start)[0] if len(start) >= FIGURE_BYTES else 0.0
    return version


def unpack(text: str) -> dict[str, Any]:
    """Return the document of a value; nothing in it is checked.

    Raises:
        ValueError: the text has another layout.
    """
    if not text.isascii():
        raise ValueError("a value is ASCII")
    signing_key, auth_key, edge, draw, numbers = (
        text[at : at + _KEY_CHARS] for at in range(0, FIGURES_AT, _KEY_CHARS)
    )
    block = block_of(text)
    waved = len(block) > OLDER_AT - FIGURES_AT
    try:
        every = (_FIGURES_WAVED if waved else _FIGURES).unpack(from_b64url(block))
    except struct.error as error:
        raise ValueError("the figures have another length") from error
    figures = [_plain(figure) for figure in every]
    rules = dict(zip(_RULES, figures, strict=False))
    middle, end = figures[len(_RULES) : len(_RULES) + _HEADS]
    epochs = figures[len(_RULES) + _HEADS :][: 3 * EPOCHS_MAX]
    if end not in range(HEADS_AT, len(text) + 1) or middle not in range(HEADS_AT, int(end)):
        raise ValueError("the heads have another length")
    signing = (_kid(text[HEADS_AT : int(middle)], quoted=False), signing_key)
    newest = (_kid(text[int(middle) : int(end)], quoted=True), auth_key)
    document: dict[str, Any] = {
        "v": rules["v"],
        "s": _name(STATES, rules["s"]),
        "m": _name(_MODES, rules["m"]),
        "k": rules["k"],
        "d": draw,
        "t": _ring(_older_of(text, OLDER_AT, quoted=False), signing),
        "tc": signing[0],
        "a": _ring(_older_of(text, OLDER_AT + _HEAD_CHARS + _KEY_CHARS, quoted=True), newest),
        "g": edge,
        "p": rules["p"],
        "ep": list(_epochs_of(epochs)),
        "b": [rules["least"], rules["most"]],
        **{name: rules[name] for name in ("x", "sq", "sa", "ou", "ds")},
    }
    times = text[int(end) : len(text) - LATER_CHARS] if waved else text[int(end) :]
    document["ts"] = _times_of(times, [signing[0], *document["t"]])
    if waved:
        document |= zip(_LATER, figures[-len(_LATER) :], strict=True)
    return document if numbers == draw else {**document, "u": numbers}


def _filled(times: str) -> str:
    """Return the times of one or two keys."""
    return times.ljust(40, "0")


def _times_of(text: str, kids: Sequence[str]) -> dict[str, list[int]]:
    """Read when keys began and ended to sign. The first of ``kids`` may be repeated later.

    Raises:
        ValueError: they are no times, or of an unknown key.
    """
    kids = list(dict.fromkeys(kids))
    if _TIMES.fullmatch(text) is None:
        raise ValueError("the times are not ones")
    seconds = [int(second) for second in _TIME.findall(text)]
    times = {kid: seconds[2 * n : 2 * n + 2] for n, kid in enumerate(kids)}
    if _filled("".join(f"{second:010}" for second in chain(*times.values()))) != text:
        raise ValueError("a time is of no key")
    return times


def _plain(figure: float) -> int | float:
    """Return a whole figure as an integer, as documents have it.

    Raises:
        ValueError: it is not a number, or endless.
    """
    if not math.isfinite(figure):
        raise ValueError("a figure is not one")
    return int(figure) if figure.is_integer() else figure


def _name(names: Sequence[str], place: float) -> str:
    if place not in range(len(names)):
        raise ValueError("a state or mode is not one")
    return names[int(place)]


def _older(rest: Sequence[tuple[str, str]], *, quoted: bool) -> str:
    """Return the head and the key of the rest of a ring, or as many blanks."""
    if not rest:
        return " " * (_HEAD_CHARS + _KEY_CHARS)
    kid, key = rest[0]
    return _head(kid, quoted=quoted).ljust(_HEAD_CHARS) + key


def _older_of(text: str, at: int, *, quoted: bool) -> list[tuple[str, str]]:
    head = text[at : at + _HEAD_CHARS].rstrip(" ")
    key = text[at + _HEAD_CHARS : at + _HEAD_CHARS + _KEY_CHARS]
    return [] if head == key.strip(" ") == "" else [(_kid(head, quoted=quoted), key)]


def _ring(older: Sequence[tuple[str, str]], newest: tuple[str, str]) -> dict[str, str]:
    ring = dict([*older, newest])
    if len(ring) != len(older) + 1:
        raise ValueError("two keys have one id")
    return ring


def _head(kid: str, *, quoted: bool) -> str:
    """Return the end of a token's header with its point: what follows 33 fixed characters."""
    return b64url(((f'"{kid}"' if quoted else f'{kid}"') + "}").encode()) + "."


def _kid(head: str, *, quoted: bool) -> str:
    if not head.endswith("."):
        raise ValueError("a head is not one")
    ending = from_b64url(head[:-1]).decode()
    kid = ending[1:-2] if quoted else ending[:-2]
    if _head(kid, quoted=quoted) != head:
        raise ValueError("a head is not one")
    return kid


def _epochs_of(figures: Sequence[int | float]) -> Iterator[list[int | float]]:
    epochs = [list(figures[at : at + 3]) for at in range(0, len(figures), 3)][::-1]
    for at, epoch in enumerate(epochs):
        if at == 0 or epoch != epochs[at - 1]:
            yield epoch
