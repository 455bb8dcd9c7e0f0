"""Simulating through the API, under the calendars and freezes of a tenant."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.factories import OTHER_TENANT
from tests.unit.domain.simulation.refused_documents import document

PATH = "/v1/simulate"
HOUR = {"from": "2026-11-21T09:00:00Z", "to": "2026-11-21T10:00:00Z"}
CLOSED = {"periods": [{"start": HOUR["from"], "end": "2026-11-21T09:30:00Z"}]}
RULES = [{"calendar": "closed"}]
FREEZE = {
    "scope": {"kind": "tag", "key": "team", "value": "billing"},
    "starts_at": "2026-11-21T09:30:00Z",
    "ends_at": "2026-11-21T09:50:00Z",
    "thaw": "skip",
}


def restricted_job(api: Api) -> dict[str, Any]:
    """A job under a calendar and a freeze of its tenant; others are there as well."""
    for name in ("closed", "other"):
        assert api.send("PUT", f"/v1/calendars/{name}", CLOSED).status == 200
    assert api.send("POST", "/v1/freezes", FREEZE).status == 201
    return dict(
        api.create(
            schedule={"kind": "cron", "cron": "*/10 * * * *"},
            calendars=RULES,
            tags={"team": "billing"},
        )
    )


def test_a_job_is_simulated_under_the_calendars_and_freezes_of_its_tenant(api: Api) -> None:
    """The stored ones apply; a lifted freeze stops nothing."""
    job = restricted_job(api)
    body = {"job_id": job["job_id"], **HOUR}
    found = api.send("POST", PATH, body).body["summary"]
    (freeze,) = api.send("GET", "/v1/freezes").body["items"]
    api.send("DELETE", f"/v1/freezes/{freeze['freeze_id']}")
    after = api.send("POST", PATH, body).body["summary"]

    assert (found["runs"], found["skipped"]) == (1, {"excluded": 3, "frozen": 2})
    assert (after["runs"], after["skipped"]) == (3, {"excluded": 3})


@pytest.mark.parametrize(
    ("changes", "runs", "skipped"),
    [
        pytest.param({"freezes": []}, 3, {"excluded": 3}, id="no-freeze"),
        pytest.param({"calendar_rules": []}, 4, {"frozen": 2}, id="no-calendar"),
        pytest.param({"calendars": {"closed": {}}}, 4, {"frozen": 2}, id="another-of-that-name"),
        pytest.param({"calendars": {"third": {}}}, 1, {"excluded": 3, "frozen": 2}, id="another"),
        pytest.param({"tags": {}}, 3, {"excluded": 3}, id="no-tag"),
        pytest.param(
            {"calendar_rules": [{"calendar": "other", "mode": "only"}], "freezes": []},
            3,
            {"excluded": 3},
            id="another-rule",
        ),
    ],
)
def test_what_a_scenario_says_holds_instead_of_what_the_tenant_has(
    api: Api, changes: dict[str, Any], runs: int, skipped: dict[str, int]
) -> None:
    """Field by field, and calendar by calendar."""
    job = restricted_job(api)
    summary = api.send("POST", PATH, {"job_id": job["job_id"], **HOUR, **changes}).body["summary"]

    assert (summary["runs"], summary["skipped"]) == (runs, skipped)


def test_a_job_whose_calendar_was_deleted_is_left_out_of_nothing(api: Api) -> None:
    """A run of the job ignores it too; a scenario that names it anew is refused."""
    job = restricted_job(api)
    api.send("DELETE", "/v1/calendars/closed")
    body = {"job_id": job["job_id"], **HOUR, "freezes": []}
    found = api.send("POST", PATH, body)
    anew = api.send("POST", PATH, body | {"calendar_rules": RULES})

    assert found.body["summary"]["runs"] == 6
    assert anew.fields == [("calendar_rules.0.calendar", "unknown_calendar")]


def test_a_job_that_does_not_exist_may_name_calendars_of_the_tenant(api: Api) -> None:
    """But freezes are for those that do; and no tenant sees what other tenants have."""
    restricted_job(api)
    body = document(tags={"team": "billing"}, calendar_rules=RULES, **HOUR)
    body |= {"schedule": {"kind": "cron", "cron": "*/10 * * * *"}}
    found = api.send("POST", PATH, body).body["summary"]
    foreign = api.send("POST", PATH, body, tenant=OTHER_TENANT)

    assert (found["runs"], found["skipped"]) == (3, {"excluded": 2})
    assert foreign.fields == [("calendar_rules.0.calendar", "unknown_calendar")]
