"""A stage as doctor sees it: each part of it works, or does not, as a test says."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.functional.cli.fake_api import FakeApi, _checked, ok, refusal
from tests.functional.cli.samples import JOB_ID, RUN_ID, answered, job

DAG_ID = answered("createDag")["dag_id"]


@dataclass
class FakeStage:
    """Answers by path; ``broken`` names the parts that do nothing."""

    broken: set[str] = field(default_factory=set)
    #: Operations that the token does not allow, by what their paths contain.
    forbidden: set[str] = field(default_factory=lambda: {"/v1/health"})
    health: dict[str, Any] = field(default_factory=dict)
    tenant_status: str = "active"
    #: When the stage's clock says that things are created.
    created_at: str = "2026-11-21T07:00:00.000Z"
    #: Requests that changed something, in order.
    asked: list[str] = field(default_factory=list)
    is_done: bool = False
    is_cancelled: bool = False

    def serve(self, request: httpx.Request) -> httpx.Response:
        """Answer one request."""
        method, path = request.method, request.url.path.removeprefix("/stage")
        if method != "GET":
            self.asked.append(f"{method} {path}")
        if any(part in path for part in self.forbidden):
            return refusal(403, "insufficient_scope")
        answer = _checked(request, self._answer(method, path))
        assert isinstance(answer, httpx.Response)
        return answer

    def behind(self, api: FakeApi, monkeypatch: Any) -> None:  # noqa: ANN401 - pytest's own
        """Stand behind the fake API's address."""
        passed_on = api._serve

        def serve(request: httpx.Request) -> httpx.Response:
            is_token = "tokens.example.com" in str(request.url)
            return passed_on(request) if is_token else self.serve(request)

        monkeypatch.setattr(api, "_serve", serve)

    def _answer(self, method: str, path: str) -> httpx.Response:
        """Choose by method and path, whose ids are left out."""
        kind = "/".join(path.removeprefix("/v1/").split("/")[::2])
        name = f"{method} {kind}" + "/ID" * (path.count("/") % 2)
        answers: dict[str, Callable[[], httpx.Response]] = {
            "GET tenant": lambda: ok(answered("getOwnTenant", status=self.tenant_status)),
            "GET health": lambda: ok(answered("getHealth", **self.health)),
            "POST dags": lambda: ok(answered("createDag", created_at=self.created_at), 201),
            "POST jobs": lambda: ok(job(job_id=JOB_ID), 201),
            "GET jobs/runs": self._runs,
            "POST pools/claim": lambda: ok(answered("claimRuns", runs=self._claimed())),
            "GET pools/ID": lambda: ok(answered("getPool", depth=self._depth())),
            "POST runs/complete": self._completed,
            "GET runs/ID": lambda: ok(answered("getRun", run_id=RUN_ID, state=self._state())),
            "GET jobs/ID": lambda: ok(job(status=self._status())),
            "DELETE jobs/ID": self._cancelled,
            "DELETE dags/ID": lambda: ok(answered("deleteDag")),
        }
        return answers[name]()

    def _completed(self) -> httpx.Response:
        self.is_done = "ends" not in self.broken
        return ok(answered("completeRun"))

    def _cancelled(self) -> httpx.Response:
        self.is_cancelled = True
        return ok(job(status="cancelled"))

    def _depth(self) -> int:
        return int("offers" not in self.broken)

    def _runs(self) -> httpx.Response:
        row = answered("listRuns", "items", 0)
        state = "queued" if "executor" in self.broken else "running"
        rows = [] if "api" in self.broken else [{**row, "run_id": RUN_ID, "state": state}]
        return ok(answered("listRuns", items=rows, next_cursor=None))

    def _claimed(self) -> list[dict[str, Any]]:
        if "offers" in self.broken:
            return []
        return [answered("claimRuns", "runs", 0)]

    def _state(self) -> str:
        return "succeeded" if self.is_done else "running"

    def _status(self) -> str:
        if self.is_cancelled:
            return "cancelled"
        return "completed" if self.is_done and "outcomes" not in self.broken else "active"
