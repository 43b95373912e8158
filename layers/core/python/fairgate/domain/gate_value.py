"""How one event's rules lie in the key-value store: text that the edge reads without parsing most
of it.

A document is an object of docs/gate-config.schema.json. Its value is seven keys and six epochs at
fixed places, then one JSON array: a parser's time at the edge goes by characters, and a decision
needs few of them. Layout: docs/gate.md; edge/gate/src/gate.js reads the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fairgate.domain.jws import b64url, from_b64url

EPOCHS_MAX = 6
_KEY_CHARS = 43
_KEYS = 7  # numbers, edge, auth, older auth, token, older token, draw
_FIGURE_CHARS = 24  # a double with 17 significant digits has at most as many
EPOCHS_AT = _KEYS * _KEY_CHARS
RULES_AT = EPOCHS_AT + EPOCHS_MAX * 3 * _FIGURE_CHARS
_RULES = ("v", "s", "m", "k", "p", "least", "most", "x", "sq", "sa", "ou", "ds")
_HEADS = 4


def pack(document: Mapping[str, Any]) -> str:
    """The value of a document that was checked."""
    signing = document["tc"]
    auth = list(document["a"].items())[::-1]
    tokens = sorted(document["t"].items(), key=lambda item: item[0] != signing)
    rings = [auth[0], auth[-1], tokens[0], tokens[-1]]  # a ring of one stands there twice
    numbers = document.get("u", document["d"])
    keys = [numbers, document["g"], *(key for _kid, key in rings), document["d"]]
    least, most = document["b"]
    values = {**document, "least": least, "most": most}
    heads = [_head(kid, quoted=place < _HEADS // 2) for place, (kid, _key) in enumerate(rings)]
    rules = [*(values[name] for name in _RULES), *heads]
    return "".join(keys) + _epochs(document["ep"]) + "[" + ",".join(map(_spelled, rules)) + "]"


def unpack(text: str) -> dict[str, Any]:
    """The document of a value; nothing in it is checked.

    Raises:
        ValueError: the text has another layout.
    """
    rules = json.loads(text[RULES_AT:], parse_constant=_no_constant)
    if not isinstance(rules, list) or len(rules) != len(_RULES) + _HEADS:
        raise ValueError("the rules are not an array of that length")
    cut = [text[at : at + _KEY_CHARS] for at in range(0, EPOCHS_AT, _KEY_CHARS)]
    numbers, edge, *ring_keys, draw = cut
    kids = [_kid(head, quoted=place < _HEADS // 2) for place, head in enumerate(rules[-_HEADS:])]
    newest_auth, older_auth, signing, other = zip(kids, ring_keys, strict=True)
    found = dict(zip(_RULES, rules, strict=False))
    document = {
        "v": found["v"],
        "s": found["s"],
        "m": found["m"],
        "k": found["k"],
        "d": draw,
        "t": _ring(other, signing),
        "tc": signing[0],
        "a": _ring(older_auth, newest_auth),
        "g": edge,
        "p": found["p"],
        "ep": list(_epochs_of(text)),
        "b": [found["least"], found["most"]],
        **{name: found[name] for name in ("x", "sq", "sa", "ou", "ds")},
    }
    return document if numbers == draw else {**document, "u": numbers}


def _ring(older: tuple[str, str], newest: tuple[str, str]) -> dict[str, str]:
    if older[0] == newest[0] and older != newest:
        raise ValueError("two keys have one id")
    return dict([older, newest])


def _head(kid: str, *, quoted: bool) -> str:
    """The end of a token's header with its point: what follows 33 characters that never change."""
    return b64url(((f'"{kid}"' if quoted else f'{kid}"') + "}").encode()) + "."


def _kid(head: Any, *, quoted: bool) -> str:
    if not isinstance(head, str) or not head.endswith("."):
        raise ValueError("a head is not one")
    said = from_b64url(head[:-1]).decode()
    kid = said[1:-2] if quoted else said[:-2]
    if _head(kid, quoted=quoted) != head:
        raise ValueError("a head is not one")
    return kid


def _epochs(epochs: Sequence[Sequence[float]]) -> str:
    """The newest first; the oldest fills what is left."""
    newest_first = [*epochs[::-1], *[epochs[0]] * (EPOCHS_MAX - len(epochs))]
    return "".join(
        _spelled(figure).rjust(_FIGURE_CHARS) for epoch in newest_first for figure in epoch
    )


def _epochs_of(text: str) -> Iterator[list[float]]:
    figures = [
        json.loads(text[at : at + _FIGURE_CHARS], parse_constant=_no_constant)
        for at in range(EPOCHS_AT, RULES_AT, _FIGURE_CHARS)
    ]
    epochs = [figures[at : at + 3] for at in range(0, len(figures), 3)][::-1]
    for at, epoch in enumerate(epochs):
        if at == 0 or epoch != epochs[at - 1]:
            yield epoch


def _spelled(value: object) -> str:
    """JSON whose fractions have 17 significant digits.

    The shortest spelling of a double may lie close to the middle between two; the edge's engine
    (njs has V8's reader without its last, exact step) then reads the wrong one. 17 digits are
    never that far from the double that they mean.
    """
    return f"{value:.17g}" if isinstance(value, float) else json.dumps(value)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")
