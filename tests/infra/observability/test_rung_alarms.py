"""No alarm is forgotten by the tests that ring alarms."""

import re

from tests.e2e.faults.rung_alarms import ALIKE, RUNG, SILENT
from tests.infra.observability.alarm_reading import described
from tests.infra.stage_template import StageTemplate


def test_each_alarm_is_rung_or_named_as_silent(local: StageTemplate) -> None:
    """A new alarm is rung by a fault, is like one that is, or says why it is not."""
    patterns = [*RUNG, *ALIKE.values(), *SILENT]
    names = {name.removeprefix("timegate-local-") for name in described(local)}
    unknown = {name for name in names if not any(re.fullmatch(p, name) for p in patterns)}
    unused = [p for p in patterns if not any(re.fullmatch(p, name) for name in names)]

    assert (unknown, unused) == (set(), [])
    assert set(ALIKE) <= set(RUNG)
