"""No alarm is forgotten by the tests that ring alarms."""

import re

from tests.architecture.sources import ROOT
from tests.e2e.alarms.rung_alarms import ALIKE, RUNG
from tests.infra.observability.alarm_reading import described
from tests.infra.stage_template import StageTemplate


def test_each_alarm_is_rung(local: StageTemplate) -> None:
    """A new alarm is rung by a fault, or is like one that is."""
    patterns = [*RUNG, *ALIKE.values()]
    names = {name.removeprefix("timegate-local-") for name in described(local)}
    unknown = {name for name in names if not any(re.fullmatch(p, name) for p in patterns)}
    unused = [p for p in patterns if not any(re.fullmatch(p, name) for name in names)]

    assert (unknown, unused) == (set(), [])
    assert set(ALIKE) <= set(RUNG)


def test_the_page_says_how_many_are_rung() -> None:
    """The operator reads the number of alarms that faults ring."""
    page = (ROOT / "docs" / "operations" / "local-cloud.md").read_text()

    assert f"rings {len(RUNG)} alarms" in page
