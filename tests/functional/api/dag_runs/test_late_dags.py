"""DAGs whose runs are late or take too long: their own job has the bounds, and tells of them."""

from typing import Any

import pytest

from tests.functional.api.dag_runs.test_dag_followers import NIGHTLY, TIMED, TOLD, created, own_job
from tests.functional.api.dag_runs.test_dag_runs import PIPELINE
from tests.functional.api.dags.test_dags import errors_of
from tests.support.api import Api
from tests.support.execution.telling import documents


def test_a_dag_says_when_its_runs_are_late(api: Api) -> None:
    """Its job has the bounds; null takes them away, and they alone make a job."""
    on = [{**TOLD[0], "on": ["late", "missed_deadline"]}]
    bounds: dict[str, Any] = {"late_after_seconds": 300, "absent_after_seconds": 93_600}
    bounds |= {"finish_by": {"within_seconds": 3_600}}
    dag = created(api, schedule=NIGHTLY, notifications=on, **bounds)
    job = own_job(api, dag)
    path = f"/v1/dags/{dag['dag_id']}"
    changed = api.send("PATCH", path, {"late_after_seconds": 600}).body
    silent: dict[str, Any] = {"notifications": [], **dict.fromkeys(TIMED)}
    api.send("PATCH", path, silent)
    freed = own_job(api, dag)
    other = created(api, late_after_seconds=60)

    assert [dag[name] == job[name] for name in TIMED] == [True, True, True]
    assert (job["late_after_seconds"], job["finish_by"]["within_seconds"]) == (300, 3_600)
    assert (changed["late_after_seconds"], changed["finish_by"]) == (600, dag["finish_by"])
    assert [freed[name] for name in TIMED] == [None, None, None]
    assert other["job_id"] is not None


def test_a_dag_is_told_of_by_its_bounds_alone(api: Api) -> None:
    """A channel that hears of lateness needs a bound, as a job's does."""
    on = [{**TOLD[0], "on": ["late"]}]
    refused = api.send("POST", "/v1/dags", {**PIPELINE, "notifications": on})
    dag = created(api, schedule=NIGHTLY, notifications=on, late_after_seconds=300)
    at_the_job = api.send("PATCH", f"/v1/jobs/{dag['job_id']}", {"late_after_seconds": 5})

    assert errors_of(refused) == [("notifications.0.on", "never_late")]
    assert errors_of(at_the_job) == [("late_after_seconds", "governed_by_dag")]


@pytest.mark.parametrize(("begins", "expected"), [(600, []), (601, ["run.late"])])
def test_a_dag_run_that_begins_late_is_told_of(
    api: Api, begins: float, expected: list[str]
) -> None:
    """To its channels; the run of its job says since when it was due."""
    on = [{**TOLD[0], "on": ["late"]}]
    later = {"kind": "at", "at": "2026-11-21T08:00:00Z"}
    created(api, schedule=later, notifications=on, late_after_seconds=600)
    api.world.clock.advance(3_300)
    api.world.tick()
    api.world.clock.advance(300 + begins)
    api.world.stream()
    api.world.settle()
    api.world.stream()
    api.world.settle()

    assert [each["type"] for each in documents(api.world)] == expected


def test_a_dag_run_that_takes_too_long_is_told_of(api: Api) -> None:
    """While it still runs: the sweeper looks at its job's run at the deadline."""
    on = [{**TOLD[0], "on": ["missed_deadline"]}]
    later = {"kind": "at", "at": "2026-11-21T08:00:00Z"}
    created(api, schedule=later, notifications=on, finish_by={"within_seconds": 60})
    api.world.clock.advance(3_300)
    api.world.tick()
    api.world.clock.advance(300)
    told = []
    for seconds in (0, 30, 90):
        api.world.clock.advance(seconds)
        api.world.sweep()
        api.world.stream()
        api.world.settle()
        told.append([each["type"] for each in documents(api.world)])

    assert told == [[], [], ["run.missed_deadline"]]
