"""Freezes of a job, as spans of time that do not touch."""

from datetime import datetime
from typing import Self

from timegate.domain.jobs.job import Timing
from timegate.domain.restrictions.freeze import Freeze, ThawPolicy
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.value_classes import dataclass

#: The strictest of freezes that end at once says how it thaws.
_STRICTEST = (ThawPolicy.SKIP, ThawPolicy.LATEST, ThawPolicy.JOB, ThawPolicy.ALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class FrozenSpan:
    """A span in which nothing of the job starts: ``start`` belongs to it, ``end`` does not.

    Freezes that overlap or touch are one, and the one that ends last says how it thaws.
    """

    start: datetime
    end: datetime
    thaw: ThawPolicy

    @classmethod
    def of(cls, freeze: Freeze) -> Self:
        """That of a single freeze."""
        return cls(start=freeze.starts_at, end=freeze.thaws_at, thaw=freeze.thaw)

    def holds(self, instant: datetime) -> bool:
        """Tell if the instant is frozen."""
        return self.start <= instant < self.end


def frozen_spans(timing: Timing, restrictions: Restrictions) -> tuple[FrozenSpan, ...]:
    """The spans in which a job is frozen, in order."""
    job_id = timing.named_job or timing.job_id
    own = [
        FrozenSpan.of(freeze)
        for freeze in restrictions.freezes
        if freeze.starts_at < freeze.thaws_at and freeze.scope.holds(job_id, timing.tags)
    ]
    spans: list[FrozenSpan] = []
    for span in sorted(own, key=lambda each: each.start):
        if spans and span.start <= spans[-1].end:
            spans[-1] = _joined(spans[-1], span)
        else:
            spans.append(span)
    return tuple(spans)


def frozen_at(timing: Timing, instant: datetime, restrictions: Restrictions) -> FrozenSpan | None:
    """The span in which an instant is frozen; ``None`` when it is not."""
    if not restrictions.freezes:
        return None
    spans = frozen_spans(timing, restrictions)
    return next((span for span in spans if span.holds(instant)), None)


def frozen_until(timing: Timing, instant: datetime, restrictions: Restrictions) -> datetime:
    """Return the end of the freeze that holds an instant, or the instant itself."""
    frozen = frozen_at(timing, instant, restrictions)
    return instant if frozen is None else frozen.end


def frozen_from(timing: Timing, instant: datetime, restrictions: Restrictions) -> FrozenSpan | None:
    """The first span that ends after an instant: it is frozen in it, or will be."""
    if not restrictions.freezes:
        return None
    spans = frozen_spans(timing, restrictions)
    return next((span for span in spans if span.end > instant), None)


def _joined(earlier: FrozenSpan, later: FrozenSpan) -> FrozenSpan:
    if later.end == earlier.end:
        thaw = min(earlier.thaw, later.thaw, key=_STRICTEST.index)
    else:
        thaw = max(earlier, later, key=lambda span: span.end).thaw
    return FrozenSpan(start=earlier.start, end=max(earlier.end, later.end), thaw=thaw)
