"""Pages of keys, costs and the archive on the deployed stack: effects and figures are the API's."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from hashlib import sha256
from secrets import token_hex
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from infra.local.cloud import ANSWER_SECONDS
from infra.local.console.people import DEMO
from infra.local.console.site import ConsoleSite
from infra.local.webhook_target import Recorder
from tests.e2e.console.browser import visiting
from tests.e2e.console.desk import Desk
from tests.e2e.console.reading import Reading, counted
from tests.e2e.operations.test_archive import (
    ENDED,
    archived_earlier,
    begin_anew,
    day_of_sealed_month,
)
from tests.e2e.runs.test_overlap import wait_for_state
from tests.e2e.runs.test_triggers import job_with_payload, triggered
from tests.support.auditing.metered_stack import counted_now
from tests.support.deployed.stack import Stack, wait_until
from tests.support.deployed.timing.clock_edges import stay_clear_of_midnight
from timegate.adapters.dynamo.tables.keys import attempt_key
from timegate.domain.values.identity import AttemptId, RunId
from timegate.domain.values.tenant import TenantId

pytestmark = pytest.mark.deep

_REVOKED_WITHIN = 60.0
#: Its record is gone, which the API says with 404, and the browser notes.
EXPIRED = f"{'a' * 26}.t20250101T000000000Z"


@pytest.fixture(scope="module")
def desk(browser: Browser, site: ConsoleSite) -> Iterator[Desk]:
    """One person does everything; she signs in once."""
    with visiting(browser, site) as visit:
        visit.sign_in(DEMO)
        desk = Desk(visit)
        yield desk
        assert [each for each in desk.complaints() if EXPIRED not in each] == []


def made_at(desk: Desk, name: str) -> str:
    """Make a key by the page that is open, and return it as the page shows it."""
    dialog = desk.ask("Create an API key")
    dialog.get_by_label("Name", exact=True).fill(name)
    dialog.get_by_role("button", name="Create the key", exact=True).click()
    shown = desk.page.get_by_text(re.compile(r"^tgk_"))
    shown.wait_for()
    key = str(shown.inner_text())
    desk.confirm("I have kept it")
    return key


def keys_of(client: httpx.Client, path: str, name: str) -> list[dict[str, Any]]:
    """Keys of this name, as the API lists them."""
    items = client.get(path).raise_for_status().json()["items"]
    return [each for each in items if each["name"] == name]


def test_a_key_is_made_used_and_revoked(stack: Stack, desk: Desk) -> None:
    """It reads and changes nothing, as its question said; the trail names the person."""
    name = f"desk {token_hex(4)}"
    desk.go("/keys")
    key = made_at(desk, name)
    (listed,) = keys_of(stack.api, "/v1/keys", name)
    with stack.by_key(key) as program:
        read, written = program.get("/v1/jobs"), program.put("/v1/calendars/no", json={})
        desk.ask(f"Revoke the key {listed['key_id']}")
        desk.confirm("Revoke the key")
        ended = wait_until(
            lambda: ((found := program.get("/v1/jobs")).status_code == 401 and found) or None,
            seconds=_REVOKED_WITHIN,
            pause=1,
        )
    (revoked,) = keys_of(stack.api, "/v1/keys", name)

    assert (listed["scopes"], listed["created_by"]) == (["read"], DEMO.name)
    assert (read.status_code, written.status_code) == (200, 403)
    assert (revoked["status"], ended.json()["code"]) == ("revoked", "api_key_ended")


def test_the_administration_makes_and_revokes_keys_of_a_tenant(stack: Stack, desk: Desk) -> None:
    """The page of tenants leads to them; the key is that tenant's, and not hers."""
    tenant = f"desk-{token_hex(4)}"
    new = stack.admin.post("/v1/tenants", json={"tenant": tenant, "key": None})
    assert new.status_code == 201, new.text
    path = f"/v1/tenants/{tenant}/keys"
    desk.go(f"/tenants/{tenant}")
    desk.page.get_by_role("link", name="Its API keys").click()
    desk.page.wait_for_url(f"**/keys?tenant={tenant}")
    desk.arrive()
    key = made_at(desk, "of the stage")
    (listed,) = keys_of(stack.admin, path, "of the stage")
    with stack.by_key(key) as program:
        own = program.get("/v1/tenant").raise_for_status().json()
    desk.ask(f"Revoke the key {listed['key_id']}")
    desk.confirm("Revoke the key")

    assert own["tenant"] == tenant
    assert [each["status"] for each in keys_of(stack.admin, path, "of the stage")] == ["revoked"]


def written(usd: float) -> str:
    """US dollars as pages write them: cents, or millionths."""
    step = "0.01" if usd >= 0.01 or not usd else "0.000001"
    return f"{Decimal(usd).quantize(Decimal(step), ROUND_HALF_UP):,}"


def amounts(rows: list[list[str]]) -> list[tuple[str, str]]:
    """The name and the US dollars of each row, without its share."""
    return [(row[0], row[1].partition(" ")[0]) for row in rows]


def test_costs_by_job_and_by_tenant_are_those_of_the_api(
    stack: Stack, recorder: Recorder, desk: Desk
) -> None:
    """Runs that ended are counted; a job's row leads to it, and a tenant's to its own month."""
    stay_clear_of_midnight()
    recorder.answer("desk-costs", 200, 200)
    action = {"type": "webhook", "url": recorder.url("desk-costs")}
    job = stack.create_job(name="of costs", schedule={"kind": "manual"}, action=action)["job_id"]
    for _ in range(2):
        stack.api.post(f"/v1/jobs/{job}/trigger").raise_for_status()
    stack.wait_for_runs(job, 2, seconds=60)
    counted_now(stack)
    page = Reading(stack, desk)
    desk.go(f"/costs?job_id={job}")
    of_job = page.rows("Costs by job")
    report = page.asked_again("/v1/cost")
    desk.page.get_by_text("All tenants", exact=True).click()
    desk.page.wait_for_url("**/costs?of=stage")
    desk.arrive()
    by_tenant = page.rows("Costs by tenant")
    stage = stack.admin.get("/v1/stage/cost").raise_for_status().json()["items"]
    (own,) = [each for each in stage if each["tenant"] == stack.tenant("first")]
    (shown,) = report["jobs"]

    assert (shown["runs"], shown["attempts"]["triggered"], shown["usd"] > 0) == (2, 2, True)
    assert amounts(of_job) == [("of costs", written(shown["usd"]))]
    assert of_job[0][2:4] == ["2", "2"]
    assert own["whole"] == report["whole"]
    assert sorted(amounts(by_tenant)) == sorted(
        (each["tenant"], written(each["whole"]["usd"])) for each in stage
    )


@contextmanager
def archiving(stack: Stack, recorder: Recorder, name: str, ended: datetime) -> Iterator[str]:
    """A run that ended then is in the archive; its record goes with the test."""
    job_id = job_with_payload(stack, recorder, name)
    now = str(triggered(stack, job_id, {"payload_patch": {"page": 2}}).json()["run_id"])
    wait_for_state(stack, now, "succeeded")
    begin_anew(stack)
    tenant, run_id = archived_earlier(stack, now, ended)
    stack.invoke("ArchiverFunctionName", {})
    yield run_id
    first = AttemptId(run=RunId.parse(run_id), number=1)
    stack.aws("dynamodb").delete_item(
        TableName=stack.outputs["RunsTableName"],
        Key=attempt_key(TenantId(tenant), first).attributes(),
    )


@pytest.fixture
def archived(stack: Stack, recorder: Recorder) -> Iterator[str]:
    """A run of three days ago that is in the archive."""
    with archiving(stack, recorder, "desk-archive", ENDED) as run_id:
        yield run_id


@pytest.fixture
def sealed(stack: Stack, recorder: Recorder) -> Iterator[str]:
    """A month that is sealed, with one run."""
    day = day_of_sealed_month()
    with archiving(stack, recorder, "desk-sealed", day):
        yield f"{day:%Y-%m}"


def test_a_sealed_month_is_listed_and_its_files_are_downloaded(
    stack: Stack, desk: Desk, sealed: str
) -> None:
    """Digest, rows and files are those of the API; a link has the bytes that it says."""
    page = Reading(stack, desk)
    desk.go("/seals")
    months = [row[0] for row in page.rows("Sealed months")]
    desk.page.locator(f"main a[href='/seals/{sealed}']").click()
    desk.page.wait_for_url(f"**/seals/{sealed}")
    desk.arrive()
    answer, facts = page.answer(f"/v1/archive/seals/{sealed}"), page.facts()
    link = desk.page.get_by_role("table", name="Files").get_by_role("link").first
    fetched = httpx.get(str(link.get_attribute("href")), timeout=ANSWER_SECONDS)
    content = fetched.raise_for_status().content

    assert months == [sealed]
    assert answer["sha256"] in facts["SHA-256 of the seal"]
    assert facts["Attempts, gaps and changes"] == counted(answer["rows"])
    assert [(row[0].split(" ")[0], row[2], row[3]) for row in page.rows("Files")] == [
        (each["path"], counted(each["bytes"]), each["sha256"]) for each in answer["items"]
    ]
    assert sha256(content).hexdigest() == answer["items"][0]["sha256"]
    assert desk.visit.serious() == []


def test_an_archived_run_is_found_by_its_day_and_read(
    stack: Stack, desk: Desk, archived: str
) -> None:
    """The list has what the API has; a run leads to its page, which has its payload."""
    day, job_id = ENDED.date().isoformat(), archived.partition(".")[0]
    page = Reading(stack, desk)
    desk.go(f"/runs/archived?from={day}&to={day}&job_id={job_id}&state=succeeded")
    rows = page.rows("Archived runs")
    answer = page.asked_again("/v1/archive/runs")
    desk.page.locator(f"main a[href='/runs/archived/{archived}']").click()
    desk.page.wait_for_url(f"**/runs/archived/{archived}")
    desk.arrive()
    shown = page.said()

    assert [each["run_id"] for each in answer["items"]] == [archived]
    assert [row[1] for row in rows] == [job_id]
    assert '"page": 2' in shown
    assert desk.visit.serious() == []


def test_an_expired_run_leads_to_the_archive(desk: Desk) -> None:
    """Its page says where its record went, and the link opens it there."""
    desk.go(f"/runs/{EXPIRED}")
    link = desk.page.get_by_role("link", name="Read it from the archive")

    expect(link).to_have_attribute("href", f"/runs/archived/{EXPIRED}")
    desk.says("/day=2025-01-01/")
