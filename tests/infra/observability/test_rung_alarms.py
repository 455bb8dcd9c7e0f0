"""No alarm is forgotten by the tests that ring alarms."""

import re

from tests.architecture.sources import ROOT
from tests.e2e.alarms.rung_alarms import ALIKE, RUNG, SILENT
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


def test_the_page_says_why_an_alarm_is_not_rung() -> None:
    """The operator reads of each that no fault has rung, and of how many were."""
    page = (ROOT / "docs" / "operations" / "local-cloud.md").read_text()
    rows = {f"| `{name.replace('|', ' or ')}` | {why} |" for name, why in SILENT.items()}

    assert rows <= set(page.splitlines())
    assert f"rings {len(RUNG)} alarms" in page
