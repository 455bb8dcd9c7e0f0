"""Jobs beside their functions; a process of a worker finds each by its name."""

import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from timegate.worker import Context, PermanentError, job
from timegate.worker.declared.triggered_run import default_client


@dataclass
class Region:
    name: str
    shops: list[int] = field(default_factory=list)
    share: float | None = None


@dataclass
class Report:
    region: Region
    day: str = "today"


class Order(BaseModel):
    number: int
    on: date


@dataclass
class Sum:
    rows: int
    day: date


class Kind(Enum):
    PAID = 1


@dataclass
class Invoice:
    kind: Kind
    amount: Decimal
    number: UUID
    within: timedelta
    marks: frozenset[int]


INVOICE = Invoice(Kind.PAID, Decimal("3.10"), UUID(int=7), timedelta(days=3), frozenset({5}))


@job("declared-report")
def report(wanted: Report, context: Context) -> Sum:
    """Add up a region's shops.

    The rest of this text is for readers of the code.
    """
    assert isinstance(wanted.region, Region)
    context.log(f"{wanted.region.name} on {wanted.day}")
    return Sum(rows=sum(wanted.region.shops), day=date(2026, 11, 21))


@job("declared-order")
async def order(wanted: Order) -> str:
    return f"{wanted.number} on {wanted.on:%A}"


@job("declared-nothing")
def nothing() -> int:
    return 7


@job("declared-anything")
def anything(payload: Any, ctx: Context) -> list[object]:  # noqa: ANN401 - any JSON
    return [payload, ctx.attempt]


@job("declared-untyped")
def untyped(given, /):  # type: ignore[no-untyped-def]  # noqa: ANN201, ANN001
    return given.run_id


@job("declared-talker")
def talker(context: Context) -> None:
    print("one\ntwo")  # noqa: T201 - what a handler prints is its subject
    print("three", end="")  # noqa: T201
    logging.getLogger("books").info("four")
    if context.payload:
        raise PermanentError("closed", code="books_closed")


@job("declared-stage")
def stage(payload: Any, ctx: Context) -> list[str]:  # noqa: ANN401 - any JSON
    """Return the stages that its triggers are for: of the handler, and of a thread of its own."""
    with ThreadPoolExecutor() as beside:
        clients = [default_client(), beside.submit(default_client).result()]
    return [each.sender.api_url for each in clients]
