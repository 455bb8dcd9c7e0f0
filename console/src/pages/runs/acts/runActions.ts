/** Says why an operator's action on a run would be refused; null: the API takes it. */

const ENDED = new Set(["succeeded", "failed", "timed_out", "cancelled", "skipped", "dead_lettered"]);
const REDRIVEN = new Set(["failed", "timed_out", "cancelled", "dead_lettered"]);

/** Tells if an attempt of this state has ended. */
export function hasEnded(state: string): boolean {
  return ENDED.has(state);
}

export interface RunStanding {
  state: string;
  started_at: string | null;
  cancel_requested: boolean;
  origin: string;
}

/** Returns the reason for which a run cannot be cancelled. */
export function cancelRefusal(run: RunStanding): string | null {
  if (ENDED.has(run.state)) {
    return "The run has ended.";
  }
  return run.cancel_requested ? "Its worker has been asked to stop." : null;
}

/** Returns the reason for which a run cannot be redriven. */
export function redriveRefusal(run: RunStanding): string | null {
  if (run.origin === "task") {
    return "It is the run of a task: rerun the task in its DAG run.";
  }
  if (!ENDED.has(run.state)) {
    return "The run has not ended.";
  }
  if (!REDRIVEN.has(run.state)) {
    return run.state === "succeeded" ? "The run has succeeded." : "A skipped run never began.";
  }
  return run.state !== "dead_lettered" && run.started_at === null ? "The run never began." : null;
}

/** Returns the reason for which no run of its own can be made like this one. */
export function repeatRefusal(run: RunStanding): string | null {
  if (run.origin === "task") {
    return "It is the run of a task: rerun the task in its DAG run.";
  }
  if (run.origin === "notification") {
    return "It tells of another run: run that one again.";
  }
  return ENDED.has(run.state) ? null : "The run has not ended.";
}

/** Returns the reason for which a run cannot be due at another instant. */
export function rescheduleRefusal(run: RunStanding): string | null {
  if (ENDED.has(run.state)) {
    return "The run has ended.";
  }
  if (run.origin === "task") {
    return "It is the run of a task: its DAG run says when it is due.";
  }
  if (run.origin === "notification") {
    return "A notification is due at once.";
  }
  if (run.cancel_requested) {
    return "Its worker has been asked to stop.";
  }
  return run.state === "running" ? "A worker has begun the run." : null;
}
