"""US dollars for a million runs of each kind; ``make bench-cost`` writes this module.

Counted on the use cases, times list prices: ``docs/design/cost.md`` has both.
"""

from collections.abc import Mapping

#: Each run alone, and in full batches.
PER_MILLION: Mapping[str, tuple[float, float]] = {
    "minutely run": (9.29, 5.23),
    "daily run": (12.91, 7.93),
    "one-shot through the API": (20.71, 14.64),
    "retry of a run": (10.81, 6.23),
    "run of a pool": (16.20, 12.08),
    "task of a DAG": (74.90, 69.42),
}
