"""The operator's command about shards: what must be so before any is closed."""

from datetime import timedelta

import pytest

from infra.admin.deployed_shards import Deployed, deployed, in_use, objections
from tests.support.factories import NOW, after


def function(**fields: object) -> Deployed:
    """A function that was deployed with eight shards an hour ago."""
    settled = {"name": "api", "shards": 8, "changed_at": after(-7200), "is_current": True}
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
            {"changed_at": after(-2699)},
            "planner: was updated lately; wait until 07:00:01 UTC",
            id="lately",
        ),
    ],
)
def test_nothing_is_closed_while_a_process_may_write_there(
    odd: dict[str, object], objection: str
) -> None:
    """An old process may still be at work."""
    functions = [function(), function(name="planner", **odd)]

    assert objections(functions, keep=8, now=NOW) == [objection]


def test_a_deployment_is_over_after_a_while() -> None:
    """A rollout takes its time, and an invocation fifteen minutes at most."""
    settled = [function(changed_at=after(-2700)), function(shards=2)]

    assert objections(settled, keep=8, now=NOW) == []
    assert objections([function(changed_at=NOW)], keep=8, now=NOW, settles_after=timedelta()) == []


class Functions:
    """Lambda while shards are lowered from 20 to 12, and the relay is rolled out."""

    def get_alias(self, *, FunctionName: str, Name: str) -> dict[str, object]:  # noqa: N803
        """Version 1, and the one that a rollout brings."""
        assert Name == "live"
        added = {"2": 0.1} if FunctionName.endswith("-relay") else {}
        return {"FunctionVersion": "1", "RoutingConfig": {"AdditionalVersionWeights": added}}

    def get_function_configuration(
        self,
        *,
        FunctionName: str,  # noqa: N803
        Qualifier: str = "",  # noqa: N803
    ) -> dict[str, object]:
        """Told as many shards as its version was deployed with."""
        shards = {"1": 20, "2": 12}.get(Qualifier, 12)
        assert FunctionName.startswith("timegate-prod-")
        return {
            "LastModified": "2026-11-26T06:00:00.000+0000",
            "Environment": {"Variables": {"SHARDS": str(shards)}},
        }


def test_a_version_that_is_still_invoked_writes_to_its_own_shards() -> None:
    """A rollout has begun with the relay alone: all others are invoked as they were."""
    found = {each.name: each for each in deployed(Functions(), "prod")}  # type: ignore[arg-type]

    assert {each.shards for each in found.values()} == {20}
    assert [name for name, each in found.items() if not each.is_current] == ["relay"]
