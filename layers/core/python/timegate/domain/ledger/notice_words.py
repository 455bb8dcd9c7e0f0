"""Notices in words: from the document that programs read to a sentence and facts for people."""

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from timegate.domain.channels.notice import LINK_PLACE, Fact, Notice, shortened
from timegate.domain.jobs.notification import ABSENCE_TOLD, DECISION_TOLD, RULE_TOLD, Occasion

_HAPPENED: Mapping[str, str] = MappingProxyType(
    {
        Occasion.SUCCEEDED: "succeeded",
        Occasion.FAILED: "failed",
        Occasion.TIMED_OUT: "timed out",
        Occasion.CANCELLED: "was cancelled",
        Occasion.SKIPPED: "was skipped",
        Occasion.DEAD_LETTERED: "was given up, and is a dead letter",
        Occasion.LATE: "is late",
        Occasion.WILL_BE_LATE: "will probably miss its deadline",
        Occasion.MISSED_DEADLINE: "missed its deadline",
        Occasion.PAUSED: "is paused after failures in a row",
    }
)
#: A name of 200 characters would leave no room for what happened.
_MAX_NAME = 80
#: Events of a rule that a message to people shows: Slack shows ten lines.
_MAX_EVENTS = 8


def notice_in_words(document: str, console_url: str = "") -> Notice:
    """Return a notification's document with its words; ``console_url``: the stage's, if any."""
    told: Mapping[str, Any] = json.loads(document)
    if told["type"] == RULE_TOLD:
        return _rule_in_words(told, document)
    if told["type"] == DECISION_TOLD:
        return _decision_in_words(told, console_url)
    if told["type"] == ABSENCE_TOLD:
        return _absence_in_words(told, document, console_url)
    run: Mapping[str, Any] = told["run"]
    _, _, occasion = told["type"].partition(".")
    name = shortened(told["job"]["name"], _MAX_NAME)
    page = f"{console_url}/runs/{quote(run['run_id'])}" if console_url else None
    return Notice(
        type=told["type"],
        document=document,
        headline=f"{name} {_HAPPENED[occasion]}",
        facts=tuple(_facts(run)),
        link=page,
    )


def _rule_in_words(told: Mapping[str, Any], document: str) -> Notice:
    """Return the message of a rule: its events are in words already."""
    texts = [shortened(each["text"].removesuffix(".")) for each in told["events"]]
    rest = told["more"] + max(0, len(texts) - _MAX_EVENTS)
    many = f"{told['rule']['name']}: {len(texts) + told['more']} events"
    labelled = zip(told["events"], texts, strict=True)
    facts = [Fact(label=each["at"], text=text) for each, text in labelled][:_MAX_EVENTS]
    facts += [Fact(label="More", text=str(rest))] if rest else []
    facts += [Fact(label="Rule", text=told["rule"]["name"])]
    headline = texts[0] if len(texts) == 1 and not told["more"] else many
    return Notice(type=told["type"], document=document, headline=headline, facts=tuple(facts))


def _decision_in_words(told: Mapping[str, Any], console_url: str) -> Notice:
    """Return the message of an approval that waits; the link is put in its place when it is sent.

    The parts of the link are left out.
    """
    asked, run_id = told["approval"], told["dag_run"]["dag_run_id"]
    has_link = asked["link_secret"] is not None
    page = f"{console_url}/dag-runs/{quote(run_id)}" if console_url else None
    shown = {name: asked[name] for name in ("task", "name", "round", "until")}
    document = {**told, "approval": {**shown, "url": LINK_PLACE if has_link else None}}
    name = shortened(told["job"]["name"], _MAX_NAME)
    return Notice(
        type=told["type"],
        document=json.dumps(document, ensure_ascii=False, separators=(",", ":")),
        headline=f"{name} waits for a decision: {shortened(asked['name'], _MAX_NAME)}",
        facts=(
            Fact(label="Task", text=asked["task"]),
            Fact(label="Until", text=asked["until"]),
            Fact(label="DAG run", text=run_id),
        ),
        link=LINK_PLACE if has_link else page,
        link_label="Decide" if has_link else None,
    )


def _absence_in_words(told: Mapping[str, Any], document: str, console_url: str) -> Notice:
    """Return the message of a job that has not succeeded: it is in words already."""
    job_id = told["job"]["job_id"]
    return Notice(
        type=told["type"],
        document=document,
        headline=shortened(told["text"].removesuffix(".")),
        facts=(
            Fact(label="Since", text=told["absence"]["since"]),
            Fact(label="Job", text=job_id),
        ),
        link=f"{console_url}/jobs/{quote(job_id)}" if console_url else None,
    )


def _facts(run: Mapping[str, Any]) -> Iterator[Fact]:
    yield Fact(label="Scheduled", text=run["scheduled_at"])
    if run["ended_at"] is not None:
        yield Fact(label="Ended", text=run["ended_at"])
    yield Fact(label="Attempt", text=str(run["attempt"]))
    if run["explanation"]:
        yield Fact(label="Why", text=shortened(run["explanation"]))
    error, deadline = run["error"], run["finish_by"]
    if error is not None:
        said = f"{error['code']}: {error['message'] or error['type']}"
        yield Fact(label="Error", text=shortened(said))
    if deadline is not None:
        yield Fact(label="Deadline", text=deadline["at"])
    yield Fact(label="Run", text=run["run_id"])
