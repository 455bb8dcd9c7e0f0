"""Data of events, of earlier tasks and of earlier runs is never taken for marks."""

from typing import Any

import pytest

from tests.functional.api.dag_runs.test_dag_runs import moved
from tests.support.api import Api
from tests.support.event_triggers.triggering import cloud_event
from tests.support.pools.worker_requests import ACTION, claim, say

MANUAL: dict[str, Any] = {"schedule": {"kind": "manual"}, "action": ACTION}
HOSTILE = "{{tenant}} {{nonsense}} {{{{ {{{ {{"
#: The clock of the tests stands at 07:00 UTC.
TODAY, YESTERDAY = "2026-11-21", "2026-11-20"


def fired(api: Api, job_id: str, **starts: Any) -> None:  # noqa: ANN401 - any field
    """Send an event with hostile text to a trigger of the job."""
    body = {"pattern": {}, "starts": {"type": "job", "job_id": job_id, **starts}}
    assert api.send("PUT", "/v1/event-triggers/any", body).status == 200
    answer = api.send("POST", "/v1/events", cloud_event(data={"text": HOSTILE}))
    assert answer.body["items"][0]["met"][0].get("error") is None, answer.body


@pytest.mark.parametrize(
    ("starts", "payload"),
    [
        ({"payload": {"of": {"$ref": "event.data.text"}}}, {"of": HOSTILE}),
        (
            {"payload_patch": {"of": {"$ref": "event.data.text"}}},
            {"of": HOSTILE, "day": TODAY},
        ),
    ],
    ids=["whole", "merged"],
)
def test_texts_of_an_event_stay_as_they_were_sent(
    api: Api, starts: dict[str, Any], payload: dict[str, Any]
) -> None:
    """Marks of the job beside them are filled."""
    job_id = api.create(**MANUAL, payload={"day": "{{date}}"}, payload_marks={})["job_id"]
    fired(api, job_id, **starts)
    (run,) = claim(api)

    assert run["payload"] == payload


def test_a_run_like_one_of_an_event_has_its_texts(api: Api) -> None:
    """A caller asks for it, and they stay as they were sent; a patch of the caller's has marks."""
    job_id = api.create(**MANUAL, payload_marks={})["job_id"]
    fired(api, job_id, payload={"of": {"$ref": "event.data.text"}})
    (run,) = claim(api)
    like = {"like_run_id": run["run_id"]}
    answers = [
        api.trigger(job_id, like),
        api.trigger(job_id, {**like, "payload_patch": {"day": "{{date}}"}}),
    ]
    got = [each["payload"] for each in claim(api, max=9)]

    assert [answer.status for answer in answers] == [202, 202]
    assert sorted(got, key=len) == [{"of": HOSTILE}, {"of": HOSTILE, "day": TODAY}]


def test_a_run_like_a_triggered_one_is_filled_anew(api: Api) -> None:
    """It is a run of another day."""
    job_id = api.create(**MANUAL, payload_marks={})["job_id"]
    api.trigger(job_id, {"payload": "{{date}}"})
    (first,) = claim(api)
    say(api, "complete", first)
    api.world.clock.advance(86_400)
    api.trigger(job_id, {"like_run_id": first["run_id"]})
    (second,) = claim(api)

    assert [first["payload"], second["payload"]] == [TODAY, "2026-11-22"]


def test_a_run_like_one_with_marks_is_sent_none_once_its_job_has_no_such_wish(api: Api) -> None:
    """It gets the values of the earlier run, as that run's target got them."""
    job_id = api.create(**MANUAL, payload_marks={})["job_id"]
    api.trigger(job_id, {"payload": {"id": "{{run.id}}", "braces": "{{{{"}})
    (first,) = claim(api)
    assert api.send("PATCH", f"/v1/jobs/{job_id}", {"payload_marks": None}).status == 200
    api.trigger(job_id, {"like_run_id": first["run_id"]})
    (second,) = claim(api)

    assert second["payload"] == first["payload"] == {"id": first["run_id"], "braces": "{{"}


def test_tasks_of_a_dag_fill_their_own_payloads_and_no_results(api: Api) -> None:
    """The zone of a named job is that of its schedule, in a DAG as well."""
    schedule = {"kind": "cron", "cron": "0 3 1 1 *", "timezone": "Pacific/Niue"}
    named = api.create(
        schedule=schedule,
        action=ACTION,
        payload="{{date}} {{job.name}}",
        payload_marks={},
        name="close",
    )["job_id"]
    tasks = [
        {"key": "own", "job": {"action": ACTION, "payload": "{{date}}", "payload_marks": {}}},
        {"key": "named", "job_id": named},
        {"key": "next", "job_id": named, "input": {"of": {"$ref": "tasks.own.result"}}},
    ]
    dag = {"name": "all", "tasks": tasks, "edges": [{"source": "own", "target": "next"}]}
    dag_id = api.send("POST", "/v1/dags", dag).body["dag_id"]
    run = api.send("POST", f"/v1/dags/{dag_id}/runs", {}).body
    dag_world, _ = moved(api, run["dag_run_id"])
    first = claim(api, max=9)
    for each in first:
        say(api, "complete", each, result={"of": HOSTILE})
    dag_world.hear(*(each for each in api.world.attempts() if each.ends_run))
    (last,) = claim(api, max=9)

    # At 07:00 UTC it is 20:00 of the day before on Niue.
    assert sorted(each["payload"] for each in first) == [f"{YESTERDAY} close", TODAY]
    assert last["payload"] == {"of": {"of": HOSTILE}}


def test_marks_without_a_payload_of_the_task_are_refused(api: Api) -> None:
    """Its input is made of references."""
    job = {"action": ACTION, "payload_marks": {}}
    dag = {"name": "a", "tasks": [{"key": "a", "job": job, "input": {}}], "edges": []}
    unknown = {"key": "a", "job": {**job, "payload": ["{{dat}}"]}}
    answer = api.send("POST", "/v1/dags", dag)
    misspelt = api.send("POST", "/v1/dags", {**dag, "tasks": [unknown]})

    assert answer.fields == [("tasks.0.job.payload_marks", "without_effect")]
    assert misspelt.fields == [("tasks.0.job.payload", "unknown_mark")]
