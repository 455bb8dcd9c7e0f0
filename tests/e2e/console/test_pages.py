"""Every page: it opens quietly, is accessible, shows text as text, and survives an outage."""

from playwright.sync_api import expect

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


def test_each_page_opens_quietly_and_is_accessible(stack: Stack, visit: Visit) -> None:
    """No complaint of the browser, nothing serious for axe, light or dark; each has its command."""
    created = stack.api.post("/v1/jobs", json=HOSTILE)
    assert created.status_code == 201, created.text
    visit.sign_in(DEMO)
    serious: dict[str, list[str]] = {}
    silent: list[str] = []
    for path in visit.pages():
        visit.open(path)
        silent += [] if visit.says_its_command() else [path]
        for scheme in visit.schemes():
            serious[f"{path} {scheme}"] = visit.serious()

    assert {path: found for path, found in serious.items() if found} == {}
    assert silent == []
    assert visit.complaints == []
    assert visit.page.evaluate("window.canary") is None


def test_hostile_names_are_shown_as_text(stack: Stack, visit: Visit) -> None:
    """In the list and on the job's own page."""
    job_id = stack.api.post("/v1/jobs", json=HOSTILE).json()["job_id"]
    visit.sign_in(DEMO)
    visit.open("/jobs")
    row = visit.page.get_by_role("link", name=CANARY).first
    row.wait_for()
    row.click()
    visit.page.wait_for_url(f"**/jobs/{job_id}**")
    visit.page.get_by_role("heading", name=CANARY).wait_for()

    assert visit.page.evaluate("window.canary") is None
    assert CANARY in visit.page.locator("body").inner_text()


def test_a_page_survives_a_stack_that_goes_away(stack: Stack, visit: Visit) -> None:
    """It keeps what it has read, says that it reads no more, and goes on by itself."""
    name = "survives the outage"
    job = stack.create_job(
        name=name,
        schedule={"kind": "rate", "every_seconds": 3600},
        action={"type": "worker", "pool": "outages", "handler": "none"},
    )
    visit.page.clock.install()
    visit.sign_in(DEMO)
    visit.open("/jobs")
    row = visit.page.get_by_role("link", name=name)
    expect(row).to_be_visible()
    visit.page.route("**/v1/**", lambda route: route.abort("connectionrefused"))
    visit.page.clock.fast_forward("02:00")
    alert = visit.page.get_by_text("cannot be reached")
    expect(alert.first).to_be_visible()
    still_there = row.is_visible()
    visit.page.unroute_all()
    stack.api.patch(f"/v1/jobs/{job['job_id']}", json={"name": "back again"}).raise_for_status()
    # A page asks a stack that fails eight times as seldom.
    visit.page.clock.fast_forward("08:30")
    expect(visit.page.get_by_role("link", name="back again")).to_be_visible()

    assert still_there
    expect(alert).to_have_count(0)
