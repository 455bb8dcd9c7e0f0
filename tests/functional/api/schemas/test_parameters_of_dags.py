"""Every start of a DAG is held to the schema of the DAG's own job, however it is asked for."""

from typing import Any

from tests.functional.api.dag_runs.test_dag_followers import NIGHTLY, created
from tests.functional.api.dag_runs.test_dag_runs import start
from tests.functional.api.schemas.test_payload_schemas import BAD, FAULTS, GOOD, SCHEMA
from tests.functional.api.schemas.test_payloads_by_themselves import met_by
from tests.support.api import Api
from tests.support.event_triggers.triggering import cloud_event

PLACES = [(field.replace("payload", "parameters"), code) for field, code in FAULTS]


def held(api: Api) -> dict[str, Any]:
    """A DAG whose own job has the schema."""
    dag = created(api, schedule=NIGHTLY)
    body = {"payload": GOOD, "payload_schema": SCHEMA}
    assert api.send("PATCH", f"/v1/jobs/{dag['job_id']}", body).status == 200
    return dag


def runs_of(api: Api, dag: dict[str, Any]) -> int:
    """Count the DAG's runs."""
    return len(api.send("GET", f"/v1/dags/{dag['dag_id']}/runs").body["items"])


def test_parameters_that_do_not_fit_start_nothing(api: Api) -> None:
    """Each place is named as the caller wrote it; missing parameters are an empty object."""
    dag_id = held(api)["dag_id"]
    bad, none = start(api, dag_id, {"parameters": BAD}), start(api, dag_id)
    good = start(api, dag_id, {"parameters": GOOD})

    assert (bad.status, bad.code, bad.fields) == (422, "payload_mismatch", PLACES)
    assert bad.body["detail"].startswith("At parameters/rows: ")
    assert none.fields == [("parameters/rows", "missing")]
    assert (good.status, runs_of(api, {"dag_id": dag_id})) == (202, 1)


def test_a_start_that_is_repeated_meets_its_run(api: Api) -> None:
    """A schema that came later refuses only what is new."""
    dag = created(api, schedule=NIGHTLY)
    first = start(api, dag["dag_id"], {"parameters": BAD}, Idempotency_Key="one")
    path = f"/v1/jobs/{dag['job_id']}"
    assert api.send("PATCH", path, {"payload": GOOD, "payload_schema": SCHEMA}).status == 200
    api.world.clock.advance(1)
    again = start(api, dag["dag_id"], {"parameters": BAD}, Idempotency_Key="one")
    other = start(api, dag["dag_id"], {"parameters": {"rows": 0}}, Idempotency_Key="one")
    new = start(api, dag["dag_id"], {"parameters": BAD}, Idempotency_Key="two")

    assert (again.status, again.body["dag_run_id"]) == (200, first.body["dag_run_id"])
    assert (other.status, new.status, new.code) == (409, 422, "payload_mismatch")


def test_a_cancelled_own_job_asks_for_nothing(api: Api) -> None:
    """Its schema could not be changed any more."""
    dag = held(api)
    assert api.send("DELETE", f"/v1/jobs/{dag['job_id']}").status == 200

    assert start(api, dag["dag_id"], {"parameters": BAD}).status == 202


def test_an_event_trigger_of_the_dag_is_held_to_it(api: Api) -> None:
    """The answer to the event says so, and so does trying one."""
    dag = held(api)
    starts = {"type": "dag_run", "dag_id": dag["dag_id"], "parameters": {"$ref": "event.data"}}
    body = {"pattern": {}, "starts": starts}
    assert api.send("PUT", "/v1/event-triggers/any", body).status == 200
    met, path = met_by(api, BAD), "/v1/event-triggers/any/try"
    tried = api.send("POST", path, {"event": cloud_event(data=BAD)})
    fits = api.send("POST", path, {"event": cloud_event(data=GOOD)})
    started = met_by(api, GOOD, id="other")

    assert (met["dag_run_id"], met["code"]) == (None, "payload_mismatch")
    assert (tried.status, tried.fields, fits.status) == (422, FAULTS, 200)
    assert started["dag_run_id"] is not None
    assert runs_of(api, dag) == 1


def test_a_run_of_another_job_that_starts_the_dag_fails_for_good(api: Api) -> None:
    """Its record says why; one whose payload fits starts a run."""
    dag = held(api)
    action = {"type": "dag", "dag_id": dag["dag_id"]}
    job_id = api.create(action=action, schedule={"kind": "manual"})["job_id"]
    for payload in (BAD, GOOD):
        api.trigger(job_id, {"payload": payload})
    api.world.settle()
    items = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]
    (failed,) = [each for each in items if each["state"] == "failed"]

    assert sorted(each["state"] for each in items) == ["failed", "running"]
    assert (failed["reason"], failed["error"]["code"]) == ("permanent", "payload_mismatch")
    assert runs_of(api, dag) == 1


def test_the_own_job_is_held_to_it_once(api: Api) -> None:
    """A pending run keeps what was accepted, under a schema that came later."""
    dag = created(api, schedule=NIGHTLY)
    api.trigger(dag["job_id"], {"payload": BAD})
    path = f"/v1/jobs/{dag['job_id']}"
    assert api.send("PATCH", path, {"payload": GOOD, "payload_schema": SCHEMA}).status == 200
    api.world.settle()

    assert runs_of(api, dag) == 1
