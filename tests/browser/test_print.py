"""Pages on paper: what was read, whole, and nothing to press."""

from playwright.sync_api import Browser

from tests.browser.mock_stage import JOB_ID, MockStage, addresses
from tests.browser.window import window

_PAPER = {"width": 794, "height": 1123}
_PRESSED = """() => [...document.querySelectorAll("#top, nav, button")]
  .filter((each) => !each.matches("[role=tab], [aria-haspopup], .ledger-cell, .tg-gantt-row"))
  .filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .map((each) => each.tagName + " " + (each.innerText || each.getAttribute("aria-label")))"""
_CUT = """() => [...document.querySelectorAll("main table")].filter((table) => {
  const isCut = (each) => getComputedStyle(each).overflowX !== "visible";
  let frame = table.parentElement;
  while (frame !== null && !isCut(frame)) frame = frame.parentElement;
  const end = Math.min(innerWidth, frame?.getBoundingClientRect().right ?? innerWidth);
  return table.getBoundingClientRect().right > end + 1;
}).map((each) => each.getAttribute("aria-label") + " " + each.getBoundingClientRect().right)"""


def test_a_ledger_is_printed_with_its_cells(browser: Browser, site: str) -> None:
    """They are buttons, and what the page says."""
    with window(browser, site, MockStage()) as opened:
        opened.desk.go(f"/jobs/{JOB_ID}")
        opened.page.locator(".ledger-cell").first.wait_for()
        opened.page.emulate_media(media="print")
        seen = [each.is_visible() for each in opened.page.locator(".ledger-cell").all()]

    assert seen
    assert all(seen)


def test_every_page_is_printed_whole_without_what_is_pressed(browser: Browser, site: str) -> None:
    """No navigation, top bar or button stands on A4, and no table goes beyond its frame."""
    pressed: dict[str, list[str]] = {}
    cut: dict[str, list[str]] = {}
    with window(browser, site, MockStage()) as opened:
        for path in addresses():
            opened.page.emulate_media(media="screen")
            opened.desk.go(path)
            opened.page.emulate_media(media="print")
            opened.page.set_viewport_size(_PAPER)  # type: ignore[arg-type]
            pressed[path] = opened.page.evaluate(_PRESSED)
            cut[path] = opened.page.evaluate(_CUT)

    assert {path: found for path, found in pressed.items() if found} == {}
    assert {path: found for path, found in cut.items() if found} == {}
