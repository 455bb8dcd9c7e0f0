"""A DAG and the job of its own: one transaction writes both, at each change of the DAG."""

from collections.abc import Sequence
from typing import Any
from unittest.mock import Mock

import pytest

from tests.functional.api.dag_runs.test_dag_followers import NIGHTLY, created, own_job
from tests.functional.api.dag_runs.test_dag_runs import PIPELINE
from tests.support.api import Answer, Api
from timegate.adapters.dynamo.tables.engine import Refusal
from timegate.adapters.dynamo.tables.writes import Put, Write
from timegate.domain.values.errors import Throttled

LATER = NIGHTLY | {"cron": "0 3 * * *"}
SOON = {"kind": "delay", "delay_seconds": 5}


def changed(api: Api, dag: dict[str, Any], method: str) -> Answer:
    """Give the DAG another schedule, or delete it."""
    body = {"schedule": LATER} if method == "PATCH" else None
    return api.send(method, f"/v1/dags/{dag['dag_id']}", body)


def as_stored(api: Api, dag: dict[str, Any]) -> tuple[Any, Any]:
    """The DAG and its job."""
    return api.send("GET", f"/v1/dags/{dag['dag_id']}").body, own_job(api, dag)


@pytest.fixture
def transactions(api: Api, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of transactions that were written, in order."""
    sizes: list[int] = []
    engine = api.world.tables.engine
    transact = engine.transact

    def noted(writes: Sequence[Write | Put], *, is_named: bool = False) -> list[Refusal]:
        refusals = transact(writes, is_named=is_named)
        sizes.extend([len(writes)] if not refusals else [])
        return refusals

    monkeypatch.setattr(engine, "transact", noted)
    return sizes


def test_a_dag_that_cannot_be_stored_leaves_no_job(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor the other way round; the same request stores both later."""

    def ask() -> Answer:
        api.world.clock.advance(1)
        body = {**PIPELINE, "schedule": NIGHTLY}
        return api.send("POST", "/v1/dags", body, Idempotency_Key="nightly")

    with monkeypatch.context() as patch:
        patch.setattr(api.world.tables.engine, "transact", Mock(side_effect=Throttled))
        refused = ask()
    stored = [api.send("GET", path).body["items"] for path in ("/v1/dags", "/v1/jobs")]
    done, again = ask(), ask()

    assert (refused.status, stored) == (503, [[], []])
    assert (done.status, again.status) == (201, 200)
    assert own_job(api, done.body)["schedule"]["cron"] == NIGHTLY["cron"]


def test_each_change_is_one_transaction(api: Api, transactions: list[int]) -> None:
    """The DAG, its count, and its entry of the audit trail, and the same of the job."""
    # Its quotas are allotted by then.
    created(api, schedule=NIGHTLY)
    transactions.clear()
    created(api)
    dag = created(api, schedule=NIGHTLY)
    changed(api, dag, "PATCH")
    changed(api, dag, "DELETE")

    # Changes store versions that were replaced; a deletion is counted, and leaves the definition
    # of the job as it was.
    assert transactions == [3, 3 + 3, 3 + 3, 3 + 1 + 3]


def test_an_edit_of_the_graph_leaves_the_job_alone(api: Api, transactions: list[int]) -> None:
    """It is neither read nor written."""
    dag = created(api, schedule=NIGHTLY)
    transactions.clear()
    path = f"/v1/dags/{dag['dag_id']}"
    api.send("PATCH", path, {"description": "Every night."})

    assert transactions == [3]


def test_first_runs_are_stored_with_the_dag(api: Api, transactions: list[int]) -> None:
    """Its creator publishes the one that is due at once."""
    dag = created(api, schedule=SOON)
    (run,) = api.send("GET", f"/v1/jobs/{dag['job_id']}/runs").body["items"]

    assert transactions[-1] == 3 + 3 + 1
    assert run["state"] in {"pending", "queued"}


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_a_change_decides_anew_where_the_job_changed_meanwhile(
    api: Api, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """An edit of the job comes between its read and the transaction; neither is lost."""
    dag = created(api, schedule=NIGHTLY)
    path = f"/v1/jobs/{dag['job_id']}"
    update = api.world.dags.update
    tries: list[int] = []

    def raced(*args: Any, **fields: Any) -> None:  # noqa: ANN401 - passed on
        tries.append(1)
        if len(tries) == 1:
            api.send("PATCH", path, {"overlap": {"policy": "queue"}})
        update(*args, **fields)

    monkeypatch.setattr(api.world.dags, "update", raced)
    answer = changed(api, dag, method)
    job = own_job(api, dag)

    assert (answer.status, len(tries)) == (200, 2)
    assert job["overlap"]["policy"] == "queue"
    assert answer.body["version"] == 2
    expected = ("active", "0 3 * * *") if method == "PATCH" else ("cancelled", "0 2 * * *")
    assert (job["status"], job["schedule"]["cron"]) == expected


def test_a_dag_whose_job_may_not_change_stays_as_it_is(api: Api) -> None:
    """The job was cancelled by hand: the DAG takes no schedule that no job would fire."""
    dag = created(api, schedule=NIGHTLY)
    api.send("DELETE", f"/v1/jobs/{dag['job_id']}")
    before = as_stored(api, dag)
    refused = changed(api, dag, "PATCH")

    assert (refused.status, refused.code) == (409, "job_cancelled")
    assert as_stored(api, dag) == before


def test_a_dag_whose_job_has_no_room_is_not_stored(api: Api) -> None:
    """Neither of the two is counted."""
    api.send("PUT", "/v1/tenants/acme", {"quotas": {"jobs": 1}})
    api.create()
    refused = api.send("POST", "/v1/dags", {**PIPELINE, "schedule": NIGHTLY})
    without = api.send("POST", "/v1/dags", PIPELINE)
    late = api.send("PATCH", f"/v1/dags/{without.body['dag_id']}", {"schedule": NIGHTLY})

    assert [(each.status, each.code) for each in (refused, late)] == [(409, "quota_exceeded")] * 2
    assert without.status == 201
    (only,) = api.send("GET", "/v1/dags").body["items"]
    assert (only["dag_id"], only["version"]) == (without.body["dag_id"], 1)


def test_a_request_that_is_repeated_publishes_the_first_run(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its creator died between the transaction and the queue."""
    body = {**PIPELINE, "schedule": {"kind": "immediate"}}
    sent = api.world.publisher.sent

    with monkeypatch.context() as patch:
        patch.setattr(
            "timegate.usecases.dags.own_job_changes.publish_opened", Mock(side_effect=Throttled)
        )
        refused = api.send("POST", "/v1/dags", body, Idempotency_Key="now")
    unsent = len(sent)
    api.world.clock.advance(1)
    again = api.send("POST", "/v1/dags", body, Idempotency_Key="now")

    assert (refused.status, unsent, again.status) == (503, 0, 200)
    assert len(sent) == 1


def test_a_dag_whose_only_instant_has_passed_can_be_changed(api: Api) -> None:
    """Followers of its ends are new, and its schedule is not; a new schedule is judged anew."""
    once = {"kind": "at", "at": "2026-11-21T08:00:00Z"}
    path = api.send("POST", "/v1/dags", {**PIPELINE, "schedule": once}).headers["location"]
    api.world.clock.advance(7_200)
    late = {"late_after_seconds": 60}
    checked = api.send("POST", f"{path}/validate", late)
    changed = api.send("PATCH", path, late)
    again = api.send("PATCH", path, {"schedule": {**once, "at": "2026-11-21T08:30:00Z"}})

    assert checked.body["errors"] == []
    assert (changed.status, changed.body["late_after_seconds"]) == (200, 60)
    assert (again.status, again.fields) == (422, [("schedule.at", "in_the_past")])
