/** Quotas by their names in the API, in words. */
export const QUOTA_NAMES = {
  jobs: "Jobs, active or paused",
  dags: "DAGs",
  runs_per_day: "Runs begun today, in UTC",
  concurrent_runs: "Runs at work at one moment",
  requests_per_second: "Requests a second",
  burst: "Requests at once, after a pause",
} as const;

export type QuotaName = keyof typeof QUOTA_NAMES;

/** Writes a quota; null means none. */
export function writeQuota(limit: number | null): string {
  return limit === null ? "no limit" : limit.toLocaleString("en");
}

/** Commas stand between thousands alone: elsewhere they begin decimals. */
const DIGITS = /^(\d{1,10}|\d{1,3}(,\d{3}){1,3})$/;

/** Reads a quota as a person writes it: empty for the stage's own, digits, or an error. */
export function readQuota(text: string): number | null | "invalid" {
  const written = text.trim();
  if (written === "") {
    return null;
  }
  const limit = DIGITS.test(written) ? Number(written.replaceAll(",", "")) : Number.NaN;
  return limit <= 1_000_000_000 ? limit : "invalid";
}
