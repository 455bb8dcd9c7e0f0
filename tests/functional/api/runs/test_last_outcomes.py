"""Jobs whose last run failed, over HTTP: found by their failures, each once."""

from dataclasses import replace

import pytest

from tests.functional.api.jobs.test_failing_jobs import GONE, MINUTELY, minutes
from tests.functional.api.runs.test_failed_runs import fail
from tests.support.api import Api
from timegate.usecases.runs import failing_jobs

FAILING = "/v1/jobs?last_outcome=failed"


def names(api: Api, target: str = FAILING) -> list[str]:
    """Names of the jobs that a listing has, over all of its pages."""
    found, cursor = [], ""
    while True:
        page = api.send("GET", f"{target}{cursor}").body
        found += [each["name"] for each in page["items"]]
        if page["next_cursor"] is None:
            return found
        cursor = f"&cursor={page['next_cursor']}"


def test_a_job_is_found_from_its_failure_until_it_succeeds(api: Api) -> None:
    """A job that never ran, or whose last run succeeded, is none of them."""
    api.create(name="idle", schedule={"kind": "manual"})
    api.create(name="sick", schedule=MINUTELY)
    found = [names(api)]
    for outcome in (GONE, None, GONE, GONE):
        minutes(api, outcome)
        found.append(names(api))

    assert found == [[], ["sick"], [], ["sick"], ["sick"]]


@pytest.mark.parametrize("limit", [1, 2, 50])
def test_a_job_is_listed_once_over_all_pages(api: Api, limit: int) -> None:
    """However often it failed, and however short the pages; the latest failure comes first."""
    api.create(name="often", schedule=MINUTELY, tags={"team": "o"})
    minutes(api, GONE, GONE, GONE)
    api.world.clock.advance(1)
    for name in ("two", "three"):
        fail(api, name=name, tags={"team": "t"})

    assert names(api, f"{FAILING}&limit={limit}") == ["three", "two", "often"]
    assert names(api, f"{FAILING}&limit={limit}&tag=team:t") == ["three", "two"]
    assert names(api, f"{FAILING}&limit={limit}&status=paused") == []


def test_an_answer_looks_up_so_many_jobs_and_no_more(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that recovered costs a query; a page without any job leads on."""
    monkeypatch.setattr(failing_jobs, "MOST_ASKED", 2)
    for number in range(5):
        fail(api, name=f"job {number}")
    asked: list[object] = []
    listed = api.world.runs.list_runs

    def counting(*args: object, **options: object) -> object:
        asked.append(args[1])
        page = listed(*args, **options)  # type: ignore[arg-type]
        return replace(page, rows=())

    monkeypatch.setattr(api.world.runs, "list_runs", counting)
    first = api.send("GET", f"{FAILING}&limit=3").body

    assert (first["items"], len(asked)) == ([], 2)
    assert first["next_cursor"] is not None
    assert names(api) == []


def test_other_outcomes_are_in_no_index(api: Api) -> None:
    """They are refused, and not answered with every job."""
    answer = api.send("GET", "/v1/jobs?last_outcome=succeeded")

    assert (answer.status, answer.fields) == (400, [("last_outcome", "invalid_choice")])
