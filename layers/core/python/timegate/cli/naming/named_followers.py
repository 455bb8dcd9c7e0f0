"""Followers that are given by name, as files name them: ``Dag/NAME`` and ``Job/NAME``."""

from collections.abc import Iterator

from timegate.client import JsonObject, TimegateClient
from timegate.domain.values.errors import InvalidInput

#: ``dag:`` and the id of a DAG stand for the DAG's own job.
_OWN_JOB = "dag:"


def with_ids(definition: JsonObject, client: TimegateClient) -> JsonObject:
    """Return a job whose followers have ids, by one listing of each kind that is named.

    Raises ``InvalidInput`` for a name that the stage does not have, or has twice.
    """
    if not any("/" in each["job_id"] for each in definition.get("then", ())):
        return definition
    followers = [{**each, "job_id": _id_of(each["job_id"], client)} for each in definition["then"]]
    return {**definition, "then": followers}


def _id_of(said: str, client: TimegateClient) -> str:
    # Ids need nothing of files, which take long to import.
    from timegate.cli.apply.documents import DeclarationKind  # noqa: PLC0415

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
