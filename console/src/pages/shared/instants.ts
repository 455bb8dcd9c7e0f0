const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/;

/** Reads an instant with its offset, in milliseconds since 1970; null: none is written. */
export function instantOf(text: string): number | null {
  const [, , , , , offset] = INSTANT.exec(text.trim()) ?? [];
  return offset === undefined ? null : localInstantOf(text);
}

/**
 * Reads an instant; one without an offset is on the reader's own clock, the first of two where it is set back. Where it is
 * set forward there is none: a browser reads a time of that hour as one of the next.
 */
export function localInstantOf(text: string): number | null {
  const [written, day = "", time, , , offset] = INSTANT.exec(text.trim()) ?? [];
  const instant = written !== undefined && isDay(day) ? Date.parse(written) : Number.NaN;
  if (Number.isNaN(instant)) return null;
  return offset !== undefined || clockAt(instant) === time ? instant : null;
}

/** Writes the time of day on the reader's clock: 02:30. */
const clockAt = (at: number): string =>
  [new Date(at).getHours(), new Date(at).getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");

const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/;
/** Clocks are set by an hour, or by half of one. */
const SHIFTS_MS = [0, 1_800_000, 3_600_000];
/** A day may lack a time: the day before has it. */
const DAYS = [0, 1, 2];

/** Reads an instant as `localInstantOf` does, and a time of day alone: the last one on the reader's clock. */
export function pastInstantOf(text: string, now: number): number | null {
  const [, hour, minute] = TIME.exec(text.trim()) ?? [];
  if (hour === undefined || minute === undefined) return localInstantOf(text);
  const today = new Date(now);
  const time = `${hour.padStart(2, "0")}:${minute}`;
  const instants = DAYS.flatMap((ago) => {
    const at = new Date(today.getFullYear(), today.getMonth(), today.getDate() - ago, Number(hour), Number(minute)).getTime();
    // A clock that is set back shows it twice.
    return SHIFTS_MS.map((shift) => at + shift);
  });
  return Math.max(...instants.filter((at) => at <= now && clockAt(at) === time));
}

/** Tells if a text is a day of the calendar: a browser reads 30 February as 2 March. */
export function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
