"""Units of timers, read by ``schedule convert``."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.converting import converted, entries, warned

__all__ = ["converted"]

#: A unit that is at work is left running.
NEVER_TWICE = {"overlap": {"policy": "forbid"}}
TIMER = """\
[Unit]
Description=Tidy up

[Timer]
OnCalendar=Mon..Fri *-*-* 02:00:00
OnCalendar=Sat 12:00 Europe/Berlin
OnBootSec=5min
RandomizedDelaySec=1min 30s
Persistent=true

[Install]
WantedBy=timers.target
"""


def test_a_timer_of_systemd(converted: Callable[..., Outcome]) -> None:
    """Each trigger is an entry; persistence and delay become policies."""
    outcome = converted("systemd", TIMER)
    weekdays, saturday, boot = entries(outcome)

    assert outcome.code == 1
    assert (weekdays["line"], weekdays["name"]) == (5, "Tidy up")
    assert weekdays["here"]["job"] == {
        "schedule": {"kind": "cron", "cron": "00 02 * * mon-fri", "jitter_seconds": 90},
        **NEVER_TWICE,
        "catch_up": {"policy": "latest"},
    }
    assert saturday["here"]["job"]["schedule"]["timezone"] == "Europe/Berlin"
    assert boot["error"]["code"] == "relative"


def test_a_period_of_systemd_is_a_rate(converted: Callable[..., Outcome]) -> None:
    """Its start from boot is left out, and what systemd misses is not caught up."""
    text = "[Timer]\nOnBootSec=5min\nOnUnitActiveSec=1h 30min\n"
    (found,) = entries(converted("systemd", text))

    assert found["line"] == 3
    assert found["here"]["job"] == {
        "schedule": {"kind": "rate", "every_seconds": 5400},
        **NEVER_TWICE,
        "catch_up": {"policy": "skip"},
    }
    assert warned(found) == ["relative"]


CAT = """\
# /usr/lib/systemd/system/tidy.timer
[Unit]
Description=Tidy up
[Timer]
OnCalendar=daily
OnBootSec=15min
Persistent=true

# /etc/systemd/system/tidy.timer.d/override.conf
[Unit]
Documentation=man:tidy(8)
[Timer]
OnCalendar=
OnCalendar=hourly
RandomizedDelaySec=2d
FixedRandomDelay=true

# /usr/lib/systemd/system/zones.timer
[Timer]
OnTimezoneChange=yes
OnUnitActiveSec=10min
RandomizedDelaySec=1h
"""


def test_files_that_are_dropped_into_a_unit_change_it(converted: Callable[..., Outcome]) -> None:
    """An empty trigger takes back those before it."""
    hourly, change, rate = entries(converted("systemd", CAT))

    assert (hourly["name"], hourly["line"], hourly["text"]) == ("Tidy up", 14, "hourly")
    assert hourly["here"]["job"] == {
        "schedule": {"kind": "cron", "cron": "00 * * * *", "jitter_seconds": 86400},
        **NEVER_TWICE,
        "catch_up": {"policy": "latest"},
    }
    assert warned(hourly)[:3] == ["timezone_assumed", "random_delay", "fixed_delay"]
    assert (change["name"], change["error"]["code"]) == ("timer", "relative")
    assert rate["here"]["job"]["schedule"]["jitter_seconds"] == 600
    assert warned(rate) == ["relative", "random_delay", "several_triggers"]


@pytest.mark.parametrize("between", ["", "[Timer]\n"])
def test_an_empty_trigger_takes_back_all_of_them(
    converted: Callable[..., Outcome], between: str
) -> None:
    """In one section or in several, and those of other directives too."""
    text = f"[Timer]\nOnCalendar=daily\nOnUnitActiveSec=1h\n{between}OnCalendar=\nOnCalendar=9:00\n"
    found = entries(converted("systemd", text))

    assert [each["text"] for each in found] == ["9:00"]
    assert "several_triggers" not in warned(found[0])


def test_triggers_of_one_unit_are_told(converted: Callable[..., Outcome]) -> None:
    """Both name Monday's midnight, at which systemd starts the unit once."""
    unit = "[Timer]\nOnCalendar=daily\nOnCalendar=Mon\n"
    another = "[Unit]\nDescription=b\n[Timer]\nOnCalendar=9:00"
    daily, monday, alone = entries(converted("systemd", unit + another))

    assert ["several_triggers" in warned(each) for each in (daily, monday, alone)] == [
        True,
        True,
        False,
    ]
