"""Files that were written to do harm: reading them has a bound, and holds up no other."""

import os
import random
import resource
import signal
import subprocess
import sys
import time
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NoReturn

import pytest

from api.http.table import ROUTES
from api.ical.bounds import cpu_seconds as allowed_seconds
from api.ical.isolated import MAX_BYTES, CoveredTime, ReadRange, read_ical
from tests.support.documents.ical_files import event, file
from timegate.domain.limits.request_rate import requests_counted
from timegate.domain.values.errors import InvalidInput

WANTED = ReadRange(
    first=datetime(2026, 11, 1, tzinfo=UTC),
    last=datetime(2027, 11, 1, tzinfo=UTC),
    timezone=None,
)
BARREN = "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"


#: For what ends by itself: however busy the machine is, it is not this that ends it.
PATIENCE_SECONDS = 600.0
#: A rule that has kept its process so busy since its event was named never ends.
ENOUGH_CPU_SECONDS = 0.3


def refusal(text: str, *, timeout_seconds: float = PATIENCE_SECONDS) -> InvalidInput:
    with pytest.raises(InvalidInput) as refused:
        read_ical(text, WANTED, timeout_seconds=timeout_seconds)
    return refused.value


def time_is_up_once_busy(
    command: list[str],
    *,
    timeout: float,
    env: dict[str, str],
    **options: Any,  # noqa: ANN401 - as it takes them
) -> NoReturn:
    """``subprocess.run`` whose time is up as soon as an event has kept the process busy.

    Told by the process's own clock: on a busy machine a second of the wall clock is nothing.
    """
    named = b""
    with subprocess.Popen(
        command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(options["input"])
        process.stdin.close()
        named = process.stderr.readline()
        begun = cpu_seconds(process.pid)
        while cpu_seconds(process.pid) < begun + ENOUGH_CPU_SECONDS:
            assert process.poll() is None, "it came to an end"
            time.sleep(0.01)
        process.kill()
    raise subprocess.TimeoutExpired(command, timeout, stderr=named)


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_file_is_read_in_another_process() -> None:
    """And the packages that read it are not loaded into this one by the API."""
    christmas = event("DTSTART;VALUE=DATE:20261225")
    timed = event("DTSTART:20261201T100000Z", "DURATION:PT1H", uid="e-2")

    assert read_ical(
        file(christmas, timed), WANTED, timeout_seconds=PATIENCE_SECONDS
    ) == CoveredTime(
        timezone="UTC",
        days=((date(2026, 12, 25), date(2026, 12, 25)),),
        periods=((datetime(2026, 12, 1, 10, tzinfo=UTC), datetime(2026, 12, 1, 11, tzinfo=UTC)),),
        events=2,
        occurrences=2,
    )


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(BARREN, id="30 February"),
        pytest.param("RRULE:FREQ=SECONDLY;INTERVAL=0", id="a step of nothing"),
        pytest.param("RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", id="every second of no day"),
    ],
)
def test_a_rule_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    """It would never end; the event is named."""
    monkeypatch.setattr("subprocess.run", time_is_up_once_busy)
    text = file(event("DTSTART:20261201T100000Z", "DURATION:PT1H", rule, uid="bomb"))
    refused = refusal(text, timeout_seconds=8)

    assert (refused.field, refused.code) == ("ical", "too_complex")
    assert refused.detail == "Its rules could not be followed within 8 s (event bomb)."


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param((BARREN,), id="30 February"),
        pytest.param(("RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",), id="every second"),
        pytest.param(("RRULE:FREQ=DAILY", "EXRULE:FREQ=SECONDLY"), id="left out each second"),
    ],
)
def test_a_file_takes_no_more_processor_time_than_it_may(rules: tuple[str, ...]) -> None:
    """By the process's own clock, whatever else the machine does; and it says so."""
    text = file(event("DTSTART:19700101T100000Z", "DURATION:PT1H", *rules, uid="bomb"))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    refused = refusal(text)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert (refused.field, refused.code) == ("ical", "too_complex")
    assert "(event bomb)" in refused.detail
    # Loading the packages comes before.
    assert spent < allowed_seconds(len(text)) + 1.5


def test_a_file_takes_no_more_memory_than_it_may() -> None:
    """A larger allocation is refused, and the process ends."""
    too_much = f"from api.ical.bounds import bind; bind(9); bytes({2**30})"
    done = subprocess.run(
        [sys.executable, "-c", too_much],
        env={"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=False,
    )

    assert done.returncode == 1
    assert b"MemoryError" in done.stderr


def test_a_larger_file_may_be_read_for_longer() -> None:
    """In step with what its request counts as: 50 ms for each plain one."""
    route = next(route for route in ROUTES if route.operation == "importCalendar")
    for size in (0, 6_400, MAX_BYTES):
        counted = requests_counted(route.weight, size, route.bytes_for_one)

        assert allowed_seconds(size) <= counted * 0.0505


def test_a_process_whose_time_is_up_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ended and waited for, whatever it was at."""
    begun: list[subprocess.Popen[bytes]] = []

    class Watched(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
            super().__init__(*args, **kwargs)
            begun.append(self)

    monkeypatch.setattr("subprocess.Popen", Watched)
    text = file(event("DTSTART:20261201T100000Z", "DURATION:PT1H", BARREN))
    refused = refusal(text, timeout_seconds=0.0)
    (process,) = begun

    assert refused.code == "too_complex"
    assert process.returncode == -signal.SIGKILL


def test_a_process_is_waited_for_as_long_as_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read when it is asked, so that tests may wait longer."""
    waited: list[float] = []

    def run(*_: object, timeout: float, **__: object) -> NoReturn:
        waited.append(timeout)
        raise InterruptedError

    monkeypatch.setattr("subprocess.run", run)
    monkeypatch.setattr("api.ical.isolated.TIMEOUT_SECONDS", 7.5)
    with pytest.raises(InterruptedError):
        read_ical(file(), WANTED)

    assert waited == [7.5]


def test_a_refusal_comes_back_with_its_code() -> None:
    """The refusal is that of the process that read the file."""
    refused = refusal(file(event("SUMMARY:x")))

    assert (refused.field, refused.code) == ("ical", "invalid_ical")
    assert refused.detail == "Event e-1: it has no DTSTART."


@pytest.mark.parametrize(
    ("size", "code"), [(MAX_BYTES, "invalid_ical"), (MAX_BYTES + 1, "too_long")]
)
def test_a_file_has_a_largest_size(size: int, code: str) -> None:
    """One byte more is not even looked at."""
    assert refusal("x" * size).code == code


def test_junk_is_no_file() -> None:
    """Any bytes are refused."""
    junk = random.Random(7).randbytes(20_000).decode("latin-1")

    assert refusal(junk).code == "invalid_ical"
    assert refusal("BEGIN:VCALENDAR\n" + "BEGIN:VEVENT\n" * 5_000).code == "invalid_ical"


def test_the_process_is_given_no_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser that is tricked has nothing to tell."""
    seen: dict[str, Any] = {}

    def run(command: list[str], **options: object) -> None:
        seen.update(options, command=command)
        raise InterruptedError

    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setattr("subprocess.run", run)
    with pytest.raises(InterruptedError):
        read_ical(file(), WANTED)

    assert seen["command"][:3] == [sys.executable, "-m", "api.ical"]
    assert list(seen["env"]) == ["PYTHONPATH"]
