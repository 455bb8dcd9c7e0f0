"""Choices of peaks: what the context may say, at both sides of each boundary."""

import pytest

from infra.stage.peak_choice import PeakError
from infra.stage.settings import StageSettings
from infra.stage.stage_context import stage_settings


def settings(**context: str) -> StageSettings:
    """The settings a context asks for."""
    return stage_settings(context.get)


def test_a_stage_chooses_no_peak_by_itself() -> None:
    """Tables and event sources grow with the load."""
    chosen = settings(stage="prod").peak

    assert (chosen.warm_writes, chosen.warm_reads, chosen.pollers) == (None, None, {})


def test_pollers_are_given_by_queue() -> None:
    """The record of choices has them, so that a later deployment does not forget them."""
    chosen = settings(stage="prod", pollers="normal-short=100, critical-short=2")

    assert chosen.peak.pollers == {"normal-short": 100, "critical-short": 2}
    assert chosen.choices["pollers"] == "normal-short=100, critical-short=2"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        pytest.param("normal=5", "'normal' is none of critical-short", id="no-queue"),
        pytest.param("normal-short=1", "2 to 100 pollers at rest", id="below-the-least"),
        pytest.param("normal-short=101", "the lane has 1000", id="more-than-the-lane"),
        pytest.param("normal-short=some", "2 to 100 pollers at rest", id="no-number"),
        pytest.param("normal-short", "2 to 100 pollers at rest", id="no-value"),
        pytest.param("low-long=11", "2 to 10 pollers at rest", id="a-smaller-lane"),
    ],
)
def test_pollers_that_no_lane_can_have_are_refused(given: str, reason: str) -> None:
    """With the number that it can have."""
    with pytest.raises(PeakError, match=f"pollers: .*{reason}"):
        settings(stage="prod", pollers=given)


def test_a_lane_of_few_batches_has_no_pollers() -> None:
    """Two pollers hold twenty batches; a small stage's long lanes have ten."""
    assert settings(stage="dev", pollers="low-short=2").peak.pollers == {"low-short": 2}
    with pytest.raises(PeakError, match="low-long has 10 batches at once"):
        settings(stage="dev", pollers="low-long=2")


@pytest.mark.parametrize(("given", "reads"), [("4000", 12_000), ("40000", 120_000)])
def test_tables_are_warm_for_reads_beside_writes(given: str, reads: int) -> None:
    """Three for each write, as a new table has."""
    chosen = settings(stage="prod", warmWrites=given).peak

    assert (chosen.warm_writes, chosen.warm_reads) == (int(given), reads)


@pytest.mark.parametrize("given", ["3999", "-1", "many", "4e4"])
def test_writes_that_every_table_has_are_no_choice(given: str) -> None:
    """AWS refuses less than a new table serves."""
    with pytest.raises(PeakError, match=r"warmWrites: .* from 4,000 on"):
        settings(stage="prod", warmWrites=given)
