"""Texts that turn round what follows them, in a real browser."""

import pytest
from playwright.sync_api import Browser

from tests.browser.mock_stage import MockStage, example
from tests.browser.window import window

DAG_ID = "3qrigfuxnnlumzf2sk46y2smmv"
#: A right-to-left override; the second ends the isolation of its element first.
_TURNS = ["\u202eover", "\u2069\u202eover"]
_PLACES = """
() => [".said", "[class*=awsui_root] .tg-state"].map((each) =>
  document.querySelector(`h1 ${each}`).getBoundingClientRect().left)
"""


@pytest.mark.parametrize("name", _TURNS, ids=["override", "end and override"])
def test_a_name_moves_nothing_that_stands_beside_it(browser: Browser, site: str, name: str) -> None:
    """The state of a DAG stays after its name."""
    path = f"/v1/dags/{DAG_ID}"
    stage = MockStage(answers={f"GET {path}": {**example("GET", path), "name": name}})
    with window(browser, site, stage) as opened:
        opened.desk.go(f"/dags/{DAG_ID}")
        opened.page.locator("h1 .tg-state").wait_for(timeout=30_000)
        left_of_name, left_of_state = opened.page.evaluate(_PLACES)

        assert left_of_name < left_of_state
