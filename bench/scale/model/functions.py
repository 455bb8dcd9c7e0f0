"""Environments of functions: the account's concurrency, and how fast a function may gain them."""

from dataclasses import dataclass, field

from bench.scale import facts
from bench.scale.model.capacity import Component


@dataclass(kw_only=True, slots=True)
class Account:
    """Concurrent executions of the account that no other function has set aside."""

    concurrency: int
    used: int = 0
    most: int = 0
    limit: Component = field(default_factory=lambda: Component(name="account concurrency"))

    def acquire(self, wanted: int, *, now: float) -> int:
        """Return the number of executions granted, up to ``wanted``."""
        granted = min(wanted, self.concurrency - self.used)
        if granted < wanted:
            self.limit.refuse(now=now)
        self.used += granted
        self.most = max(self.most, self.used)
        return granted

    def release(self, executions: int) -> None:
        """Give executions back."""
        self.used -= executions


@dataclass(kw_only=True, slots=True)
class Environments:
    """Environments of one function: warm ones are taken first."""

    name: str
    warm: int = 0
    _gained: float = 0.0
    _gained_at: float = 0.0
    limit: Component = field(init=False)

    def __post_init__(self) -> None:
        """Name the limit after the function."""
        self.limit = Component(name=f"{self.name}: environments")

    def take(self, wanted: int, *, now: float) -> tuple[int, int]:
        """Return warm and cold environments, together at most ``wanted``."""
        warm = min(wanted, self.warm)
        self.warm -= warm
        cold = min(wanted - warm, self._may_gain(now))
        if warm + cold < wanted:
            self.limit.refuse(now=now)
        self._gained += cold
        return warm, cold

    def give_back(self, environments: int) -> None:
        """Return environments; they stay warm."""
        self.warm += environments

    def _may_gain(self, now: float) -> int:
        regained = (now - self._gained_at) * facts.ENVIRONMENTS_GAIN
        self._gained = max(self._gained - regained / facts.ENVIRONMENTS_GAIN_SECONDS, 0.0)
        self._gained_at = now
        return int(facts.ENVIRONMENTS_GAIN - self._gained)


@dataclass(kw_only=True, slots=True)
class SourceRamp:
    """Concurrent invocations of an SQS event source: from few, so many more a minute."""

    most: int
    start: int = facts.SOURCE_START
    gain_a_minute: float = facts.SOURCE_GAIN_A_MINUTE
    #: How long the queue may be empty before the source begins anew.
    rest_seconds: float = 60.0
    _busy_since: float | None = None
    _idle_since: float | None = None

    def allowed(self, now: float) -> int:
        """Return the most concurrent invocations of a source that has been busy until now."""
        if self._idle_since is not None and now - self._idle_since > self.rest_seconds:
            self._busy_since = None
        self._idle_since = None
        if self._busy_since is None:
            self._busy_since = now
        gained = self.gain_a_minute * (now - self._busy_since) / 60
        return min(self.most, int(self.start + gained))

    def rest(self, now: float) -> None:
        """The queue is empty."""
        if self._idle_since is None:
            self._idle_since = now
