import { axisOf } from "../timeAxis";

/** A run that has a measure: when it was due, and how long it took or was late. */
export interface Measured {
  runId: string;
  /** Milliseconds since 1970. */
  at: number;
  ms: number;
  isGood: boolean;
}

interface Point extends Measured {
  x: number;
  y: number;
}

export interface Chart {
  /** Oldest first. */
  points: Point[];
  /** Milliseconds at the top of the chart, and its lines. */
  top: number;
  lines: { ms: number; y: number }[];
}

export const WIDTH = 720;
export const HEIGHT = 160;
const LINES = 4;

/** Places measures: time from left to right, zero at the bottom. */
export function chartOf(measures: readonly Measured[]): Chart {
  const sorted = [...measures].sort((one, other) => one.at - other.at);
  const first = sorted[0]?.at ?? 0;
  const span = Math.max(1, (sorted.at(-1)?.at ?? 0) - first);
  const axis = axisOf(0, Math.max(1, ...sorted.map(({ ms }) => ms)), LINES);
  const top = Math.max(axis.ends, (axis.ticks.at(-1) ?? 0) + (axis.ends > (axis.ticks.at(-1) ?? 0) ? axis.stepMs : 0));
  const height = (ms: number): number => HEIGHT - (ms / top) * HEIGHT;
  return {
    points: sorted.map((each) => ({
      ...each,
      x: sorted.length === 1 ? WIDTH / 2 : ((each.at - first) / span) * WIDTH,
      y: height(each.ms),
    })),
    top,
    lines: [...axis.ticks, top].filter((ms, index, all) => all.indexOf(ms) === index).map((ms) => ({ ms, y: height(ms) })),
  };
}

/** Returns a measure of the middle: half of all are at most so large. */
export function middleOf(measures: readonly Measured[]): number | null {
  const sorted = measures.map(({ ms }) => ms).sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? null;
}
