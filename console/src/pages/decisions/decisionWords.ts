import type { Schemas } from "../../kit";

type Decision = Schemas["Decision"];

/** Names what a group of decisions holds. */
export const KIND_WORDS: Record<Decision["kind"], string> = {
  paused_job: "Paused by their failures",
  dead_letter: "Given up",
  dag_task: "Tasks of DAG runs",
  failed_run: "Failed for good",
};

/** Says what an operator decides about a group. */
export const KIND_ADVICE: Record<Decision["kind"], string> = {
  paused_job: "Nothing of these jobs runs until they are resumed.",
  dead_letter: "Redrive them once the cause is mended, or discard them.",
  dag_task: "Retry, complete or skip the task in its DAG run.",
  failed_run: "Mend the job, then redrive the runs that are still wanted.",
};

/** Names the cause of a group. */
export function causeOf(group: Pick<Decision, "reason" | "error_code">): string {
  return group.error_code ?? group.reason ?? "no error";
}

/** Returns the listing of all runs of a cause. */
export function listingOf(group: Pick<Decision, "reason" | "error_code">): string {
  const query = new URLSearchParams({ since: "all" });
  if (group.reason !== null) {
    query.set("reason", group.reason);
  }
  if (group.error_code !== null) {
    query.set("error_code", group.error_code);
  }
  return `/runs?${query.toString()}`;
}

/** Returns the DAG run of a task's run, which its id names. */
export function dagRunOf(runId: string): string {
  return runId.split(".")[0] ?? runId;
}
