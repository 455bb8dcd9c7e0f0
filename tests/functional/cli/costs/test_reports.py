"""``timegate cost report`` on the command line."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import answered
from timegate.client import JsonObject
from timegate.domain.metering.metered_attempt import AttemptKind

Timegate = Callable[..., Outcome]
ATTEMPTS = {kind.value: 0 for kind in AttemptKind}


def costs(usd: float, runs: int) -> JsonObject:
    """Numbers of some runs."""
    whole: dict[str, object] = answered("getCost")["whole"]
    return whole | {
        "usd": usd,
        "runs": runs,
        "attempts": ATTEMPTS | {"scheduled": runs, "retry": 2},
        "services": {"DynamoDB": usd},
        "target_seconds": 8_640.0,
    }


def test_a_report_shows_the_month_and_its_dearest_jobs(timegate: Timegate, api: FakeApi) -> None:
    """In dollars; less than a cent to the millionth."""
    job = {"job_id": "kaedcu3cdiw2ylhtcuh6h3ua4q", "name": "pulse", **costs(0.0021, 400)}
    found = answered("getCost", whole=costs(0.41, 43_200), jobs=[job], other_jobs=3)
    api.will(ok(found))
    outcome = timegate("cost", "report", "--month", "2026-11", "--job", "key:nightly")

    assert outcome.code == 0
    assert api.calls[-1].url.params["job_id"] == "key:nightly"
    assert "43,200 scheduled, 2 retry" in outcome.out
    assert "DynamoDB 0.41" in outcome.out
    assert "0.002100" in outcome.out
    assert "3 other jobs cost less." in outcome.out


def test_the_stage_shows_a_tenant_a_line(timegate: Timegate, api: FakeApi) -> None:
    """For the administration."""
    zero = answered("getCost")["whole"]
    row = {"tenant": "acme", "whole": costs(1.5, 10), "one_shots": zero, "dag_tasks": zero}
    api.will(ok(answered("getStageCost", items=[row])))
    outcome = timegate("cost", "report", "--stage")

    assert outcome.code == 0
    assert "acme" in outcome.out
    assert "1.50" in outcome.out


def test_all_tenants_of_the_stage_keep_their_month(timegate: Timegate, api: FakeApi) -> None:
    """One long page says what each page says of the listing, by the last of them."""
    until = "2026-11-21T06:55:00.000Z"
    first = answered("getStageCost", items=[], next_cursor="c", month="2026-11")
    api.will(ok(first), ok({**first, "next_cursor": None, "metered_until": until}))
    outcome = timegate("cost", "report", "--stage", "--all", "--json")

    assert outcome.json == {
        "items": [],
        "month": "2026-11",
        "metered_until": until,
        "next_cursor": None,
    }


@pytest.mark.parametrize("option", [("--all",), ("--cursor", "c")])
@pytest.mark.parametrize("of", [(), ("--tenant", "acme")])
def test_a_tenants_jobs_have_one_page(
    timegate: Timegate, api: FakeApi, option: tuple[str, ...], of: tuple[str, ...]
) -> None:
    """An option that would be ignored is refused: twenty jobs would pass for all of them."""
    outcome = timegate("cost", "report", *of, *option)

    assert outcome.code == 2
    assert api.calls == []


def test_a_job_without_a_name_is_shown(timegate: Timegate, api: FakeApi) -> None:
    """Messages of a rule are counted for the rule."""
    job = {"job_id": "kaedcu3cdiw2ylhtcuh6h3ua4q", "name": None, **costs(0.0021, 400)}
    api.will(ok(answered("getCost", jobs=[job])))

    assert timegate("cost", "report").code == 0


def test_the_stage_is_no_tenant(timegate: Timegate, api: FakeApi) -> None:
    """Two questions at once are refused before a request is sent."""
    outcome = timegate("cost", "report", "--stage", "--tenant", "acme")

    assert outcome.code == 2
    assert api.calls == []
