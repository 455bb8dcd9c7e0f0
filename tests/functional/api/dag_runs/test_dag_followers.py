"""DAGs with a schedule, channels and followers: their own job starts them and tells of them."""

from typing import Any

import pytest

from tests.functional.api.dag_runs.test_dag_runs import PIPELINE, moved, start
from tests.functional.api.dags.test_dags import errors_of
from tests.support.api import Api
from tests.support.execution.telling import ALERTS, documents
from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.runs.run import RunState
from timegate.usecases.dag_runs.look_at_dag_run import look_at_dag_runs
from timegate.usecases.dag_runs.tasks.end_task import end_tasks

NIGHTLY = {"kind": "cron", "cron": "0 2 * * *"}
TIMED = ("late_after_seconds", "absent_after_seconds", "finish_by")
TOLD = [{"type": "webhook", "url": ALERTS, "signing_secret": None, "on": ["failed"]}]
OWN = ("name", "tasks", "edges", "schedule", "notifications", "then", *TIMED)


def created(api: Api, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    """Create the pipeline with these fields."""
    answer = api.send("POST", "/v1/dags", {**PIPELINE, **fields})
    assert answer.status == 201, answer.body
    return dict(answer.body)


def own_job(api: Api, dag: dict[str, Any]) -> dict[str, Any]:
    """Read the DAG's own job."""
    answer = api.send("GET", f"/v1/jobs/{dag['job_id']}")
    assert answer.status == 200
    return dict(answer.body)


def play(api: Api, dag: dict[str, Any], state: RunState) -> str:
    """Start the DAG by hand, and let each task end so; its DAG run's id."""
    dag_run_id = str(start(api, dag["dag_id"]).body["dag_run_id"])
    dag_world, run = moved(api, dag_run_id)
    dag_world.play(run, lambda *_: state)
    api.world.settle()
    return dag_run_id


def test_a_dag_with_a_schedule_has_the_job_that_starts_it(api: Api) -> None:
    """The schedule is the DAG's word; the rest of the job is its owner's."""
    dag = created(api, schedule=NIGHTLY, notifications=TOLD)
    job = own_job(api, dag)
    path = f"/v1/dags/{dag['dag_id']}"
    later = api.send(
        "PATCH", path, {"schedule": {"kind": "cron", "cron": "0 3 * * *"}, "name": "x"}
    )
    moved_job = own_job(api, dag)
    silent = api.send("PATCH", path, {"schedule": None, "notifications": []}).body
    by_hand = own_job(api, dag)

    assert (dag["schedule"]["cron"], dag["notifications"]) == ("0 2 * * *", TOLD)
    assert job["action"] == {"type": "dag", "dag_id": dag["dag_id"]}
    assert (job["name"], job["schedule"]["cron"]) == ("pipeline", "0 2 * * *")
    assert job["next_run_at"] == "2026-11-22T02:00:00.000Z"
    assert (later.body["version"], later.body["schedule"]["cron"]) == (2, "0 3 * * *")
    assert (moved_job["name"], moved_job["next_run_at"]) == ("x", "2026-11-22T03:00:00.000Z")
    assert (silent["schedule"], silent["notifications"], silent["job_id"]) == (
        None,
        [],
        dag["job_id"],
    )
    assert (by_hand["schedule"], by_hand["notifications"]) == ({"kind": "manual"}, [])


def test_a_dag_without_one_has_no_job(api: Api) -> None:
    """It is read as it was, and can be created again from what is shown."""
    dag = created(api)
    again = created(api, **{name: dag[name] for name in OWN})

    assert [dag["schedule"], dag["notifications"], dag["then"], dag["job_id"]] == [
        None,
        [],
        [],
        None,
    ]
    assert again["job_id"] is None
    assert api.send("GET", "/v1/jobs").body["items"] == []


def test_a_paused_dag_starts_nothing_and_its_edits_are_kept(api: Api) -> None:
    """A pause is the job's: an edit of the DAG lifts none."""
    dag = created(api, schedule=NIGHTLY)
    api.send("POST", f"/v1/jobs/{dag['job_id']}/pause")
    api.send("PATCH", f"/v1/dags/{dag['dag_id']}", {"schedule": NIGHTLY | {"cron": "0 4 * * *"}})

    job = own_job(api, dag)

    assert (job["status"], job["schedule"]["cron"]) == ("paused", "0 4 * * *")


def test_a_deleted_dags_job_is_cancelled(api: Api) -> None:
    """Deleting it again changes nothing."""
    dag = created(api, schedule=NIGHTLY)
    path = f"/v1/dags/{dag['dag_id']}"
    answers = [api.send("DELETE", path).status for _ in range(2)]

    assert answers == [200, 200]
    assert own_job(api, dag)["status"] == "cancelled"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("schedule", NIGHTLY | {"cron": "0 5 * * *"}),
        ("name", "other"),
        ("notifications", []),
        ("then", []),
        ("action", {"type": "webhook", "url": "https://x.example.com"}),
    ],
)
def test_the_own_job_is_changed_by_its_dag_alone(api: Api, field: str, value: object) -> None:
    """Else the next edit of the DAG would undo the change without a word."""
    follower = api.create()["job_id"]
    dag = created(
        api, schedule=NIGHTLY, notifications=TOLD, then=[{"job_id": follower, "on": ["failed"]}]
    )
    path = f"/v1/jobs/{dag['job_id']}"
    refused = api.send("PATCH", path, {field: value})
    taken = api.send(
        "PATCH", path, {"overlap": {"policy": "queue"}, field: own_job(api, dag)[field]}
    )

    assert (refused.status, errors_of(refused)) == (400, [(field, "governed_by_dag")])
    assert taken.status == 200


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        (
            {"schedule": {"kind": "at", "at": "2020-01-01T00:00:00Z"}},
            ("schedule.at", "in_the_past"),
        ),
        (
            {"notifications": [{"url": "http://10.0.0.1/", "on": ["failed"]}]},
            ("notifications.0.url", "address_not_allowed"),
        ),
        (
            {"notifications": [{"url": ALERTS, "on": ["late"]}]},
            ("notifications.0.on", "never_late"),
        ),
        ({"then": [{"job_id": "a" * 26, "on": ["failed"]}]}, ("then.0.job_id", "unknown_job")),
    ],
)
def test_a_schedule_or_follower_that_no_job_may_have_is_refused(
    api: Api, fields: dict[str, Any], problem: tuple[str, str]
) -> None:
    """At creation and at a change, with the problems of the graph; and nothing is stored."""
    dag = created(api)
    path = f"/v1/dags/{dag['dag_id']}"
    refused = [
        api.send("POST", "/v1/dags", {**PIPELINE, **fields}),
        api.send("PATCH", path, fields),
    ]
    found = [
        api.send("POST", "/v1/dags/validate", {**PIPELINE, **fields}).body,
        api.send("POST", f"{path}/validate", fields).body,
    ]

    assert [(each.status, errors_of(each)) for each in refused] == [(422, [problem])] * 2
    assert [[(e["field"], e["code"]) for e in each["errors"]] for each in found] == [[problem]] * 2
    assert api.send("GET", path).body == dag
    assert api.send("GET", "/v1/jobs").body["items"] == []


def test_a_run_that_was_started_by_hand_is_told_of_and_followed(api: Api) -> None:
    """Once, by a record among the runs of the DAG's own job."""
    follower = api.create(schedule={"kind": "manual"})["job_id"]
    dag = created(api, notifications=TOLD, then=[{"job_id": follower, "on": ["failed"]}])
    dag_run_id = play(api, dag, RunState.FAILED)
    (record,) = api.send("GET", f"/v1/jobs/{dag['job_id']}/runs").body["items"]
    (run,) = api.send("GET", f"/v1/jobs/{follower}/runs").body["items"]
    (told,) = api.send("GET", f"/v1/runs/{record['run_id']}/notifications").body["items"]
    (document,) = documents(api.world)

    assert (record["state"], record["origin"]) == ("failed", "follow_up")
    assert api.send("GET", f"/v1/runs/{record['run_id']}").body["dag_run_id"] == dag_run_id
    assert (document["type"], document["job"]["name"]) == ("run.failed", "pipeline")
    assert dag_run_id in document["run"]["error"]["message"]
    assert (told["state"], told["channel"]["address"]) == ("succeeded", ALERTS)
    assert run["triggered_by"]["run_id"] == record["run_id"]


def test_an_end_without_a_listener_makes_no_notification(api: Api) -> None:
    """The record is there: it costs a write, and no notification."""
    dag = created(api, notifications=TOLD)
    play(api, dag, RunState.SUCCEEDED)

    assert documents(api.world) == []


def test_a_dag_whose_ends_nothing_follows_writes_no_record(api: Api) -> None:
    """A schedule alone is none."""
    dag = created(api, schedule=NIGHTLY)
    play(api, dag, RunState.FAILED)

    assert api.send("GET", f"/v1/jobs/{dag['job_id']}/runs").body["items"] == []


@pytest.mark.parametrize(
    ("path", "body"), [("retry", None), ("tasks/extract/rerun", {}), ("tasks/extract/complete", {})]
)
def test_an_end_is_told_of_that_a_caller_opens_anew_before_outcomes_sees_it(
    api: Api, path: str, body: object
) -> None:
    """Outcomes then found the DAG run under way, and its failure was told to no channel."""
    follower = api.create(schedule={"kind": "manual"})["job_id"]
    dag = created(api, notifications=TOLD, then=[{"job_id": follower, "on": ["failed"]}])
    dag_run_id = str(start(api, dag["dag_id"]).body["dag_run_id"])
    dag_world, run = moved(api, dag_run_id)
    failed = dag_world.finish(dag_world.waiting()[0], RunState.FAILED)
    end_tasks([failed], dag_world.works)
    look_at_dag_runs([DagRunRef(tenant=run.tenant, id=run.dag_run_id)], dag_world.works)
    ended = dag_world.dag_runs.get(run.tenant, run.dag_run_id)
    answer = api.send("POST", f"/v1/dag-runs/{dag_run_id}/{path}", body)
    dag_world.follow()
    dag_world.play(run, lambda *_: RunState.SUCCEEDED)
    api.world.settle()
    records = api.send("GET", f"/v1/jobs/{dag['job_id']}/runs").body["items"]

    assert (ended.status, ended.watch_at is not None, answer.status) == ("failed", True, 202)
    assert sorted(each["state"] for each in records) == ["failed", "succeeded"]
    assert len(documents(api.world)) == 1
    assert len(api.send("GET", f"/v1/jobs/{follower}/runs").body["items"]) == 1
