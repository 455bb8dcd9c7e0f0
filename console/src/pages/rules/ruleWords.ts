import type { Schemas } from "../../kit";
import { duration, isolated } from "../../kit";

type Rule = Schemas["NotificationRule"];

/** Says of which jobs a rule tells. */
export function jobsOf({ jobs }: Pick<Rule, "jobs">): string {
  const tags = Object.entries(jobs.tags ?? {}).map(([name, value]) => `${name}:${value}`);
  const parts = [
    ...(jobs.job_id === null ? [] : [`the job ${jobs.job_id}`]),
    ...(jobs.name === null ? [] : [`named ${isolated(jobs.name)}`]),
    ...tags.map((tag) => `tagged ${isolated(tag)}`),
  ];
  return parts.length === 0 ? "every job" : parts.join(", ");
}

/** Says on which conditions it tells, each by itself. */
export function conditionsOf({ when }: Pick<Rule, "when">): string[] {
  const { failures_in_a_row: failures, late_after_seconds: late, absent } = when;
  return [
    ...(failures === null ? [] : [failures === 1 ? "a run failed" : `${failures} runs failed in a row`]),
    ...(when.dead_letter ? ["a run was given up"] : []),
    ...(when.quota_refused ? ["a quota refused a run"] : []),
    ...(late === null ? [] : [`a run waits ${duration(late * 1_000)} after it was due`]),
    ...(absent === null ? [] : [absenceOf(absent)]),
    ...(when.recovered ? ["and the success that ends it"] : []),
  ];
}

function absenceOf({ for_seconds, at, timezone }: NonNullable<Rule["when"]["absent"]>): string {
  const judged = at === null ? "" : `, judged at ${at} ${timezone}`;
  const span = for_seconds === null ? "as long as the job says" : `for ${duration(for_seconds * 1_000)}`;
  return `no run succeeded ${span}${judged}`;
}

/** Says in which hours messages are held back. */
export function quietOf({ quiet_hours: quiet }: Pick<Rule, "quiet_hours">): string {
  if (quiet === null) return "none";
  const windows = quiet.windows.map(({ weekdays, opens, closes }) => {
    const days = weekdays.length === 7 ? "" : `${weekdays.join(",")} `;
    return `${days}${opens}–${closes}`;
  });
  return `${windows.join("; ")} ${quiet.timezone}`;
}
