import type { Schemas } from "../../kit";

type Costs = Schemas["Costs"];

/** Counts of a month are kept for so long from its beginning. */
const KEPT_MS = 400 * 86_400_000;
const MONTHS = 14;

/** Writes US dollars as the command line does: cents, and millionths of what is less than one. */
export function writeUsd(usd: number): string {
  if (usd === 0) return "0.00";
  if (usd < 0.01) return usd.toFixed(6);
  return usd.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/** Returns how many attempts were counted. */
export const attemptsOf = ({ attempts }: Costs): number =>
  Object.values(attempts).reduce((sum, count) => sum + count, 0);

/** Writes attempts by kind, those that there were. */
export function attemptWords({ attempts }: Costs): string {
  const counted = Object.entries(attempts).filter(([, count]) => count > 0);
  const words = counted.map(([kind, count]) => `${count.toLocaleString("en")} ${kind.replaceAll("_", " ")}`);
  return words.join(", ") || "none";
}

/** Lists months that are on record, as the API writes them, the present one (UTC) first. */
export function monthsUntil(now: number): string[] {
  const present = new Date(now);
  return Array.from({ length: MONTHS }, (_, ago) =>
    new Date(Date.UTC(present.getUTCFullYear(), present.getUTCMonth() - ago, 1)).toISOString().slice(0, 7),
  ).filter((month) => isKept(month, now));
}

/** Tells if the counts of a month are still on record. */
export const isKept = (month: string, now: number): boolean => now < Date.parse(`${month}-01T00:00:00Z`) + KEPT_MS;

/** Tells if everything that ended in a month is counted. */
export function isCounted(month: string, until: string | null): boolean {
  if (until === null) return false;
  const [year = 0, number = 0] = month.split("-").map(Number);
  return Date.parse(until) >= Date.UTC(year, number, 1);
}

/** A part of a tenant's costs: a job, or what no job shows. */
export interface CostPart {
  id: string;
  name: string;
  /** Null: no job of its own, or one that is gone. */
  jobId: string | null;
  usd: number;
  runs: number;
  attempts: number;
  targetSeconds: number;
}

/** Splits a tenant's month into parts whose sum is the whole; one job alone where one is asked for. */
export function partsOf(report: Schemas["CostReport"], onlyJob: boolean): CostPart[] {
  const jobs = report.jobs.map((job) => part(job.job_id, job.name ?? job.job_id, job, job.name === null ? null : job.job_id));
  if (onlyJob) return jobs;
  const shown = [...jobs, part("one-shots", "Jobs that run once, and last runs", report.one_shots), part("tasks", "Tasks of DAG runs", report.dag_tasks)];
  const whole = part("whole", "", report.whole);
  const other = shown.reduce(
    (rest, each) => ({
      ...rest,
      usd: rest.usd - each.usd,
      runs: rest.runs - each.runs,
      attempts: rest.attempts - each.attempts,
      targetSeconds: rest.targetSeconds - each.targetSeconds,
    }),
    { ...whole, id: "other", name: `Other jobs (${report.other_jobs.toLocaleString("en")}${report.is_complete ? "" : " or more"})` },
  );
  const named = shown.filter(({ jobId, attempts, usd }) => jobId !== null || attempts > 0 || usd > 0);
  return report.other_jobs === 0 && report.is_complete ? named : [...named, positive(other)];
}

function part(id: string, name: string, costs: Costs, jobId: string | null = null): CostPart {
  return { id, name, jobId, usd: costs.usd, runs: costs.runs, attempts: attemptsOf(costs), targetSeconds: costs.target_seconds };
}

/** Answers are rounded one by one: a rest is nothing at least. */
function positive(rest: CostPart): CostPart {
  return {
    ...rest,
    usd: Math.max(0, rest.usd),
    runs: Math.max(0, rest.runs),
    attempts: Math.max(0, rest.attempts),
    targetSeconds: Math.max(0, rest.targetSeconds),
  };
}
