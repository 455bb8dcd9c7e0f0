import type { Schemas } from "../../kit";
import { localInstantOf } from "../shared/instants";
import { command } from "../shared/quoting";

/** A backfill as it is typed. */
export interface BackfillDraft {
  from: string;
  to: string;
  reprocess: Schemas["Reprocess"];
  /** Runs that may be unfinished at once. */
  most: string;
}

export const REPROCESS: Record<Schemas["Reprocess"], string> = {
  none: "Instants without a run alone",
  failed: "Those whose run failed as well",
  all: "Those whose run has ended as well, whatever its end",
};

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const MOST = 100;

/** Begins with the last day, up to this minute. */
export function firstBackfill(now: number): BackfillDraft {
  const to = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return { from: written(to - DAY_MS), to: written(to), reprocess: "none", most: "1" };
}

const written = (at: number): string => new Date(at).toISOString().replace(".000Z", "Z");

/** Says of each field what is wrong with it; `now` bounds the range. */
export function problemsOf(
  { from, to, most }: BackfillDraft,
  now: number,
): Partial<Record<keyof BackfillDraft, string>> {
  const problems: Partial<Record<keyof BackfillDraft, string>> = {};
  const [begins, ends] = [localInstantOf(from), localInstantOf(to)];
  if (begins === null) problems.from = "This is no instant: 2026-11-20T00:00:00Z is one.";
  if (ends === null) problems.to = "This is no instant: 2026-11-21T00:00:00Z is one.";
  else if (ends > now) problems.to = "A backfill is of the past.";
  else if (begins !== null && ends < begins) problems.to = "It ends before it begins.";
  if (!/^\d{1,3}$/.test(most) || Number(most) < 1 || Number(most) > MOST) problems.most = "Write 1 to 100.";
  return problems;
}

/** Writes the request of a draft that has no problem. */
export function bodyOf({ from, to, reprocess, most }: BackfillDraft): Omit<Schemas["BackfillRequest"], "dry_run"> {
  return { from: instant(from), to: instant(to), reprocess, max_concurrent: Number(most) };
}

const instant = (text: string): string => written(localInstantOf(text) ?? 0);

/** Writes the command that does the same. */
export function cliOf(jobId: string, { from, to, reprocess, most }: BackfillDraft): string {
  const at = (text: string): string => (localInstantOf(text) === null ? text : instant(text));
  return command(`jobs backfill ${jobId}`, [
    ["--from", at(from)],
    ["--to", at(to)],
    ["--reprocess", reprocess === "none" ? null : reprocess],
    ["--max-concurrent", most === "1" ? null : most],
  ]);
}
