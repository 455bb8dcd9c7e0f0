"""A stage in two regions, as requests find it."""

from dataclasses import dataclass

import pytest

from tests.support.api import Api, new_job
from tests.support.factories import JOB_ID
from timegate.domain.values.tenant_errors import RegionPassive


@dataclass(frozen=True)
class _Region:
    """A region, as its record says."""

    acts: bool
    is_chosen: bool

    def check(self) -> None:
        """Refuse changes."""
        if not self.acts:
            raise RegionPassive(None if self.is_chosen else "eu-central-1")

    def check_chosen(self) -> None:
        """Refuse what workers report."""
        if not self.is_chosen:
            raise RegionPassive("eu-central-1")


ACTIVE, ENDED, PASSIVE = _Region(True, True), _Region(False, True), _Region(False, False)  # noqa: FBT003


@pytest.fixture
def region(request: pytest.FixtureRequest, world: object) -> _Region:
    """The region in which the API is asked."""
    found: _Region = request.param
    world.region = found  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize("region", [ACTIVE, ENDED, PASSIVE], indirect=True, ids=str)
def test_a_passive_region_answers_and_changes_nothing(region: _Region, api: Api) -> None:
    """The refusal names the region that is asked for changes."""
    created = api.send("POST", "/v1/jobs", new_job())
    listed = api.send("GET", "/v1/jobs")

    assert listed.status == 200
    assert created.status == (201 if region.acts else 409)
    if not region.acts:
        assert created.code == "region_passive"
        assert ("eu-central-1" in created.body["detail"]) is not region.is_chosen


@pytest.mark.parametrize("region", [ACTIVE, ENDED, PASSIVE], indirect=True, ids=str)
def test_workers_get_runs_in_the_time_of_a_region_only(region: _Region, api: Api) -> None:
    """A region that was promoted, and whose time has not begun, refuses them as one whose ended."""
    claimed = api.send("POST", "/v1/pools/mail/claim", {"worker": "w", "max": 1})

    assert claimed.status == (200 if region.acts else 409)
    if not region.acts:
        assert claimed.code == "region_passive"


@pytest.mark.parametrize("region", [ACTIVE, ENDED, PASSIVE], indirect=True, ids=str)
def test_workers_report_to_the_region_that_began_their_runs(region: _Region, api: Api) -> None:
    """Also when its time has ended; the other one would not know of the end."""
    busy = api.send("POST", "/v1/pools/mail/claim", {"worker": "w", "max": 0})
    ended = api.send(
        "POST",
        f"/v1/runs/{JOB_ID}.s20261121T070000000Z/complete",
        {"lease_token": "none"},
    )

    assert (busy.status == 409) is not region.is_chosen
    assert (ended.code == "region_passive") is not region.is_chosen
