"""Event triggers through the API: put, read, changed, tried."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.event_triggers.triggering import JOB, cloud_event, secret_of
from tests.support.factories import OTHER_TENANT, TENANT
from timegate.domain.events.event import MAX_EVENT_BYTES
from timegate.domain.values.payload import json_text

PATH = "/v1/event-triggers"
SECRET = {"ssm_parameter": secret_of(TENANT).ssm_parameter}
PAID = {"type": ["order.paid"], "data": {"total": [{"numeric": [">", 100]}]}}


def body_of(api: Api, **given: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A trigger of a job that is there."""
    starts = {"type": "job", "job_id": api.create()["job_id"]}
    return {"pattern": PAID, "starts": starts, **given}


def test_a_trigger_is_put_and_read(api: Api) -> None:
    """With defaults for what is not said; its version is its ETag."""
    body = body_of(api)
    stored = api.send("PUT", f"{PATH}/paid", body)
    read = api.send("GET", f"{PATH}/paid")
    listed = api.send("GET", PATH)

    assert stored.status == 200
    assert stored.headers["etag"] == '"1"'
    assert stored.body == read.body == listed.body["items"][0]
    assert stored.body["starts"] == {
        **body["starts"],
        "payload": {"$ref": "event"},
        "payload_patch": None,
        "priority": None,
        "tags": {},
    }
    assert (stored.body["status"], stored.body["hook"]) == ("active", None)


def test_a_trigger_can_be_put_as_it_was_read(api: Api) -> None:
    """In each of its forms."""
    job = api.create(key="nightly")["job_id"]
    for starts in (
        {"type": "job", "job_id": job, "payload": None},
        {"type": "job", "job_id": "key:nightly", "payload_patch": {}, "tags": {"a": "b"}},
        {"type": "job", "job_id": job, "payload": {"a": [{"$ref": "event.id"}]}},
    ):
        stored = api.send("PUT", f"{PATH}/x", {"starts": starts}).body
        again = api.send("PUT", f"{PATH}/x", {"starts": stored["starts"]}).body

        assert again["starts"] == stored["starts"] == stored["starts"] | starts


def test_versions_decide_who_replaces_what(api: Api) -> None:
    """The conditions are those of calendars."""
    body = body_of(api)
    first = api.send("PUT", f"{PATH}/paid", body, If_None_Match="*")
    again = api.send("PUT", f"{PATH}/paid", body, If_None_Match="*")
    stale = api.send("PUT", f"{PATH}/paid", body, If_Match='"7"')
    deleted = api.send("DELETE", f"{PATH}/paid", If_Match='"1"')
    gone = api.send("GET", f"{PATH}/paid")

    assert [each.status for each in (first, again, stale, deleted, gone)] == [
        *(200, 412, 412, 200, 404),
    ]
    assert (stale.code, gone.code) == ("version_mismatch", "event_trigger_not_found")


def test_a_trigger_is_paused_and_resumed(api: Api) -> None:
    """A replacement does not resume it."""
    body = body_of(api)
    api.send("PUT", f"{PATH}/paid", body)
    paused = api.send("POST", f"{PATH}/paid/pause")
    replaced = api.send("PUT", f"{PATH}/paid", body)
    resumed = api.send("POST", f"{PATH}/paid/resume")

    assert [each.body["status"] for each in (paused, replaced, resumed)] == [
        *("paused", "paused", "active"),
    ]


def test_a_web_hook_has_an_address_that_says_nothing(api: Api) -> None:
    """Neither tenant nor name; it is kept over a replacement."""
    body = body_of(api, hook={"secret": SECRET})
    first = api.send("PUT", f"{PATH}/paid", body).body["hook"]
    again = api.send("PUT", f"{PATH}/paid", body).body["hook"]
    other = api.send("PUT", f"{PATH}/other", body).body["hook"]

    assert first["scheme"] == "standard"
    assert first["path"] == again["path"] != other["path"]
    assert first["secret"] == {**SECRET, "secret_arn": None, "json_key": None}


@pytest.mark.parametrize(
    ("given", "field", "code"),
    [
        ({"pattern": {"a": "b"}}, "pattern.a", "invalid_pattern"),
        ({"pattern": {"a": [{"wildcard": "*"}]}}, "pattern.a.0", "unknown_operator"),
        ({"pattern": {"a": ["x" * 4100]}}, "pattern", "too_long"),
        ({"starts": {"type": "job", "job_id": str(JOB)}}, "starts.job_id", "unknown_job"),
        ({"starts": {"type": "job", "job_id": "key:none"}}, "starts.job_id", "unknown_job"),
        ({"starts": {"type": "dag_run", "dag_id": "a" * 26}}, "starts.dag_id", "unknown_dag"),
        (
            {"hook": {"secret": {"ssm_parameter": "/elsewhere"}}},
            "hook.secret",
            "secret_not_allowed",
        ),
        (
            {"hook": {"secret": {"ssm_parameter": secret_of(OTHER_TENANT).ssm_parameter}}},
            "hook.secret",
            "secret_not_allowed",
        ),
    ],
)
def test_what_could_never_work_is_refused(
    api: Api, given: dict[str, Any], field: str, code: str
) -> None:
    """The put is refused, not the later event."""
    refused = api.send("PUT", f"{PATH}/paid", body_of(api, **given))

    assert (refused.status, refused.fields) == (400, [(field, code)])


def test_data_that_contradicts_itself_is_refused(api: Api) -> None:
    """A payload instead of the job's is not merged into it."""
    body = body_of(api)
    body["starts"] |= {"payload": {"a": 1}, "payload_patch": {"b": 1}}
    refused = api.send("PUT", f"{PATH}/paid", body)
    body["starts"] = {"type": "job", "job_id": body["starts"]["job_id"], "payload": {"$ref": "x"}}
    unknown = api.send("PUT", f"{PATH}/paid", body)

    assert refused.fields == [("starts.payload_patch", "contradictory")]
    assert unknown.fields == [("starts.payload", "unknown_reference")]


def test_a_job_that_is_cancelled_is_not_named(api: Api) -> None:
    """It can never be triggered again."""
    body = body_of(api)
    api.send("DELETE", f"/v1/jobs/{body['starts']['job_id']}")
    refused = api.send("PUT", f"{PATH}/paid", body)

    assert refused.fields == [("starts.job_id", "unknown_job")]


def test_an_event_is_tried(api: Api) -> None:
    """The answer shows the payload; nothing starts, and a paused trigger is tried too."""
    body = body_of(api)
    body["starts"]["payload"] = {"order": {"$ref": "event.data.order"}}
    api.send("PUT", f"{PATH}/paid", body)
    api.send("POST", f"{PATH}/paid/pause")
    matching = api.send("POST", f"{PATH}/paid/try", {"event": cloud_event()})
    other = api.send("POST", f"{PATH}/paid/try", {"event": cloud_event(type="order.lost")})
    partial = api.send("POST", f"{PATH}/paid/try", {"event": cloud_event(data={"total": 101})})
    runs = api.send("GET", f"/v1/jobs/{body['starts']['job_id']}/runs")

    assert matching.body == {"matches": True, "data": {"order": "o-17"}}
    assert other.body == {"matches": False, "data": None}
    assert (partial.status, partial.fields) == (400, [("starts.payload", "reference_missing")])
    assert [each for each in runs.body["items"] if each["origin"] == "trigger"] == []


@pytest.mark.parametrize(
    ("starts", "data", "field", "code"),
    [
        ({"payload_patch": {"$ref": "event.data"}}, "text", "starts.payload_patch", "wrong_type"),
        (
            {"payload": {"password": {"$ref": "event.data.word"}}},
            {"word": "hunter2"},
            "payload.password",
            "plaintext_secret",
        ),
    ],
    ids=["a patch that is no object", "a secret"],
)
def test_data_that_firing_would_refuse_is_refused_when_tried(
    api: Api, starts: dict[str, object], data: object, field: str, code: str
) -> None:
    """The event itself tells the same when it is sent."""
    body = body_of(api, pattern={})
    body["starts"] |= starts
    stored = api.send("PUT", f"{PATH}/paid", body)
    tried = api.send("POST", f"{PATH}/paid/try", {"event": cloud_event(data=data)})
    (met,) = api.send("POST", "/v1/events", cloud_event(data=data)).body["items"][0]["met"]

    assert stored.status == 200
    assert tried.fields == [(field, code)]
    assert (met["code"], met["run_id"]) == (code, None)


def test_every_change_is_on_record(api: Api) -> None:
    """The entry names caller and field; of the secret it holds the place alone."""
    api.send("PUT", f"{PATH}/paid", body_of(api, description="Large ones."))
    api.send("POST", f"{PATH}/paid/pause")
    api.send("DELETE", f"{PATH}/paid")
    entries = api.send("GET", "/v1/audit?resource=event_trigger/paid").body["items"]

    assert sorted(each["operation"] for each in entries) == [
        *("deleteEventTrigger", "pauseEventTrigger", "putEventTrigger"),
    ]
    (paused,) = [each for each in entries if each["operation"] == "pauseEventTrigger"]
    assert paused["changes"] == [{"field": "status", "before": "active", "after": "paused"}]


def test_a_tenant_sees_its_own_alone(api: Api) -> None:
    """Another tenant's trigger of the same name is its own."""
    api.send("PUT", f"{PATH}/paid", body_of(api))
    other = api.send("GET", f"{PATH}/paid", tenant=OTHER_TENANT)
    listed = api.send("GET", PATH, tenant=OTHER_TENANT)

    assert (other.status, listed.body["items"]) == (404, [])


def test_an_event_that_could_not_be_sent_is_not_tried_either(api: Api) -> None:
    """Its JSON may have 64 KB, here as there."""
    api.send("PUT", f"{PATH}/any", body_of(api, pattern={}))
    fits = cloud_event(data="")
    fits["data"] = "x" * (MAX_EVENT_BYTES - len(json_text(fits)))
    longer = {**fits, "data": fits["data"] + "x"}
    tried = api.send("POST", f"{PATH}/any/try", {"event": fits})
    refused = api.send("POST", f"{PATH}/any/try", {"event": longer})

    assert tried.status == 200
    assert (refused.status, refused.fields) == (400, [("event", "event_too_large")])
