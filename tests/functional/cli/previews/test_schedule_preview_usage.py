"""``schedule preview``: schedules and counts that are refused."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome

Timegate = Callable[..., Outcome]


@pytest.mark.parametrize(
    ("options", "field_error"),
    [
        pytest.param(("--cron", "0 0 31 2 *"), "schedule.cron [never_fires]", id="31-february"),
        pytest.param(
            ("--cron", "@daily", "--timezone", "Mars/Olympus"),
            "schedule.timezone [unknown_timezone]",
            id="timezone",
        ),
        pytest.param(("--cron", "rate(5)"), "schedule.cron [invalid_cron]", id="rate"),
        pytest.param(
            ("--cron", "0 0 9 * * *", "--dialect", "quartz"),
            "schedule.cron [invalid_cron]: Quartz wants ?",
            id="dialect",
        ),
        pytest.param(("--at", "2026-11-21T06:59:59.999Z"), "schedule.at [in_the_past]", id="past"),
        pytest.param(("--every", "0"), "schedule.every_seconds [out_of_range]", id="every-0"),
        pytest.param(
            ("--now", "--timezone", "Europe/Berlin"),
            "schedule.timezone [not_for_this_kind]",
            id="field-of-another-kind",
        ),
        pytest.param(
            ("--every", "999999999999w"), "schedule.every_seconds [never_fires]", id="too-long"
        ),
    ],
)
def test_an_impossible_schedule_names_its_field(
    timegate: Timegate, options: tuple[str, ...], field_error: str
) -> None:
    """In the API's words; no API has refused, so it is the command line that is wrong: 2."""
    outcome = timegate("schedule", "preview", *options)

    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("error [invalid_request]: schedule.")
    assert field_error in outcome.err.splitlines()[1]


@pytest.mark.parametrize(
    ("count", "code"),
    [
        pytest.param("0", 2, id="none"),
        pytest.param("1", 0, id="one"),
        pytest.param("10000", 0, id="most"),
        pytest.param("10001", 2, id="too-many"),
    ],
)
def test_one_to_ten_thousand_instants_are_shown(timegate: Timegate, count: str, code: int) -> None:
    """More would be a file, not a preview."""
    assert timegate("schedule", "preview", "--every", "1", "-n", count).code == code
