"""Jobs of dkron that follow one another by ``parent_job``."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from timegate.cli.migrating.entries import Note, Read, ScheduleEntry, UnconvertedEntry, told
from timegate.cli.migrating.manifest import Imported
from timegate.domain.jobs.follow_up import MAX_DEPTH, MAX_FOLLOW_UPS
from timegate.domain.values.errors import InvalidInput


class Families:
    """Parents and children of a file, by their names there."""

    def __init__(self, jobs: Sequence[Mapping[str, Any]], names: Sequence[str]) -> None:
        """Read the jobs of a file; ``names``: what each is called here."""
        self._parents = {_own(job): _parent(job) for job in jobs}
        self._children: dict[str, list[str]] = {}
        for job, name in zip(jobs, names, strict=True):
            if parent := _parent(job):
                self._children.setdefault(parent, []).append(name)

    def check(self, job: Mapping[str, Any]) -> None:
        """Refuse a job that no first one leads to within the deepest chain.

        Raises ``InvalidInput``, so that no manifest has a circle, which is refused as a whole.
        """
        above = _parent(job)
        for _ in range(MAX_DEPTH):
            if not above or above not in self._parents:
                return
            above = self._parents[above]
        detail = f"Its parents go round in a circle, or are more than {MAX_DEPTH}."
        raise InvalidInput("parent_job", "cycle", detail)

    def followers(self, job: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Note, ...]]:
        """Return the field ``then`` of a job, and notes of what it leaves out."""
        notes = []
        parent = _parent(job)
        if parent and parent not in self._parents:
            detail = f"Its parent {parent} is not in the file: nothing starts it here."
            notes.append(Note(code="parent", detail=detail))
        children = self._children.get(_own(job), [])
        if len(children) > MAX_FOLLOW_UPS:
            left = ", ".join(children[MAX_FOLLOW_UPS:])
            detail = f"{MAX_FOLLOW_UPS} jobs may follow one; nothing starts {left}."
            notes.append(Note(code="parent", detail=detail))
        then = [
            {"job_id": f"Job/{name}", "on": ["succeeded"]} for name in children[:MAX_FOLLOW_UPS]
        ]
        return ({"then": then} if then else {}), tuple(notes)


def with_known_followers(found: Sequence[Imported]) -> list[Imported]:
    """Return entries without followers that were refused: a manifest names its own documents."""
    written = {f"Job/{read.name}" for read, _ in found if isinstance(read, ScheduleEntry)}
    return [(_known(read, written), fields) for read, fields in found]


def _known(read: Read, written: set[str]) -> Read:
    then = read.job.get("then", []) if isinstance(read, ScheduleEntry) else []
    lost = [each["job_id"] for each in then if each["job_id"] not in written]
    if isinstance(read, UnconvertedEntry) or not lost:
        return read
    kept = [each for each in then if each["job_id"] in written]
    others = {name: value for name, value in read.job.items() if name != "then"}
    names = told([each.removeprefix("Job/") for each in lost])
    note = Note(code="parent", detail=f"It starts {names} there, which is refused here.")
    return replace(
        read, notes=(*read.notes, note), job={**others, **({"then": kept} if kept else {})}
    )


def _own(job: Mapping[str, Any]) -> str:
    return str(job.get("name") or "")


def _parent(job: Mapping[str, Any]) -> str:
    return str(job.get("parent_job") or "")
