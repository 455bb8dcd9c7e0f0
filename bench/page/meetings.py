"""Records that several actors write: creations under a quota, and claims of a concurrency key."""

from collections.abc import Mapping
from typing import Any

from bench.page.sections import said, table


def contention(found: Mapping[str, Any]) -> str:
    """Show creations a second by quota and number of writers."""
    rows = [
        (
            f"{each['quota']:,}",
            f"{each['writers']}",
            f"{each['created_per_second']}",
            f"{each['tries']:.2f}",
            f"{each['p50_ms']} ms",
            f"{each['p99_ms']} ms",
            f"{each['given_up']}",
        )
        for each in found["creations"]
    ]
    head = ("quota", "writers", "created a second", "tries", "p50", "p99", "`throttled`")
    return f"Creations of one tenant, {said(found)}\n\n{table(head, rows)}"


def slots(found: Mapping[str, Any]) -> str:
    """Show claims a second by slots and waiting runs."""
    rows = [
        (
            f"{each['workers_and_slots']}",
            f"{each['waiting']:,}",
            f"{each['runs_a_second']}",
            f"{each['a_partition_allows_a_second']}",
            f"{each['units_written_a_run']:.2f}",
            f"{each['units_read_a_run']:.2f}",
            f"{each['claim_p50_ms']} ms",
            f"{each['claim_p99_ms']} ms",
        )
        for each in found["keys"]
    ]
    head = (
        *("slots, each with a worker", "waiting", "runs a second", "its partition allows"),
        *("units written a run", "units read a run", "claim p50", "claim p99"),
    )
    return f"Runs of one concurrency key, {said(found)}\n\n{table(head, rows)}"
