"""A stack that goes away while pages are open, and comes back."""

from playwright.sync_api import expect

from infra.local.console.people import DEMO
from tests.e2e.console.browser import Visit
from tests.support.deployed.stack import Stack

_PATIENCE = 60_000


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
    expect(row).to_be_visible(timeout=_PATIENCE)
    visit.page.route("**/v1/**", lambda route: route.abort("connectionrefused"))
    visit.page.clock.fast_forward("02:00")
    alert = visit.page.get_by_text("cannot be reached")
    expect(alert.first).to_be_visible(timeout=_PATIENCE)
    still_there = row.is_visible()
    visit.page.unroute_all()
    stack.api.patch(f"/v1/jobs/{job['job_id']}", json={"name": "back again"}).raise_for_status()
    # A page asks a stack that fails eight times as seldom.
    visit.page.clock.fast_forward("08:30")
    expect(visit.page.get_by_role("link", name="back again")).to_be_visible(timeout=_PATIENCE)

    assert still_there
    expect(alert).to_have_count(0)
