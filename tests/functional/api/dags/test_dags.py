"""``/v1/dags``: definitions come and go by version, and what makes no sense is refused."""

import pytest

from tests.support.api import Answer, Api
from tests.support.factories import TENANT, job_factory, job_id
from timegate.domain.dags.limits import MAX_TASKS
from timegate.domain.jobs.job import JobStatus

WORK = {"action": {"type": "worker", "pool": "etl", "handler": "work"}}
A, B, C = ({"key": key, "job": WORK} for key in "abc")
LINE = {"name": "line", "tasks": [A, B], "edges": [{"source": "a", "target": "b"}]}
KEY = {"Idempotency_Key": "nightly"}


def errors_of(answer: Answer) -> list[tuple[str, str]]:
    """Field and code of every problem."""
    return answer.fields


def test_a_dag_is_read_as_it_was_created(api: Api) -> None:
    """And as it is listed, without its tasks; what is shown can be created again."""
    created = api.send("POST", "/v1/dags", {**LINE, "tags": {"team": "data"}})
    path = created.headers["location"]
    read = api.send("GET", path)
    (row,) = api.send("GET", "/v1/dags").body["items"]
    own = ("name", "tasks", "edges", "failure_policy", "timeout_seconds", "tags", "metadata")
    again = api.send("POST", "/v1/dags", {name: read.body[name] for name in own})

    assert (created.status, created.headers["etag"]) == (201, '"1"')
    assert path == f"/v1/dags/{created.body['dag_id']}"
    assert read.body == created.body
    assert row.items() <= read.body.items()
    assert "tasks" not in row
    assert {name: again.body[name] for name in own} == {name: read.body[name] for name in own}


@pytest.mark.parametrize(
    "wait",
    [
        {"kind": "sleep", "seconds": 60},
        {"kind": "sleep", "until": "2026-11-22T07:00:00.000Z"},
        {"kind": "sleep", "time": "06:00", "timezone": "Europe/Rome"},
        {"kind": "approval", "until": "2026-11-22T07:00:00.000Z", "on_expiry": "skip"},
        {"kind": "event", "event": {"type": "paid", "correlation": "$.id"}},
    ],
    ids=lambda wait: "-".join([wait["kind"], *sorted(wait.keys() - {"kind"})]),
)
def test_a_wait_is_shown_as_it_was_written(api: Api, wait: dict[str, object]) -> None:
    """It can be read, validated and created again."""
    body = {**LINE, "tasks": [{"key": "a", "wait": wait}, B]}
    checked = api.send("POST", "/v1/dags/validate", body)
    created = api.send("POST", "/v1/dags", body)
    shown = api.send("GET", created.headers["location"]).body["tasks"][0]["wait"]
    again = api.send("POST", "/v1/dags", {**body, "tasks": [{"key": "a", "wait": shown}, B]})

    assert [each.status for each in (checked, created, again)] == [200, 201, 201]
    assert checked.body["definition"]["tasks"][0]["wait"] == shown
    assert shown | wait | {"event": shown["event"]} == shown
    assert again.body["tasks"] == created.body["tasks"]


def test_the_same_key_creates_the_same_dag(api: Api) -> None:
    """Another body under it is a conflict; another tenant's key is another key."""
    first = api.send("POST", "/v1/dags", LINE, **KEY)
    api.world.clock.advance(1)
    again = api.send("POST", "/v1/dags", LINE, **KEY)
    other = api.send("POST", "/v1/dags", {**LINE, "name": "other"}, **KEY)

    assert (again.status, again.headers["idempotency-replayed"]) == (200, "true")
    assert again.body == first.body
    assert (other.status, other.body["code"]) == (409, "idempotency_conflict")


def test_a_replay_is_answered_although_its_job_was_cancelled_since(api: Api) -> None:
    """The DAG is there; a new one of the same words is refused."""
    api.world.jobs.create(job_factory())
    body = {"name": "x", "tasks": [{"key": "a", "job_id": job_factory().job_id}]}
    created = api.send("POST", "/v1/dags", body, **KEY)
    api.send("DELETE", f"/v1/jobs/{job_factory().job_id}")
    api.world.clock.advance(1)
    again = api.send("POST", "/v1/dags", body, **KEY)
    new = api.send("POST", "/v1/dags", body)

    assert (created.status, again.status) == (201, 200)
    assert (new.status, errors_of(new)) == (422, [("tasks.0.job_id", "cancelled_job")])


def test_every_problem_is_told_at_once(api: Api) -> None:
    """Graph, tasks' jobs and missing jobs are checked together; nothing is stored."""
    api.world.jobs.create(job_factory(status=JobStatus.CANCELLED))
    bad = {"action": {"type": "sqs", "queue_url": "https://sqs.us-east-1.amazonaws.com/1/mine"}}
    answer = api.send(
        "POST",
        "/v1/dags",
        {
            "name": "wrong",
            "tasks": [
                {"key": "a", "job": {**bad, "timeout_seconds": 61}},
                {"key": "a", "job_id": job_id("unknown")},
                {"key": "b", "job_id": "no-id"},
                {"key": "c", "job_id": job_factory().job_id},
                {"key": "d", "job": WORK, "input": {"x": {"$ref": "tasks.c.result"}}},
            ],
            "edges": [
                {"source": "a", "target": "b"},
                {"source": "b", "target": "a"},
                {"source": "c", "target": "z"},
            ],
            "failure_policy": {"policy": "retry"},
        },
    )

    assert (answer.status, answer.body["code"]) == (422, "invalid_dag")
    assert errors_of(answer) == [
        ("failure_policy.max_retries", "out_of_range"),
        ("tasks.1.key", "duplicate_key"),
        ("edges.2.target", "unknown_task"),
        ("edges", "cycle"),
        ("tasks.0.job.action.queue_url", "target_not_allowed"),
        ("tasks.0.job.timeout_seconds", "too_large"),
        ("tasks.4.input.x", "not_an_ancestor"),
        ("tasks.1.job_id", "unknown_job"),
        ("tasks.2.job_id", "unknown_job"),
        ("tasks.3.job_id", "cancelled_job"),
    ]
    assert api.send("GET", "/v1/dags").body["items"] == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param({}, [("name", "missing"), ("tasks", "missing")], id="nothing"),
        pytest.param(
            {"name": "x", "tasks": [{"key": "a"}]}, [("tasks.0", "required")], id="no-spec"
        ),
        pytest.param(
            {"name": "x", "tasks": [{**A, "job_id": "b"}]},
            [("tasks.0", "contradictory")],
            id="two-specs",
        ),
        pytest.param(
            {"name": "x", "tasks": [{"key": "a", "job": {"action": {"type": "webhook"}}}]},
            [("tasks.0.job.action.url", "missing")],
            id="action",
        ),
        pytest.param(
            {"name": "x", "tasks": [{"key": "a", "job": {"action": {"type": "fax"}}}]},
            [("tasks.0.job.action.type", "invalid_choice")],
            id="type",
        ),
        pytest.param(
            {"name": "x", "tasks": [{**A, "schedule": {"kind": "immediate"}}]},
            [("tasks.0.schedule", "unknown_field")],
            id="schedule",
        ),
        pytest.param(
            {"name": "x", "tasks": [A], "edges": [{"source": "a"}]},
            [("edges.0.target", "missing")],
            id="edge",
        ),
        pytest.param(
            {"name": "x", "tasks": [A], "timeout_seconds": 2_592_001},
            [("timeout_seconds", "too_large")],
            id="timeout",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_before(
    api: Api, body: object, expected: list[tuple[str, str]]
) -> None:
    """With 400, as a job would be, and the field as it was written."""
    answer = api.send("POST", "/v1/dags", body)

    assert (answer.status, errors_of(answer)) == (400, expected)


def test_as_many_tasks_as_there_may_be_are_stored_and_read(api: Api) -> None:
    """One more is refused."""
    most = [{"key": f"t{n}", "job": WORK} for n in range(MAX_TASKS)]
    created = api.send("POST", "/v1/dags", {"name": "most", "tasks": most})
    refused = api.send("POST", "/v1/dags", {"name": "more", "tasks": [*most, A]})

    assert created.status == 201
    assert api.send("GET", created.headers["location"]).body["task_count"] == MAX_TASKS
    assert (refused.status, errors_of(refused)) == (422, [("tasks", "too_many_tasks")])


def test_a_change_is_the_next_version_and_every_one_stays(api: Api) -> None:
    """Listed the latest first, by page."""
    path = api.send("POST", "/v1/dags", LINE).headers["location"]
    api.world.clock.advance(1)
    second = api.send("PATCH", path, {"tasks": [A, B, C]}, If_Match='"1"')
    third = api.send("PATCH", path, {"edges": []})
    same = api.send("PATCH", path, {"name": "line", "edges": []})
    stale = api.send("PATCH", path, {"name": "late"}, If_Match='"1"')
    page = api.send("GET", f"{path}/versions?limit=2").body
    rest = api.send("GET", f"{path}/versions?cursor={page['next_cursor']}").body
    read = [api.send("GET", f"{path}/versions/{n}").body for n in (1, 2, 3)]

    assert (second.body["version"], second.headers["etag"]) == (2, '"2"')
    assert second.body["created_at"] < second.body["updated_at"]
    assert same.body == third.body
    assert (stale.status, stale.body["code"]) == (412, "version_mismatch")
    assert [row["version"] for row in page["items"] + rest["items"]] == [3, 2, 1]
    assert [len(dag["tasks"]) for dag in read] == [2, 3, 3]
    assert [len(dag["edges"]) for dag in read] == [1, 1, 0]
    assert read[2] == api.send("GET", path).body


@pytest.mark.parametrize("version", ["0", "2", "x", "²", "9999999999"])
def test_a_version_that_never_was_is_not_found(api: Api, version: str) -> None:
    """Nor is what is no number."""
    path = api.send("POST", "/v1/dags", LINE).headers["location"]
    answer = api.send("GET", f"{path}/versions/{version}")

    assert (answer.status, answer.body["code"]) == (404, "dag_version_not_found")


def test_a_change_is_checked_as_a_whole(api: Api) -> None:
    """An edge to a task that the change leaves out; one that leaves the graph alone is not."""
    api.world.jobs.create(job_factory())
    body = {"name": "x", "tasks": [{"key": "a", "job_id": job_factory().job_id}, B]}
    edges = [{"source": "a", "target": "b"}]
    path = api.send("POST", "/v1/dags", {**body, "edges": edges}).headers["location"]
    torn = api.send("PATCH", path, {"tasks": [B]})
    api.send("DELETE", f"/v1/jobs/{job_factory().job_id}")
    renamed = api.send("PATCH", path, {"name": "y", "tags": {"a": "b"}})
    changed = api.send("PATCH", path, {"edges": []})

    assert errors_of(torn) == [("edges.0.source", "unknown_task")]
    assert (renamed.status, renamed.body["version"]) == (200, 2)
    assert (changed.status, errors_of(changed)) == (422, [("tasks.0.job_id", "cancelled_job")])


def test_a_deleted_dag_can_be_read_and_nothing_else(api: Api) -> None:
    """It is in a list of its own; deleting it again changes nothing."""
    path = api.send("POST", "/v1/dags", LINE).headers["location"]
    stale = api.send("DELETE", path, If_Match='"2"')
    deleted = api.send("DELETE", path, If_Match='"1"')
    again = api.send("DELETE", path)
    changed = api.send("PATCH", path, {"name": "y"})
    listed = [
        [row["version"] for row in api.send("GET", f"/v1/dags{query}").body["items"]]
        for query in ("", "?status=deleted")
    ]

    assert stale.status == 412
    assert (deleted.status, deleted.body["status"], deleted.body["version"]) == (200, "deleted", 2)
    assert again.body == deleted.body == api.send("GET", path).body
    assert (changed.status, changed.body["code"]) == (409, "dag_deleted")
    assert listed == [[], [2]]
    assert api.send("GET", f"{path}/versions/1").body["status"] == "active"


def test_another_tenant_has_no_such_dag(api: Api) -> None:
    """To read, change, delete, list, validate or draw; no more than an id that is none."""
    path = api.send("POST", "/v1/dags", LINE).headers["location"]
    calls: list[tuple[str, str, object]] = [
        ("GET", path, None),
        ("PATCH", path, {"name": "mine"}),
        ("DELETE", path, None),
        ("GET", f"{path}/versions", None),
        ("GET", f"{path}/versions/1", None),
        ("POST", f"{path}/validate", None),
        ("GET", f"{path}/graph", None),
    ]
    theirs = [api.send(*call, tenant="globex") for call in calls]
    none = [api.send(method, p.replace(path, "/v1/dags/x"), b) for method, p, b in calls]

    assert {(answer.status, answer.body["code"]) for answer in [*theirs, *none]} == {
        (404, "dag_not_found")
    }
    assert api.send("GET", "/v1/dags", tenant="globex").body["items"] == []


def test_decisions_about_dags_are_told(api: Api) -> None:
    """With tenant, DAG and version."""
    path = api.send("POST", "/v1/dags", LINE, **KEY).headers["location"]
    api.world.clock.advance(1)
    api.send("POST", "/v1/dags", LINE, **KEY)
    api.send("PATCH", path, {"name": "y"})
    api.send("DELETE", path)
    told = [
        (event.name, event.fields["tenant_id"], event.fields["version"])
        for event in api.world.telemetry.events
        if event.name.startswith("dag_")
    ]

    assert told == [
        ("dag_created", TENANT, 1),
        ("dag_create_replayed", TENANT, 1),
        ("dag_updated", TENANT, 2),
        ("dag_deleted", TENANT, 3),
    ]
