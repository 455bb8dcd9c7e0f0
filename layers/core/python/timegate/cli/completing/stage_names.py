"""Names and ids of what a stage has: each kind is completed by its own function."""

from collections.abc import Callable, Iterator
from typing import Any

import typer

from timegate.cli.completing.reading import Offered, Offers, asked
from timegate.client import JsonObject, TimegateClient

#: DAGs whose runs are completed, and runs of each.
_DAGS, _DAG_RUNS = 5, 10
#: Changes of the audit trail that name actors and things.
_CHANGES = 100
_PRIORITIES = ("high", "normal", "low")


def _listed(read: Callable[[TimegateClient], Any], fields: str, meaning: str) -> Offered:
    """Complete fields of the rows of a listing, with what people know a row by."""

    def complete(ctx: typer.Context, incomplete: str) -> Offers:
        def rows(client: TimegateClient) -> Iterator[tuple[Any, Any]]:
            for row in read(client)["items"]:
                yield from ((row.get(field), row.get(meaning)) for field in fields.split())

        return asked(ctx, incomplete, rows)

    return complete


def _called(read: Callable[[TimegateClient], Any], fields: str) -> Offered:
    """Complete fields of the rows of a listing, and the names of the rows."""

    def complete(ctx: typer.Context, incomplete: str) -> Offers:
        def rows(client: TimegateClient) -> Iterator[tuple[Any, Any]]:
            for row in read(client)["items"]:
                yield from ((row.get(field), row["name"]) for field in fields.split())
                yield row["name"], row["status"]

        return asked(ctx, incomplete, rows)

    return complete


complete_jobs = _called(lambda c: c.list_jobs(limit=100), "key job_id")
complete_dags = _called(lambda c: c.list_dags(limit=100), "dag_id")
complete_asking = _listed(lambda c: c.list_approvals(limit=100), "task_key", "dag_name")
complete_rules = _listed(lambda c: c.list_rules(limit=100), "name", "description")
complete_calendars = _listed(lambda c: c.list_calendars(limit=100), "name", "description")
complete_event_triggers = _listed(lambda c: c.list_event_triggers(limit=100), "name", "description")
complete_freezes = _listed(lambda c: c.list_freezes(unended=True), "freeze_id", "reason")
complete_stage_freezes = _listed(
    lambda c: c.list_stage_freezes(unended=True), "freeze_id", "reason"
)
complete_operations = _listed(lambda c: c.list_operations(), "operation_id", "kind")
complete_tenants = _listed(lambda c: c.list_tenants(), "tenant", "display_name")
complete_keys = _listed(lambda c: c.list_keys(), "key_id", "name")
complete_failed_runs = _listed(lambda c: c.list_all_runs(limit=50), "run_id", "job_name")


def complete_followers(ctx: typer.Context, incomplete: str) -> Offers:
    """Keys and ids of jobs, and DAGs by name, as files refer to them."""

    def read(client: TimegateClient) -> Iterator[tuple[Any, Any]]:
        for job in client.list_jobs(limit=100)["items"]:
            yield from ((job[field], job["name"]) for field in ("key", "job_id"))
        for dag in client.list_dags(limit=100)["items"]:
            yield f"Dag/{dag['name']}", dag["dag_id"]

    return asked(ctx, incomplete, read)


def complete_pools(ctx: typer.Context, incomplete: str) -> Offers:
    """Names of pools, with the number of their workers."""
    return asked(
        ctx,
        incomplete,
        lambda c: [(each["pool"], f"{each['workers']} workers") for each in _pools(c)],
    )


def complete_queues(ctx: typer.Context, incomplete: str) -> Offers:
    """Queues of a stage, and pools."""
    queues = [(f"{each}-{length}", "") for each in _PRIORITIES for length in ("short", "long")]
    return asked(ctx, incomplete, lambda c: [*queues, *((p["pool"], "pool") for p in _pools(c))])


def _pools(client: TimegateClient) -> list[JsonObject]:
    return [{**each} for each in client.list_pools()["pools"]]


def complete_dag_runs(ctx: typer.Context, incomplete: str) -> Offers:
    """Ids of the newest runs of the newest DAGs, with how they stand."""

    def read(client: TimegateClient) -> Iterator[tuple[Any, Any]]:
        for dag in client.list_dags(limit=_DAGS)["items"]:
            page = client.list_dag_runs(dag["dag_id"], limit=_DAG_RUNS)
            yield from ((row["dag_run_id"], row["status"]) for row in page["items"])

    return asked(ctx, incomplete, read)


def complete_tasks(ctx: typer.Context, incomplete: str) -> Offers:
    """Keys of the tasks of the DAG run that was named before, with their states."""

    def read(client: TimegateClient) -> Iterator[tuple[Any, Any]]:
        dag_run = client.get_dag_run(str(ctx.params.get("dag_run_id")))
        yield from ((task["key"], task["state"]) for task in dag_run["tasks"])

    return asked(ctx, incomplete, read)


def complete_dags_and_runs(ctx: typer.Context, incomplete: str) -> Offers:
    """Ids of DAGs; with ``--run`` on the command line, of their runs."""
    wanted = complete_dag_runs if ctx.params.get("run") else complete_dags
    return wanted(ctx, incomplete)


def complete_runs(ctx: typer.Context, incomplete: str) -> Offers:
    """Ids of the runs that failed last; behind a job's id and a dot, of its newest runs.

    The job's id may be a short one: what is typed stays as it is.
    """
    job_id, dot, _ = incomplete.partition(".")
    if not dot:
        return complete_failed_runs(ctx, incomplete)

    def read(client: TimegateClient) -> Iterator[tuple[Any, Any]]:
        for row in client.list_runs(job_id, limit=50)["items"]:
            yield f"{job_id}.{row['run_id'].partition('.')[2]}", row["state"]

    return asked(ctx, incomplete, read)


def complete_runs_and_jobs(ctx: typer.Context, incomplete: str) -> Offers:
    """Ids of failed runs, and keys and ids of jobs."""
    runs = complete_runs(ctx, incomplete)
    return runs if "." in incomplete else [*complete_jobs(ctx, incomplete), *runs]


def complete_rule_calendars(ctx: typer.Context, incomplete: str) -> Offers:
    """Names of calendars, before what a rule says of them."""
    found = complete_calendars(ctx, incomplete)
    return [(f"{name}=", about) for name, about in found]


def complete_actors(ctx: typer.Context, incomplete: str) -> Offers:
    """Authors of the latest changes."""
    return asked(ctx, incomplete, lambda c: [(row["actor"]["subject"], "") for row in _changes(c)])


def complete_resources(ctx: typer.Context, incomplete: str) -> Offers:
    """Things that were changed last, with the operation that changed them."""

    def read(client: TimegateClient) -> Iterator[tuple[Any, Any]]:
        for row in _changes(client):
            yield f"{row['resource']['kind']}/{row['resource']['id']}", row["operation"]

    return asked(ctx, incomplete, read)


def _changes(client: TimegateClient) -> list[JsonObject]:
    return [{**each} for each in client.read_audit(limit=_CHANGES)["items"]]
