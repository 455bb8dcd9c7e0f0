"""DAG runs on tables in memory: their runs end as a test says, and records come as it says."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tests.support.services.executions import check_cause, check_data, check_name
from tests.support.world import World
from timegate.adapters.step_functions.executions import execution_name
from timegate.domain.dag_runs.progress import DagRun, TaskProgress
from timegate.domain.dag_runs.run_identity import DagRunRef, task_run_mark
from timegate.domain.dags.definition import Dag
from timegate.domain.dags.errors import DagNotFound
from timegate.domain.jobs.job import Job
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.identity import DagId, TaskKey
from timegate.domain.values.tenant import TenantId
from timegate.ports.dags import DagStore
from timegate.usecases.dag_runs.dag_run_services import LOOK_AFTER, DagWorks
from timegate.usecases.dag_runs.look_at_dag_run import look_at_dag_runs
from timegate.usecases.dag_runs.open_dag_run import open_dag_run
from timegate.usecases.dag_runs.starting.start_dag_run import Start, start_dag_run
from timegate.usecases.dag_runs.stopping.call_off import call_off_with_runs
from timegate.usecases.dag_runs.tasks.end_task import end_tasks
from timegate.usecases.services.dag_start_services import Starting


@dataclass
class MemoryDags:
    """Definitions by version."""

    stored: dict[tuple[DagId, int], Dag] = field(default_factory=dict)
    own_jobs: dict[DagId, Job] = field(default_factory=dict)

    def add(self, dag: Dag) -> Dag:
        """Store a version."""
        self.stored[dag.dag_id, dag.version] = dag
        return dag

    def get(self, tenant: TenantId, dag_id: DagId) -> Dag:
        """The latest version."""
        own = [dag for (of, _), dag in self.stored.items() if (of, dag.tenant) == (dag_id, tenant)]
        if not own:
            raise DagNotFound(dag_id)
        return max(own, key=lambda dag: dag.version)

    def version(self, tenant: TenantId, dag_id: DagId, version: int) -> Dag:
        """A version."""
        dag = self.stored.get((dag_id, version))
        if dag is None or dag.tenant != tenant:
            raise DagNotFound(dag_id)
        return dag

    def own_job(self, tenant: TenantId, dag_id: DagId) -> Job | None:
        """The DAG's own job."""
        job = self.own_jobs.get(dag_id)
        return job if job is not None and job.tenant == tenant else None


@dataclass
class MemoryExecutions:
    """Executions that begin nothing, and remember what they were told."""

    begun: list[str] = field(default_factory=list)
    #: Keys of the tasks that each of them waits for.
    awaited: list[tuple[TaskKey, ...]] = field(default_factory=list)
    answers: list[tuple[str, str]] = field(default_factory=list)

    def begin(self, run: DagRun, tasks: Sequence[TaskKey]) -> None:
        """Remember the execution of a round, once."""
        name = execution_name(run)
        check_name(name)
        check_data({"tenant": run.tenant, "dag_run_id": run.dag_run_id, "tasks": list(tasks)})
        if name not in self.begun:
            self.begun.append(name)
            self.awaited.append(tuple(tasks))

    def answer(self, token: str, output: str) -> bool:
        """Remember an answer; whether it was the first."""
        check_data(json.loads(output))
        first = all(token != answered for answered, _ in self.answers)
        self.answers.append((token, output))
        return first

    def fail(self, token: str, cause: str) -> bool:
        """Remember it as an answer."""
        check_cause(cause)
        return self.answer(token, cause)


@dataclass
class DagWorld:
    """A world with DAG runs in it."""

    world: World = field(default_factory=World)
    dags: MemoryDags | DagStore = field(default_factory=MemoryDags)
    executions: MemoryExecutions = field(default_factory=MemoryExecutions)
    #: Images of DAG runs, and ends of tasks' runs, that were read from the stream.
    read_runs: int = 0
    read_attempts: int = 0
    works: DagWorks = field(init=False)

    def __post_init__(self) -> None:
        self.dag_runs = self.world.dag_runs
        self.works = DagWorks(
            dag_runs=self.dag_runs,
            dags=self.dags,
            events=self.world.events,
            runs=self.world.runs,
            slots=self.world.slots,
            jobs=self.world.jobs,
            blobs=self.world.blobs,
            executions=self.executions,
            clock=self.world.clock,
            telemetry=self.world.telemetry,
            scheduling=self.world.scheduling,
        )

    def start(self, dag: Dag, *, key: str = "first", parameters: str = "{}") -> DagRun:
        """Start a run of a DAG, and open it as outcomes would."""
        self.add(dag)
        starting = Starting(
            dags=self.dags,
            dag_runs=self.dag_runs,
            blobs=self.world.blobs,
            telemetry=self.world.telemetry,
        )
        wanted = Start(dag_id=dag.dag_id, key=key, parameters=parameters)
        run = start_dag_run(dag.tenant, wanted, starting, now=self.world.clock.now())
        self.open(run)
        return run

    def add(self, dag: Dag) -> None:
        """Store a definition, unless the world has them stored as callers do."""
        if isinstance(self.dags, MemoryDags):
            self.dags.add(dag)

    def open(self, run: DagRun) -> None:
        """Let outcomes read of it, and open it unless a test has read of it already."""
        self.follow()
        open_dag_run(self.dag_runs.get(run.tenant, run.dag_run_id), self.works)

    def follow(self) -> None:
        """Outcomes reads what is new of DAG runs, and of runs it cancelled, until nothing is."""
        tables = self.world.tables
        while True:
            runs, images = (
                tables.dag_run_images[self.read_runs :],
                tables.images[self.read_attempts :],
            )
            self.read_runs += len(runs)
            self.read_attempts += len(images)
            if not runs and not images:
                return
            refs = [DagRunRef(tenant=r.tenant, id=r.dag_run_id) for r in runs if r.follow]
            look_at_dag_runs(refs, self.works)
            ended = [image.after for image in images if image.after.ends_run]
            end_tasks([a for a in ended if a.reason is Reason.CANCEL_REQUESTED], self.works)
            call_off_with_runs([image.after for image in images], self.works)

    def look(self, run: DagRun) -> None:
        """The sweeper has it looked at."""
        self.world.clock.advance(LOOK_AFTER.total_seconds())
        look_at_dag_runs([DagRunRef(tenant=run.tenant, id=run.dag_run_id)], self.works)

    def waiting(self) -> list[Attempt]:
        """The runs of tasks that have not ended."""
        return [each for each in self.world.attempts() if each.is_task and not each.ends_run]

    def finish(self, attempt: Attempt, state: RunState, **changes: object) -> Attempt:
        """End a run; what the stream will show of it."""
        now = self.world.clock.now()
        if state is not RunState.SKIPPED:
            begun = replace(attempt, state=RunState.RUNNING, fence=1, started_at=now)
        else:
            begun = attempt
        ended = replace(end(begun, state, now=now), **changes)  # type: ignore[arg-type]
        assert self.world.runs.replace(attempt, ended)
        return ended

    def hear(self, *ended: Attempt) -> None:
        """Outcomes reads of these ends, and whatever follows."""
        end_tasks(ended, self.works)
        self.follow()

    def play(self, run: DagRun, outcome: Callable[[TaskKey, int, int], RunState]) -> DagRun:
        """Let every run end as ``outcome`` says of key, round and index, until all is quiet."""
        while waiting := self.waiting():
            mark = task_run_mark(waiting[0].id.run)
            assert mark is not None
            state = outcome(mark.key, mark.round, mark.index)
            self.hear(self.finish(waiting[0], state, result=f'"{mark.key}"'))
        return self.dag_runs.get(run.tenant, run.dag_run_id)

    def tasks(self, run: DagRun) -> Mapping[TaskKey, TaskProgress]:
        """The tasks of a DAG run."""
        return {task.key: task for task in self.dag_runs.tasks(run.tenant, run.dag_run_id)}

    def states(self, run: DagRun) -> dict[str, str]:
        """The states of its tasks."""
        return {key: task.state.value for key, task in self.tasks(run).items()}
