"""A job names channels and occasions; each notification has its id."""

import pytest

from tests.support.factories import NOW, job_factory, run_id
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.jobs.finish_by import FinishBy
from timegate.domain.jobs.hook import MAX_HOOKS, Subscription, occasions_heard
from timegate.domain.jobs.notification import NoticeMark, Occasion, parse_notice_mark
from timegate.domain.jobs.rules.job_rules import check_limits
from timegate.domain.runs.run import TERMINAL
from timegate.domain.values.errors import InvalidInput, RunNotFound
from timegate.domain.values.identity import Origin, RunId

URL = "https://example.com/told"


def hook(number: int = 0, *on: Occasion) -> Subscription:
    """One of several addresses; told of failures unless said otherwise."""
    return Subscription(channel=WebhookChannel(url=f"{URL}/{number}"), on=on or (Occasion.FAILED,))


def test_every_end_can_be_heard_of() -> None:
    """Lateness, deadlines, pauses and approvals are told of as well, and are no ends."""
    others = {"absent", "late", "will_be_late", "missed_deadline", "paused", "needs_decision"}

    assert {state.value for state in TERMINAL} == {each.value for each in Occasion if each.is_end}
    assert others == {each.value for each in Occasion if not each.is_end}


@pytest.mark.parametrize("occasion", Occasion)
def test_an_id_says_what_is_told_and_whom(occasion: Occasion) -> None:
    """Both ways, whatever the occasion."""
    mark = NoticeMark(origin="s", attempt=12, occasion=occasion, hook=hook().id)
    run = RunId(
        job_id=run_id().job_id, origin=Origin.NOTIFICATION, scheduled_at=NOW, about=str(mark)
    )

    assert run == RunId.parse(str(run))
    assert mark == parse_notice_mark(run.about)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("n20261121T070000000Z", id="about-nothing"),
        pytest.param("n20261121T070000000Z-", id="empty"),
        pytest.param("s20261121T070000000Z-s1-failed-k3jx52mq", id="of-a-schedule"),
        pytest.param("n20261121T070000000Z-s1-failed-k3jx52mq#", id="separator"),
    ],
)
def test_other_texts_are_no_ids(text: str) -> None:
    """Other text answers like an unknown run id."""
    with pytest.raises(RunNotFound):
        RunId.parse(f"{run_id().job_id}.{text}")


@pytest.mark.parametrize(
    "text",
    ["", "s1-failed", "s0-failed-k3jx52mq", "n1-failed-k3jx52mq", "s1-queued-k3jx52mq"],
)
def test_other_texts_are_no_marks(text: str) -> None:
    """A run that carries one tells no hook."""
    assert parse_notice_mark(text) is None


def test_a_hook_is_known_by_its_address() -> None:
    """A hook's occasions do not change its id; its address does."""
    assert hook(0).id == hook(0, Occasion.LATE).id
    assert hook(0).id != hook(1).id


def test_occasions_of_all_hooks_are_known_once() -> None:
    """In a fixed order, so that an unchanged job changes no run; a dead letter has failed."""
    heard = (Occasion.SUCCEEDED, Occasion.FAILED, Occasion.DEAD_LETTERED, Occasion.LATE)
    hooks = [hook(0, Occasion.LATE, Occasion.FAILED), hook(1, Occasion.SUCCEEDED, Occasion.FAILED)]

    assert occasions_heard(hooks) == heard


@pytest.mark.parametrize(
    ("hooks", "field", "code"),
    [
        pytest.param([hook(n) for n in range(6)], "notifications", "too_long", id="too-many"),
        pytest.param([hook(), hook()], "notifications.1.url", "repeated", id="twice"),
        pytest.param(
            [Subscription(channel=WebhookChannel(url=URL), on=())],
            "notifications.0.on",
            "required",
            id="of-nothing",
        ),
        pytest.param(
            [hook(0, Occasion.FAILED, Occasion.FAILED)],
            "notifications.0.on",
            "repeated",
            id="occasion-twice",
        ),
        pytest.param([hook(0, Occasion.LATE)], "notifications.0.on", "never_late", id="never-late"),
        pytest.param(
            [hook(0, Occasion.ABSENT)], "notifications.0.on", "never_absent", id="never-absent"
        ),
        pytest.param(
            [hook(0, Occasion.WILL_BE_LATE)], "notifications.0.on", "no_deadline", id="no-forecast"
        ),
        pytest.param(
            [hook(), hook(1, Occasion.MISSED_DEADLINE)],
            "notifications.1.on",
            "no_deadline",
            id="no-deadline",
        ),
        pytest.param(
            [Subscription(channel=WebhookChannel(url=URL + "x" * 16_400), on=(Occasion.FAILED,))],
            "job",
            "definition_too_large",
            id="too-large",
        ),
    ],
)
def test_what_contradicts_itself_is_refused(
    hooks: list[Subscription], field: str, code: str
) -> None:
    """Naming the place."""
    with pytest.raises(InvalidInput) as refused:
        check_limits(job_factory(notifications=tuple(hooks)))

    assert (refused.value.field, refused.value.code) == (field, code)


def test_as_many_hooks_as_there_may_be() -> None:
    """All told of everything that a job knows."""
    known = [each for each in Occasion if each is not Occasion.NEEDS_DECISION]
    hooks = tuple(hook(number, *known) for number in range(MAX_HOOKS))

    finish_by = FinishBy(within_seconds=1)
    fields = {"late_after_seconds": 0, "finish_by": finish_by, "pause_after_failures": 1}
    fields |= {"absent_after_seconds": 600}
    check_limits(job_factory(notifications=hooks, **fields))
