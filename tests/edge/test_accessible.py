"""Each page for who sees little, does not see, or needs letters of twice the size (WCAG 2.2 AA)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from fairgate_ops.run.pictures.screenshots import ARGS, installed_chromium
from tests.e2e import browser
from tests.e2e.stub.server import Stub
from tests.edge.ax_tree import Node, names_without_their_text, structure_faults, tree
from tests.edge.page_states import STATES, opened
from tests.edge.web_tools import fits
from tests.support.gate_build import ROOT
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
pytestmark = pytest.mark.skipif(not AXE.is_file(), reason="npm packages are not installed")

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
FOUND = """async (tags) => (await axe.run({ runOnly: tags })).violations
  .filter(({ impact }) => ['serious', 'critical'].includes(impact))
  .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)"""
# What moves on and on; a change of place that ends by itself is no such thing.
MOVING = """() => document.getAnimations()
  .filter((one) => one.playState === 'running' && one.effect.getTiming().iterations === Infinity)
  .map((one) => one.effect.target.outerHTML.slice(0, 160))"""
RUNNING = """() => document.getAnimations().filter((one) => one.playState === 'running')
  .map((one) => one.effect.target.outerHTML.slice(0, 160))"""
# What forced colours leave of each control: a line around it, and a ring where the focus is.
UNSEEN = r"""() => {
  const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && one.offsetWidth > 1;
  const all = (what) => [...document.querySelectorAll(what)].filter(shown);
  const told = (one, what) => `${what}: ${one.outerHTML.slice(0, 160)}`;
  const ground = getComputedStyle(document.body).backgroundColor;
  const clear = (color) => /^rgba\(.*, 0\)$/.test(color);
  const edged = (one) => {
    const { borderTopWidth: width, borderTopColor: color } = getComputedStyle(one);
    return parseFloat(width) > 0 && !clear(color) && color !== ground;
  };
  const lined = '.primary, .badge, .notice, .clock, select, .card, .chip';
  const wrong = all(`${lined}, input:not([type=checkbox])`)
    .filter((one) => !edged(one))
    .map((one) => told(one, 'no line'));
  for (const one of all('.primary')) {
    const { color, backgroundColor } = getComputedStyle(one);
    if (color === backgroundColor) wrong.push(told(one, 'no letters'));
  }
  for (const one of all('.notice, .badge')) {
    if (getComputedStyle(one, '::before').backgroundColor === getComputedStyle(one).backgroundColor)
      wrong.push(told(one, 'no sign'));
  }
  const at = document.activeElement;
  for (const one of all('main :is(a, button, input, select, summary), .top :is(a, button)')) {
    if (one.disabled) continue;
    one.focus({ focusVisible: true });
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
    if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2 || clear(outlineColor))
      wrong.push(told(one, 'no ring'));
  }
  at.focus();
  return wrong;
}"""
# What a finger may miss; links in sentences may be as small as their words.
SMALL = """() => [...document.querySelectorAll(
    'button, .button, select, summary, input:not([type=checkbox]), .top a')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.offsetWidth > 1)
  .filter((one) => Math.round(one.offsetWidth) < 44 || Math.round(one.offsetHeight) < 44)
  .map((one) => `${one.offsetWidth} x ${one.offsetHeight}: ${one.outerHTML.slice(0, 160)}`)"""
# What is cut at the screen's edge; prices may be pushed aside, and a map moved.
OUTSIDE = """() => [...document.querySelectorAll('body *')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.offsetWidth > 1)
  .filter((one) => !one.closest('.filter, .map, .skip'))
  .filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    return left < -1 || right > innerWidth + 1;
  })
  .map((one) => one.outerHTML.slice(0, 160))"""
PRESSED = """() => {
  const one = (state) => document.querySelector(`.seat-button[aria-pressed=${state}]`);
  const fill = (state) => getComputedStyle(one(state)).backgroundColor;
  return fill(true) !== fill(false);
}"""


@pytest.mark.parametrize("state", STATES)
def test_a_state_has_no_barrier_that_can_be_computed(stub: Stub, page: Page, state: str) -> None:
    opened(page, stub, state)
    page.evaluate(AXE.read_text("utf-8"))
    faults = [f"light: {one}" for one in page.evaluate(FOUND, WCAG)]
    faults += [f"moves: {one}" for one in page.evaluate(RUNNING)]
    faults += structure_faults(tree(page)) + names_without_their_text(page)
    page.emulate_media(color_scheme="dark")
    faults += [f"dark: {one}" for one in page.evaluate(FOUND, WCAG)]
    page.emulate_media(reduced_motion="no-preference", forced_colors="active")
    faults += [f"moves on and on: {one}" for one in page.evaluate(MOVING)]
    faults += [f"forced colours, {one}" for one in page.evaluate(UNSEEN)]
    assert faults == []


def test_chosen_seats_are_told_from_free_ones_where_colours_are_forced(
    stub: Stub, page: Page
) -> None:
    opened(page, stub, "list")
    page.emulate_media(forced_colors="active")
    assert page.evaluate(PRESSED)


@pytest.mark.parametrize(
    ("done", "said"),
    [
        ("main.querySelector('.about p').style.color = '#eee'", "light: color-contrast"),
        ("main.querySelector('.primary').ariaLabel = 'Go on'", "shows “get tickets”"),
        ("main.querySelector('.chip').ariaLabel = 'Wheelchairs'", "shows “accessible”"),
        ("main.append(document.createElement('h4')); main.lastChild.append('x')", "level 4 comes"),
        ("main.append(document.createElement('h1')); main.lastChild.append('x')", "2 headings of"),
        ("main.querySelector('.badge').style.border = 0", "no line"),
        ("main.querySelector('.primary').style.outline = 'none'", "no ring"),
        ("main.animate([], { duration: 9, iterations: Infinity })", "moves on and on"),
    ],
)
def test_a_barrier_is_named(stub: Stub, page: Page, done: str, said: str) -> None:
    """Control: what a change of the page breaks is among the faults."""
    opened(page, stub, "event")
    page.evaluate(AXE.read_text("utf-8"))
    page.evaluate(f"() => {{ const main = document.querySelector('main'); {done} }}")
    faults = [f"light: {one}" for one in page.evaluate(FOUND, WCAG)]
    faults += structure_faults(tree(page)) + names_without_their_text(page)
    faults += [f"moves on and on: {one}" for one in page.evaluate(MOVING)]
    page.emulate_media(forced_colors="active")
    faults += page.evaluate(UNSEEN)
    assert [one for one in faults if said in one], faults


def test_a_small_button_is_named(stub: Stub, page: Page) -> None:
    opened(page, stub, "event")
    page.evaluate(
        "document.querySelector('.way .primary').style.cssText = 'min-height: 0; padding: 0'"
    )
    assert [one for one in page.evaluate(SMALL) if "primary" in one]


def test_what_is_cut_at_the_edge_is_named(stub: Stub, page: Page) -> None:
    opened(page, stub, "event")
    page.evaluate("document.querySelector('h1').style.marginInlineStart = '-99px'")
    assert [one for one in page.evaluate(OUTSIDE) if "h1" in one]
    page.evaluate("document.querySelector('h1').style.inlineSize = '3000px'")
    assert not fits(page)


def test_missing_landmarks_are_named() -> None:
    assert structure_faults([Node("heading", "Events", 1, 1)]) == ["0 of banner", "0 of main"]


@pytest.fixture(scope="module")
def large_letters(chromium: Browser) -> Iterator[Browser]:
    """A browser whose reader has chosen letters of twice the size."""
    started = chromium.browser_type.launch(
        executable_path=installed_chromium(),
        args=[*ARGS, browser.LOOPBACK_ONLY, "--blink-settings=defaultFontSize=32"],
    )
    yield started
    started.close()


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("large", [False, True], ids=["100%", "200%"])
def test_nothing_leaves_a_screen_of_320_pixels(
    stub: Stub, chromium: Browser, large_letters: Browser, state: str, *, large: bool
) -> None:
    with browser.window(large_letters if large else chromium, phone=True) as page:
        page.set_viewport_size({"width": 320, "height": 640})
        opened(page, stub, state)
        assert fits(page)
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(SMALL) == []
        page.evaluate("document.dir = 'rtl'")
        assert fits(page)
        assert page.evaluate(OUTSIDE) == []


IN_ONE_LINE = """([what, letters]) => {
  const text = document.querySelector(what).firstChild;
  const range = document.createRange();
  const at = text.data.indexOf(letters);
  range.setStart(text, at);
  range.setEnd(text, at + letters.length);
  return new Set([...range.getClientRects()].map((one) => one.top)).size === 1;
}"""


@pytest.mark.parametrize(
    ("language", "state", "what", "letters"),
    [
        ("ar", "list", ".seat-list summary > b", "الصف"),
        ("ja", "checkout", "main .primary", "支払う"),
    ],
)
def test_large_letters_leave_words_whole(
    stub: Stub, large_letters: Browser, language: str, state: str, what: str, letters: str
) -> None:
    narrow = {"width": 320, "height": 640}
    context = large_letters.new_context(locale=language, viewport=narrow)  # type: ignore[arg-type]
    try:
        page = context.new_page()
        opened(page, stub, state)
        assert page.evaluate(IN_ONE_LINE, [what, letters])
    finally:
        context.close()


BESIDE = """() => {
  const [back, title] = ['.back', '.sale-head h1'].map((one) =>
    document.querySelector(one).getBoundingClientRect());
  return back.top < title.bottom && title.top < back.bottom;
}"""


def test_large_letters_leave_the_way_back_beside_the_section(
    stub: Stub, large_letters: Browser
) -> None:
    with browser.window(large_letters, phone=True) as page:
        opened(page, stub, "section")
        assert page.evaluate(BESIDE)


CHIEF = """() => {
  const { backgroundColor: own, color } = getComputedStyle(document.querySelector('main .primary'));
  const around = getComputedStyle(document.querySelector('main .card')).backgroundColor;
  return [own !== around, own !== color];
}"""


@pytest.mark.parametrize("state", ["turn", "checkout"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_chief_button_is_seen_where_colours_are_forced(
    stub: Stub, page: Page, state: str, *, dark: bool
) -> None:
    opened(page, stub, state)
    page.emulate_media(forced_colors="active", color_scheme="dark" if dark else "light")
    assert page.evaluate(CHIEF) == [True, True]
    before = page.locator("main .primary").evaluate("it => getComputedStyle(it).backgroundColor")
    page.locator("main .primary").hover()
    after = page.locator("main .primary").evaluate("it => getComputedStyle(it).backgroundColor")
    assert after == before


IN_THE_PANEL = "document.activeElement.closest('.panel') !== null"
UNDER_THE_BAR = """() => {
  const { left, right, top, bottom } = document.activeElement.getBoundingClientRect();
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return seen?.closest('.bar') ? document.activeElement.outerHTML.slice(0, 160) : '';
}"""


def test_what_has_the_focus_in_the_sheet_is_not_under_the_bar(stub: Stub, phone: Page) -> None:
    opened(phone, stub, "sheet")
    phone.locator(".panel :is(a, button):visible").first.focus()
    stops = 0
    while phone.evaluate(IN_THE_PANEL):
        assert phone.evaluate(UNDER_THE_BAR) == ""
        phone.keyboard.press("Tab")
        stops += 1
    assert stops > 5


UNDER_THE_SHEET = """() => {
  const { left, right, top, bottom } = document.activeElement.getBoundingClientRect();
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return !document.activeElement.contains(seen);
}"""


def test_what_has_the_focus_beside_the_sheet_is_not_under_it(stub: Stub, phone: Page) -> None:
    opened(phone, stub, "sheet")
    sheet = phone.locator(".panel.drawn")
    for name in ("Show the whole venue", "Zoom in"):
        if not sheet.count():
            phone.locator(".grip").click()
        sheet.wait_for()
        phone.get_by_role("button", name=name).focus()
        assert eventually(lambda: not phone.evaluate(UNDER_THE_SHEET))
    assert sheet.count() == 0
