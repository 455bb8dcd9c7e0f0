"""Followers that are given by name, as files name them: ``Dag/NAME`` and ``Job/NAME``."""

from collections.abc import Iterator
from typing import Any

from timegate.client import TimegateClient
from timegate.domain.values.errors import InvalidInput

#: ``dag:`` and the id of a DAG stand for the DAG's own job.
_OWN_JOB = "dag:"


def with_ids(definition: Any, client: TimegateClient) -> Any:  # noqa: ANN401 - any JSON of a file
    """Return a job, a DAG or a change whose followers have ids, by a listing for each name.

    Anything that is none is left for the API to refuse. Raises ``InvalidInput`` for a name that the
    stage does not have, or has twice.
    """
    followers = definition.get("then") if isinstance(definition, dict) else None
    if not isinstance(followers, list):
        return definition
    return {**definition, "then": [_with_id(each, client) for each in followers]}


def _with_id(follower: Any, client: TimegateClient) -> Any:  # noqa: ANN401 - any JSON of a file
    said = follower.get("job_id") if isinstance(follower, dict) else None
    if not isinstance(said, str) or "/" not in said:
        return follower
    return {**follower, "job_id": _id_of(said, client)}


def _id_of(said: str, client: TimegateClient) -> str:
    # Ids need nothing of files, which take long to import.
    from timegate.declaring.declarations import DeclarationKind  # noqa: PLC0415

    kind, _, name = said.partition("/")
    match kind:
        case DeclarationKind.DAG:
            return _OWN_JOB + _the_one(said, _dags(name, client))
        case DeclarationKind.JOB:
            return _the_one(said, _jobs(name, client))
    return said


def _dags(name: str, client: TimegateClient) -> Iterator[str]:
    return (row["dag_id"] for row in client.list_dags.iterate(limit=100) if row["name"] == name)


def _jobs(name: str, client: TimegateClient) -> Iterator[str]:
    rows = client.list_jobs.iterate(name=name, limit=100)
    return (row["job_id"] for row in rows if row["name"] == name and row["status"] != "cancelled")


def _the_one(said: str, ids: Iterator[str]) -> str:
    first, second = next(ids, None), next(ids, None)
    if first is None:
        raise InvalidInput("then", "unknown_reference", f"The stage has no {said}.")
    if second is not None:
        detail = f"There are several {said}, such as {first} and {second}: give the id of one."
        raise InvalidInput("then", "ambiguous", detail)
    return first
