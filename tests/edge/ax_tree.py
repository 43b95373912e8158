"""A page as assistive technology has it: Chromium's own accessibility tree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

CONTROLS = {"button", "link", "checkbox", "combobox", "textbox", "searchbox", "DisclosureTriangle"}
LANDMARKS = {"banner", "main", "contentinfo", "search", "navigation", "complementary", "form"}
VISIBLE_TEXT = """function () {
  const labels = this.matches('input, select, textarea') && [...this.labels];
  if (labels) return labels.map((label) => label.innerText).join(' ');
  const signs = [...this.querySelectorAll('[aria-hidden=true]')];
  for (const sign of signs) sign.hidden = true;
  const text = this.innerText;
  for (const sign of signs) sign.hidden = false;
  return text;
}"""


@dataclass(frozen=True)
class Node:
    """One node that is not ignored. Attributes: ``level`` of a heading, 0 of others."""

    role: str
    name: str
    level: int
    element: int


def tree(page: Page) -> list[Node]:
    """Return the nodes in reading order."""
    found = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    by_id = {one["nodeId"]: one for one in found}
    nodes: list[Node] = []

    def walk(one: dict[str, Any]) -> None:
        if not one["ignored"]:
            about = {each["name"]: each["value"].get("value") for each in one.get("properties", ())}
            name = one.get("name", {}).get("value", "")
            level = int(about.get("level", 0)) if one["role"]["value"] == "heading" else 0
            nodes.append(Node(one["role"]["value"], name, level, one.get("backendDOMNodeId", 0)))
        for child in one.get("childIds", ()):
            if child in by_id:
                walk(by_id[child])

    walk(found[0])
    return nodes


def words(text: str) -> str:
    """Return the words of a text alone: signs are no words, and nobody speaks them."""
    return " ".join(re.findall(r"\w+", text.lower()))


def names_without_their_text(page: Page) -> list[str]:
    """Return the controls whose name lacks what is seen on them (WCAG 2.2, 2.5.3), or is empty."""
    session, wrong = page.context.new_cdp_session(page), []
    for node in tree(page):
        if node.role not in CONTROLS:
            continue
        seen = words(_visible_text(session, node.element))
        if not node.name.strip() or seen not in words(node.name):
            wrong.append(f"{node.role} “{node.name}” shows “{seen}”")
    return wrong


def _visible_text(session: CDPSession, element: int) -> str:
    found = session.send("DOM.resolveNode", {"backendNodeId": element})
    options = {"objectId": found["object"]["objectId"], "functionDeclaration": VISIBLE_TEXT}
    answer = session.send("Runtime.callFunctionOn", options | {"returnByValue": True})
    text: str = answer["result"].get("value", "")
    return text


def structure_faults(nodes: list[Node]) -> list[str]:
    """Return what is wrong with a page's headings and landmarks."""
    levels = [node.level for node in nodes if node.level]
    roles = [node.role for node in nodes]
    faults = [] if levels.count(1) == 1 else [f"{levels.count(1)} headings of level 1"]
    if levels and levels[0] != 1:
        faults.append(f"the first heading has level {levels[0]}")
    faults += [
        f"level {later} comes after {one}" for one, later in pairwise(levels) if later > one + 1
    ]
    for landmark in ("banner", "main"):
        if roles.count(landmark) != 1:
            faults.append(f"{roles.count(landmark)} of {landmark}")
    return faults
