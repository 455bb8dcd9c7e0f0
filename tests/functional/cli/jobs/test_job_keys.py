"""Jobs by their keys, on the command line and in the SDK."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok, page
from tests.functional.cli.samples import JOB_ID, job, run
from timegate.client.calling import job_path, job_reference

Timegate = Callable[..., Outcome]

NEW = ("jobs", "create", "--name", "bill", "--now", "--webhook", "https://example.com/hook")


@pytest.mark.parametrize(
    ("text", "reference", "path"),
    [
        ("nightly", "key:nightly", "/v1/jobs/key:nightly"),
        ("key:nightly", "key:nightly", "/v1/jobs/key:nightly"),
        ("a.b_c-1", "key:a.b_c-1", "/v1/jobs/key:a.b_c-1"),
        (JOB_ID, JOB_ID, f"/v1/jobs/{JOB_ID}"),
        (f"key:{JOB_ID}", f"key:{JOB_ID}", f"/v1/jobs/key:{JOB_ID}"),
        ("Nightly", "Nightly", "/v1/jobs/Nightly"),
        ("a" * 64, f"key:{'a' * 64}", f"/v1/jobs/key:{'a' * 64}"),
        ("a" * 65, "a" * 65, f"/v1/jobs/{'a' * 65}"),
        ("key:a/b", "key:a/b", "/v1/jobs/key:a%2Fb"),
        ("../dags", "../dags", "/v1/jobs/..%2Fdags"),
    ],
)
def test_text_that_can_be_a_key_refers_to_one(text: str, reference: str, path: str) -> None:
    """Ids stay ids, and no text leaves its part of the path."""
    assert (job_reference(text), job_path(text)) == (reference, path)


def test_a_job_is_created_with_a_key_and_shown_with_it(api: FakeApi, timegate: Timegate) -> None:
    """Without the option nothing is sent."""
    api.will(ok(job(key="bill"), 201))
    shown = timegate(*NEW, "--key", "bill")
    sent = api.body
    timegate(*NEW)

    assert sent["key"] == "bill"
    assert "key bill" in " ".join(shown.out.split())
    assert "key" not in api.body


def test_commands_take_a_key_for_an_id(api: FakeApi, timegate: Timegate) -> None:
    """Commands for jobs, their runs and filters of runs take one."""
    api.will(ok(job(key="nightly")))
    timegate("jobs", "get", "nightly")
    api.will(ok(run(), 202))
    timegate("jobs", "trigger", "nightly")
    api.will(page([]))
    timegate("runs", "list", "nightly")
    timegate("runs", "failed", "--job", "nightly")
    timegate("dead-letters", "list", "--job", "nightly")

    assert api.asked[:3] == [
        "GET /v1/jobs/key:nightly",
        "POST /v1/jobs/key:nightly/trigger",
        "GET /v1/jobs/key:nightly/runs",
    ]
    assert all("job_id=key%3Anightly" in each for each in api.asked[3:]), api.asked


@pytest.mark.parametrize(
    ("command", "place"),
    [
        ((*NEW, "--then", "nightly"), ("then", 0)),
        (("freezes", "create", "--job", "nightly", "--for", "1h"), ("scope",)),
        (
            ("rules", "put", "late", "--job", "nightly", "--failures", "3", "--tell", "sns:arn"),
            ("jobs",),
        ),
    ],
    ids=["then", "freeze", "rule"],
)
def test_bodies_name_a_job_by_its_key(
    api: FakeApi, timegate: Timegate, command: tuple[str, ...], place: tuple[str | int, ...]
) -> None:
    """The command line writes the mark."""
    timegate(*command)
    found = api.body
    for part in place:
        found = found[part]

    assert found["job_id"] == "key:nightly"


def test_costs_and_simulations_take_a_key(api: FakeApi, timegate: Timegate) -> None:
    """A simulation is asked for by the id, which the job's key finds."""
    timegate("cost", "report", "--job", "nightly")
    api.will(ok(job()))
    timegate("simulate", "--job", "nightly")

    assert "job_id=key%3Anightly" in api.asked[0]
    assert api.asked[1:] == ["GET /v1/jobs/key:nightly", "POST /v1/simulate"]
    assert api.body["job_id"] == JOB_ID
