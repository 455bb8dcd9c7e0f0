"""A batch of events changes one run twice: both changes are in the audit trail."""

from tests.support.api import Api
from tests.support.event_triggers.triggering import cloud_event


def test_a_run_that_the_next_event_replaces_is_told_twice(api: Api) -> None:
    """Its creation and its end, by one request at one instant: no entry takes another's place."""
    rule = {"mode": "last", "span_seconds": 60}
    job_id = api.create(schedule={"kind": "manual"}, collapse=rule)["job_id"]
    starts = {"type": "job", "job_id": job_id}
    body = {"pattern": {"type": ["order.paid"]}, "starts": starts}
    assert api.send("PUT", "/v1/event-triggers/paid", body).status == 200
    sent = api.send("POST", "/v1/events", [cloud_event(id=each) for each in ("e1", "e2")])
    first, second = (each["met"][0]["run_id"] for each in sent.body["items"])
    found = api.send("GET", "/v1/audit").body["items"]
    told = sorted(
        (entry["resource"]["id"], change["after"])
        for entry in found
        if entry["operation"] == "sendEvents"
        for change in entry["changes"]
        if change["field"] == "state"
    )

    assert told == sorted([(first, "queued"), (first, "skipped"), (second, "queued")])
