"""``dag:<dag_id>`` stands for a DAG's own job: what follows names the DAG itself."""

from tests.functional.api.dag_runs.test_dag_followers import created, own_job
from tests.functional.api.dags.test_dags import errors_of
from tests.support.api import Api
from tests.support.factories import OTHER_TENANT

MANUAL = {"kind": "manual"}
ENDED = ["finished"]


def test_a_job_names_the_dag_that_follows_it(api: Api) -> None:
    """It is stored as the DAG's own job; the end of a run starts the DAG."""
    dag = created(api, schedule=MANUAL)
    reference = f"dag:{dag['dag_id']}"
    job = api.create(schedule={"kind": "immediate"}, then=[{"job_id": reference, "on": ENDED}])
    api.world.settle()
    api.world.stream()
    api.world.settle()
    runs = api.send("GET", f"/v1/dags/{dag['dag_id']}/runs").body["items"]

    assert job["then"] == [{"job_id": dag["job_id"], "on": ENDED, "payload": "own"}]
    assert own_job(api, dag) == api.send("GET", f"/v1/jobs/{reference}").body
    assert len(runs) == 1


def test_dags_may_follow_dags_and_never_themselves(api: Api) -> None:
    """A circle is refused, whichever words name it."""
    first, second = created(api, schedule=MANUAL), created(api, schedule=MANUAL, name="second")
    after = [{"job_id": f"dag:{first['dag_id']}", "on": ENDED}]
    chained = api.send("PATCH", f"/v1/dags/{second['dag_id']}", {"then": after})
    around = [{"job_id": f"dag:{second['dag_id']}", "on": ENDED}]
    circle = api.send("PATCH", f"/v1/dags/{first['dag_id']}", {"then": around})
    itself = api.send("PATCH", f"/v1/dags/{first['dag_id']}", {"then": after})

    assert chained.body["then"][0]["job_id"] == first["job_id"]
    assert errors_of(circle) == [("then.0.job_id", "cycle")]
    assert errors_of(itself) == [("then.0.job_id", "cycle")]


def test_a_dag_without_a_job_and_another_tenants_are_unknown(api: Api) -> None:
    """The same answer for both, and for an id of nothing."""
    plain = created(api)
    other = created(api, schedule=MANUAL)
    body = {"then": [{"job_id": f"dag:{plain['dag_id']}", "on": ENDED}]}
    answers = [api.send("POST", "/v1/jobs/validate", {**NEW, **body})]
    body = {"then": [{"job_id": f"dag:{other['dag_id']}", "on": ENDED}]}
    answers.append(api.send("POST", "/v1/jobs/validate", {**NEW, **body}, tenant=OTHER_TENANT))

    for answer in answers:
        assert answer.fields == [("then.0.job_id", "unknown_job")]


NEW = {
    "name": "report",
    "schedule": MANUAL,
    "action": {"type": "webhook", "url": "https://hooks.example.com/report"},
}
