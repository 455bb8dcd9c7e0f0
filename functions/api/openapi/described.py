"""What the route table does not say of an operation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from pydantic import BaseModel


@dataclass(frozen=True, kw_only=True, slots=True)
class Described:
    """An operation as callers see it."""

    answer: type[BaseModel]
    #: Status of success, to what it means.
    success: Mapping[int, str]
    #: Statuses of success with an answer of their own.
    others: Mapping[int, type[BaseModel]] = field(default_factory=dict)
    #: Beside those that every operation can give.
    refusals: tuple[HTTPStatus, ...] = ()
    request_headers: tuple[str, ...] = ()
    answer_headers: tuple[str, ...] = ()
