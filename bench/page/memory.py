"""Memory: peaks and processor time of functions, and their price by memory."""

from collections.abc import Mapping
from typing import Any

from bench.page.sections import said, table
from timegate.domain.metering.prices import GB_SECOND

#: Megabytes with which Lambda gives a whole processor, and sizes that the page compares.
MB_A_PROCESSOR = 1_769
SIZES = (128, 256, 512, 1_024, 1_769, 2_048)
#: A function has this much more memory than any of its processes ever used.
MARGIN = 1.5
#: A call of DynamoDB or SQS, and a web hook, as the page of costs has them; and a long one.
CALL_MS, HOOK_MS, LONG_MS = 6, 200, 30_000
_BATCH = 10
_MB_A_GB = 1_024


def memory(found: Mapping[str, Any]) -> str:
    """Show what functions used, and what invocations take and cost at each size."""
    functions, long = found["functions"], found["long"]
    used = {
        **{f"`{name}`": functions[name] for name in ("api", "planner", "relay", "outcomes")},
        "executor, batches of ten": functions["executor-normal-short"],
        **{f"executor, {n['most_at_once']} {name}": n for name, n in long.items()},
    }
    rows = [(name, f"{n['peak_mb']:.0f}", f"{n['cpu_ms']:.1f}") for name, n in used.items()]
    ten = functions["executor-normal-short"]["cpu_ms"] * _BATCH
    calls = long["long calls"]
    many = calls["most_at_once"]
    invocations = {
        "a request of the API": (functions["api"]["cpu_ms"], 3 * CALL_MS, 1),
        "ten web hooks of 0.2 s": (ten, 3 * CALL_MS + HOOK_MS, _BATCH),
        "ten of 30 s": (ten, 3 * CALL_MS + LONG_MS, _BATCH),
        f"{many} of 30 s": (calls["cpu_ms"] * many, 3 * CALL_MS + LONG_MS, many),
    }
    head = ("invocation", *(f"{size:,} MB" for size in SIZES))
    priced = [(name, *(_at(size, *each) for size in SIZES)) for name, each in invocations.items()]
    origin = f"{found['burst']} one-shots due in one second, and long calls, {said(found)}"
    return "\n\n".join(
        (
            origin,
            table(("function", "peak, MB", "processor time a run or request, ms"), rows),
            table(head, priced),
        )
    )


def _at(size: int, cpu_ms: float, waits_ms: float, items: int) -> str:
    """Return the duration at a size, and the price of a million items in USD."""
    seconds = (waits_ms + cpu_ms * MB_A_PROCESSOR / size) / 1000
    usd = seconds * size / _MB_A_GB * GB_SECOND.usd / items * 1e6
    return f"{seconds:.2f} s, {usd:.2f}"
