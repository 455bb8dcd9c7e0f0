"""The flows whose cost is stated, played on the real use cases; each returns the usage of one run.

``together`` runs are due in the same instant: they share messages' requests and invocations, as on
AWS. One alone pays for all of them by itself.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from threading import Barrier

from bench.cost.meter import MESSAGES, TARGET_SECONDS, Meter
from bench.cost.steps import executed, requested, streamed, with_api
from tests.support.api import Api
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.factories import TENANT, after, job_id
from tests.unit.domain.dags.definitions import dag, task
from timegate.adapters.memory.call_runner import MemoryCallRunner
from timegate.adapters.memory.target import MemoryTarget
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.limits.quotas import Quotas
from timegate.domain.metering.flow import Flow
from timegate.domain.metering.usage import BilledUsage
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt
from timegate.ports.dispatch.messaging import Delayed

MINUTE = 60
DAY = 86_400
#: Minutes of steady state that are counted, after the first window.
_TICKS = 70
#: Minutes until a run that is due after eleven has ended, its second attempt included.
_TICKS_OF_ONE = 20
_BUSY = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="HTTPError", message="busy")
_TASKS = 5
#: A line that never comes fails, and does not hang.
_PATIENCE_SECONDS = 60
#: Minutely runs that one move of the planner stores.
RUNS_OF_A_PLAN = 7
_TELLING = Subscription(
    channel=WebhookChannel(url="https://example.com/told"), on=(Occasion.SUCCEEDED,)
)
_DAG_OVERHEAD = Path(__file__).parents[1] / "results" / "dag_overhead.json"


def scheduled(
    every_seconds: int,
    together: int,
    *,
    failures: int = 0,
    quotas: Quotas = Quotas(),  # noqa: B008 - frozen
    **fields: object,
) -> BilledUsage:
    """A run of a job on a schedule, from its plan to its end, beyond what idle ticks cost.

    ``failures``: attempts of each run that fail before one succeeds. ``quotas``: of the tenant.
    """
    ticks = _TICKS if every_seconds == MINUTE else _TICKS_OF_ONE
    idle = _course(every_seconds, 0, ticks)
    busy = _course(every_seconds, together, ticks, failures=failures, quotas=quotas, **fields)
    runs = together * (ticks if every_seconds == MINUTE else 1)
    return (busy + idle.times(-1)).times(1 / runs)


def _course(
    every_seconds: int,
    jobs: int,
    ticks: int,
    *,
    failures: int = 0,
    quotas: Quotas = Quotas(),  # noqa: B008 - frozen
    **fields: object,
) -> BilledUsage:
    meter = Meter()
    if quotas.given:
        stored = meter.world.tenants.get(TENANT)
        assert meter.world.tenants.put(TENANT, stored, replace(stored, quotas=quotas))
    first = MINUTE if every_seconds == MINUTE else 11 * MINUTE
    for number in range(jobs):
        meter.world.add_job(
            job_id=job_id(f"job {number}"),
            schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=every_seconds),
            anchored_at=after(first - every_seconds),
            next_run_at=after(first),
            **fields,
        )
    meter.world.target.then(*[_BUSY] * jobs * failures)
    if every_seconds == MINUTE:
        meter.world.tick()
    before = meter.stored()
    meter.begin()
    on_their_way: list[Delayed] = []
    for _ in range(ticks):
        meter.world.clock.advance(MINUTE)
        with meter.invoked("planner", items=0):
            meter.world.tick()
        on_their_way = executed(meter, on_their_way)
    return meter.usage + BilledUsage(stored_bytes=meter.stored() - before)


def one_shot(together: int) -> BilledUsage:
    """A job that runs once, from its creation by a request of its own to its end."""
    meter, api = with_api()
    # The first creation of a tenant allots its quota, and its request takes tokens for the next.
    api.create(name="before", schedule={"kind": "manual"})
    meter.begin()
    for _ in range(together):
        requested(meter, "api", lambda: api.create(schedule={"kind": "immediate"}))
    meter.sent(len(meter.world.publisher.sent))
    executed(meter, [])
    return (meter.usage + BilledUsage(stored_bytes=meter.stored())).times(1 / together)


def retry(together: int) -> BilledUsage:
    """The second attempt of a run, beyond its first."""
    twice = scheduled(DAY, together, failures=1)
    return twice + scheduled(DAY, together).times(-1)


def triggered(together: int) -> BilledUsage:
    """A run that a caller asks for, by a request of its own."""
    meter, api = with_api()
    jobs = [api.create(name=f"asked {n}", schedule={"kind": "manual"}) for n in range(together)]
    asked = [partial(api.send, "POST", f"/v1/jobs/{job['job_id']}/trigger") for job in jobs]
    # The first trigger of a job changes the job as well.
    for ask in asked:
        ask()
    executed(meter, [])
    meter.world.clock.advance(1)
    before = meter.stored()
    meter.begin()
    for ask in asked:
        requested(meter, "api", ask)
    meter.sent(len(meter.world.publisher.sent))
    executed(meter, [])
    used = meter.usage + BilledUsage(stored_bytes=meter.stored() - before)
    return used.times(1 / together)


def notification(together: int) -> BilledUsage:
    """A message about the end of a run, beyond that run."""
    told = scheduled(DAY, together, notifications=(_TELLING,))
    return told + scheduled(DAY, together).times(-1)


def pool_run(together: int) -> BilledUsage:
    """A run that a worker of a pool claims when it is due, and completes; its job runs daily."""
    meter, api = with_api()
    for number in range(together):
        api.create(
            name=f"report {number}",
            schedule={"kind": "cron", "cron": f"{_TICKS_OF_ONE} 7 * * *", "timezone": "UTC"},
            action={"type": "worker", "pool": "reports", "handler": "sales"},
        )
    api.send("POST", "/v1/pools/reports/claim", {"worker": "host-7"})
    meter.begin()
    on_their_way: list[Delayed] = []
    for _ in range(_TICKS_OF_ONE):
        meter.world.clock.advance(MINUTE)
        with meter.invoked("planner", items=0):
            meter.world.tick()
        # The executor offers the run, and calls no target.
        on_their_way = executed(meter, on_their_way, target_seconds=0)
    _worked(meter, api, together)
    streamed(meter)
    idle = _course(DAY, 0, _TICKS_OF_ONE)
    used = meter.usage + BilledUsage(stored_bytes=meter.stored()) + idle.times(-1)
    return used.times(1 / together)


def _worked(meter: Meter, api: Api, together: int) -> None:
    asked = {"worker": "host-7", "max": together}
    answer = requested(meter, "workers", lambda: api.send("POST", "/v1/pools/reports/claim", asked))
    for run in answer.body["runs"]:
        body = {"lease_token": run["lease_token"], "result": {"rows": 1}}
        path = f"/v1/runs/{run['run_id']}/complete"
        requested(meter, "workers", partial(api.send, "POST", path, body))


def dag_task(together: int) -> BilledUsage:
    """A task in a line of five, its share of the DAG run included."""
    meter = Meter()
    meter.world.call_runner = MemoryCallRunner(_InStep(together), meter.world.clock)
    worlds = DagWorld(world=meter.world)
    keys = "abcde"
    own = dag(
        tuple(task(key) for key in keys),
        *(f"{a} -> {b}" for a, b in pairwise(keys)),
    )
    worlds.add(own)
    meter.begin()
    with meter.invoked("outcomes", items=together):
        for number in range(together):
            worlds.start(own, key=f"run-{number}")
    meter.sent(len(meter.world.publisher.sent))
    _tasks_executed(meter, worlds)
    transitions = json.loads(_DAG_OVERHEAD.read_text())["transitions"]["timegate"][0]
    used = meter.usage + BilledUsage(stored_bytes=meter.stored())
    return used.times(1 / together / _TASKS) + BilledUsage(transitions=transitions / _TASKS)


class _InStep(MemoryTarget):
    """Answers lines that run side by side together, so that their ends share writes each time."""

    def __init__(self, lines: int) -> None:
        super().__init__()
        self._together = Barrier(lines, timeout=_PATIENCE_SECONDS)

    def invoke(self, call: Call) -> Answer:
        """Answer once each line is at its call."""
        self._together.wait()
        return super().invoke(call)


def _tasks_executed(meter: Meter, worlds: DagWorld) -> None:
    """Let executors run all tasks of each line, and outcomes hear of their ends."""
    meter.world.clock.advance(1)
    works = replace(worlds.works, scheduling=None)
    executed(meter, [], target_seconds=_TASKS * TARGET_SECONDS, in_place=works, rows=_TASKS)
    ended: list[Attempt] = [each for each in meter.world.attempts() if each.ends_run]
    with meter.invoked("outcomes", items=len(ended)):
        worlds.hear(*ended)


#: Flows in the order of tables.
FLOWS: Mapping[Flow, Callable[[int], BilledUsage]] = {
    Flow.MINUTELY: lambda together: scheduled(MINUTE, together),
    Flow.DAILY: lambda together: scheduled(DAY, together),
    Flow.ONE_SHOT: one_shot,
    Flow.TRIGGERED: triggered,
    Flow.RETRY: retry,
    Flow.POOL: pool_run,
    Flow.NOTICE: notification,
    Flow.TASK: dag_task,
}


def measured() -> dict[str, tuple[BilledUsage, BilledUsage]]:
    """Return the usage of each flow: of a run that is alone, and of one among ten."""
    return {flow.value: (play(1), play(MESSAGES)) for flow, play in FLOWS.items()}
