"""Measure the load of one tenant's runs on the partitions of the index ``listed``.

    python -m bench.listed_runs

The tenant has every job of a midnight, and a stage plans as fast as its tables' quota lets it. The
partition of each run is chosen by the code's own function. A partition takes 1,000 write units a
second, and a partition that is asked for more throttles writes of the table: other tenants' too.
It says nothing of DynamoDB itself: a second is a count here.
"""

import json
from collections import Counter
from datetime import UTC, datetime
from zlib import crc32

from timegate.adapters.dynamo.runs.items.index_items import LISTED_PARTS
from timegate.domain.values.identity import AttemptId, Origin, RunId, job_id_from

#: A table's default quota is 40,000 write units a second, and planning a job takes two of it.
STORED_A_SECOND = 20_000
#: Write units that a partition takes in a second.
PARTITION_UNITS = 1_000
SECONDS = 30
MIDNIGHT = datetime(2026, 11, 22, tzinfo=UTC)


def attempts(second: int) -> list[AttemptId]:
    """The first attempts that are stored in a second: one of each job, all of one instant."""
    numbers = range(second * STORED_A_SECOND, (second + 1) * STORED_A_SECOND)
    jobs = (job_id_from(f"job {number}".encode()) for number in numbers)
    runs = (RunId(job_id=each, origin=Origin.SCHEDULE, scheduled_at=MIDNIGHT) for each in jobs)
    return [AttemptId(run=run, number=1) for run in runs]


def measure(parts: int) -> dict[str, float]:
    """Load of the fullest partition in the worst second, and writes that it refused."""
    worst = refused = 0
    for second in range(SECONDS):
        load = Counter(crc32(str(each).encode()) % parts for each in attempts(second))
        worst = max(worst, *load.values())
        refused += sum(max(each - PARTITION_UNITS, 0) for each in load.values())
    return {
        "parts": parts,
        "units_a_second_on_average": round(STORED_A_SECOND / parts),
        "units_in_the_worst_second": worst,
        "refused_of_100": round(100 * refused / (SECONDS * STORED_A_SECOND), 2),
    }


def main() -> None:
    """Print the load for several numbers of partitions, the one in use among them."""
    for parts in sorted({1, 4, 16, LISTED_PARTS, 32}):
        print(json.dumps(measure(parts)))


if __name__ == "__main__":
    main()
