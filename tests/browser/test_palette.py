"""The command palette, by keys alone."""

import pytest
from playwright.sync_api import expect

from tests.browser.window import Window

DAG_RUN_ID = "e7raeehh2bcxbg265lulbgsicz"


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        (["nightly", "Enter"], "/jobs?name=nightly*"),
        (["calend", "ArrowDown", "ArrowDown", "Enter"], "/calendars"),
    ],
    ids=["name", "page"],
)
def test_it_opens_what_is_typed_next(desktop: Window, keys: list[str], place: str) -> None:
    """Its field has the keyboard's place as soon as it is open."""
    page = desktop.page
    text, *pressed = keys
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Page, action, id or job name")
    expect(field).to_be_focused()
    page.keyboard.type(text)
    for key in pressed:
        page.keyboard.press(key)

    page.wait_for_url(f"**{place}")
    expect(page.locator("[role=dialog]:visible")).to_have_count(0)
    assert desktop.complaints == []
