"""Every page and tab, on a desktop and on a phone: quiet, readable, and reached by keyboard."""

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.mock_stage import JOB_ID, TOKEN, MockStage, addresses, titles
from tests.browser.window import DESKTOP, PHONE, Window, window

#: Elements that a pointer can use, and those that Tab has come to.
_WATCH_FOCUS = """
() => { window.reached = new Set();
  addEventListener("focusin", (event) => window.reached.add(event.target)); }
"""
_LEFT_OUT = """
() => {
  const usable = "a[href], button, input, select, textarea, summary, [role=button], [role=link]";
  const isThere = (each) => {
    const box = each.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && getComputedStyle(each).visibility === "visible";
  };
  // Arrows move within lists of tabs, rows of a toolbar and choices; their list is a stop.
  const groups = "[role=tablist], [role=radiogroup], [role=toolbar]";
  // Cloudscape measures breadcrumbs on a copy that is not shown.
  const unseen = "[aria-hidden=true], [class*=ghost]";
  const isHidden = (each) => each.disabled || each.closest(unseen) !== null;
  return [...document.querySelectorAll(usable)]
    .filter((each) => isThere(each) && !isHidden(each) && each.closest(groups) === null)
    .filter((each) => !window.reached.has(each))
    .map((each) => each.outerHTML.slice(0, 160));
}
"""
_MOST_STOPS = 400
_MOST_OPTIONS = 12
#: Cloudscape's own bar says of its navigation whether it is expanded, which is no attribute of it.
_CLOUDSCAPE = "aria-allowed-attr: .awsui_mobile-toolbar-nav_"
#: A list, a form, a page with tabs and the overview; ``make browser`` asks every page.
_BY_KEYBOARD = {"/", "/jobs", "/jobs/new", f"/jobs/{JOB_ID}"}
_SIDEWAYS = "document.scrollingElement.scrollWidth - window.innerWidth"


@pytest.mark.parametrize(
    "viewport",
    [
        pytest.param(DESKTOP, id="desktop"),
        pytest.param(PHONE, id="phone", marks=pytest.mark.deep),
    ],
)
def test_no_page_scrolls_sideways_or_breaks_the_policy(
    browser: Browser, site: str, viewport: dict[str, int]
) -> None:
    """Wide tables scroll in their own frames; axe finds nothing serious at a phone's width."""
    sideways: dict[str, int] = {}
    serious: dict[str, list[str]] = {}
    with window(browser, site, MockStage(), viewport=viewport) as opened:
        for address in addresses():
            opened.desk.go(address)
            for tab in opened.desk.tabs():
                sideways[f"{address} {tab}"] = opened.page.evaluate(_SIDEWAYS)
                if viewport is PHONE:
                    serious[f"{address} {tab}"] = opened.desk.visit.serious(but=_CLOUDSCAPE)

        assert {place: px for place, px in sideways.items() if px > 0} == {}
        assert {place: found for place, found in serious.items() if found} == {}
        assert opened.complaints == []


def test_the_policy_lets_no_style_in_that_a_text_brings(desktop: Window) -> None:
    """A style in markup is ignored, and said to be; components set theirs through the model."""
    colour = desktop.page.evaluate(
        """() => {
          document.body.insertAdjacentHTML("beforeend", '<p id="styled" style="color: red">x</p>');
          return getComputedStyle(document.getElementById("styled")).color;
        }"""
    )

    assert colour != "rgb(255, 0, 0)"
    assert any("style-src" in each for each in desktop.complaints)


@pytest.mark.parametrize(
    "address",
    [
        pytest.param(each, marks=() if each in _BY_KEYBOARD else pytest.mark.deep)
        for each in addresses()
    ],
)
def test_the_keyboard_reaches_everything_that_a_pointer_does(desktop: Window, address: str) -> None:
    """Tab comes to each button, link and field of the page, and then to the beginning again."""
    desktop.desk.go(address)
    page = desktop.page
    page.evaluate(_WATCH_FOCUS)
    left_out: list[str] = []
    for _ in range(_MOST_STOPS // 20):
        for _ in range(20):
            page.keyboard.press("Tab")
        left_out = page.evaluate(_LEFT_OUT)
        if not left_out:
            break

    assert left_out == []


def choose(page: Page, text: str, option: str) -> None:
    """Open the palette, write, and press arrows down to an option."""
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Page, action")
    field.fill(text)
    for _ in range(_MOST_OPTIONS):
        page.keyboard.press("ArrowDown")
        chosen = field.get_attribute("aria-activedescendant")
        if chosen and page.locator(f"[id='{chosen}']").inner_text().partition("\n")[0] == option:
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"{option} is not offered for {text}")


def test_the_palette_opens_each_page_and_does_what_buttons_do(desktop: Window) -> None:
    """By keyboard alone: Ctrl+K, a word of its name, arrows, Enter."""
    for address, title in titles().items():
        if address in addresses():
            choose(desktop.page, title, title)
            desktop.page.wait_for_url(f"**{address}", timeout=30_000)
    desktop.desk.go("/jobs")
    choose(desktop.page, "pause", "> Pause all that match")
    desktop.page.get_by_role("dialog", name="Pause").wait_for(timeout=30_000)


def test_no_page_tells_a_token(desktop: Window) -> None:
    """No address, no log, no storage, and nothing that a picture of the page would show."""
    told: list[str] = []
    for address in addresses():
        desktop.desk.go(address)
        page = desktop.page
        told += [address for text in (page.url, page.content()) if TOKEN in text]
        kept = page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
        told += [f"{address} storage"] if TOKEN in kept else []
    sent = [each for each in desktop.asked if TOKEN in str(each.headers.get("authorization"))]

    assert sent
    assert told == []
    assert [each.url for each in desktop.asked if TOKEN in each.url] == []
    assert [each for each in desktop.logged if TOKEN in each] == []
