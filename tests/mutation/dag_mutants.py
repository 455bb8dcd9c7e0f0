"""Planted bugs in what moves DAG runs on: each a small change of one function."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest

from timegate.adapters.memory.dag_run_store import MemoryDagRunStore
from timegate.domain.dag.progress import TaskProgress
from timegate.usecases.dag_runs import advance, stop_dag_run, wait_for_tasks


def counts_before_it_decides(patch: pytest.MonkeyPatch) -> None:
    """Whoever dies in between leaves edges that nobody decides any more."""
    decide, count = advance._decide_edges, advance._count

    def count_first(course: Any, task: TaskProgress, works: Any) -> Any:  # noqa: ANN401
        count(course, task, works)
        return decide(course, task, works)

    patch.setattr(advance, "_decide_edges", count_first)
    patch.setattr(advance, "_count", lambda *_: None)


def counts_members_by_number(patch: pytest.MonkeyPatch) -> None:
    """An end that is heard of twice is two ends: a counter where a set has to be."""
    record = MemoryDagRunStore.record_member

    def counter(
        self: MemoryDagRunStore, task: TaskProgress, indices: Collection[int], *, succeeded: bool
    ) -> TaskProgress | None:
        ended = task.members.succeeded | task.members.failed if task.members else frozenset()
        next_ones = range(len(ended), len(ended) + len(indices))
        return record(self, task, next_ones, succeeded=succeeded)

    patch.setattr(MemoryDagRunStore, "record_member", counter)


def keeps_tokens_and_looks_at_nothing(patch: pytest.MonkeyPatch) -> None:
    """A callback whose token comes after the end is never answered."""
    patch.setattr(wait_for_tasks, "answer_task", lambda *_: None)


def stops_what_has_begun_only(patch: pytest.MonkeyPatch) -> None:
    """What is pending when a DAG run is stopped stays pending."""
    stop = stop_dag_run._stop

    def under_way(course: Any, task: TaskProgress, *rest: Any) -> TaskProgress | None:  # noqa: ANN401
        return None if task.state == "pending" else stop(course, replace(task), *rest)

    patch.setattr(stop_dag_run, "_stop", under_way)
