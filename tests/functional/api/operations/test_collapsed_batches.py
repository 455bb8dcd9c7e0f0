"""Batches of triggers that collapse, with one another and with those before them."""

from tests.functional.api.limits.test_quotas import allow
from tests.functional.api.operations.test_batch_triggers import batch
from tests.functional.api.runs.test_collapse import FIRST, LAST, at, create, get, given
from tests.support.api import Api
from timegate.domain.runs.run import RunState


def test_a_batch_collapses_as_its_triggers_would(api: Api) -> None:
    """The last of each key runs; each says what stands for it."""
    job_id = create(api, {"span_seconds": 10, "key_from": "/k"})
    alone = api.trigger(job_id, {"payload": {"k": 0, "n": -1}})
    answer = batch(api, job_id, [{"payload": {"k": n % 3, "n": n}} for n in range(200)])
    items = answer.body["items"]

    assert (answer.body["triggered"], answer.body["failed"]) == (200, 0)
    assert [each["collapsed_into"] for each in items[-3:]] == [None] * 3
    assert {each["collapsed_into"] for each in items[:-3]} == {e["run_id"] for e in items[-3:]}
    counts = [api.send("GET", f"/v1/runs/{e['run_id']}").body["collapse"] for e in items[-3:]]
    assert sum(each["triggers"] for each in counts) == 201
    assert get(api, alone)["collapse"]["into"] in {e["run_id"] for e in items[-3:]}
    at(api, 20)
    assert sorted(each["n"] for each in given(api)) == [197, 198, 199]


def test_a_batch_joins_a_run_that_waits(api: Api) -> None:
    """By the rule of the first, each of its triggers joins what was there."""
    job_id = create(api, FIRST)
    first = api.trigger(job_id)
    answer = batch(api, job_id, [{}, {}, {"collapse": None}])

    items = [each["collapsed_into"] for each in answer.body["items"]]
    assert items == [first.body["run_id"], first.body["run_id"], None]
    assert get(api, first)["collapse"]["triggers"] == 3


def test_a_batch_that_is_repeated_adds_what_is_missing(api: Api) -> None:
    """The last of it is decided once, and never runs again."""
    job_id = create(api, LAST)
    triggers = [{"payload": n} for n in range(5)]
    batch(api, job_id, triggers, Idempotency_Key="one")
    at(api, 12)
    assert given(api) == [4]
    lost = [each for each in api.world.attempts() if each.state is RunState.SKIPPED][:2]
    for each in lost:
        api.world.lose(each)
    again = batch(api, job_id, triggers, Idempotency_Key="one")

    assert (again.body["triggered"], again.body["replayed"]) == (2, 3)
    assert {e["collapsed_into"] for e in again.body["items"]} == {
        None,
        again.body["items"][-1]["run_id"],
    }
    at(api, 40)
    assert given(api) == [4]


def test_a_batch_takes_one_place_of_the_day_for_each_key(api: Api) -> None:
    """Triggers that collapse begin one run."""
    allow(api, runs_per_day=1)
    job_id = create(api, LAST)

    assert batch(api, job_id, [{}] * 5).body["triggered"] == 5
