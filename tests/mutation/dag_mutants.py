"""Planted bugs in what moves DAG runs on: each a small change of one function."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest

from tests.crash.faults import Mode
from tests.mutation.mutant import Mutant
from tests.mutation.suites import flow, members_heard_of_twice
from timegate.adapters.dynamo.dag_runs import dag_run_store, dag_task_items
from timegate.adapters.dynamo.dag_runs.dag_run_store import DynamoDagRunStore
from timegate.domain.dag_runs.progress import DagRunStatus, TaskProgress, TaskReason
from timegate.usecases.dag_runs import end_its_run, execution_steps
from timegate.usecases.dag_runs.stopping import stop_dag_run
from timegate.usecases.dag_runs.tasks import advance, end_in_place


def counts_before_it_decides(patch: pytest.MonkeyPatch) -> None:
    """A step that dies in between leaves edges that no step decides any more."""
    decide, count = advance.decide_edges, advance.count_end

    def count_first(course: Any, task: TaskProgress, works: Any) -> Any:  # noqa: ANN401
        count(course, task, works)
        return decide(course, task, works)

    for module in (advance, end_in_place):
        patch.setattr(module, "decide_edges", count_first)
        patch.setattr(module, "count_end", lambda course, *_: course.run)


def counts_members_by_number(patch: pytest.MonkeyPatch) -> None:
    """An end that is heard of twice is two ends: a counter where a set has to be."""
    record = DynamoDagRunStore.record_member

    def counter(
        self: DynamoDagRunStore, task: TaskProgress, indices: Collection[int], *, succeeded: bool
    ) -> TaskProgress | None:
        ended = task.members.succeeded | task.members.failed if task.members else frozenset()
        next_ones = range(len(ended), len(ended) + len(indices))
        return record(self, task, next_ones, succeeded=succeeded)

    patch.setattr(DynamoDagRunStore, "record_member", counter)


def keeps_tokens_and_looks_at_nothing(patch: pytest.MonkeyPatch) -> None:
    """A callback whose token comes after the end is never answered."""
    patch.setattr(execution_steps, "answer_task", lambda *_: None)


def stops_what_has_begun_only(patch: pytest.MonkeyPatch) -> None:
    """A task pending at the stop of a DAG run stays pending."""
    stop = stop_dag_run.stop_task

    def under_way(course: Any, task: TaskProgress, *rest: Any) -> TaskProgress | None:  # noqa: ANN401
        return None if task.state == "pending" else stop(course, replace(task), *rest)

    patch.setattr(stop_dag_run, "stop_task", under_way)


def starts_while_it_reopens(patch: pytest.MonkeyPatch) -> None:
    """A step that ends a task meanwhile starts what waits for that, and for what is put back."""
    consider = advance._consider

    def blind(course: Any, task: TaskProgress, works: Any) -> Any:  # noqa: ANN401
        going = replace(course.run, status=DagRunStatus.RUNNING)
        return consider(course.at(going), task, works)

    patch.setattr(advance, "_consider", blind)


def decides_whatever_came_meanwhile(patch: pytest.MonkeyPatch) -> None:
    """An operator's end is written over the end that a run came to a moment before."""
    checked = dag_task_items.task_update

    def unchecked(table: str, before: TaskProgress, after: TaskProgress) -> Any:  # noqa: ANN401
        update = checked(table, before, after)
        if after.reason != TaskReason.FORCED:
            return update
        return replace(update, where={"round": before.round})

    patch.setattr(dag_run_store, "task_update", unchecked)


def tells_before_it_has_ended_it(patch: pytest.MonkeyPatch) -> None:
    """A step that dies in between leaves a job's run that no process ends any more."""
    ended = end_its_run._has_ended

    def told_first(run: Any, loaded: Any, works: Any) -> bool:  # noqa: ANN401
        told = replace(run, is_told=True, watch_at=None, follow=False)
        works.dag_runs.change(run, told)
        return ended(run, loaded, works)

    patch.setattr(end_its_run, "_has_ended", told_first)


DAG_MUTANTS = (
    Mutant(
        "dag: a task is counted before its edges are decided",
        counts_before_it_decides,
        flow("dag fans out", function="outcomes", mode=Mode.AFTER),
    ),
    Mutant(
        "dag: so is a task in a line",
        counts_before_it_decides,
        flow("dag in a line", function="executor short", mode=Mode.AFTER),
    ),
    Mutant(
        "dag: a member that is heard of twice counts twice",
        counts_members_by_number,
        members_heard_of_twice,
    ),
    Mutant(
        "dag: a late callback is not answered",
        keeps_tokens_and_looks_at_nothing,
        flow("dag, late steps", clean=True),
    ),
    Mutant(
        "dag: what is pending is not stopped",
        stops_what_has_begun_only,
        flow("dag is cancelled", clean=True),
    ),
    Mutant(
        "dag: what is put back starts",
        starts_while_it_reopens,
        flow("dag, task again", function="outcomes", mode=Mode.STALLED),
        fast=False,
    ),
    Mutant(
        "dag: an operator overwrites an end",
        decides_whatever_came_meanwhile,
        flow("dag, skipped late", function="api", mode=Mode.STALLED),
    ),
    Mutant(
        "dag: a job's run is taken for ended",
        tells_before_it_has_ended_it,
        flow("job, by a dag", function="outcomes", mode=Mode.AFTER),
    ),
)
