const INSTANT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/;

/** Reads an instant with its offset, in milliseconds since 1970; null: none is written. */
export function instantOf(text: string): number | null {
  const [, , , , offset] = INSTANT.exec(text.trim()) ?? [];
  return offset === undefined ? null : localInstantOf(text);
}

/** Reads an instant; one without an offset is on the reader's own clock. */
export function localInstantOf(text: string): number | null {
  const [written, day = ""] = INSTANT.exec(text.trim()) ?? [];
  const instant = written !== undefined && isDay(day) ? Date.parse(written) : Number.NaN;
  return Number.isNaN(instant) ? null : instant;
}

const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/;

/** Reads an instant as `localInstantOf` does, and a time of day alone: the last one on the reader's clock. */
export function pastInstantOf(text: string, now: number): number | null {
  const [, hour, minute] = TIME.exec(text.trim()) ?? [];
  if (hour === undefined) return localInstantOf(text);
  const day = new Date(now);
  const on = (days: number): number =>
    new Date(day.getFullYear(), day.getMonth(), day.getDate() - days, Number(hour), Number(minute)).getTime();
  return on(0) <= now ? on(0) : on(1);
}

/** Tells if a text is a day of the calendar: a browser reads 30 February as 2 March. */
export function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
