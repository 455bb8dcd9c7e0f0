"""Concurrency: every lane and function has a floor, and the account can hold all of them."""

import math
from collections import Counter
from dataclasses import replace

import pytest

from infra.concurrency import (
    NEW_ACCOUNT_QUOTA,
    UNRESERVED,
    USUAL_QUOTA,
    AccountConcurrencyError,
    check_account,
    documented,
    needed_quota,
    reservations,
    table_of,
)
from infra.stage.capacity import CAPACITIES, NONE
from infra.stage.settings import FUNCTION_NAMES, STAGES
from infra.stage.stage_context import CapacityError, stage_settings
from tests.infra.conftest import ROOT, Synthesise
from tests.infra.stage_template import StageTemplate
from timegate.domain.values.errors import InvalidInput

PAGE = ROOT / "docs" / "operations" / "deploying.md"
PERIODS = {"rate(1 minute)": 60, "rate(5 minutes)": 300, "rate(60 minutes)": 3600}


@pytest.fixture(params=["small", "standard", "full"])
def profile(request: pytest.FixtureRequest) -> StageTemplate:
    """A stage with each profile that sets something aside."""
    name = {"small": "dev", "standard": "landing", "full": "prod"}[request.param]
    template: StageTemplate = request.getfixturevalue(name)
    return template


def floors(template: StageTemplate) -> dict[str, int]:
    """The environments that each function has to itself, by the function's path."""
    return {
        each.path: each.properties["ReservedConcurrentExecutions"]
        for each in template.of_type("AWS::Lambda::Function")
        if "ReservedConcurrentExecutions" in each.properties
    }


def test_every_lane_and_every_function_has_a_floor(profile: StageTemplate) -> None:
    """So no burst of one starves another, or the API."""
    assert {each.path for each in profile.of_type("AWS::Lambda::Function")} == floors(
        profile
    ).keys()
    assert len(FUNCTION_NAMES) == len(floors(profile))


def test_no_event_source_takes_more_than_its_function_has(profile: StageTemplate) -> None:
    """A source's receive beyond that would be throttled, and counts as received.

    Ticks of the same function come on top.
    """
    wanted = _batches_at_once(profile)
    wanted.update(_ticks_at_once(profile))

    assert {path: most for path, most in wanted.items() if most > floors(profile)[path]} == {}


def test_a_slow_tick_of_each_group_overlaps_the_next_ones(profile: StageTemplate) -> None:
    """A tick may last its function's whole time, and the first of them may fire late.

    Looks come beside the sweeper's.
    """
    at_once, batches = _ticks_at_once(profile), _batches_at_once(profile)

    ticking = ("Planner", "Sweeper", "Auditor", "Archiver")
    assert {f"{part}/Function" for part in ticking} == at_once.keys()
    assert (
        floors(profile).items()
        >= {path: ticks + batches[path] for path, ticks in at_once.items()}.items()
    )


def _batches_at_once(template: StageTemplate) -> Counter[str]:
    at_once: Counter[str] = Counter()
    for source in template.of_type("AWS::Lambda::EventSourceMapping"):
        scaling = source.properties.get("ScalingConfig", {})
        at_once[template.behind(source.properties["FunctionName"])] += scaling.get(
            "MaximumConcurrency", 0
        )
    return at_once


def _ticks_at_once(template: StageTemplate) -> Counter[str]:
    timeouts = {
        each.path: each.properties["Timeout"] for each in template.of_type("AWS::Lambda::Function")
    }
    at_once: Counter[str] = Counter()
    for schedule in template.of_type("AWS::Scheduler::Schedule"):
        path = template.behind(schedule.properties["Target"]["Arn"])
        period = PERIODS[schedule.properties["ScheduleExpression"]]
        at_once[path] += math.ceil(timeouts[path] / period) + 1
    return at_once


def test_the_sum_is_the_one_that_is_computed(profile: StageTemplate) -> None:
    """CloudFormation asks for the checked sum, which leaves the reserve that AWS wants."""
    prod = all(name.startswith("Timegate-prod-") for name in profile.stacks)
    stage = STAGES["prod" if prod else "dev"]
    every = [replace(stage, capacity=each) for each in CAPACITIES.values()]
    total = sum(floors(profile).values())

    assert total + UNRESERVED in [needed_quota(each) for each in every]
    assert [total] == [
        sum(reservations(each).values())
        for each in every
        if needed_quota(each) == total + UNRESERVED
    ]


def test_the_local_stage_and_a_new_account_set_nothing_aside(
    local: StageTemplate, chosen: StageTemplate
) -> None:
    """AWS refuses any reservation in an account whose quota is 100 or less."""
    assert floors(local) == floors(chosen) == {}


@pytest.mark.parametrize("name", STAGES)
def test_every_stage_fits_the_account_that_it_is_made_for(name: str) -> None:
    """``dev`` and ``local`` fit the usual quota; ``prod`` says that it needs a larger one."""
    stage = STAGES[name]

    assert needed_quota(stage) <= stage.account_concurrency
    assert (stage.account_concurrency <= USUAL_QUOTA) is (name != "prod")


def test_production_fits_the_usual_quota_with_a_smaller_profile() -> None:
    """And with none a new account, as any stage does."""
    prod = STAGES["prod"]

    assert needed_quota(replace(prod, capacity=CAPACITIES["standard"])) <= USUAL_QUOTA
    assert needed_quota(replace(prod, capacity=NONE)) == NEW_ACCOUNT_QUOTA


def test_a_stage_that_its_account_cannot_hold_is_refused() -> None:
    """One less than it needs: the message has a code, both numbers and the ways out."""
    prod = STAGES["prod"]
    needed = needed_quota(prod)

    check_account(replace(prod, account_concurrency=needed))
    with pytest.raises(AccountConcurrencyError, match=f"{needed:,} concurrent") as refused:
        check_account(replace(prod, account_concurrency=needed - 1))

    assert str(refused.value).startswith("account_concurrency_too_low: stage prod ")
    assert f"-c accountConcurrency={needed}" in str(refused.value)
    assert str(refused.value).endswith("of: standard, small, none.")


def test_it_is_refused_at_synthesis(synthesise: Synthesise) -> None:
    """Before anything is deployed; more shards need more environments, too."""
    with pytest.raises(AccountConcurrencyError):
        synthesise(stage="prod", accountConcurrency="1000")
    with pytest.raises(AccountConcurrencyError, match="1024 shards"):
        synthesise(stage="prod", shards="1024")


@pytest.mark.parametrize("context", [{"capacity": "large"}, {"accountConcurrency": "lots"}])
def test_a_profile_or_quota_that_is_none_is_refused(context: dict[str, str]) -> None:
    """A typing error must not choose for an operator."""
    with pytest.raises(CapacityError, match=next(iter(context))):
        stage_settings(context.get)


def test_the_page_says_what_is_computed() -> None:
    """``timegate admin concurrency`` wrote the table, and would write it again."""
    kept = PAGE.read_text().split("<!-- concurrency -->\n")[1]

    assert documented() == kept.split("\n<!-- end of concurrency -->")[0]


def test_other_places_have_the_sums_of_the_table() -> None:
    """The table of stages, and the doctor's example."""
    dev, prod = (sum(reservations(STAGES[name]).values()) for name in ("dev", "prod"))
    doctor = (PAGE.parent / "health.md").read_text()

    assert f"| concurrency set aside | none | {dev:,} | {prod:,} |" in PAGE.read_text()
    needed = needed_quota(STAGES["prod"])
    assert f"The stage sets {prod:,} aside, and needs {needed:,}." in doctor


def test_the_command_shows_one_stage() -> None:
    """With another profile or number of shards, as the synthesis would."""
    printed = table_of("prod", "standard", 32)
    halved = replace(STAGES["prod"], capacity=CAPACITIES["standard"], shards=32)
    assert "`prod`, `standard`" in printed
    assert f"**{needed_quota(halved):,}**" in printed


@pytest.mark.parametrize("wrong", [("staging", None), ("prod", "huge")], ids=["stage", "capacity"])
def test_the_command_names_what_there_is(wrong: tuple[str, str | None]) -> None:
    """A name that is wrong is refused with those that are not."""
    with pytest.raises(InvalidInput, match=r"It is none of .*(prod|standard)"):
        table_of(*wrong, None)
