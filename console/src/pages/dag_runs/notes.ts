import { writeDuration } from "../timeAxis";

export interface NotedTask {
  key: string;
  attempts: number;
  started_at: string | null;
  ended_at: string | null;
  reason: string | null;
  members: { width: number; succeeded: number; failed: number; skipped: number } | null;
}

/** Writes what members of a fan-out came to: `8 of 10 succeeded, 2 failed`. */
export function membersNote(members: NonNullable<NotedTask["members"]>): string {
  const failed = members.failed > 0 ? `, ${members.failed} failed` : "";
  const skipped = members.skipped > 0 ? `, ${members.skipped} left out` : "";
  return `${members.succeeded} of ${members.width} succeeded${failed}${skipped}`;
}

/** Writes how long a task took, how often it was tried, or what its members came to. */
function noteOf(task: NotedTask): string {
  if (task.members !== null) {
    return membersNote(task.members);
  }
  const parts = [
    task.started_at !== null && task.ended_at !== null
      ? writeDuration(Date.parse(task.ended_at) - Date.parse(task.started_at))
      : "",
    task.attempts > 1 ? `${task.attempts} attempts` : "",
    task.reason ?? "",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

/** Writes the note of each task, by its key. */
export function notesOf(tasks: readonly NotedTask[]): ReadonlyMap<string, string> {
  return new Map(tasks.map((task) => [task.key, noteOf(task)]));
}
