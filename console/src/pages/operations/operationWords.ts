import { isolated, localTime, type Schemas } from "../../kit";

type Operation = Schemas["Operation"];

/** Writes what an operation is about: the filter of its jobs, its job and span, its dead letters. */
export function subjectWords({ parameters }: Pick<Operation, "parameters">): string {
  if ("job_id" in parameters) {
    return `job ${parameters.job_id}, ${plain(parameters.from)} to ${plain(parameters.to)}`;
  }
  // Operations of a later API may have parameters of their own: they are written as they are.
  const subject: object = "filter" in parameters ? parameters.filter : parameters;
  const given = Object.entries(subject).flatMap(([name, value]) => written(name, value));
  const due = "at" in parameters ? ` due at ${plain(parameters.at)}` : "";
  return `${given.length === 0 ? "all" : given.join(", ")}${due}`;
}

function written(name: string, value: unknown): string[] {
  if (value === null || value === undefined) {
    return [];
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? [] : [`${value.length} ${name.replaceAll("_", " ")}`];
  }
  if (typeof value === "object") {
    return Object.entries(value).map(([key, each]) => isolated(`${key}=${plain(each)}`));
  }
  return [`${name.replaceAll("_", " ")} ${isolated(plain(value))}`];
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Writes a value as it is, and an instant in the reader's zone. */
function plain(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return INSTANT.test(value) ? localTime(value, false) : value;
}

/** Writes how far an operation came: `40 of 50 done, 2 failed`. */
export function countsWords({ counts }: Pick<Operation, "counts">): string {
  const parts = [
    `${counts.done} of ${counts.matched} done`,
    counts.unchanged > 0 ? `${counts.unchanged} unchanged` : "",
    counts.failed > 0 ? `${counts.failed} failed` : "",
    counts.in_progress > 0 ? `${counts.in_progress} in progress` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

/** Share of what was found that is settled, from 0 to 100. */
export function percentDone({ counts }: Pick<Operation, "counts">): number {
  const settled = counts.done + counts.unchanged + counts.failed;
  return counts.matched === 0 ? 0 : Math.min(100, Math.floor((settled / counts.matched) * 100));
}
