"""Approvals that wait are told of: once for each round and channel, in the write of their start."""

import json
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.dag_runs.dag_world import DagWorld
from tests.support.dag_runs.waiting import approval, look, then
from tests.support.factories import NOW
from timegate.domain.approvals.link import LinkTerms
from timegate.domain.channels.notice import LINK_PLACE as PLACE
from timegate.domain.channels.sns import SnsChannel
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.dag_runs.progress import DagRun, TaskState
from timegate.domain.dags.definition import Dag, Task
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.notification import Occasion
from timegate.domain.ledger.notice_words import notice_in_words
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import Origin, RunId, TaskKey, own_job_id
from timegate.domain.values.secrets import SecretRef
from timegate.usecases.dag_runs.tasks.decision_notices import decision_notices
from timegate.usecases.services.execution_services import Claimed

SECRET = SecretRef(ssm_parameter="/timegate-target/acme/links")
WEBHOOK = WebhookChannel(url="https://example.com/told")
TOPIC = SnsChannel(topic_arn="arn:aws:sns:us-east-1:111122223333:timegate-target-told")
TOLD = tuple(Subscription(channel=each, on=(Occasion.NEEDS_DECISION,)) for each in (WEBHOOK, TOPIC))
GATE = approval(600, link_secret=SECRET)


def heard(wait: Task = GATE, notifications: tuple[Subscription, ...] = TOLD) -> Dag:
    """A DAG that tells of its approval."""
    return then(wait, notifications=notifications, has_job=bool(notifications))


def notices(dag_world: DagWorld) -> list[Attempt]:
    """The notices that were made."""
    made = list(dag_world.world.tables.attempts.values())
    return [each for each in made if each.id.run.origin is Origin.NOTIFICATION]


def test_each_channel_is_told_with_the_start() -> None:
    """By a run of the DAG's own job, with an id that the next try computes again."""
    dag_world = DagWorld()
    run = dag_world.start(heard())
    made = notices(dag_world)
    told = json.loads(made[0].notice or "")

    assert dag_world.states(run)["wait"] == "running"
    assert {each.id.run.job_id for each in made} == {own_job_id(run.tenant, run.dag_id)}
    assert len({each.id for each in made}) == len(TOLD)
    assert all(RunId.parse(str(each.id.run)) == each.id.run for each in made)
    assert told["type"] == "dag_run.needs_decision"
    assert told["approval"]["until"] == "2026-11-21T07:10:00.000Z"


def test_a_wait_that_is_looked_at_is_told_of_once() -> None:
    """However often."""
    dag_world = DagWorld()
    run = dag_world.start(heard())
    before = notices(dag_world)
    look(dag_world, run, 120)
    look(dag_world, run, 120)

    assert notices(dag_world) == before


@pytest.mark.parametrize(
    "dag",
    [
        pytest.param(heard(notifications=()), id="no hook asks"),
        pytest.param(
            heard(notifications=(Subscription(channel=WEBHOOK, on=(Occasion.FAILED,)),)),
            id="of failures",
        ),
        pytest.param(heard(approval(until=NOW - timedelta(seconds=1), seconds=None)), id="past"),
    ],
)
def test_what_is_not_asked_for_is_not_told(dag: Dag) -> None:
    """Nor is an approval that ended as it began; the calls of the start are the same."""
    dag_world = DagWorld()
    calls: Counter[str] = Counter()
    store = dag_world.dag_runs

    class Counting:
        def __getattr__(self, name: str) -> object:
            calls[name] += 1
            return getattr(store, name)

    object.__setattr__(dag_world.works, "dag_runs", Counting())
    dag_world.start(dag)

    assert notices(dag_world) == []
    assert calls["change_task"] >= 1


def test_a_notice_has_a_place_for_the_link_and_says_nothing_of_its_key() -> None:
    """A program reads the place in the document, a person in the words of mail."""
    dag_world = DagWorld()
    dag_world.start(heard())
    (made, _) = notices(dag_world)
    notice = notice_in_words(made.notice or "", "https://console.example.com")
    shown = json.loads(notice.document)["approval"]

    assert (notice.link, notice.link_label) == (PLACE, "Decide")
    assert shown["url"] == PLACE
    assert set(shown) == {"task", "name", "round", "until", "url"}
    assert notice.headline.endswith("waits for a decision: wait")
    assert PLACE not in (made.notice or "")


def test_without_a_secret_a_notice_leads_to_the_console() -> None:
    """Only a link with a key decides."""
    dag_world = DagWorld()
    run = dag_world.start(heard(approval(600)))
    made = notices(dag_world)[0]
    notice = notice_in_words(made.notice or "", "https://console.example.com")

    assert link_terms(made) is None
    assert notice.link == f"https://console.example.com/dag-runs/{run.dag_run_id}"
    assert notice_in_words(made.notice or "").link is None
    assert json.loads(notice.document)["approval"]["url"] is None


def test_the_link_of_a_notice_is_for_its_round_and_names_its_channel() -> None:
    """Its end is that of the wait."""
    dag_world = DagWorld()
    run = dag_world.start(heard())
    made = {str(link_of(each).link.receiver): link_of(each) for each in notices(dag_world)}
    terms = made[f"webhook-{WEBHOOK.id}"]

    assert set(made) == {f"webhook-{WEBHOOK.id}", f"sns-{TOPIC.id}"}
    assert terms.secret == SECRET
    assert (terms.link.dag_run_id, terms.link.task) == (run.dag_run_id, "wait")
    assert (terms.link.round, terms.link.until) == (1, NOW + timedelta(seconds=600))


def link_of(attempt: Attempt) -> LinkTerms:
    """The link of a notice, which has one."""
    terms = link_terms(attempt)
    assert terms is not None
    return terms


def test_another_round_is_told_of_anew() -> None:
    """Its notice has another id; that of a repeated start has the same."""
    dag_world = DagWorld()
    run = dag_world.start(heard())
    task = dag_world.tasks(run)[TaskKey("wait")]
    again = replace(task, round=2)

    first, second, repeated = (
        [each.id for each in _made(run, each)] for each in (task, again, replace(task))
    )
    assert first == repeated
    assert set(first).isdisjoint(second)


def _made(run: DagRun, task: object) -> tuple[Attempt, ...]:
    return decision_notices(heard(), run, GATE, task, TOLD, now=NOW)  # type: ignore[arg-type]


def test_other_messages_have_no_link() -> None:
    """Neither a notice of a run, nor one that says nothing of an approval."""
    dag_world = DagWorld()
    run = dag_world.start(heard())
    made = notices(dag_world)[0]
    of_a_run = replace(made.id, run=replace(made.id.run, about="s1-failed-aaaaaaaa"))

    assert dag_world.tasks(run)[TaskKey("b")].state is TaskState.PENDING
    assert link_terms(replace(made, id=of_a_run)) is None
    assert link_terms(replace(made, notice="{}")) is None


def link_terms(attempt: Attempt) -> LinkTerms | None:
    """The link that a worker signs when it sends a notice."""
    claimed = Claimed(attempt=attempt, delivery=None, job=None, lease=None)  # type: ignore[arg-type]
    return claimed.link
