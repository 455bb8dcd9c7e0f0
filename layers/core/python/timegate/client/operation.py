"""An operation, described once: a method of every client that waits, and of every one that awaits.

The description says what is sent and which type is answered. The client that carries it decides how
it is sent.
"""

import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import replace
from functools import cached_property, update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, cast, get_args, overload

from timegate.client.calling import Answer, ApiCall, PageCall, Row
from timegate.client.sending import AsyncCalls, Calls, SyncCalls

Arguments = ParamSpec("Arguments")
Waiting = TypeVar("Waiting", bound=SyncCalls)
Awaiting = TypeVar("Awaiting", bound=AsyncCalls)
Caller = TypeVar("Caller", bound=Calls)


class _OfClients:
    """An operation of the class, which ``help()`` shows as a method of it."""

    @property
    def __signature__(self) -> inspect.Signature:
        """Signature of the method, whose first parameter is the client."""
        describe = cast("Any", self).describe
        client, *_ = inspect.signature(describe).parameters.values()
        bound = answering(describe)
        return bound.replace(parameters=[client, *bound.parameters.values()])

    def __call__(self, client: Calls, /, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - a call
        """Call it on a client, as any function of a class; raises ``ClientError``."""
        return cast("Any", self).__get__(client, type(client))(*args, **kwargs)


class ApiOperation(_OfClients, Generic[Arguments, Answer]):
    """``client.get_job(...)``: the answer, or a coroutine of it."""

    def __init__(self, describe: Callable[Concatenate[Any, Arguments], ApiCall[Answer]]) -> None:
        self.describe = describe
        update_wrapper(self, describe)  # For help(), and its docstring.

    @overload
    def __get__(self, client: None, owner: type) -> Self: ...

    @overload
    def __get__(self, client: SyncCalls, owner: type) -> Callable[Arguments, Answer]: ...

    @overload
    def __get__(
        self, client: AsyncCalls, owner: type
    ) -> Callable[Arguments, Coroutine[Any, Any, Answer]]: ...

    def __get__(self, client: Calls | None, owner: type) -> object:
        """The method, of a client; without one, the operation."""
        match client:
            case SyncCalls():
                return self._method(self._waiting(client))
            case AsyncCalls():
                return self._method(self._awaiting(client))
            case _:
                return self

    def _waiting(self, client: SyncCalls) -> Callable[Arguments, Answer]:
        def method(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
            return client.execute(self.describe(client, *args, **kwargs))

        return method

    def _awaiting(self, client: AsyncCalls) -> Callable[Arguments, Coroutine[Any, Any, Answer]]:
        async def method(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
            return await client.execute(self.describe(client, *args, **kwargs))

        return method

    def _method(self, method: Callable[Arguments, object]) -> Callable[Arguments, object]:
        """Let ``help()`` show what the method takes and answers."""
        update_wrapper(method, self.describe)
        vars(method)["__signature__"] = self._signature
        return method

    @cached_property
    def _signature(self) -> inspect.Signature:
        return answering(self.describe)


class Listing(_OfClients, Generic[Arguments, Answer, Row]):
    """``client.list_jobs(...)``: a page; ``client.list_jobs.iterate(...)``: every row."""

    def __init__(
        self, describe: Callable[Concatenate[Any, Arguments], PageCall[Answer, Row]]
    ) -> None:
        self.describe = describe
        update_wrapper(self, describe)  # For help(), and its docstring.

    @overload
    def __get__(self, client: None, owner: type) -> Self: ...

    @overload
    def __get__(self, client: SyncCalls, owner: type) -> "Pages[Arguments, Answer, Row]": ...

    @overload
    def __get__(self, client: AsyncCalls, owner: type) -> "AsyncPages[Arguments, Answer, Row]": ...

    def __get__(self, client: Calls | None, owner: type) -> object:
        """The method, of a client; without one, the listing."""
        match client:
            case SyncCalls():
                return Pages(client, self.describe)
            case AsyncCalls():
                return AsyncPages(client, self.describe)
            case _:
                return self


class Namespace(Generic[Waiting, Awaiting]):
    """``client.jobs``: the operations on one resource, of either kind of client."""

    def __init__(self, waiting: type[Waiting], awaiting: type[Awaiting]) -> None:
        self._waiting = waiting
        self._awaiting = awaiting
        self.__doc__ = waiting.__doc__

    @overload
    def __get__(self, client: None, owner: type) -> Self: ...

    @overload
    def __get__(self, client: SyncCalls, owner: type) -> Waiting: ...

    @overload
    def __get__(self, client: AsyncCalls, owner: type) -> Awaiting: ...

    def __get__(self, client: Calls | None, owner: type) -> object:
        """The operations of a client; without one, itself."""
        match client:
            case SyncCalls():
                return self._waiting(client.sender)
            case AsyncCalls():
                return self._awaiting(client.sender)
            case _:
                return self


class _PagesOf(Generic[Caller, Arguments, Answer, Row]):
    """A listing of a client."""

    def __init__(
        self,
        client: Caller,
        describe: Callable[Concatenate[Any, Arguments], PageCall[Answer, Row]],
    ) -> None:
        self._client = client
        self._describe = describe
        self.__doc__ = describe.__doc__
        self.__name__ = describe.__name__

    @property
    def __signature__(self) -> inspect.Signature:
        """Signature of a page, for ``help()``."""
        return answering(self._describe)

    def __get__(self, _: object, __: type) -> Self:
        """Itself: ``help()`` describes what has this method as it describes functions."""
        return self


class Pages(_PagesOf[SyncCalls, Arguments, Answer, Row], Generic[Arguments, Answer, Row]):
    """A listing of a client that waits."""

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
        """One page; raises ``ClientError``."""
        return self._client.execute(self._describe(self._client, *args, **kwargs))

    def pages(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Iterator[Answer]:
        """Every page from there on, each asked for when it is needed; raises ``ClientError``.

        Takes what the listing takes.
        """
        call: PageCall[Answer, Row] | None = self._describe(self._client, *args, **kwargs)
        while call is not None:
            page = self._client.execute(call)
            yield page
            call = _next(call, page)

    def iterate(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Iterator[Row]:
        """Every row from there on; takes what the listing takes. Raises ``ClientError``."""
        for page in self.pages(*args, **kwargs):
            yield from _rows(page)


class AsyncPages(_PagesOf[AsyncCalls, Arguments, Answer, Row], Generic[Arguments, Answer, Row]):
    """A listing of a client that awaits."""

    async def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
        """One page; raises ``ClientError``."""
        return await self._client.execute(self._describe(self._client, *args, **kwargs))

    async def pages(
        self, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> AsyncIterator[Answer]:
        """Every page from there on, each asked for when it is needed; raises ``ClientError``.

        Takes what the listing takes.
        """
        call: PageCall[Answer, Row] | None = self._describe(self._client, *args, **kwargs)
        while call is not None:
            page = await self._client.execute(call)
            yield page
            call = _next(call, page)

    async def iterate(
        self, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> AsyncIterator[Row]:
        """Every row from there on; takes what the listing takes. Raises ``ClientError``."""
        async for page in self.pages(*args, **kwargs):
            for row in _rows(page):
                yield row


def operation(
    describe: Callable[Concatenate[Any, Arguments], ApiCall[Answer]],
) -> ApiOperation[Arguments, Answer]:
    """A method of every client, from what it sends."""
    return ApiOperation(describe)


def listing(
    describe: Callable[Concatenate[Any, Arguments], PageCall[Answer, Row]],
) -> Listing[Arguments, Answer, Row]:
    """A method of every client with pages and rows to go through, from what it sends."""
    return Listing(describe)


def answering(describe: Callable[..., object]) -> inspect.Signature:
    """Return the signature of a method: its client is bound, and the answer is not a call."""
    described = inspect.signature(describe)
    _, *parameters = described.parameters.values()
    answer = get_args(described.return_annotation)[0]
    return described.replace(parameters=parameters, return_annotation=answer)


def _rows(page: object) -> list[Any]:
    return cast("list[Any]", cast("dict[str, Any]", page)["items"])


def _next(call: PageCall[Answer, Row], page: object) -> PageCall[Answer, Row] | None:
    """The call for the page after this one."""
    cursor = cast("dict[str, Any]", page)["next_cursor"]
    return None if cursor is None else replace(call, query={**call.query, "cursor": cursor})
