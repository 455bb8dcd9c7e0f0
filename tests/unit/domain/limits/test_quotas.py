"""Quotas: what a tenant may use of the stage."""

from dataclasses import replace

import pytest

from timegate.domain.limits.quotas import MOST, QUOTA_NAMES, Quotas, check_quotas
from timegate.domain.values.errors import InvalidInput

STAGE = Quotas(jobs=10, dags=20, concurrent_runs=None, requests_per_second=50, burst=60)


def test_what_is_not_set_is_the_stage_s() -> None:
    """Each by itself; also 0 is set, and what neither sets has no limit."""
    quotas = Quotas(jobs=0, burst=7)

    assert quotas.over(STAGE) == replace(STAGE, jobs=0, burst=7)
    assert Quotas().over(STAGE) == STAGE


@pytest.mark.parametrize("name", QUOTA_NAMES)
@pytest.mark.parametrize(("value", "code"), [(-1, "out_of_range"), (MOST + 1, "out_of_range")])
def test_what_is_out_of_range_is_refused(name: str, value: int, code: str) -> None:
    """By its field."""
    with pytest.raises(InvalidInput) as refused:
        check_quotas(Quotas.of({name: value}))

    assert (refused.value.field, refused.value.code) == (f"quotas.{name}", code)


@pytest.mark.parametrize("value", [None, 0, MOST])
def test_either_end_of_the_range_is_taken(value: int | None) -> None:
    """And nothing at all."""
    check_quotas(Quotas(jobs=value))
