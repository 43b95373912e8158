"""A buyer who hears the pages goes from the event to the ticket, by the accessibility tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.e2e.stub.server import Stub
from tests.edge.ax_tree import CONTROLS, names_without_their_text, structure_faults, tree
from tests.edge.web_tools import arrive
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page

# What a live region says, in order; a page that is built anew keeps its region.
LISTEN = """document.addEventListener('DOMContentLoaded', () => {
  globalThis.spoken = [];
  const note = ({ target }) => {
    const element = target.closest ? target : target.parentElement;
    const region = element?.closest('[aria-live], [role=status], [role=alert]');
    const text = region?.textContent.trim();
    if (text) globalThis.spoken.push(text);
  };
  const watch = new MutationObserver((changes) => changes.forEach(note));
  watch.observe(document, { subtree: true, childList: true, characterData: true });
})"""


def heard(page: Page, text: str) -> bool:
    """Await that a live region speaks a text."""
    return eventually(lambda: any(text in one for one in page.evaluate("() => globalThis.spoken")))


def page_of(page: Page, heading: str, *controls: str) -> None:
    """Await a page: its heading has the focus, its order is sound, and it offers the controls."""
    page.get_by_role("heading", level=1, name=heading, exact=True).wait_for()
    nodes = tree(page)
    names = {node.name for node in nodes if node.role in CONTROLS}
    faults = structure_faults(nodes) + names_without_their_text(page)
    faults += [f"no {one}" for one in controls if not any(name.startswith(one) for name in names)]
    assert faults == [], (heading, sorted(names))
    assert eventually(lambda: page.evaluate("document.activeElement.innerText") == heading)
    assert page.title().endswith("Fairgate")


def go(page: Page, role: str, name: str) -> None:
    """Go to a control by its name, as a screen reader does, and press Enter."""
    control = page.get_by_role(role, name=name, exact=True).first  # type: ignore[arg-type]
    control.focus()
    control.press("Enter")


def test_a_buyer_hears_the_way_from_the_event_to_the_ticket(stub: Stub, page: Page) -> None:
    stub.world.polls_before_admission = 2
    page.add_init_script(LISTEN)
    arrive(page, stub, "/e/demo")
    page_of(page, "Lights over the Harbour", "Get tickets", "My orders", "Skip to content")
    go(page, "link", "Get tickets")
    page_of(page, "You are in the waiting room", "Leave the waiting room")
    assert heard(page, "You are in the waiting room: about 10–20 minutes")
    assert heard(page, "You are in until ")
    page_of(page, "You are in", "Choose seats")
    go(page, "link", "Choose seats")
    page_of(page, "Lights over the Harbour", "Find and hold seats", "Section 101", "Gold, €121")
    go(page, "button", "Find and hold seats")
    assert heard(page, "Held for you:")
    go(page, "link", "Go to checkout")
    page_of(page, "Checkout", "E-mail for your tickets", "Pay €155.50")
    page.get_by_label("E-mail for your tickets").fill("guest@example.org")
    go(page, "button", "Pay €155.50")
    go(page, "button", "Pay")
    page.get_by_role("img", name="Ticket 2 of 2, with its QR code").wait_for()
    page_of(page, "Your tickets", "Tickets (PDF)", "Save picture: Ticket 1 of 2")
    assert heard(page, "Your tickets.")


def test_silence_is_told_from_speech(stub: Stub, page: Page) -> None:
    """Control: what changes outside a live region is not heard."""
    page.add_init_script(LISTEN)
    arrive(page, stub, "/e/demo")
    page.get_by_role("link", name="Get tickets").wait_for()
    page.evaluate("document.querySelector('h1').textContent = 'Nobody hears this'")
    page.evaluate("document.getElementById('live').textContent = 'Everybody hears this'")
    assert heard(page, "Everybody hears this")
    assert "Nobody hears this" not in page.evaluate("() => globalThis.spoken")
