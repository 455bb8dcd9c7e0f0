"""Patterns over texts, matched without a step back: each character of a text is read once.

Each character of a pattern is a position, and a bit. All positions that may come next are one
number, so that no pattern takes exponential time (Glushkov's construction).
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator

from timegate.domain.schemas.pattern_grammar import (
    AnyOf,
    CharacterIn,
    InTurn,
    Part,
    Repeated,
    Spans,
    UnsupportedPattern,
    parse_pattern,
)
from timegate.value_classes import dataclass

#: Positions of one pattern, repetitions by a number written out.
MAX_POSITIONS = 128
_CHUNK, _CHUNK_BITS = 0xFF, 8


@dataclass(frozen=True, kw_only=True, slots=True)
class _Piece:
    """A part of a pattern: positions that begin and end it, and if it may be empty."""

    first: int
    last: int
    may_be_empty: bool


class TextPattern:
    """A pattern that texts are matched with; raises ``UnsupportedPattern``."""

    def __init__(self, text: str) -> None:
        """Read a pattern."""
        pattern = parse_pattern(text)
        self._follow: list[int] = []
        #: Positions of each set of characters: a repetition by a number has that of its part.
        self._sets: dict[Spans, int] = defaultdict(int)
        self._whole = self._piece(pattern.part)
        self._from_start, self._to_end = pattern.from_start, pattern.to_end
        self._reached: dict[tuple[int, int], int] = {}
        self._begins, self._masks = _regions(self._sets)

    @property
    def positions(self) -> int:
        """Count its positions, which say how much a character of a text takes."""
        return len(self._follow)

    def matches(self, text: str) -> bool:
        """Tell if a text matches, anywhere in it unless ``^`` and ``$`` say otherwise."""
        whole, state, begins = self._whole, 0, True
        if whole.may_be_empty and not (self._from_start and self._to_end and text):
            return True
        for character in text:
            reached = self._after(state)
            if begins or not self._from_start:
                reached |= whole.first
            begins = False
            state = reached & self._masks[bisect_right(self._begins, ord(character))]
            if state & whole.last and not self._to_end:
                return True
            if not state and self._from_start:
                return False
        return bool(state & whole.last)

    def _after(self, state: int) -> int:
        """Return the positions that may follow these, eight by eight."""
        reached = place = 0
        while state:
            chunk = state & _CHUNK
            if chunk:
                found = self._reached.get((place, chunk))
                if found is None:
                    found = self._following(place, chunk)
                reached |= found
            state >>= _CHUNK_BITS
            place += _CHUNK_BITS
        return reached

    def _following(self, place: int, chunk: int) -> int:
        found = 0
        for position in _bits(chunk):
            found |= self._follow[place + position]
        # A place has 255 of them, so that all of a pattern are few thousands.
        self._reached[place, chunk] = found
        return found

    def _piece(self, part: Part) -> _Piece:
        match part:
            case CharacterIn(spans=spans):
                return self._position(spans)
            case InTurn(parts=parts):
                return self._in_turn([self._piece(each) for each in parts])
            case AnyOf(parts=parts):
                return _any_of([self._piece(each) for each in parts])
            case Repeated():
                return self._repeated(part)

    def _position(self, spans: Spans) -> _Piece:
        if len(self._follow) == MAX_POSITIONS:
            message = f"With its repetitions written out it has more than {MAX_POSITIONS} parts."
            raise UnsupportedPattern(message)
        bit = 1 << len(self._follow)
        self._sets[spans] |= bit
        self._follow.append(0)
        return _Piece(first=bit, last=bit, may_be_empty=False)

    def _in_turn(self, pieces: list[_Piece]) -> _Piece:
        whole = pieces[0]
        for piece in pieces[1:]:
            self._join(whole.last, piece.first)
            whole = _Piece(
                first=whole.first | (piece.first if whole.may_be_empty else 0),
                last=piece.last | (whole.last if piece.may_be_empty else 0),
                may_be_empty=whole.may_be_empty and piece.may_be_empty,
            )
        return whole

    def _repeated(self, part: Repeated) -> _Piece:
        pieces = [self._piece(part.part) for _ in range(part.least)]
        if part.most is None:
            pieces = pieces or [_optional(self._piece(part.part))]
            self._join(pieces[-1].last, pieces[-1].first)
        else:
            times = part.most - part.least
            pieces += [_optional(self._piece(part.part)) for _ in range(times)]
        return self._in_turn(pieces)

    def _join(self, before: int, after: int) -> None:
        for position in _bits(before):
            self._follow[position] |= after


def _regions(sets: dict[Spans, int]) -> tuple[list[int], list[int]]:
    """Return where characters begin to stand at other positions, and those before and from there.

    All characters of a region stand at the same positions: none is compared with each of them.
    """
    changes: dict[int, int] = defaultdict(int)
    for spans, positions in sets.items():
        for first, last in spans:
            changes[first] ^= positions
            changes[last + 1] ^= positions
    begins = sorted(changes)
    masks = [0]
    for begin in begins:
        masks.append(masks[-1] ^ changes[begin])
    return begins, masks


def _any_of(pieces: list[_Piece]) -> _Piece:
    first = last = 0
    for piece in pieces:
        first |= piece.first
        last |= piece.last
    is_optional = any(piece.may_be_empty for piece in pieces)
    return _Piece(first=first, last=last, may_be_empty=is_optional)


def _optional(piece: _Piece) -> _Piece:
    return _Piece(first=piece.first, last=piece.last, may_be_empty=True)


def _bits(number: int) -> Iterator[int]:
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
