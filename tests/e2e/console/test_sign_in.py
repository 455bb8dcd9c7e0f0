"""Signing in on the pool's own page: tokens, roles, expiry and signing out."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs

import httpx
from playwright.sync_api import expect

from infra.local.console.people import DEMO, STRANGER, VIEWER
from tests.e2e.console.browser import Visit, stored
from tests.support.command_line import CommandLine
from tests.support.deployed.stack import Stack
from timegate.client.access.person_tokens import read_tokens, write_tokens

JOB = {
    "name": "of a person",
    "schedule": {"kind": "rate", "every_seconds": 3600},
    "action": {"type": "worker", "pool": "people", "handler": "none"},
}


def token_of(visit: Visit) -> str:
    """The token that the console last sent to the API."""
    sent = [each.headers.get("authorization", "") for each in visit.asked]
    return str([each for each in sent if each][-1]).removeprefix("Bearer ")


def as_person(stack: Stack, visit: Visit) -> httpx.Client:
    """A client with the token of the person who has signed in."""
    return stack.caller(token_of(visit))


def grants(visit: Visit) -> list[dict[str, list[str]]]:
    """Return the console's requests to the issuer's token endpoint."""
    posted = [each for each in visit.asked if each.url.endswith("/oauth2/token")]
    return [parse_qs(each.post_data) for each in posted]


def test_a_person_signs_in_with_a_code_and_its_proof(stack: Stack, visit: Visit) -> None:
    """No secret, and no token in an address or in what the browser keeps."""
    visit.sign_in(DEMO)
    (grant,) = grants(visit)
    token = token_of(visit)
    with as_person(stack, visit) as client:
        own = client.get("/v1/tenant").json()

    assert grant["grant_type"] == ["authorization_code"]
    assert "code_verifier" in grant
    assert "client_secret" not in grant
    assert own["person"] == {"name": DEMO.name, "roles": [str(role) for role in DEMO.roles]}
    assert token not in stored(visit.page)
    assert [each.url for each in visit.asked if token in each.url] == []
    assert visit.complaints == []


def test_a_viewer_changes_nothing(stack: Stack, visit: Visit) -> None:
    """The function refuses what the gateway lets pass, and says which roles may."""
    visit.sign_in(VIEWER)
    with as_person(stack, visit) as client:
        read, write = client.get("/v1/jobs"), client.post("/v1/jobs", json=JOB)
        admin = client.get("/v1/tenants")

    assert read.status_code == 200
    assert (write.status_code, write.json()["code"]) == (403, "insufficient_role")
    assert admin.json()["code"] == "insufficient_role"
    assert visit.complaints == []


def test_a_person_of_another_tenant_sees_nothing_of_this_one(stack: Stack, visit: Visit) -> None:
    """Her name says which tenant is hers."""
    job_id = stack.api.post("/v1/jobs", json=JOB).json()["job_id"]
    visit.sign_in(STRANGER)
    with as_person(stack, visit) as client:
        answers = [client.get(f"/v1/jobs/{job_id}"), client.delete(f"/v1/jobs/{job_id}")]

    assert [each.status_code for each in answers] == [404, 404]


def test_the_trail_names_the_person(stack: Stack, visit: Visit) -> None:
    """On the deployed stack, by the token that the pool made."""
    visit.sign_in(DEMO)
    with as_person(stack, visit) as client:
        job_id = client.post("/v1/jobs", json=JOB).json()["job_id"]
    (entry,) = stack.api.get(f"/v1/jobs/{job_id}/audit").json()["items"]

    assert entry["actor"]["subject"] == DEMO.name
    assert entry["actor"]["client_id"] == stack.outputs["ConsoleClientId"]


def test_an_expiring_token_is_renewed_and_keeps_its_roles(stack: Stack, visit: Visit) -> None:
    """Without another sign-in, for as long as the session lasts."""
    visit.page.clock.install()
    visit.sign_in(VIEWER)
    first = token_of(visit)
    # The page that is open reads again as soon as the clock has moved.
    with (
        visit.page.expect_request(lambda each: "/v1/jobs?" in each.url),
        visit.page.expect_response(lambda each: each.url.endswith("/oauth2/token")),
    ):
        visit.page.clock.fast_forward("15:00")
        visit.page.locator("nav a[href='/jobs']").first.click()
    with as_person(stack, visit) as client:
        own = client.get("/v1/tenant").json()

    assert [each["grant_type"] for each in grants(visit)][1:] == [["refresh_token"]]
    assert token_of(visit) != first
    assert own["person"]["roles"] == ["viewer"]


def test_a_token_that_the_api_refuses_leads_to_the_sign_in(visit: Visit) -> None:
    """And back to the page that was open."""
    visit.sign_in(DEMO)
    refused = json.dumps({"message": "Unauthorized"})
    cors = {"Access-Control-Allow-Origin": visit.site.url}
    visit.page.route(
        "**/v1/jobs?**", lambda route: route.fulfill(status=401, body=refused, headers=cors)
    )
    visit.page.locator("nav a[href='/jobs']").first.click()
    visit.page.locator("input[name=password]").wait_for()
    visit.page.unroute_all()
    visit.fill_in(DEMO)

    expect(visit.page).to_have_url(f"{visit.site.url}/jobs")


def test_signing_out_ends_the_session(visit: Visit) -> None:
    """The next person at the console is asked for a password."""
    visit.sign_in(DEMO)
    visit.page.get_by_role("button", name=DEMO.name).first.click()
    visit.page.get_by_text("Sign out").first.click()
    visit.page.wait_for_url("**/signed-out")
    visit.page.goto(visit.site.url)

    visit.page.locator("input[name=password]").wait_for()


def test_a_person_signs_in_from_the_command_line(visit: Visit, tmp_path: Path) -> None:
    """By the same page as in the console, with the same name; renewed, and signed out again."""
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    session = tmp_path / "timegate" / "sessions" / "me.json"
    words = ("login", visit.site.url, "--no-browser", "--save-as", "me")
    with subprocess.Popen(
        [sys.executable, "-m", "timegate.cli", *words],
        env={**os.environ, **environ},
        stderr=subprocess.PIPE,
        text=True,
    ) as login:
        assert login.stderr is not None
        login.stderr.readline()
        visit.page.goto(login.stderr.readline().strip())
        visit.page.locator("input[name=username]").fill(DEMO.name)
        visit.page.locator("input[name=password]").fill(DEMO.password)
        visit.page.get_by_role("button", name="Sign in").click()
        visit.page.get_by_text("You are signed in.").wait_for()
        assert login.wait(timeout=60) == 0
    timegate = CommandLine(environ)
    own = timegate.json("whoami", "--profile", "me")
    first = read_tokens(session)
    assert first is not None
    write_tokens(session, replace(first, expires_at=0))
    renewed = timegate.json("whoami", "--profile", "me")
    second = read_tokens(session)
    timegate("logout", "--profile", "me")
    after = timegate("whoami", "--profile", "me", code=3)

    assert own["person"] == {"name": DEMO.name, "roles": [str(role) for role in DEMO.roles]}
    assert renewed["caller"] == own["caller"]
    assert second is not None
    assert second.access != first.access
    assert "[not_signed_in]" in after.output
    assert not session.exists()
