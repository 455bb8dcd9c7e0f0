"""A job's fields are listed once: what is taken, changed, shown and stored has the same."""

import json
import types
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from api.jobs.job_answers import DefinedJob
from api.jobs.shown import definition_view, shown
from tests.support.factories import NOW, job_factory
from timegate.contracts.dags.dag_tasks import TaskJobContract
from timegate.contracts.jobs.job import Cleared, JobPatch, NewJob, job_fields
from timegate.domain.dags.definition import Dag, InlineTask
from timegate.domain.jobs.definition import DEFINED, JobDefinition
from timegate.domain.rules.rule import Rule


def parts_of(hint: Any, known: set[type]) -> Iterator[type]:  # noqa: ANN401 - any annotation
    """List types of plain values in a type's fields, and in the fields of those."""
    if isinstance(hint, type) and is_dataclass(hint):
        if hint not in known:
            known.add(hint)
            hints = get_type_hints(hint)
            for each in fields(hint):
                yield from parts_of(hints[each.name], known)
    elif get_args(hint):
        for each in get_args(hint):
            yield from parts_of(each, known)
    elif isinstance(hint, type):
        yield hint


def sample_of(plain: type) -> object:
    """Return a value of a type, as a definition may have it."""
    if issubclass(plain, Enum):
        return next(iter(plain))
    return NOW if plain is datetime else plain()


PLAIN = {each for whole in (JobDefinition, Dag, Rule) for each in parts_of(whole, set())}


@pytest.mark.parametrize("plain", sorted(PLAIN, key=str), ids=lambda plain: plain.__name__)
def test_every_value_of_a_definition_is_shown_as_json(plain: type) -> None:
    """The field of one that is not could be written, and never be read."""
    assert json.dumps(shown(sample_of(plain)))


@pytest.mark.parametrize(
    "listed", [NewJob.model_fields, JobPatch.model_fields, DefinedJob.__annotations__]
)
def test_every_model_of_a_job_has_the_fields_of_its_definition(listed: dict[str, object]) -> None:
    """A field that one of them lacks could not be set, changed or read."""
    assert listed.keys() == DEFINED


def test_a_job_shows_every_field_of_its_definition() -> None:
    """Its payload is shown apart: it may have to be fetched."""
    assert definition_view(job_factory()).keys() | {"payload"} == DEFINED


def test_a_task_has_the_fields_that_its_contract_takes() -> None:
    """A task holds the work, payload and class of one run."""
    assert set(TaskJobContract.model_fields) == {each.name for each in fields(InlineTask)}


@pytest.mark.parametrize("name", sorted(DEFINED - {"payload"}))
def test_a_field_that_may_be_null_says_what_null_does_to_it(name: str) -> None:
    """And null is refused for every other one: no type of a patch admits it."""
    hint = job_fields()[name]
    is_optional = types.NoneType in get_args(get_type_hints(JobDefinition)[name])
    words = [each.null for each in get_args(hint) if isinstance(each, Cleared)]

    assert bool(words) == is_optional
    assert all(each.startswith("Null: ") for each in words)
    assert get_origin(hint) is not None or not is_optional
