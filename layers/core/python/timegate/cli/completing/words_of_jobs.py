"""Words that the newest jobs and failures have: tags, names, keys, handlers, errors and sets."""

from collections.abc import Callable, Iterator
from typing import Any

import typer

from timegate.cli.completing.reading import Offered, Offers, asked
from timegate.client import JsonObject, TimegateClient
from timegate.declaring.known_names import TAG

#: Words of one job.
_Words = Callable[[JsonObject], list[Any]]


def _of_jobs(words: _Words) -> Offered:
    """Complete words of jobs, each with the name of the newest job that has it."""

    def complete(ctx: typer.Context, incomplete: str) -> Offers:
        def read(client: TimegateClient) -> Iterator[tuple[Any, Any]]:
            for job in client.list_jobs(limit=100)["items"]:
                yield from ((word, job["name"]) for word in words({**job}))

        return asked(ctx, incomplete, read)

    return complete


complete_job_names = _of_jobs(lambda job: [job["name"]])
complete_tags = _of_jobs(lambda job: [f"{n}={v}" for n, v in job["tags"].items()])
complete_metadata = _of_jobs(lambda job: [f"{n}={v}" for n, v in job["metadata"].items()])
complete_handlers = _of_jobs(lambda job: [job["action"].get("handler")])
complete_overlap_keys = _of_jobs(lambda job: [job["overlap"]["concurrency_key"]])
complete_rate_keys = _of_jobs(lambda job: [(job["rate_limit"] or {}).get("key")])
complete_sets = _of_jobs(lambda job: [job["tags"].get(TAG)])


def complete_errors(ctx: typer.Context, incomplete: str) -> Offers:
    """Codes of the errors of the latest failed runs, with the types of the errors."""

    def read(client: TimegateClient) -> Iterator[tuple[Any, Any]]:
        for run in client.list_all_runs(limit=100)["items"]:
            if run["error"] is not None:
                yield run["error"]["code"], run["error"]["type"]

    return asked(ctx, incomplete, read)
