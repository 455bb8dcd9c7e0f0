"""Texts that Quartz reads otherwise than they look are refused, and told why."""

import pytest

from tests.functional.cli.converting import BERLIN, Converted, converted, entries

__all__ = ["converted"]


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("0 0 9 ? * MON/2", "ignores the step behind a name in 'mon/2'"),
        ("0 0 9 ? * MON-SAT/2", "ignores the step behind a name in 'mon-sat/2'"),
        ("0 0 9 1 JAN/3 ?", "ignores the step behind a name in 'jan/3'"),
        ("0 0 9 ? * MON-6", "refuses 'mon-6': a range has two names or two numbers"),
        ("0 0 9 1 3-JUN ?", "refuses '3-jun': a range has two names or two numbers"),
        ("0 0/60 9 * * ?", "refuses '0/60': its longest step is 59"),
        ("0 0 */24 * * ?", "refuses '*/24': its longest step is 23"),
        ("0 0 9 */32 * ?", "refuses '*/32': its longest step is 31"),
        ("0 0 9 1 /13 ?", "refuses '/13': its longest step is 12"),
        ("0 0 9 ? * 1/8", "refuses '1/8': its longest step is 7"),
        ("0 0 9 1W,17 * ?", "takes W for a single day"),
        ("0 0 9 ? * 2,6L", "takes L for a single weekday"),
        ("0 0 9 ? * 2,6#3", "takes one weekday with #"),
    ],
)
def test_quartz_refuses_or_ignores_a_part(converted: Converted, text: str, detail: str) -> None:
    """The same text of the dialect means more here: an import would fire on other days."""
    outcome = converted("quartz", text, *BERLIN)
    (found,) = entries(outcome)

    assert outcome.code == 1
    assert found["error"]["code"] == "invalid_cron"
    assert detail in found["error"]["detail"]


@pytest.mark.parametrize(
    "text",
    [
        "0 0/59 */23 1/31 */12 ?",
        "0 0 9 ? JAN-JUN,SEP MON-FRI,SUN",
        "0 0 9 ? * 2/7",
        "0 0 9 1,L * ?",
        "0 0 9 15W * ?",
        "0 0 9 ? * 6#3",
        "0 0 9 ? * FRIL",
    ],
)
def test_quartz_reads_these_as_they_look(converted: Converted, text: str) -> None:
    """Steps up to the field's last value, names without steps, and marks that stand alone."""
    (found,) = entries(converted("quartz", text, *BERLIN))

    assert found["error"] is None


def test_eventbridge_takes_one_weekday_with_a_number(converted: Converted) -> None:
    """Its page calls a list of them invalid."""
    one, two = entries(
        converted("eventbridge", "cron(0 9 ? * 3#1 *)\ncron(0 9 ? * 3#1,6#3 *)", *BERLIN)
    )

    assert one["error"] is None
    assert "EventBridge takes one weekday with #" in two["error"]["detail"]
