"""References to jobs in a body: ``key:nightly``, or ``dag:`` and a DAG's id, where an id stands."""

from collections.abc import Callable, Iterator
from typing import Any

from timegate.domain.values.errors import InvalidInput, JobNotFound
from timegate.domain.values.identity import JobId, dag_of, key_of

#: Each costs a read.
MAX_KEYS = 10


def with_ids(
    value: Any,  # noqa: ANN401 - any JSON
    named: Callable[[str], JobId],
    read: dict[str, JobId | None] | None = None,
    *,
    keeps_unknown: bool = False,
) -> Any:  # noqa: ANN401 - as above
    """Return a body in which ids stand for keys and DAGs.

    Raises ``InvalidInput`` for a key of no job. The own job of a DAG has a computed id: whether it
    exists is found as of any other. ``read``: keys that other parts of the request named, which is
    added to; ``None`` stands for a key of no job. ``keeps_unknown``: such a key stays, for a use
    case that refuses it as an unknown id.
    """
    found = {} if read is None else read
    for field, holder in _holders(value):
        text = holder["job_id"]
        if isinstance(text, str) and dag_of(text) is not None:
            holder["job_id"] = named(text)
            continue
        if not isinstance(text, str) or key_of(text) is None:
            continue
        if text not in found:
            if len(found) == MAX_KEYS:
                detail = f"A request names at most {MAX_KEYS} jobs by key: give ids."
                raise InvalidInput(field, "too_many", detail)
            found[text] = _read(text, named)
        job_id = found[text]
        if job_id is None and keeps_unknown:
            continue
        if job_id is None:
            raise InvalidInput(field, "unknown_job", f"There is no job {text}.")
        holder["job_id"] = job_id
    return value


def _read(text: str, named: Callable[[str], JobId]) -> JobId | None:
    try:
        return named(text)
    except JobNotFound:
        return None


def _holders(value: Any, within: str = "") -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: ANN401
    """Objects of a body that name a job, and the field in which each does."""
    if not isinstance(value, dict):
        return
    for name in ("then", "tasks"):
        listed = value.get(name)
        for number, each in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(each, dict) and "job_id" in each:
                yield f"{within}{name}.{number}.job_id", each
    scope = value.get("scope")
    if isinstance(scope, dict) and "job_id" in scope:
        yield f"{within}scope.job_id", scope
    jobs = value.get("jobs")
    if isinstance(jobs, dict) and "job_id" in jobs:
        yield f"{within}jobs.job_id", jobs
    for number, each in enumerate(jobs if isinstance(jobs, list) else ()):
        yield from _holders(each, f"{within}jobs.{number}.")
