"""The Amazon States Language, limited to the states of the machine of DAG runs.

A known field follows the specification; an unknown one fails.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from tests.support.services.executions import check_data

#: Answer to a token: whether an execution still waited for that.
Waiting = Callable[[Any], bool]
#: End of an invocation: its answer, and the error's name if there was one.
Invoked = Callable[[Any, str | None], None]


@dataclass(frozen=True)
class Failed:
    """A branch that failed, and with which error."""

    error: str


class Surroundings(Protocol):
    """Surroundings of an execution."""

    def invoke(self, payload: Mapping[str, Any], then: Invoked) -> None:
        """Invoke the function of the steps, some time."""

    def later(self, seconds: float, act: Callable[[], object]) -> None:
        """Do something after a while."""

    def token(self, waiting: Waiting) -> str:
        """A new token for a callback."""


class Branch:
    """A way through some states: that of an execution, or of an iteration of a ``Map``."""

    def __init__(
        self,
        machine: Mapping[str, Any],
        context: Mapping[str, Any],
        around: Surroundings,
        then: Callable[[Any], None],
    ) -> None:
        self._machine = machine
        self._context = context
        self._around = around
        self._then = then
        #: The state that it is in.
        self.at = ""
        self.is_over = False
        #: Branches of the ``Map`` that it is in.
        self.within: Sequence[Branch] = ()
        self._data: Any = None
        #: Outputs of its iterations, and the contexts of those that have not begun.
        self._outputs: dict[int, Any] = {}
        self._waiting: list[dict[str, Any]] = []
        #: Each try of a state has a number: what comes back for an earlier one is not taken.
        self._try = 0
        self._retried: Counter[int] = Counter()

    def begin(self, data: Any) -> None:  # noqa: ANN401 - JSON
        """Enter the first state."""
        self._enter(self._machine["StartAt"], data)

    def fail(self, error: str) -> None:
        """The state that it is in fails: it is tried again, or caught, or the branch ends."""
        self._try += 1
        self._stop_within()
        for place, rule in enumerate(self._state.get("Retry", [])):
            if not _matches(rule, error):
                continue
            if self._retried[place] < rule["MaxAttempts"]:
                seconds = rule["IntervalSeconds"] * rule["BackoffRate"] ** self._retried[place]
                self._retried[place] += 1
                again = partial(self._try_again, self._try)
                self._around.later(min(seconds, rule["MaxDelaySeconds"]), again)
                return
            break
        for rule in self._state.get("Catch", []):
            if _matches(rule, error):
                self._enter(rule["Next"], _placed(self._data, rule, {"Error": error}))
                return
        self._end(Failed(error))

    def stop(self) -> None:
        """Nothing of it goes on."""
        self.is_over = True
        self._stop_within()

    @property
    def _state(self) -> Mapping[str, Any]:
        state: Mapping[str, Any] = self._machine["States"][self.at]
        return state

    def _enter(self, name: str, data: Any) -> None:  # noqa: ANN401 - JSON
        self.at, self._data = name, data
        self._retried.clear()
        match self._state["Type"]:
            case "Task" | "Map":
                self._try_it()
            case "Fail":
                self._end(Failed(self._state["Error"]))
            case kind:
                raise AssertionError(f"No state has the type {kind}.")

    def _try_again(self, number: int) -> None:
        if number == self._try and not self.is_over:
            self._try_it()

    def _try_it(self) -> None:
        self._try += 1
        if self._state["Type"] == "Map":
            self._map()
        else:
            self._invoke()

    def _invoke(self) -> None:
        number = self._try
        waits = self._state["Resource"].endswith(".waitForTaskToken")
        token = self._around.token(partial(self._answered, number)) if waits else None
        told = rendered(
            self._state["Parameters"], self._data, {**self._context, "Task": {"Token": token}}
        )

        def answered(payload: Any, error: str | None) -> None:  # noqa: ANN401 - JSON
            if number != self._try or self.is_over:
                return
            if error is not None:
                self.fail(error)
            elif not waits:
                self._succeed(number, {"Payload": payload})

        self._around.invoke(told["Payload"], answered)

    def _answered(self, number: int, output: Any) -> bool:  # noqa: ANN401 - JSON
        """Take the answer to a callback; ``False``: this try is over."""
        if not isinstance(output, Failed):
            return self._succeed(number, output)
        if number != self._try or self.is_over:
            return False
        self.fail(output.error)
        return True

    def _map(self) -> None:
        items = found(self._state["ItemsPath"], self._data, self._context)
        self._outputs = {}
        self._waiting = [
            {**self._context, "Map": {"Item": {"Index": place, "Value": item}}}
            for place, item in enumerate(items)
        ]
        self.within = [
            Branch(
                self._state["ItemProcessor"],
                context,
                self._around,
                partial(self._iteration_ended, self._try, place),
            )
            for place, context in enumerate(self._waiting)
        ]
        if not items:
            self._succeed(self._try, [])
            return
        for _ in range(min(self._state["MaxConcurrency"] or len(items), len(items))):
            self._begin_iteration()

    def _begin_iteration(self) -> None:
        context = self._waiting.pop(0)
        branch = self.within[context["Map"]["Item"]["Index"]]
        branch.begin(rendered(self._state["ItemSelector"], self._data, context))

    def _iteration_ended(self, number: int, place: int, output: Any) -> None:  # noqa: ANN401 - JSON
        if number != self._try or self.is_over:
            return
        if isinstance(output, Failed):
            self.fail(output.error)
            return
        self._outputs[place] = output
        if len(self._outputs) == len(self.within):
            self._succeed(number, [self._outputs[each] for each in sorted(self._outputs)])
        elif self._waiting:
            self._begin_iteration()

    def _succeed(self, number: int, output: Any) -> bool:  # noqa: ANN401 - JSON
        if number != self._try or self.is_over:
            return False
        self._try += 1
        state = self._state
        check_data(output)
        if "ResultSelector" in state:
            output = rendered(state["ResultSelector"], output, self._context)
        data = _placed(self._data, state, output)
        if state.get("End"):
            self._end(data)
        else:
            self._enter(state["Next"], data)
        return True

    def _end(self, output: Any) -> None:  # noqa: ANN401 - JSON
        self.stop()
        self._then(output)

    def _stop_within(self) -> None:
        for branch in self.within:
            branch.stop()
        self.within = ()


def found(path: str, data: Any, context: Any) -> Any:  # noqa: ANN401 - JSON
    """Return the value at a reference path, in a state's input, or with ``$$`` in the context."""
    here = context if path.startswith("$$") else data
    for name in path.lstrip("$").split(".")[1:]:
        here = here[name]
    return here


def rendered(template: Any, data: Any, context: Any) -> Any:  # noqa: ANN401 - JSON
    """A payload template: fields whose names end in ``.$`` are paths."""
    if not isinstance(template, dict):
        return template
    return {
        name.removesuffix(".$"): (
            found(value, data, context) if name.endswith(".$") else rendered(value, data, context)
        )
        for name, value in template.items()
    }


def _placed(data: Any, rule: Mapping[str, Any], output: Any) -> Any:  # noqa: ANN401 - JSON
    """The input with the result in its place."""
    path = rule.get("ResultPath", "$")
    if path is None:
        return data
    return output if path == "$" else {**data, path.removeprefix("$."): output}


def _matches(rule: Mapping[str, Any], error: str) -> bool:
    """``States.TaskFailed`` is any error but a time limit's."""
    names = rule["ErrorEquals"]
    failed = "States.TaskFailed" in names and error != "States.Timeout"
    return error in names or "States.ALL" in names or failed
