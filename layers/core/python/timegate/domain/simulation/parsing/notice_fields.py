"""Notification rules in a document."""

import re
from datetime import datetime
from functools import partial
from typing import Any

from timegate.domain.jobs.job_filter import Selection
from timegate.domain.jobs.rules.absence_watch import MAX_ABSENT_SECONDS, MIN_ABSENT_SECONDS
from timegate.domain.rules.quiet_hours import QuietHours, QuietWindow
from timegate.domain.rules.rule import (
    MAX_FAILURES_TOLD,
    MAX_LATE_SECONDS,
    MAX_RULES,
    MIN_LATE_SECONDS,
    Absence,
    Rule,
    RuleName,
    When,
)
from timegate.domain.rules.rule_checks import check_telling
from timegate.domain.simulation.parsing.fields import (
    Fields,
    flag,
    many,
    or_null,
    seconds,
    table,
    text,
    whole,
)
from timegate.domain.simulation.parsing.job_fields import MAX_TAGS, read_job_id
from timegate.domain.simulation.parsing.tenant_fields import read_weekdays
from timegate.domain.simulation.scenario import TENANT
from timegate.domain.values.errors import InvalidInput

_MINUTE = re.compile(r"([01]\d|2[0-3]):[0-5]\d", re.ASCII)
_ALL_DAYS = frozenset(range(7))


def read_rules(value: object, path: str, *, created_at: datetime) -> tuple[Rule, ...]:
    """Rules by their names, each as it is put to the API; channels are none of a scenario's."""
    read = table(partial(_rule, created_at=created_at), most=MAX_RULES)
    return tuple(read(value, path).values())


def _rule(value: object, path: str, *, created_at: datetime) -> Rule:
    given = Fields(value, path)
    rule = Rule(
        tenant=TENANT,
        name=RuleName(path.rpartition(".")[2]),
        jobs=given.optional("jobs", _selection, Selection()),
        when=given.required("when", _when),
        quiet_hours=given.optional("quiet_hours", or_null(_quiet_hours), None),
        channels=(),
        version=1,
        created_at=created_at,
        updated_at=created_at,
    )
    given.done()
    try:
        check_telling(rule)
    except InvalidInput as refused:
        field = f"{path}.{refused.field}" if refused.field != "name" else path
        raise InvalidInput(field, refused.code, refused.detail) from refused
    return rule


def _selection(value: object, path: str) -> Selection:
    given = Fields(value, path)
    selection = Selection(
        job_id=given.optional("job_id", or_null(read_job_id), None),
        name=given.optional("name", or_null(text), None),
        tags=given.optional("tags", table(text, most=MAX_TAGS), {}),
    )
    given.done()
    return selection


def _when(value: object, path: str) -> When:
    given = Fields(value, path)
    reads: dict[str, Any] = {
        "failures_in_a_row": or_null(whole(1, MAX_FAILURES_TOLD)),
        "dead_letter": flag,
        "quota_refused": flag,
        "late_after_seconds": or_null(seconds(whole(MIN_LATE_SECONDS, MAX_LATE_SECONDS))),
        "absent": or_null(_absence),
        "recovered": flag,
    }
    there = given.given()
    when = When(
        **{name: given.required(name, each) for name, each in reads.items() if name in there}
    )
    given.done()
    return when


def _absence(value: object, path: str) -> Absence:
    given = Fields(value, path)
    span = or_null(seconds(whole(MIN_ABSENT_SECONDS, MAX_ABSENT_SECONDS)))
    absence = Absence(
        for_seconds=given.optional("for_seconds", span, None),
        at=given.optional("at", or_null(_minute), None),
        timezone=given.optional("timezone", text, "UTC"),
        weekdays=given.optional("weekdays", read_weekdays, _ALL_DAYS),
    )
    given.done()
    return absence


def _quiet_hours(value: object, path: str) -> QuietHours:
    given = Fields(value, path)
    quiet = QuietHours(
        timezone=given.optional("timezone", text, "UTC"),
        windows=given.required("windows", many(_window)),
    )
    given.done()
    return quiet


def _window(value: object, path: str) -> QuietWindow:
    given = Fields(value, path)
    window = QuietWindow(
        weekdays=given.optional("weekdays", read_weekdays, _ALL_DAYS),
        opens=given.required("opens", _minute),
        closes=given.required("closes", _minute),
    )
    given.done()
    return window


def _minute(value: object, path: str) -> str:
    written = text(value, path)
    if _MINUTE.fullmatch(written) is None:
        raise InvalidInput(path, "invalid_format", "It must be a time of day such as 22:30.")
    return written
