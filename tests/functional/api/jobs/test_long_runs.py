"""Long runs over HTTP, and the page about them: what it shows is what happens."""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, new_job
from tests.support.targets.slicing import RowTarget
from timegate.adapters.memory.call_runner import MemoryCallRunner
from timegate.adapters.targets.continuations import continuation_in, continuation_under
from timegate.adapters.targets.run_context import envelope
from timegate.contracts.jobs.job import NewJob
from timegate.domain.execution.call import Answer, Call

PAGE = Path("docs/guides/long-runs.md").read_text(encoding="utf-8")
ALLOWED = {"max_duration_seconds": 3600, "max_slices": 10}


def block(language: str, number: int = 0) -> str:
    """A code block of the page."""
    found: str = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[number]
    return found


def run_of(api: Api, job_id: str) -> dict[str, Any]:
    """Its only run, in full."""
    (row,) = api.send("GET", f"/v1/jobs/{job_id}/runs").body["items"]
    run: dict[str, Any] = api.send("GET", f"/v1/runs/{row['run_id']}").body
    return run


def test_a_job_says_what_it_allows_long_runs(api: Api) -> None:
    """Given, changed, and taken back."""
    job = api.send("POST", "/v1/jobs", new_job(long_run={"max_duration_seconds": 3600})).body
    path = f"/v1/jobs/{job['job_id']}"

    assert job["long_run"] == {"max_duration_seconds": 3600, "max_slices": 1000}
    assert api.send("PATCH", path, {"long_run": ALLOWED}).body["long_run"] == ALLOWED
    assert api.send("PATCH", path, {"name": "other"}).body["long_run"] == ALLOWED
    assert api.send("PATCH", path, {"long_run": None}).body["long_run"] is None


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        pytest.param(
            {"long_run": {"max_duration_seconds": 29}},
            "long_run.max_duration_seconds",
            "too_small",
            id="shorter-than-a-slice",
        ),
        pytest.param(
            {"long_run": {"max_duration_seconds": 604_801}},
            "long_run.max_duration_seconds",
            "too_large",
            id="longer-than-a-week",
        ),
        pytest.param(
            {"long_run": {"max_duration_seconds": 60, "max_slices": 1}},
            "long_run.max_slices",
            "too_small",
            id="one-slice",
        ),
        pytest.param(
            {
                "long_run": {"max_duration_seconds": 60},
                "action": {
                    "type": "sqs",
                    "queue_url": "https://sqs.us-east-1.amazonaws.com/111122223333/timegate-target-q",
                },
            },
            "long_run",
            "not_for_this_action",
            id="never-answers",
        ),
    ],
)
def test_what_could_never_be_is_refused(
    api: Api, fields: dict[str, object], field: str, code: str
) -> None:
    """With the field that is wrong."""
    answer = api.send("POST", "/v1/jobs", new_job(**fields))

    assert answer.status == 400
    assert answer.fields == [(field, code)]


def test_a_run_shows_how_far_it_is(api: Api) -> None:
    """The run's contract and the guide show the same fields."""
    rows = RowTarget()
    api.world.call_runner = MemoryCallRunner(rows, api.world.clock)
    job = api.create(schedule={"kind": "immediate"}, long_run=ALLOWED)
    api.world.execute(api.world.receive())
    run = run_of(api, job["job_id"])
    example = json.loads(block("json", 1))

    assert (run["state"], run["slices"]["ended"]) == ("queued", 1)
    assert run["progress"]["message"] == "row 2"
    assert (run["checkpoint"]["sequence"], run["checkpoint"]["fence"]) == (1, 1)
    for name, value in example.items():
        assert run[name].keys() == value.keys(), name


def test_the_job_of_the_page_is_one() -> None:
    """Nothing in it is unknown."""
    job = NewJob.model_validate(json.loads(block("json"))).to_domain(None)

    assert job.long_run is not None
    assert (job.timeout_seconds, job.long_run.max_duration_seconds) == (50, 21_600)


def test_the_function_of_the_page_copies_every_row_once(api: Api) -> None:
    """In as many slices as it takes, each told where to go on."""
    copied: list[int] = []

    def copy(rows: Iterable[int], fence: int) -> None:
        assert fence > 0
        copied.extend(rows)

    names: dict[str, Any] = {"copy": copy}
    exec(block("python"), names)
    api.world.call_runner = MemoryCallRunner(Function(names["handler"]), api.world.clock)
    job = api.create(schedule={"kind": "immediate"}, long_run=ALLOWED, payload={"rows": 2500})
    for _ in range(3):
        api.world.execute(api.world.receive())
        api.world.stream()
    run = run_of(api, job["job_id"])

    assert copied == [*range(2500)]
    assert (run["state"], run["slices"]["ended"]) == ("succeeded", 2)
    assert run["progress"]["message"] == "row 2000"


def test_the_web_hook_of_the_page_is_understood() -> None:
    """Its header and its body."""
    shown = re.search(r"^HTTP/1.1 200 OK\n(.*?)\n\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert shown is not None
    head, body = shown.groups()
    (header,) = re.findall(r"^Timegate-Continue: (.*)$", head, re.MULTILINE)
    meant = continuation_under(header, body)

    assert (meant.delay_seconds, meant.checkpoint) == (0, '{"row":2000}')


class Function:
    """A Lambda function in this process."""

    def __init__(self, handler: Callable[[Any, object], object]) -> None:
        self._handler = handler

    def stop(self, call: Call) -> None:
        """Nothing goes on without its call."""

    def invoke(self, call: Call) -> Answer:
        """Call the handler with the target's envelope, and read its returned order."""
        returned = json.dumps(self._handler(json.loads(envelope(call)), None))
        return Answer(text=returned[:100], continuation=continuation_in(returned))
