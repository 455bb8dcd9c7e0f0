"""Judge that a dead worker's suspects are blamed, and no other run is."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from tests.crash.judges.checker import Row, rows_of
from tests.crash.services.tables import Item


def assert_blamed(jobs: Sequence[Item], runs: Sequence[Item]) -> None:
    """Assert that only a run whose target kills is given up for the deaths of workers."""
    functions = {
        item["pk"]["S"]: str(item["work"]["M"]["action"])
        for item in jobs
        if item["sk"]["S"] == "job"
    }
    for row in rows_of(runs):
        blamed = row.reason in {"kills_workers", "poison_message"}
        own = functions.get(row.key[0], "")
        assert not blamed or "-kills" in own, f"{row.key} is blamed for another's deaths"


def assert_suspects_alone(rows: Iterable[Row]) -> None:
    """A process that holds a run which was held when a worker died holds nothing else."""
    held: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        owner = row.text("owner")
        if row.state == "running" and owner is not None and "handed_over_at" not in row.item:
            held[owner].append(row)
    for owner, own in held.items():
        suspected = [row.key for row in own if "alone" in row.item]
        assert not suspected or len(own) == 1, f"{owner} holds {suspected} beside others"
