/**
 * Foretells what an operator's request does to the tasks of a DAG run.
 *
 * The rules are those of `docs/guides/dag-runs.md`. The API decides by the states of its moment;
 * the console shows those of its last answer.
 */

export interface Edge {
  source: string;
  target: string;
  condition?: string;
}

export interface TaskStanding {
  key: string;
  state: string;
  reason?: string | null;
}

export type Request =
  | { kind: "retry" }
  | { kind: "cancel" }
  | { kind: "complete"; key: string }
  | { kind: "skip"; key: string }
  | { kind: "rerun"; key: string; scope: "task" | "branch" };

export interface Consequences {
  /** Null: the API takes it. Otherwise the reason for which it would refuse. */
  refusal: string | null;
  /** A new round of the DAG run begins. */
  newRound: boolean;
  /** Tasks that go back to pending, and run once enough of their edges hold. */
  runAgain: string[];
  /** Tasks whose work is cancelled, or that never begin. */
  cancelled: string[];
  /** Tasks that are decided at once. */
  decided: string[];
  /** Tasks that keep their outcome. */
  kept: string[];
}

const FAILED = new Set(["failed", "timed_out", "dead_lettered", "cancelled"]);
const STAYS = new Set(["succeeded", "running"]);
const STOPPED = new Set(["fail_fast", "dag_cancelled", "dag_timed_out", "execution_failed"]);
const ENDED_RUN = new Set(["succeeded", "failed", "cancelled", "timed_out"]);
const BUSY = new Set(["opening", "reopening"]);

/** Tells if a DAG run has ended. */
export function hasEnded(status: string): boolean {
  return ENDED_RUN.has(status);
}

/** Returns the keys that edges lead to from the seeds, the seeds included. */
export function reached(edges: readonly Edge[], seeds: readonly string[]): Set<string> {
  const behind = new Map<string, string[]>();
  for (const { source, target } of edges) {
    const targets = behind.get(source);
    if (targets === undefined) {
      behind.set(source, [target]);
    } else {
      targets.push(target);
    }
  }
  const found = new Set(seeds);
  const open = [...seeds];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const target of behind.get(key) ?? []) {
      if (!found.has(target)) {
        found.add(target);
        open.push(target);
      }
    }
  }
  return found;
}

function branchOf(
  tasks: readonly TaskStanding[],
  edges: readonly Edge[],
  seeds: readonly string[],
): Set<string> {
  const behind = reached(edges, seeds);
  const isSeed = new Set(seeds);
  return new Set(
    tasks
      .filter(({ key, state }) => behind.has(key) && (isSeed.has(key) || !STAYS.has(state)))
      .map(({ key }) => key),
  );
}

function failuresOf(tasks: readonly TaskStanding[], edges: readonly Edge[]): string[] {
  const dealtWith = new Set(
    edges.filter(({ condition }) => condition === "on_failure").map(({ source }) => source),
  );
  return tasks
    .filter(
      ({ key, state }) => state === "cancelled" || (FAILED.has(state) && !dealtWith.has(key)),
    )
    .map(({ key }) => key);
}

/** Foretells a request to a DAG run of this status. */
export function foretell(
  request: Request,
  status: string,
  tasks: readonly TaskStanding[],
  edges: readonly Edge[],
): Consequences {
  switch (request.kind) {
    case "retry":
      return retried(status, tasks, edges);
    case "cancel":
      return stopped(status, tasks);
    default:
      return intervened(request, status, tasks, edges);
  }
}

function retried(
  status: string,
  tasks: readonly TaskStanding[],
  edges: readonly Edge[],
): Consequences {
  if (!hasEnded(status)) {
    return refused("The DAG run goes on: wait for its end.", tasks);
  }
  const again = branchOf(tasks, edges, failuresOf(tasks, edges));
  if (again.size === 0) {
    return refused("Nothing of it has failed.", tasks);
  }
  return outcome(tasks, { again, newRound: true });
}

function stopped(status: string, tasks: readonly TaskStanding[]): Consequences {
  if (hasEnded(status)) {
    return refused("The DAG run has ended.", tasks);
  }
  const cancelled = new Set(
    tasks.filter(({ state }) => state === "pending" || state === "running").map(({ key }) => key),
  );
  return outcome(tasks, { cancelled });
}

function intervened(
  request: Extract<Request, { key: string }>,
  status: string,
  tasks: readonly TaskStanding[],
  edges: readonly Edge[],
): Consequences {
  const task = tasks.find(({ key }) => key === request.key);
  const refusal = refusalOf(request, status, task);
  if (refusal !== null || task === undefined) {
    return refused(refusal ?? "The DAG run has no such task.", tasks);
  }
  if (request.kind === "rerun") {
    const again =
      request.scope === "branch"
        ? reached(edges, [request.key])
        : branchOf(tasks, edges, [request.key]);
    const cancelled = new Set(
      tasks.filter(({ key, state }) => state === "running" && again.has(key)).map(({ key }) => key),
    );
    return outcome(tasks, { again, cancelled, newRound: true });
  }
  const decided = new Set([request.key]);
  if (task.state === "pending" || task.state === "running") {
    const cancelled = new Set(task.state === "running" ? [request.key] : []);
    return outcome(tasks, { decided, cancelled });
  }
  const halted = hasEnded(status)
    ? tasks
        .filter(({ state, reason }) => state === "cancelled" && STOPPED.has(reason ?? ""))
        .map(({ key }) => key)
    : [];
  const again = branchOf(tasks, edges, [request.key, ...halted]);
  again.delete(request.key);
  return outcome(tasks, { again, decided, newRound: true });
}

function refusalOf(
  request: Extract<Request, { key: string }>,
  status: string,
  task: TaskStanding | undefined,
): string | null {
  if (task === undefined) {
    return "The DAG run has no such task.";
  }
  if (BUSY.has(status)) {
    return "The DAG run is being opened or put back: try again in a moment.";
  }
  const ended = task.state !== "pending" && task.state !== "running";
  if (status === "stopping" && (request.kind === "rerun" || ended)) {
    return "The DAG run is being stopped: wait for its end.";
  }
  if (request.kind === "rerun") {
    return task.state === "pending" ? "The task has not started." : null;
  }
  if (task.state === "succeeded") {
    return "The task has succeeded.";
  }
  return request.kind === "skip" && task.state === "skipped" ? "The task was skipped." : null;
}

function refused(refusal: string, tasks: readonly TaskStanding[]): Consequences {
  return { ...outcome(tasks, {}), refusal };
}

function outcome(
  tasks: readonly TaskStanding[],
  parts: {
    again?: Set<string>;
    cancelled?: Set<string>;
    decided?: Set<string>;
    newRound?: boolean;
  },
): Consequences {
  const pick = (keys: Set<string> | undefined): string[] =>
    tasks.filter(({ key }) => keys?.has(key) === true).map(({ key }) => key);
  const touched = new Set([
    ...(parts.again ?? []),
    ...(parts.cancelled ?? []),
    ...(parts.decided ?? []),
  ]);
  return {
    refusal: null,
    newRound: parts.newRound ?? false,
    runAgain: pick(parts.again),
    cancelled: pick(parts.cancelled),
    decided: pick(parts.decided),
    kept: tasks.filter(({ key }) => !touched.has(key)).map(({ key }) => key),
  };
}
