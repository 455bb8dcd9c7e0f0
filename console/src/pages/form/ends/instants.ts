const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Reads an instant with its offset, in milliseconds since 1970; null: none is written. */
export function instantOf(text: string): number | null {
  const written = text.trim();
  const instant = INSTANT.test(written) ? Date.parse(written) : Number.NaN;
  return Number.isNaN(instant) ? null : instant;
}
