import type { Schemas } from "../../kit";
import { instantOf } from "../shared/instants";
import { command } from "../shared/quoting";

export interface FreezeDraft {
  scope: "tenant" | "tag" | "job";
  tag: string;
  jobId: string;
  /** Empty: now. */
  startsAt: string;
  /** A duration as the CLI writes it, or `until`. */
  duration: string;
  endsAt: string;
  thaw: Schemas["Freeze"]["thaw"];
  reason: string;
}

export const NEW_FREEZE: FreezeDraft = {
  scope: "tag",
  tag: "",
  jobId: "",
  startsAt: "",
  duration: "4h",
  endsAt: "",
  thaw: "job",
  reason: "",
};

const HOUR = 3_600_000;

export const DURATIONS = [
  { value: "1h", label: "1 hour", ms: HOUR },
  { value: "4h", label: "4 hours", ms: 4 * HOUR },
  { value: "12h", label: "12 hours", ms: 12 * HOUR },
  { value: "1d", label: "1 day", ms: 24 * HOUR },
  { value: "3d", label: "3 days", ms: 72 * HOUR },
  { value: "until", label: "Until an instant", ms: 0 },
] as const;

/** A job by its id or key, or the own job of a DAG, as the API takes it. */
const JOB_REFERENCE = /^((?:dag:)?[a-z2-7]{26}|key:[a-z0-9][a-z0-9._-]{0,63})$/;
const MOST_MS = 366 * 24 * HOUR;

/** Says of each field what is wrong with it. */
export function problemsOf(
  draft: FreezeDraft,
  now: number,
): Partial<Record<keyof FreezeDraft, string>> {
  const problems: Partial<Record<keyof FreezeDraft, string>> = {};
  if (draft.scope === "tag" && !/^[A-Za-z0-9][\w.\-/]*(=.*)?$/.test(draft.tag.trim())) {
    problems.tag = "Write the tag as name=value.";
  }
  if (draft.scope === "job" && !JOB_REFERENCE.test(draft.jobId.trim())) {
    problems.jobId = "Write a job's id of 26 letters and digits, key: and its key, or dag: and the id of a DAG.";
  }
  const starts = draft.startsAt.trim() === "" ? now : instantOf(draft.startsAt);
  if (starts === null) {
    problems.startsAt = "Write an instant with its offset: 2026-12-24T00:00:00Z.";
  }
  if (draft.duration === "until") {
    const ends = instantOf(draft.endsAt);
    if (ends === null) {
      problems.endsAt = "Write an instant with its offset: 2026-12-27T00:00:00Z.";
    } else if (starts !== null && ends <= starts) {
      problems.endsAt = "A freeze ends after its start.";
    } else if (starts !== null && ends - starts > MOST_MS) {
      problems.endsAt = "A freeze lasts at most 366 days.";
    }
  }
  return problems;
}

/** Writes the request of a draft; a duration counts from its start, or from now. */
export function bodyOf(draft: FreezeDraft, now: number): Schemas["NewFreeze"] {
  const starts = draft.startsAt.trim() === "" ? null : instantOf(draft.startsAt);
  const length = DURATIONS.find(({ value }) => value === draft.duration)?.ms ?? 0;
  const ends =
    draft.duration === "until" ? (instantOf(draft.endsAt) ?? now) : (starts ?? now) + length;
  return {
    scope: scopeOf(draft),
    starts_at: starts === null ? null : new Date(starts).toISOString(),
    ends_at: new Date(ends).toISOString(),
    thaw: draft.thaw,
    reason: draft.reason.trim(),
  };
}

function scopeOf(draft: FreezeDraft): Schemas["NewFreeze"]["scope"] {
  switch (draft.scope) {
    case "tenant":
      return { kind: "tenant" };
    case "job":
      return { kind: "job", job_id: draft.jobId.trim() };
    case "tag": {
      const [key = "", ...rest] = draft.tag.trim().split("=");
      return { kind: "tag", key, value: rest.length === 0 ? null : rest.join("=") };
    }
  }
}

/** Writes the command that does the same. */
export function cliOf(draft: FreezeDraft): string {
  const isUntil = draft.duration === "until";
  return command("freezes create", [
    ["--everything", draft.scope === "tenant"],
    ["--tag", draft.scope === "tag" ? draft.tag.trim() : null],
    ["--job", draft.scope === "job" ? draft.jobId.trim() : null],
    ["--from", draft.startsAt.trim()],
    ["--for", isUntil ? null : draft.duration],
    ["--until", isUntil ? draft.endsAt.trim() : null],
    ["--thaw", draft.thaw],
    ["--reason", draft.reason.trim()],
  ]);
}
