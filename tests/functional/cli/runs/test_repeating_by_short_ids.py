"""``timegate runs repeat`` in front of the API itself: beginnings of ids stand for runs."""

from collections.abc import Callable

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.world import World

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]


def test_the_beginnings_of_ids_are_enough(timegate: Timegate, served: World) -> None:
    """A run's short id holds its job's."""
    made = timegate(
        *("jobs", "create", "--name", "n", "--manual", "--webhook", "https://hooks.example.com/x"),
        *("--payload", "[1]", "--json"),
    ).json["job_id"]
    first = timegate("jobs", "trigger", made, "--payload", "[7]", "--json").json["run_id"]
    short = f"{made[:8]}.{first.split('.')[1][:19]}"
    served.clock.advance(1)
    repeated = timegate("runs", "repeat", short, "--json").json
    liked = timegate("jobs", "trigger", made[:8], "--like", short, "--json").json

    assert [each["payload"] for each in (repeated, liked)] == [[7], [7]]
    assert first not in {repeated["run_id"], liked["run_id"]}
