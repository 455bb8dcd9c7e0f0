/** Chooses round ticks of a time axis. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STEPS: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 28].map((count) => count * DAY),
];

export interface Axis {
  begins: number;
  ends: number;
  stepMs: number;
  /** Offsets from the beginning, in milliseconds. */
  ticks: number[];
}

/** Covers a span with at most `most` ticks, counted from its beginning. */
export function axisOf(begins: number, ends: number, most = 8): Axis {
  const span = Math.max(1, ends - begins);
  const stepMs = STEPS.find((step) => span / step <= most) ?? Math.ceil(span / most / DAY) * DAY;
  const ticks: number[] = [];
  for (let offset = 0; offset <= span; offset += stepMs) {
    ticks.push(offset);
  }
  return { begins, ends: begins + span, stepMs, ticks };
}

/** Share of the axis before an instant, from 0 to 100. */
export function percentAt(axis: Axis, at: number): number {
  const share = ((at - axis.begins) / (axis.ends - axis.begins)) * 100;
  return Math.min(100, Math.max(0, share));
}

/** Writes a duration with its two largest units: `1 h 5 min`, `4.2 s`, `17 ms`. */
export function writeDuration(milliseconds: number): string {
  const size = Math.abs(milliseconds);
  const sign = milliseconds < 0 ? "−" : "";
  if (size < SECOND) {
    return `${sign}${Math.round(size)} ms`;
  }
  if (size < MINUTE) {
    const seconds = size / SECOND;
    return `${sign}${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds).toString()} s`;
  }
  const units: readonly [number, string][] = [
    [DAY, "d"],
    [HOUR, "h"],
    [MINUTE, "min"],
    [SECOND, "s"],
  ];
  const first = units.findIndex(([unit]) => size >= unit);
  const [large, largeName] = units[first] ?? [SECOND, "s"];
  const [small, smallName] = units[first + 1] ?? [SECOND, "s"];
  const count = Math.floor(size / large);
  const rest = Math.floor((size - count * large) / small);
  return rest === 0
    ? `${sign}${count} ${largeName}`
    : `${sign}${count} ${largeName} ${rest} ${smallName}`;
}
