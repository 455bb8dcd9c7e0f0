"""Words that are wider than a phone."""

from playwright.sync_api import Browser

from tests.browser.mock_stage import JOB_ID, MockStage, example
from tests.browser.window import window

RUN_ID = f"{JOB_ID}.s20261121T090000000Z"
DAG_ID = "3qrigfuxnnlumzf2sk46y2smmv"
_NARROW = {"width": 360, "height": 740}
_SIDEWAYS = "document.scrollingElement.scrollWidth - window.innerWidth"
#: An address in a description, and the longest name of a tag.
_LONG = {"description": "https://wiki.example.com/" + "w" * 300, "tags": {"t" * 64: "v" * 256}}


def test_no_page_scrolls_sideways_for_a_long_word(browser: Browser, site: str) -> None:
    """Descriptions and tags of a job, a run and a DAG break where there is no more room."""
    shown = {f"/jobs/{JOB_ID}": "job", f"/runs/{RUN_ID}": "run", f"/dags/{DAG_ID}": "DAG"}
    answers = {f"GET /v1{path}": {**example("GET", f"/v1{path}"), **_LONG} for path in shown}
    sideways: dict[str, int] = {}
    with window(browser, site, MockStage(answers=answers), viewport=_NARROW) as opened:
        for path, what in shown.items():
            opened.desk.go(path)
            sideways[what] = opened.page.evaluate(_SIDEWAYS)

    assert sideways == {"job": 0, "run": 0, "DAG": 0}


def test_a_long_tag_widens_no_list_of_jobs(browser: Browser, site: str) -> None:
    """It breaks within its column, which is no wider than for a short one."""
    widths = []
    for tags in ({"team": "billing"}, _LONG["tags"]):
        jobs = example("GET", "/v1/jobs")
        items = [{**jobs["items"][0], "tags": tags}]
        stage = MockStage(answers={"GET /v1/jobs": {**jobs, "items": items}})
        with window(browser, site, stage) as opened:
            opened.desk.go("/jobs")
            widths.append(opened.page.locator("table").first.evaluate("each => each.scrollWidth"))

    assert widths[0] == widths[1]


def test_words_of_a_month_are_whole_on_a_phone(browser: Browser, site: str) -> None:
    """The month scrolls in its frame: a day has room for its longest word."""
    word = "each => ((each.style.overflowWrap = 'normal'), each.scrollWidth - each.clientWidth)"
    with window(browser, site, MockStage(), viewport={"width": 320, "height": 640}) as opened:
        opened.desk.go("/calendars/sample")
        entries = opened.page.locator(".tg-day .tg-day-entry, .tg-day .tg-day-word").all()
        beyond = [each.evaluate(word) for each in entries]
        sideways = opened.page.evaluate(_SIDEWAYS)

    assert beyond
    assert set(beyond) == {0}
    assert sideways == 0
