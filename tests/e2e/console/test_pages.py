"""Every page: it opens quietly, is accessible, and shows text as text."""

import pytest

from infra.local.console.people import DEMO
from tests.e2e.console.browser import Visit
from tests.support.deployed.stack import Stack

CANARY = "<img src=x onerror=\"window.canary='sung'\"><script>window.canary='sung'</script>"
HOSTILE = {
    "name": CANARY,
    "description": CANARY,
    "tags": {"team": "night & <b>day</b>"},
    "schedule": {"kind": "rate", "every_seconds": 3600},
    "action": {"type": "worker", "pool": "canaries", "handler": "sing"},
    "payload": {"text": CANARY},
    "list_runs": "all",
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_page_opens_quietly_and_is_accessible(stack: Stack, visit: Visit, scheme: str) -> None:
    """No complaint of the browser or its policy, nothing serious for axe, and no script runs."""
    created = stack.api.post("/v1/jobs", json=HOSTILE)
    assert created.status_code == 201, created.text
    visit.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    visit.sign_in(DEMO)
    serious: dict[str, list[str]] = {}
    for path in visit.pages():
        visit.open(path)
        visit.picture(path, scheme)
        serious[path] = visit.serious()

    assert {path: found for path, found in serious.items() if found} == {}
    assert visit.complaints == []
    assert visit.page.evaluate("window.canary") is None


def test_hostile_names_are_shown_as_text(stack: Stack, visit: Visit) -> None:
    """In the list and on the job's own page."""
    job_id = stack.api.post("/v1/jobs", json=HOSTILE).json()["job_id"]
    visit.sign_in(DEMO)
    visit.open("/jobs")
    row = visit.page.get_by_role("link", name=CANARY).first
    row.wait_for(timeout=30_000)
    row.click()
    visit.page.wait_for_url(f"**/jobs/{job_id}**")
    visit.page.get_by_role("heading", name=CANARY).wait_for(timeout=30_000)

    assert visit.page.evaluate("window.canary") is None
    assert CANARY in visit.page.locator("body").inner_text()
