"""The operator's command about shards: what must be so before any is closed."""

from datetime import timedelta

import pytest

from infra.admin.deployed_shards import Deployed, in_use, objections
from tests.support.factories import NOW, after


def function(**fields: object) -> Deployed:
    """A function that was deployed with eight shards an hour ago."""
    settled = {"name": "api", "shards": 8, "changed_at": after(-3600), "is_current": True}
    return Deployed(**(settled | fields))  # type: ignore[arg-type]


def test_the_most_that_any_function_uses_are_in_use() -> None:
    """A deployment may have reached some of them only."""
    assert in_use([function(), function(shards=64), function(shards=2)]) == 64


@pytest.mark.parametrize(
    ("odd", "objection"),
    [
        pytest.param({"shards": 9}, "planner: writes to 9 shards", id="more shards"),
        pytest.param(
            {"is_current": False}, "planner: its last update is not complete", id="under way"
        ),
        pytest.param(
            {"changed_at": after(-959)},
            "planner: was updated lately; wait until 07:00:01 UTC",
            id="lately",
        ),
    ],
)
def test_nothing_is_closed_while_somebody_may_write_there(
    odd: dict[str, object], objection: str
) -> None:
    """An old process may still be at work."""
    functions = [function(), function(name="planner", **odd)]

    assert objections(functions, keep=8, now=NOW) == [objection]


def test_a_deployment_is_over_after_a_while() -> None:
    """An invocation takes fifteen minutes at most."""
    settled = [function(changed_at=after(-960)), function(shards=2)]

    assert objections(settled, keep=8, now=NOW) == []
    assert objections([function(changed_at=NOW)], keep=8, now=NOW, settles_after=timedelta()) == []
