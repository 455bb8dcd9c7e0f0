"""Planning and fairness: ticks over many jobs, and a flood beside a quiet tenant."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench.page.sections import bars, said, table

_NAIVE = ("naive: a run, then the job, one by one", "naive on 64 threads")
_QUEUES: Mapping[str, Sequence[str]] = {
    "alone": ("any, no flood", ""),
    "in turn": ("knows no tenants", "none"),
    "in turn, quota": ("knows no tenants", "50"),
    "fair": ("fair", "none"),
    "fair, quota": ("fair", "50"),
}


def planning(found: Mapping[str, Any]) -> str:
    """Show a tick beside what one would write first."""
    origin = f"One tick over {found['jobs']:,} jobs, {said(found)}"
    names = ("tick", "naive", "naive_threads")
    plot = bars(
        "Processor time of the planner",
        "ms a job",
        dict(
            zip(
                ("a tick", "one by one", "64 threads"),
                [found[each]["cpu_ms_per_job"] for each in names],
                strict=True,
            )
        ),
    )
    return f"{origin}\n\n{table(('per job', 'a tick', *_NAIVE), _planned(found))}\n\n{plot}"


def _planned(found: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    tick, naive, threads = (found[each] for each in ("tick", "naive", "naive_threads"))
    each_page = "one per page"
    own = sum(n for call, n in tick["calls_per_job"].items() if call == "TransactWriteItems")
    theirs = sum(n for call, n in naive["calls_per_job"].items() if call != "Query")
    units = naive["write_units_per_job_in_all"]
    crash = (
        "leaves a run beyond the job"
        " ([why that matters](../decisions/0008-a-job-moves-with-its-runs.md))"
    )
    yield "calls that write", f"{own:.2f}", f"{theirs:g}", f"{theirs:g}"
    reads = "71 queries in a first tick for its minutes, 13 later, and one per page of jobs"
    yield "reads", reads, each_page, each_page
    own_units = tick["write_units_per_job_in_all"]
    yield "write units", f"{own_units:.0f}", f"{units:.0f}", f"{units:.0f}"
    yield "a crash in between", "both or neither is written", crash, "the same"
    spent = [f"{each['cpu_ms_per_job']:.2f} ms" for each in (tick, naive, threads)]
    yield "processor time of the planner", *spent
    rates = [f"{each['jobs_per_second']:.0f}" for each in (tick, naive, threads)]
    yield "jobs a second, by the emulator", *rates
    ratios = (found["ratio"][each] for each in ("to_naive", "to_naive_threads"))
    yield "ratio", "", *(f"{each:.1f} times as many" for each in ratios)


def registered(found: Mapping[str, Any]) -> str:
    """Show a tick over few and many registered jobs, beside one scan of them."""
    rows = [
        (
            f"{each['registered']:,}",
            f"{each['due']:,}",
            f"{each['calls']}",
            f"{each['read_units']:,g}",
            f"{each['scan_read_units']:,g}",
            f"{each['write_units_per_job']:.2f}",
            f"{each['processor_ms_per_job']:.2f} ms",
        )
        for each in found["sizes"]
    ]
    head = (
        *("registered jobs", "due in the look-ahead", "calls", "read units", "of one scan"),
        *("write units a due job", "processor time a due job"),
    )
    return f"The first tick of a shard, {said(found)}\n\n{table(head, rows)}"


def fairness(found: Mapping[str, Any]) -> str:
    """Show how late a quiet tenant is, by queue and quota, and when its jobs are planned."""
    starts, ratios = found["starts"], found["ratios"]
    rows = [
        (
            *_QUEUES[name],
            *(f"{each[p]:.2f} s" for p in ("p50_seconds", "p99_seconds")),
            f"{ratios[name]:.1f}",
        )
        for name, each in starts.items()
    ]
    head = (
        *("queue", "quota of concurrent runs for the flood"),
        *("p50", "p99", "p99 against that without a flood"),
    )
    plot = bars(
        "A quiet tenant beside a flood",
        "p99 of lateness, s",
        {name: each["p99_seconds"] for name, each in starts.items()},
    )
    planned = table(
        ("jobs are read", "p50, s late", "the last, s late"),
        [
            (name, f"{each['p50_seconds']:.1f}", f"{each['max_seconds']:.1f}")
            for name, each in found["planning"].items()
        ],
    )
    return f"Measured {said(found)}\n\n{table(head, rows)}\n\n{plot}\n\n{planned}"
