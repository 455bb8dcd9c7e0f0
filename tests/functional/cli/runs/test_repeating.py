"""``timegate runs repeat`` and ``jobs trigger --like``: any run again, as a run of its own."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import JOB_ID, RUN_ID, run

Timegate = Callable[..., Outcome]


@pytest.mark.parametrize(
    ("options", "body"),
    [
        ((), {}),
        (
            ("--merge", '{"page": 2}', "--delay", "15m"),
            {"payload_patch": {"page": 2}, "delay_seconds": 900.0},
        ),
        (("--no-payload", "--tag", "by=hand"), {"payload": None, "tags": {"by": "hand"}}),
    ],
)
def test_a_run_is_repeated_as_its_job_is_triggered(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], body: dict[str, object]
) -> None:
    """The job is in the run's id."""
    api.will(ok(run(), 202))
    outcome = timegate("runs", "repeat", RUN_ID, *options)

    assert outcome.code == 0, outcome.err
    assert api.asked[0] == f"POST /v1/jobs/{JOB_ID}/trigger"
    assert api.body == {**body, "like_run_id": RUN_ID}


def test_the_run_of_a_task_is_run_again_in_its_dag_run(api: FakeApi, timegate: Timegate) -> None:
    """Its id names no job, and the command says what runs it again."""
    outcome = timegate("runs", "repeat", RUN_ID.replace(".s", ".d"))

    assert outcome.code == 2
    assert "timegate dags rerun" in " ".join(outcome.err.replace("│", " ").split())
    assert api.asked == []
