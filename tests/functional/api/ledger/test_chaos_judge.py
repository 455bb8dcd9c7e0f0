"""The judge of the chaos course reads what the API says."""

from collections import Counter
from datetime import timedelta
from random import Random
from threading import Lock
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import urlencode

import time_machine

from tests.support.api import Api
from tests.support.deployed.chaos.chaos_course import MODES, Course, create
from tests.support.deployed.chaos.chaos_judge import complaints, counted, told
from tests.support.deployed.effects import Call, Effects
from tests.support.deployed.stack import Stack


class Deployed:
    """The API in this process, asked as the deployed one is."""

    def __init__(self, api: Api) -> None:
        self.api = self
        self._api = api
        # A function serves one request at a time; the judge asks for many at once.
        self._busy = Lock()

    def get(self, path: str, params: dict[str, Any] | None = None) -> SimpleNamespace:
        """Answer a GET like an HTTP client."""
        return self._answer("GET", f"{path}?{urlencode(params)}" if params else path)

    def post(self, path: str, *, json: object, headers: dict[str, str]) -> SimpleNamespace:
        """Likewise."""
        return self._answer(
            "POST", path, json, **{k.replace("-", "_"): v for k, v in headers.items()}
        )

    def _answer(
        self, method: str, path: str, body: object = None, **headers: str
    ) -> SimpleNamespace:
        with self._busy:
            answer = self._api.send(method, path, body, **headers)
        return SimpleNamespace(
            status_code=answer.status,
            is_success=answer.status < 300,
            text=str(answer.body),
            json=lambda: answer.body,
        )


class Called:
    """A target that did as it was told, once for each run."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def url(self, job: str, *, guarded: bool) -> str:
        """Anywhere."""
        return f"https://example.com/{guarded}/{job}"

    def per_job(self) -> Counter[str]:
        """One effect each."""
        return Counter(f"chaos-{number}" for number in range(len(MODES)))

    def calls(self, job: str) -> list[Call]:
        """The call of its run."""
        return [
            Call(key=str(a.id.run), fence=a.fence, arrived_at=a.due_at)
            for a in self._api.world.attempts()
            if self._api.world.jobs.get(a.tenant, a.id.run.job_id).name == job
        ]


def test_what_went_well_is_read_without_a_complaint(api: Api) -> None:
    """Jobs of every mode, created as the course does, executed, and judged."""
    stack, target = cast("Stack", Deployed(api)), cast("Effects", Called(api))
    course = Course(jobs=len(MODES), spread=timedelta(seconds=9))
    subjects = create(stack, course, target, Random(1))
    world = api.world
    world.stream()
    for _ in subjects:
        world.clock.advance(10)
        world.execute(world.receive())
    world.stream()
    world.clock.advance(10)
    # The judge reads up to the time of the machine, which a ledger takes for 366 days.
    with time_machine.travel(world.clock.now(), tick=False):
        stories = told(stack, subjects, target)

    assert complaints(stories) == []
    assert counted(stories)["ended"] == {"succeeded": 3}
