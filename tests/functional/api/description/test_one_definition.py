"""A job's fields are listed once: what is taken, changed, shown and stored has the same."""

import inspect
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
from timegate.contracts.recurrence import ScheduleModel
from timegate.contracts.values.derived import KindContract
from timegate.contracts.values.fields import Contract, domain_value
from timegate.domain.dags.definition import Dag, InlineTask
from timegate.domain.jobs.definition import DEFINED, JobDefinition
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.rules.rule import Rule
from timegate.value_classes import defaults_of


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


def contracts(of: type[Contract] = Contract) -> Iterator[type[Contract]]:
    """List all contracts that Timegate's modules declare."""
    for each in of.__subclasses__():
        yield each
        yield from contracts(each)


def domain_of(contract: type[Contract]) -> type | None:
    """Return the type of the domain that takes a contract's fields as they are, if one does."""
    if issubclass(contract, KindContract):
        return getattr(contract, "kind", None)
    if contract is NewJob:
        return JobDefinition
    become = getattr(contract, "to_domain", None)
    if become is None or "as_domain" not in become.__code__.co_names:
        return None
    made = inspect.signature(become).return_annotation
    return made if isinstance(made, type) and is_dataclass(made) else None


BECOMING = [
    (each, kind)
    for each in dict.fromkeys(contracts())
    if (kind := domain_of(each)) is not None and each.__module__.startswith("timegate.")
]


@pytest.mark.parametrize(("contract", "kind"), BECOMING, ids=lambda each: each.__name__)
def test_a_field_that_is_left_out_is_what_the_contract_says(
    contract: type[Contract], kind: type
) -> None:
    """The domain fills in its own default: another one would be described than is kept."""
    defaults = defaults_of(kind)
    said = {
        name: domain_value(field.get_default(call_default_factory=True))
        for name, field in contract.model_fields.items()
        if not field.is_required() and name in defaults
    }

    assert said == {name: defaults[name] for name in said}


def test_a_new_job_has_the_values_of_the_domain_for_what_it_leaves_out() -> None:
    """They are made once: records, views and the audit trail know them by sight."""
    asked = {
        "name": "nightly",
        "schedule": {"kind": "manual"},
        "action": {"type": "webhook", "url": "https://example.com"},
    }
    made = NewJob.model_validate(asked).to_domain(None)
    own = defaults_of(JobDefinition)

    assert all(getattr(made, name) is own[name] for name in ("retry", "catch_up", "overlap"))


@pytest.mark.parametrize("kind", ScheduleModel.__subclasses__(), ids=lambda kind: kind.__name__)
def test_a_schedule_has_the_values_of_the_domain_for_what_it_leaves_out(
    kind: type[ScheduleModel],
) -> None:
    """Each kind of a schedule is one type of the domain."""
    own = defaults_of(Schedule)
    left_out = {
        name: domain_value(field.get_default(call_default_factory=True))
        for name, field in kind.model_fields.items()
        if not field.is_required()
    }

    assert left_out == {name: own[name] for name in left_out}
