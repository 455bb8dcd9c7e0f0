"""The canary: a job of one run, of a DAG whose task doctor itself works on.

Its run crosses the whole stage, and calls nothing outside it: the API stores it, a queue brings it
to an executor, which starts the DAG run; that offers its task in a pool; its end is followed back.
"""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, cast

from timegate.cli.doctor.checkup import Checkup, StepEnded, StepOutcome, is_not_allowed
from timegate.cli.doctor.stuck_runs import stuck
from timegate.cli.terminal.watching import has_ended, has_succeeded
from timegate.client import JsonObject, ProblemError, TimegateClient
from timegate.domain.runs.run_states import RunState
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.client.schemas import NewDag, NewJob

#: The pool in which canaries are offered; each has a handler of its own.
POOL = "timegate-doctor"
#: Further than that, and instants that are typed here mean something else there.
SKEW_SECONDS = 5.0
#: A request waits no longer for an offer; the gateway hangs up after thirty seconds.
_CLAIM_SECONDS = 5.0
_PAUSE_SECONDS = 1.0
_RUN_SECONDS = 120
_NAME = "timegate doctor"
_WORDS = "A canary of timegate doctor; it may be cancelled at any time."


@dataclass(kw_only=True)
class Canary:
    """One canary, from its creation to its end."""

    client: TimegateClient
    now: Callable[[], datetime]
    sleep: Callable[[float], None]
    #: Mark that tells it from other canaries.
    mark: str
    #: How long each wait may last.
    patience_seconds: float
    dag_id: str = ""
    job_id: str = ""
    run_id: str = ""
    lease_token: str = ""
    task_run_id: str = ""

    def fly(self, checkup: Checkup) -> None:
        """Take its steps, up to the first that finds a problem; everything of it is ended then."""
        steps = {
            "create a job": self.create,
            "start its run": self.start,
            "offer its task": self.claim,
            "end its run": self.complete,
            "complete the job": self.follow,
        }
        try:
            for name, take in steps.items():
                if not checkup.step(name, take) or (take == self.claim and not self.lease_token):
                    break
        finally:
            if self.dag_id:
                checkup.step("clean up", self.remove)

    def create(self) -> str:
        """Create a DAG of one task, and a job that runs it once, at once."""
        task = {"action": {"type": "worker", "pool": POOL, "handler": self.mark}}
        dag = {
            "name": _NAME,
            "description": _WORDS,
            "tasks": [{"key": "canary", "job": {**task, "timeout_seconds": _RUN_SECONDS}}],
            "edges": [],
            "timeout_seconds": 2 * _RUN_SECONDS,
        }
        began = self.now()
        made = self.client.create_dag(cast("NewDag", dag), idempotency_key=self.mark)
        self.dag_id = made["dag_id"]
        skew = _skew(datetime.fromisoformat(made["created_at"]), began, self.now())
        job = {
            "name": _NAME,
            "description": _WORDS,
            "schedule": {"kind": "immediate"},
            "action": {"type": "dag", "dag_id": self.dag_id},
            "retry": {"max_attempts": 1},
            "tags": {"timegate": "doctor"},
        }
        self.job_id = self.client.create_job(cast("NewJob", job), idempotency_key=self.mark)[
            "job_id"
        ]
        if abs(skew) > SKEW_SECONDS:
            raise StepEnded(
                StepOutcome.WARNING,
                f"Job {self.job_id} is stored; this machine's clock differs by {skew:+.0f} s.",
                "Set this machine's clock: instants that are typed here mean others there.",
            )
        return f"Job {self.job_id} is stored."

    def start(self) -> str:
        """Wait until an executor has the run: stream and queue have done theirs."""
        began = self.now()
        run = self._await(self._newest_run, lambda each: each.get("state") not in _BEFORE)
        if run is None:
            raise stuck(self._newest_run(), self.job_id, self.patience_seconds)
        self.run_id = run["run_id"]
        if has_ended(run) and not has_succeeded(run):
            raise stuck(run, self.job_id, self.patience_seconds)
        waited = (self.now() - began).total_seconds()
        return f"An executor took run {self.run_id} within {waited:.1f} s."

    def claim(self) -> str:
        """Wait for the task in its pool: the readers of DAG runs have done theirs."""
        began = self.now()
        while (self.now() - began).total_seconds() < self.patience_seconds:
            try:
                found = self.client.claim_runs(
                    POOL,
                    worker=self.mark,
                    wait_seconds=min(_CLAIM_SECONDS, self.patience_seconds),
                    handlers=[self.mark],
                )
            except ProblemError as error:
                if not is_not_allowed(error):
                    raise
                return self._seen()
            if found["runs"]:
                run = found["runs"][0]
                self.task_run_id, self.lease_token = run["run_id"], run["lease_token"]
                waited = (self.now() - began).total_seconds()
                return f"Its task came to this worker within {waited:.1f} s."
            self.sleep(_PAUSE_SECONDS)
        raise _not_offered(self.patience_seconds)

    def complete(self) -> str:
        """Say that the task is done, and see the run end."""
        self.client.complete_run(self.task_run_id, lease_token=self.lease_token, result=self.mark)
        run = self._await(lambda: self.client.get_run(self.run_id), has_ended)
        if run is None or not has_succeeded(run):
            state = "has not ended" if run is None else f"is {run['state']}"
            raise StepEnded(
                StepOutcome.PROBLEM,
                f"Run {self.run_id} {state} although its task was completed.",
                f"timegate runs get {self.run_id}; then the logs of dag_runs and outcomes: "
                "docs/operations/runbooks.md#stream-behind.",
            )
        return f"Run {self.run_id} succeeded."

    def follow(self) -> str:
        """Wait until the job is completed: the readers of ends have done theirs."""
        job = self._await(
            lambda: self.client.get_job(self.job_id), lambda each: each["status"] != "active"
        )
        if job is None:
            raise StepEnded(
                StepOutcome.PROBLEM,
                "The run has ended and its job is not completed: ends are not followed.",
                "Look at outcomes and its stream: docs/operations/runbooks.md#stream-behind.",
            )
        return f"Job {self.job_id} is {job['status']}."

    def remove(self) -> str:
        """End the job, unless it has ended, and delete the DAG; the records expire as others do."""
        if self.job_id and self.client.get_job(self.job_id)["status"] == "active":
            self.client.cancel_job(self.job_id)
        self.client.delete_dag(self.dag_id)
        return "Nothing is left that could run."

    def _seen(self) -> str:
        """Wait until the pool shows an offer, for a token that may not claim it."""
        if self._await(lambda: self.client.get_pool(POOL), lambda pool: pool["depth"] > 0) is None:
            raise _not_offered(self.patience_seconds)
        raise StepEnded(
            StepOutcome.WARNING,
            "The task was offered; the profile's token lacks the scope timegate/worker, so that "
            "it was not worked on.",
            "Give the profile's client the scope to have the rest checked.",
        )

    def _newest_run(self) -> JsonObject:
        runs = self.client.list_runs(self.job_id, limit=1)["items"]
        return dict(runs[0]) if runs else {}

    def _await(
        self, look: Callable[[], JsonObject], is_it: Callable[[JsonObject], bool]
    ) -> JsonObject | None:
        """Look again until it is; ``None`` after the patience."""
        began = self.now()
        while not is_it(found := look()):
            if (self.now() - began).total_seconds() >= self.patience_seconds:
                return None
            self.sleep(_PAUSE_SECONDS)
        return found


#: A run that no executor has taken; one that is not there has no state.
_BEFORE = {None, RunState.WAITING, RunState.QUEUED}


def _not_offered(patience_seconds: float) -> StepEnded:
    return StepEnded(
        StepOutcome.PROBLEM,
        f"The run has begun and its task was not offered in {patience_seconds:g} s.",
        "Look at dag_runs and its stream: docs/operations/runbooks.md#stream-behind.",
    )


def _skew(there: datetime, began: datetime, ended: datetime) -> float:
    """Return how far this clock is ahead of the one there, which was read in between."""
    if there < began:
        return (began - there).total_seconds()
    return min(0.0, (ended - there).total_seconds())
