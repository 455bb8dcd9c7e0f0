"""A new API key in a real browser: shown once, copied, and nowhere afterwards."""

import pytest
from playwright.sync_api import expect

from tests.browser.mock_stage import example
from tests.browser.window import Window

pytestmark = pytest.mark.wide

_CLIPBOARD = ["clipboard-read", "clipboard-write"]
_BESIDE = (5, 400)


def test_a_new_key_is_copied_and_gone_with_its_question(desktop: Window) -> None:
    """Neither Escape nor a click beside it takes it away; address, storage and log have no key."""
    page, desk = desktop.page, desktop.desk
    page.context.grant_permissions(_CLIPBOARD)
    made = example("POST", "/v1/keys")
    desk.go("/keys")
    desk.ask("Create an API key")
    page.get_by_role("button", name="Create the key", exact=True).click()
    shown = page.get_by_text(made["api_key"], exact=True)
    shown.wait_for(timeout=30_000)
    page.keyboard.press("Escape")
    page.mouse.click(*_BESIDE)
    expect(shown).to_be_visible()
    serious = desk.visit.serious()
    page.get_by_role("dialog").get_by_role("button", name="Copy the key").click()
    expect(page.get_by_text("Copied").first).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    desk.confirm("I have kept it")
    kept = page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")

    assert copied == made["api_key"]
    assert made["api_key"] not in page.content() + page.url + kept + "".join(desktop.logged)
    assert serious == []
    assert desktop.complaints == []
