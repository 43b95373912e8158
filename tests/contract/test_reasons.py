"""Each reason of a refusal is documented, and the pages say it in words of their own."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

from fairgate import errors
from fairgate.adapters.payments.refusals import TEXTS
from fairgate.http.views.problems import OWN

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "layers" / "core" / "python" / "fairgate"
WORDS = ROOT / "edge" / "web" / "words" / "en" / "room.ftl"  # words.test.mjs compares the others
STAFF = {
    ("wrong-state", "not-cancelled"),
    ("wrong-state", "unfinished"),
}  # only the organiser's command refunds a cancelled event


def documented() -> set[tuple[str, str]]:
    return {
        (error.code, value)
        for error, view in OWN.items()
        for one in (get_type_hints(view).get("reason"),)
        for literal in (one, *get_args(one))
        if get_origin(literal) is Literal
        for value in get_args(literal)
    }


def raised() -> set[tuple[str, str]]:
    """List the reasons that the sources write out at an error."""
    found = {(errors.PaymentRefusedError.code, reason) for reason in TEXTS}
    for path in CORE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            kind = getattr(errors, node.func.id, None)
            given = {one.arg: one.value for one in node.keywords}
            reason = given.get("reason")
            if kind is not None and isinstance(reason, ast.Constant):
                found.add((kind.code, str(reason.value)))
    return found


def test_every_reason_that_a_buyer_can_meet_is_documented() -> None:
    assert {code for code, _ in raised()} == {code for code, _ in documented()}
    unknown = raised() - documented() - STAFF
    assert not unknown, f"{unknown}: add each to its Literal in fairgate/http/views/problems.py"


def test_every_documented_reason_has_a_text_on_the_pages() -> None:
    texts = re.findall(r"(?m)^problem-([\w-]+) =", WORDS.read_text("utf-8"))
    missing = {f"{code}-{reason}" for code, reason in documented()} - set(texts)
    assert not missing, f"say problem-… in edge/web/words/*/room.ftl, in all languages: {missing}"
