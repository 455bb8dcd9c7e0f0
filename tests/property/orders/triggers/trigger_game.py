"""Triggers of one job that meet: claims, ends, cancels, changes of the job and faults between."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from tests.property.orders.exploring import Step
from tests.property.orders.processes import Process
from tests.property.orders.slots import Held, claim, end_claim
from tests.property.orders.stage import Stage
from tests.property.orders.triggers.trigger_judge import (
    REFUSED,
    UNKNOWN,
    Came,
    TriggerFacts,
    judge,
    judge_ends,
)
from tests.support.api import api_services
from tests.support.factories import JOB_ID, TENANT, job_factory
from tests.support.stores.records import RUNS_TABLE
from tests.support.world import World
from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.memory.engine import Change
from timegate.domain.execution.triggers import Trigger, TriggerKey
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.limits.collapse import Collapse
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import TERMINAL, Attempt, Reason, RunState
from timegate.domain.values.errors import (
    Conflict,
    JobChanged,
    JobIsCancelled,
    RunIsFinished,
    Throttled,
    TimegateError,
)
from timegate.domain.values.identity import RunId
from timegate.usecases.execution.cancel_run import cancel_run
from timegate.usecases.jobs.cancel_job import cancel_job
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.trigger_job import Triggering, trigger_job
from timegate.usecases.jobs.trigger_many import InBatch, TriggerBatch, trigger_many
from timegate.usecases.jobs.update_job import update_job
from timegate.usecases.services.execution_services import Claimed

_MANUAL = Schedule(kind=ScheduleKind.MANUAL)
_REF = JobRef(tenant=TENANT, job_id=JOB_ID)


@dataclass(frozen=True, kw_only=True)
class Caller:
    """A caller who triggers the job, alone or by a batch."""

    #: Under which the request is known when it comes again; ``None``: it is not.
    key: str | None = None
    #: Triggers in one request; ``None``: it is no batch.
    batch: int | None = None
    expires: float | None = None


class TriggerGame(Stage):
    """One job, whose triggers collapse or are runs of their own."""

    facts: TriggerFacts

    def __init__(
        self,
        *,
        rule: Collapse | None,
        callers: Sequence[Caller],
        waits: Caller | None = None,
        may: Mapping[str, int] = MappingProxyType({}),
        seconds: int = 11,
    ) -> None:
        """Begin before any of the callers comes; ``waits``: a trigger whose run is due already."""
        world = World()
        world.sweep()
        world.jobs.create(job_factory(collapse=rule, schedule=_MANUAL, next_run_at=None))
        facts = TriggerFacts()
        if waits is not None:
            came = Came(
                name="before", payload=_payload(waits, "before"), at=world.now, key=waits.key
            )
            facts = TriggerFacts(came=(came,))
            facts = facts.with_answer("before", _trigger(waits, "before", world))
            world.clock.advance(rule.span_seconds if rule is not None else 0)
        self.rule, self._callers = rule, callers
        super().__init__(world, facts, may, seconds=seconds)
        self._judged: set[object] = set()
        self._changes: dict[str, Callable[[World], object]] = {
            "deletes": lambda view: cancel_job(_REF, api_services(view), now=view.clock.now()),
            "pauses": lambda view: pause_job(_REF, api_services(view), now=view.clock.now()),
            "edits": _edit,
        }

    def begins(self) -> Iterator[Step]:
        """Name the next caller, messages of runs, ends of workers, and changes of the job.

        Callers come in their order: those that are alike are told apart by nothing else.
        """
        number = sum(each.name != "before" for each in self.facts.came)
        if number < len(self._callers):
            yield Step(f"caller {number} comes", partial(self._come, number))
        for attempt in list(self.texts.attempts(self.world)):
            yield from self._of_run(attempt)
        for held in self.facts.held:
            yield Step(f"{held.name} ends", partial(self._end, held))
        for what, act in self._changes.items():
            if self.has(what):
                yield Step(f"one of the {what} begins", partial(self._change, what, act))

    def _of_run(self, attempt: Attempt) -> Iterator[Step]:
        if attempt.state in TERMINAL:
            return
        is_due = attempt.due_at <= self.world.clock.now()
        process = f"claim of {attempt.id.run.about or attempt.id.run}"
        is_due = is_due and attempt.state is RunState.QUEUED
        if is_due and self.has("deliveries") and process not in self.processes:
            yield Step(f"{process} begins", partial(self._deliver, process, attempt))
        if self.has("cancels"):
            yield Step(f"cancel of {attempt.id.run} begins", partial(self._cancel, attempt))

    def _come(self, number: int) -> None:
        caller, name = self._callers[number], f"caller {number}"
        facts = self.facts
        answered = frozenset(each.name for each in facts.came if each.answer)
        came = Came(
            name=name,
            payload=_payload(caller, name),
            at=self.world.clock.now(),
            key=caller.key,
            claimed=facts.claimed,
            over=facts.over,
            after=answered,
        )
        self.facts = replace(facts, came=(*facts.came, came))
        self.begin(name, partial(_trigger, caller, name))

    def _deliver(self, process: str, attempt: Attempt) -> None:
        owner = f"worker {self.use('deliveries')}"
        self.begin(process, partial(claim, attempt, owner))

    def _cancel(self, attempt: Attempt) -> None:
        self.facts = replace(self.facts, stopped=self.facts.stopped | {attempt.id.run})
        self.begin(f"cancel {self.use('cancels')}", partial(_cancel, attempt))

    def _change(self, what: str, act: Callable[[World], object]) -> None:
        if what == "deletes":
            self.facts = replace(self.facts, deleted=True)
        self.begin(f"{what} {self.use(what)}", partial(_quietly, act))

    def _end(self, held: Held) -> None:
        left = tuple(each for each in self.facts.held if each is not held)
        self.facts = replace(self.facts, held=left)
        self.begin(f"end of {held.name}", partial(end_claim, held.claim))

    def ended(self, process: Process) -> None:
        """Keep what a caller was answered, and what a worker claimed."""
        if isinstance(process.result, Claimed):
            claim = process.result
            held = Held(name=claim.lease.owner, claim=claim, owner=claim.lease.owner)
            self.facts = replace(self.facts, held=(*self.facts.held, held))
        if process.name.startswith("caller "):
            self.facts = self.facts.with_answer(process.name, process.result)

    def noted(self, change: Change) -> None:
        """Remember which runs were claimed and are over; an end stays, and no begun one is lost."""
        if change.table != RUNS_TABLE or "fence" not in (change.after or {}):
            return
        after = attempt_from_fields(change.after or {})
        before = attempt_from_fields(change.before) if change.before else None
        if before is not None and before.state in TERMINAL:
            assert before.state is after.state, f"{after.id} had ended"
        if after.reason is Reason.COLLAPSED and before is not None:
            assert before.id.run not in self.facts.claimed, f"{after.id} was replaced at work"
        claimed_now = {after.id.run} if after.state is RunState.RUNNING else set()
        over = {after.id.run} if after.ends_run or after.cancel_requested else set()
        self.facts = replace(
            self.facts, claimed=self.facts.claimed | claimed_now, over=self.facts.over | over
        )

    def judge(self) -> None:
        """Hold windows, records and answers to the concept of collapsing."""
        judge(self.world, list(self.texts.attempts(self.world)), self.facts, self.rule)

    def judge_alone(self) -> None:
        """Left to sweeper and executors, each accepted trigger is in one run that ends."""
        named = self.texts.of_items(self.world), self.facts.deleted, self.facts.stopped
        if self.processes or named in self._judged:
            return
        self._judged.add(named)
        world = self.world
        for number in range(20):
            if all(attempt.state in TERMINAL for attempt in world.attempts()):
                break
            world.clock.advance(100)
            world.sweep()
            world.stream()
            world.execute(world.receive(), owner=f"last {number}")
        judge_ends(world.attempts(), self.facts)


def _payload(caller: Caller, name: str) -> str:
    """Return what a caller sends: one who comes again sends the same, others their own."""
    return f'"{caller.key or name}"'


def _trigger(caller: Caller, name: str, view: World) -> tuple[RunId, ...] | str:
    trigger = Trigger(payload=_payload(caller, name), expires_after_seconds=caller.expires)
    services = replace(api_services(view), new_seed=name.encode)
    key = None
    if caller.key is not None:
        key = TriggerKey.of(TENANT, JOB_ID, caller.key, request_hash=caller.key)
    now = view.clock.now()
    try:
        if caller.batch is None:
            request = Triggering(tenant=TENANT, job_id=JOB_ID, trigger=trigger, key=key)
            return (trigger_job(request, services, now=now).attempts[0].id.run,)
        triggers = [(place, trigger) for place in range(caller.batch)]
        batch = TriggerBatch(tenant=TENANT, job_id=JOB_ID, triggers=triggers, key=key)
        found = trigger_many(batch, services, now=now)
    except Throttled:
        return UNKNOWN
    except (Conflict, JobIsCancelled):
        return REFUSED
    if any(isinstance(each, TimegateError) for each in found):
        return UNKNOWN
    return tuple(each.run for each in found if isinstance(each, InBatch))


def _cancel(attempt: Attempt, view: World) -> None:
    with suppress(Throttled, RunIsFinished, Conflict):
        cancel_run(attempt.tenant, attempt.id.run, api_services(view), now=view.clock.now())


def _edit(view: World) -> object:
    return update_job(_REF, JobChanges(name="edited"), api_services(view), now=view.clock.now())


def _quietly(act: Callable[[World], object], view: World) -> None:
    with suppress(JobChanged, JobIsCancelled, Throttled):
        act(view)
