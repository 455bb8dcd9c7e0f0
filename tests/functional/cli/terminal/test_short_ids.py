"""Ids are short in tables, and their beginnings and names are taken wherever an id is."""

import json
from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok, page, refusal
from tests.functional.cli.samples import (
    JOB_ID,
    OPERATION_ID,
    RUN_ID,
    SHORT_JOB_ID,
    SHORT_RUN_ID,
    job,
    operation,
    row,
    run,
)
from timegate.cli.lengthening import searching
from timegate.cli.showing.short_ids import shortened

Timegate = Callable[..., Outcome]
OTHER_ID = f"{JOB_ID[:10]}{'2' * 16}"
MORE = "say more of the one you mean."
RANGE = "from=2026-11-21T07%3A00%3A00.000Z&to=2026-11-21T07%3A00%3A59.999Z"
MISSING = refusal(404, "job_not_found", "There is no job.")
LOAD = "nightly load"
#: No job is called as a word.
NO_NAME = page([])


@pytest.mark.parametrize(
    ("ids", "short"),
    [
        pytest.param([JOB_ID], [SHORT_JOB_ID], id="eight letters"),
        pytest.param([JOB_ID, OTHER_ID], [JOB_ID[:11], OTHER_ID[:11]], id="as many as tell apart"),
        pytest.param([RUN_ID], [SHORT_RUN_ID], id="zeros at the end of an instant"),
        pytest.param(
            [f"{JOB_ID}.s20261121T070030000Z"],
            [f"{SHORT_JOB_ID}.s20261121T070030"],
            id="seconds that say something",
        ),
        pytest.param(
            [f"{JOB_ID}.t20261121T070000000Z-aa", f"{JOB_ID}.t20261121T070000000Z-ab"],
            [
                f"{SHORT_JOB_ID}.t20261121T070000000Z-aa",
                f"{SHORT_JOB_ID}.t20261121T070000000Z-ab",
            ],
            id="triggers of one instant",
        ),
        pytest.param(["20261121T070000000Z-e4d6"], ["20261121T0700"], id="a freeze"),
        pytest.param(["-", "office"], ["-", "office"], id="no ids"),
    ],
)
def test_the_beginning_tells_an_id_from_the_others(ids: list[str], short: list[str]) -> None:
    """A table is the whole of what it must be told from; a search looks at the rest."""
    assert [shortened(ids)[each] for each in ids] == short


def test_a_table_shows_them_short_and_wide_whole(api: FakeApi, timegate: Timegate) -> None:
    """Data are whole as well."""
    api.will(page([row()]))

    assert f"\n{SHORT_RUN_ID} " in timegate("runs", "list", JOB_ID).out
    assert RUN_ID in timegate("runs", "list", JOB_ID, "--wide", columns=80).out
    assert timegate("runs", "list", JOB_ID, "--json").json["items"][0]["run_id"] == RUN_ID


def test_a_whole_id_and_a_key_cost_no_further_request(api: FakeApi, timegate: Timegate) -> None:
    """The API is asked for what was said, and knows it."""
    api.will(ok(job()))
    for said in (JOB_ID, "nightly"):
        assert timegate("jobs", "get", said).code == 0

    assert api.asked == [f"GET /v1/jobs/{JOB_ID}", "GET /v1/jobs/key:nightly"]


def test_a_beginning_is_looked_up_and_said_again(api: FakeApi, timegate: Timegate) -> None:
    """Over every page of the listing: only then is it unique."""
    other = page([job(job_id=OPERATION_ID)], "c")
    api.will(MISSING, NO_NAME, other, page([job()]), ok(job()))
    outcome = timegate("jobs", "get", SHORT_JOB_ID)

    assert (outcome.code, JOB_ID in outcome.out) == (0, True)
    assert api.asked == [
        f"GET /v1/jobs/key:{SHORT_JOB_ID}",
        f"GET /v1/jobs?name={SHORT_JOB_ID}&limit=100",
        "GET /v1/jobs?limit=100",
        "GET /v1/jobs?limit=100&cursor=c",
        f"GET /v1/jobs/{JOB_ID}",
    ]


def test_several_are_named(api: FakeApi, timegate: Timegate) -> None:
    """And nothing is done; data name them as well."""
    api.will(MISSING, page([job(), job(job_id=OTHER_ID, name="other")]))
    people = timegate("jobs", "cancel", SHORT_JOB_ID)
    api.will(MISSING, page([job(), job(job_id=OTHER_ID, name="other")]))
    data = json.loads(timegate("jobs", "cancel", SHORT_JOB_ID, "--json").err)["error"]

    assert people.code == 2
    assert people.err.splitlines() == [
        f"error [ambiguous_id]: {SHORT_JOB_ID} is the beginning of 2 ids; {MORE}",
        f"  {JOB_ID}  report",
        f"  {OTHER_ID}  other",
    ]
    assert data["candidates"] == {JOB_ID: "report", OTHER_ID: "other"}
    assert [each for each in api.asked if each.startswith("DELETE")] == [
        f"DELETE /v1/jobs/key:{SHORT_JOB_ID}"
    ] * 2


@pytest.mark.parametrize("said", ["f4cmk", "nosuchjob", "x" * 26, "NIGHTLY"])
def test_what_begins_no_id_is_refused_as_before(
    api: FakeApi, timegate: Timegate, said: str
) -> None:
    """Five letters are too few to mean one of many, and a typing error is no beginning."""
    api.will(MISSING, page([job()]))
    outcome = timegate("jobs", "get", said)

    assert (outcome.code, "job_not_found" in outcome.err) == (1, True)


def test_a_search_has_an_end(
    api: FakeApi, timegate: Timegate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond it eight letters are still enough, and fewer are not."""
    monkeypatch.setattr(searching, "MOST_PAGES", 1)
    api.will(MISSING, NO_NAME, page([job()], "more"), ok(job()))
    long = timegate("jobs", "get", SHORT_JOB_ID)
    api.will(MISSING, NO_NAME, page([job()], "more"))
    short = timegate("jobs", "get", SHORT_JOB_ID[:6])

    assert (long.code, short.code) == (0, 2)
    assert "error [short_id_too_short]" in short.err


def test_a_search_that_finds_nothing_before_the_end_says_so(
    api: FakeApi, timegate: Timegate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that is there was said to be none; the code stays that of the API."""
    monkeypatch.setattr(searching, "MOST_PAGES", 1)
    api.will(MISSING, NO_NAME, page([job(job_id=OTHER_ID)], "more"))
    by_id = timegate("jobs", "get", "zzzzzzzz")
    api.will(MISSING, page([job(status="cancelled")], "more"))
    by_name = timegate("jobs", "get", "nightly load")
    api.will(page([job(status="cancelled")], "more"))
    divided = timegate("jobs", "get", "nightly/load")

    assert (by_id.code, by_name.code, divided.code) == (1, 1, 1)
    assert by_id.err.startswith("error [job_not_found]: ")
    assert by_id.err.endswith(
        " zzzzzzzz was searched for among 100 ids, and there are more: give the whole id.\n"
    )
    assert "nightly load was searched for among 100 jobs that are or were called so" in by_name.err
    assert "error [job_not_found]: There is no job nightly/load. nightly/load was" in divided.err


def test_all_dags_are_searched_for_a_name(api: FakeApi, timegate: Timegate) -> None:
    """A quota leaves few; one behind the fiftieth page was said to be none."""
    times = dict.fromkeys(("created_at", "updated_at"), "2026-11-21T07:00:00.000Z")
    counts = {"version": 1, "task_count": 1, "edge_count": 0, "description": ""}
    dag = {
        "dag_id": JOB_ID,
        "name": "monthly load",
        "status": "active",
        "tags": {},
        **counts,
        **times,
    }
    pages = [
        ok({"items": rows, "damaged": {"count": 0, "dag_ids": []}, "next_cursor": more})
        for rows, more in (*(([], f"more-{n}") for n in range(50)), ([dag], None))
    ]
    api.will(refusal(404, "dag_not_found"), *pages, page([]))
    timegate("dags", "runs", "monthly load")

    assert api.asked[-1].startswith(f"GET /v1/dags/{JOB_ID}/runs")


def test_a_run_is_found_by_its_job_and_the_digits_of_its_instant(
    api: FakeApi, timegate: Timegate
) -> None:
    """Digits that are left out are zeros, where a run has that instant."""
    missing = refusal(404, "run_not_found")
    second = f"{JOB_ID}.s20261121T070030000Z"
    found = page([row(run_id=second), row()])
    api.will(missing, page([job()]), found, ok(run()))
    outcome = timegate("runs", "get", SHORT_RUN_ID)

    assert outcome.code == 0
    assert api.asked[2:] == [
        f"GET /v1/jobs/{JOB_ID}/runs?{RANGE}&limit=100",
        f"GET /v1/runs/{RUN_ID}",
    ]


def test_data_of_the_tenant_are_no_references(api: FakeApi, timegate: Timegate) -> None:
    """A payload's ``job_id`` is sent as it is."""
    body = {"payload": {"job_id": SHORT_JOB_ID}, "action": {"type": "dag", "dag_id": OPERATION_ID}}
    api.will(refusal(404, "dag_not_found"), page([job()]))
    outcome = timegate("jobs", "create", "--file", "-", stdin=json.dumps(body))

    assert (outcome.code, len(api.asked)) == (1, 1)


def test_what_one_command_learnt_is_not_looked_up_again(api: FakeApi, timegate: Timegate) -> None:
    """Each page of a listing says the whole id from then on."""
    pages = [page([row()], "c"), page([row()])]
    api.will(MISSING, NO_NAME, page([job()]), *pages)
    timegate("runs", "list", SHORT_JOB_ID, "--all")

    assert [each.partition("?")[0] for each in api.asked] == [
        f"GET /v1/jobs/key:{SHORT_JOB_ID}/runs",
        "GET /v1/jobs",
        "GET /v1/jobs",
        f"GET /v1/jobs/{JOB_ID}/runs",
        f"GET /v1/jobs/{JOB_ID}/runs",
    ]


def test_an_operation_is_followed_by_its_beginning(api: FakeApi, timegate: Timegate) -> None:
    """Every look is at the whole id."""
    missing = refusal(404, "operation_not_found")
    found = page([operation()])
    api.will(missing, found, ok(operation("running")), ok(operation()))
    outcome = timegate("operations", "watch", OPERATION_ID[:8])

    assert (outcome.code, len(api.asked)) == (0, 4)


def test_a_name_costs_two_requests_more_and_is_looked_up_once(
    api: FakeApi, timegate: Timegate
) -> None:
    """The API is asked for a key first: what it knows needs no search."""
    api.will(refusal(404, "job_not_found"), page([job(name="nightly")]), ok(job()))
    outcome = timegate("jobs", "get", "nightly")

    assert outcome.code == 0
    assert api.asked == [
        "GET /v1/jobs/key:nightly",
        "GET /v1/jobs?name=nightly&limit=100",
        f"GET /v1/jobs/{JOB_ID}",
    ]


def test_several_of_a_name_are_refused(api: FakeApi, timegate: Timegate) -> None:
    """Nothing is done; those that have ended are none of them."""
    missing = refusal(404, "job_not_found")
    jobs = [job(name=LOAD), job(name=LOAD, job_id=OPERATION_ID)]
    ended = [job(name=LOAD, status="cancelled", job_id="o" * 26)]
    api.will(missing, page([*jobs, *ended]))
    several = timegate("jobs", "pause", LOAD)
    asked = list(api.asked)
    api.will(missing, page([jobs[0], *ended]), ok(job()))
    one = timegate("jobs", "pause", LOAD)

    assert (several.code, one.code) == (2, 0)
    assert several.err.splitlines() == [
        f"error [ambiguous_name]: 2 jobs are called {LOAD}: give the id of one.",
        f"  {JOB_ID}  active",
        f"  {OPERATION_ID}  active",
    ]
    assert [each.split()[0] for each in asked] == ["POST", "GET"]


@pytest.mark.parametrize("code", ["invalid_request", "job_is_cancelled"])
def test_only_what_is_unknown_is_searched_for(api: FakeApi, timegate: Timegate, code: str) -> None:
    """A job that was found and refused is not taken for another one of that name."""
    api.will(refusal(400, code), page([job(name="nightly")]), ok(job()))
    outcome = timegate("jobs", "pause", "nightly")

    assert (outcome.code, code in outcome.err) == (1, True)
    assert f"POST /v1/jobs/{JOB_ID}/pause" not in api.asked
