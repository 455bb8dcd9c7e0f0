import { type Group, groupsOf } from "../form/groups";
import { NEW_JOB } from "./newJob";

const NAMED: readonly Group[] = [
  { title: "Name", names: ["name", "key", "description", "tags"], isFolded: false },
  { title: "When it runs", names: ["schedule", "calendars"], isFolded: false },
  { title: "What it does", names: ["action", "payload", "payload_marks", "payload_schema"], isFolded: false },
  { title: "Attempts and failures", names: ["timeout_seconds", "retry", "delivery", "pause_after_failures"], isFolded: true },
  { title: "Missed, late and long runs", names: ["catch_up", "late_after_seconds", "absent_after_seconds", "start_within_seconds", "finish_by", "long_run"], isFolded: true },
  { title: "Beside other runs", names: ["overlap", "collapse", "rate_limit", "before", "priority", "resource_class", "precision"], isFolded: true },
  { title: "What follows", names: ["then", "notifications", "list_runs"], isFolded: true },
];

/** Every field of a job, once. */
export const GROUPS = groupsOf(NAMED, NEW_JOB.properties ?? {});
