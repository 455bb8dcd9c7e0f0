/** Answers of the API, shaped as its description says; names are hostile on purpose. */
import type { Schemas } from "../../src/kit";

export const HOSTILE = `<img src=x onerror="globalThis.hacked=true">`;

export const JOB_ID = "f45yzns2tqd44elwkoh3t4kpiq";
export const RUN_ID = `${JOB_ID}.s20261121T070100000Z`;
export const DAG_ID = "3qrigfuxnnlumzf2sk46y2smmv";
export const DAG_RUN_ID = "e7raeehh2bcxbg265lulbgsicz";
export const OPERATION_ID = "zlg2awu5jvd3ifrmdz65mkqsiq";

const AT = "2026-11-21T07:01:00.000Z";

const progress = {
  attempt: 1,
  state: "dead_lettered",
  due_at: AT,
  rescheduled_from: null,
  rate_limited: null,
  started_at: "2026-11-21T07:01:04.200Z",
  ended_at: "2026-11-21T07:01:05.000Z",
  lateness_ms: 4_200,
  duration_ms: 800,
  error: { code: "http_503", type: "HttpStatus", message: `The target answered 503: ${HOSTILE}` },
  reason: "retries_exhausted",
  explanation: "attempt 1 of 1, no more",
  cancel_requested: false,
  replaced_by: null,
  dag_run_id: null,
  finish_by: null,
  progress: null,
  checkpoint: null,
  slices: null,
  trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
} satisfies Partial<Schemas["Attempt"]>;

/** An attempt that waited 4.2 s, most of it in the queue. */
export function attempt(changes: Partial<Schemas["Attempt"]> = {}): Schemas["Attempt"] {
  return {
    ...progress,
    timeline: {
      planned_at: "2026-11-21T06:58:00.000Z",
      published_at: "2026-11-21T06:59:00.000Z",
      received_at: "2026-11-21T07:01:04.000Z",
      claimed_at: "2026-11-21T07:01:04.100Z",
      started_at: "2026-11-21T07:01:04.200Z",
      ended_at: "2026-11-21T07:01:05.000Z",
    },
    worker: "worker-1",
    fence: 3,
    handed_over_at: null,
    result: null,
    releases: 0,
    duplicates_prevented: 0,
    payload_corrected: false,
    resolution: null,
    ...changes,
  };
}

const row = {
  ...progress,
  run_id: RUN_ID,
  job_id: JOB_ID,
  scheduled_at: AT,
  origin: "schedule",
  priority: "normal",
  tags: { team: HOSTILE },
  expires_at: null,
  operation_id: null,
  triggered_by: null,
  matched_event: null,
  collapse: null,
  concurrency_key: null,
} satisfies Partial<Schemas["RunRow"]>;

/** A run that was given up. */
export function run(changes: Partial<Schemas["Run"]> = {}): Schemas["Run"] {
  return {
    ...row,
    payload_from: "run",
    payload: { to: HOSTILE },
    payload_size_bytes: 60,
    duplicates_prevented: 0,
    message: null,
    attempts: [attempt()],
    triggered: [
      {
        run_id: `${JOB_ID}.f20261121T070105000Z-abcdefghijklmnop`,
        job_id: JOB_ID,
        by_attempt: 1,
        state: "succeeded",
        reason: null,
      },
    ],
    ...changes,
  };
}

/** A failed run in a listing. */
export function failedRun(changes: Partial<Schemas["NamedRun"]> = {}): Schemas["NamedRun"] {
  return { ...row, job_name: `report ${HOSTILE}`, ...changes };
}

/** A dead letter in a listing. */
export function deadLetter(): Schemas["DeadLetterRow"] {
  return { ...row, job_version: 1, worker: "worker-1", payload_corrected: false };
}

export const LOG: Schemas["LogPage"] = {
  items: [
    { at: AT, attempt: 1, kind: "created", level: null, text: "It was planned." },
    { at: AT, attempt: 1, kind: "message", level: "error", text: `It broke: ${HOSTILE}` },
  ],
  next_cursor: null,
};

export const RESULT: Schemas["Result"] = {
  run_id: RUN_ID,
  attempt: 1,
  state: "dead_lettered",
  result: `{"html": "${HOSTILE.replaceAll('"', "'")}"}`,
  size_bytes: 60,
  link: null,
  link_expires_at: null,
};

export const NOTIFICATIONS: Schemas["NotificationList"] = {
  items: [
    {
      notification_id: `${JOB_ID}.n20261121T070100000Z-s1-dead_lettered-abcdefgh`,
      run_attempt: 1,
      on: "dead_lettered",
      channel: { type: "webhook", address: `https://hooks.example.com/${HOSTILE}` },
      message: null,
      attempt: 1,
      state: "succeeded",
      due_at: AT,
      started_at: AT,
      ended_at: AT,
      error: null,
      reason: null,
      explanation: "It arrived.",
    },
  ],
  next_cursor: null,
};

function task(
  key: string,
  state: Schemas["TaskState"],
  changes: Partial<Schemas["DagRunTask"]> = {},
): Schemas["DagRunTask"] {
  return {
    key,
    name: key,
    state,
    round: 1,
    reason: null,
    attempts: state === "pending" ? 0 : 1,
    started_at: state === "pending" || state === "skipped" ? null : AT,
    ended_at: state === "pending" || state === "running" ? null : "2026-11-21T07:02:00.000Z",
    run_id: state === "pending" ? null : `${DAG_RUN_ID}.d20261121T070100000Z-1-${key}-0`,
    members: null,
    error: null,
    result: null,
    intervention: null,
    wait: null,
    ...changes,
  };
}

/** A DAG run that failed in the middle: extract → load → report, extract → clean on failure. */
export function dagRun(changes: Partial<Schemas["DagRun"]> = {}): Schemas["DagRun"] {
  return {
    dag_run_id: DAG_RUN_ID,
    trace_id: "0af7651916cd43dd8448eb211c80319c",
    dag_id: DAG_ID,
    dag_version: 2,
    status: "failed",
    reason: null,
    trigger: "manual",
    matched_event: null,
    job_id: null,
    run_id: null,
    round: 1,
    task_count: 4,
    ended_count: 4,
    failed_count: 1,
    scheduled_at: AT,
    created_at: AT,
    deadline_at: "2026-11-21T08:01:00.000Z",
    ended_at: "2026-11-21T07:03:00.000Z",
    parameters: { day: HOSTILE },
    tasks: [
      task("extract", "succeeded", { result: HOSTILE }),
      task("load", "failed", {
        name: `load ${HOSTILE}`,
        reason: "permanent",
        error: { code: "http_404", type: "HttpStatus", message: `No such place ${HOSTILE}` },
        members: { width: 10, succeeded: 8, failed: 2, skipped: 0, failed_numbers: [3, 7] },
      }),
      task("report", "skipped", { reason: "upstream" }),
      task("clean", "skipped", { reason: "upstream" }),
    ],
    ...changes,
  };
}

const EDGES: Schemas["EdgeContract"][] = [
  { source: "extract", target: "load", condition: "on_success" },
  { source: "load", target: "report", condition: "on_success" },
  { source: "extract", target: "clean", condition: "on_failure" },
];

export const DAG_RUN_GRAPH: Schemas["DagRunGraph"] = {
  dag_run_id: DAG_RUN_ID,
  dag_id: DAG_ID,
  dag_version: 2,
  name: `nightly ${HOSTILE}`,
  status: "failed",
  format: "json",
  text: null,
  nodes: dagRun().tasks.map(({ key, name, state }) => ({
    key,
    title: name,
    runs: "webhook",
    rule: "all",
    fan_out: key === "load",
    state,
  })),
  edges: EDGES,
};

export const GANTT: Schemas["DagRunGantt"] = {
  dag_run_id: DAG_RUN_ID,
  dag_id: DAG_ID,
  dag_version: 2,
  name: "nightly",
  status: "failed",
  timezone: "UTC",
  begins_at: AT,
  ends_at: "2026-11-21T07:03:00.000Z",
  rows: dagRun().tasks.map(({ key, name, state, reason }) => ({
    key,
    title: name,
    state,
    reason,
    round: 1,
    members: null,
    is_complete: true,
    spans:
      state === "skipped"
        ? []
        : [
            {
              kind: "queued" as const,
              round: 1,
              attempt: 1,
              begins_at: AT,
              ends_at: "2026-11-21T07:01:10.000Z",
              state: null,
              runs: 1,
            },
            {
              kind: "running" as const,
              round: 1,
              attempt: 1,
              begins_at: "2026-11-21T07:01:10.000Z",
              ends_at: "2026-11-21T07:02:00.000Z",
              state,
              runs: 1,
            },
          ],
  })),
  format: "json",
  text: null,
};

/** A DAG of four tasks. */
export function dag(changes: Partial<Schemas["Dag"]> = {}): Schemas["Dag"] {
  const tasks = dagRun().tasks.map(
    ({ key, name }) => ({ key, name, job_id: JOB_ID }) as unknown as Schemas["Dag"]["tasks"][number],
  );
  return {
    dag_id: DAG_ID,
    version: 2,
    status: "active",
    created_at: AT,
    updated_at: AT,
    name: `nightly ${HOSTILE}`,
    description: HOSTILE,
    tags: { team: "data" },
    task_count: 4,
    edge_count: 3,
    metadata: {},
    failure_policy: { policy: "continue", max_retries: 0 },
    timeout_seconds: 3_600,
    tasks,
    edges: EDGES,
    schedule: null,
    notifications: [],
    then: [],
    late_after_seconds: null,
    absent_after_seconds: null,
    finish_by: null,
    job_id: null,
    ...changes,
  };
}

export const OPERATION: Schemas["Operation"] = {
  operation_id: OPERATION_ID,
  kind: "redrive",
  status: "running",
  parameters: {
    filter: {
      job_id: null,
      reason: "retries_exhausted",
      error_code: HOSTILE,
      from: null,
      to: null,
      run_ids: [],
    },
    payload_corrected: false,
    fresh: false,
    note: null,
  },
  counts: { matched: 50, done: 40, unchanged: 1, failed: 2, in_progress: 7 },
  errors: [{ item: RUN_ID, code: "job_paused", detail: `Its job is paused ${HOSTILE}` }],
  failure: null,
  waits_for: null,
  stalled: false,
  cancel_requested: false,
  created_by: HOSTILE,
  created_at: AT,
  updated_at: AT,
  ended_at: null,
};

export const POOL: Schemas["Pool"] = {
  pool: "reports",
  depth: 3,
  depth_is_partial: false,
  depth_by_priority: { high: 2, normal: 1 },
  oldest_age_seconds: 10_800,
  workers: [],
  capacity: null,
  in_use: null,
  last_seen_at: null,
  pause: null,
};

export const CALENDAR: Schemas["Calendar"] = {
  name: "office",
  version: 3,
  updated_at: AT,
  description: HOSTILE,
  tags: {},
  timezone: "Europe/Berlin",
  entries: 4,
  days: [{ first: "2026-12-24", last: "2026-12-26" }],
  weekdays: ["sun"],
  windows: [{ weekdays: ["fri"], opens: "18:00", closes: "00:00" }],
  periods: [{ start: "2026-12-30T23:00:00.000Z", end: "2026-12-31T11:00:00.000Z" }],
  weekend: ["sat", "sun"],
};

/** A freeze of a tag. */
export function freeze(changes: Partial<Schemas["Freeze"]> = {}): Schemas["Freeze"] {
  return {
    freeze_id: "20261121T080000000Z-1b2212a052c8",
    state: "active",
    scope: { kind: "tag", key: "team", value: HOSTILE },
    starts_at: AT,
    ends_at: "2026-11-21T11:01:00.000Z",
    thaw: "latest",
    reason: HOSTILE,
    created_at: AT,
    lifted_at: null,
    by_stage: false,
    ...changes,
  };
}

const QUOTAS: Schemas["QuotaNumbers"] = {
  jobs: 5_000,
  dags: null,
  concurrent_runs: null,
  runs_per_day: null,
  requests_per_second: 1_000,
  burst: 2_000,
};

/** A tenant as the stage has it. */
export function tenant(changes: Partial<Schemas["Tenant"]> = {}): Schemas["Tenant"] {
  return {
    tenant: "acme",
    display_name: HOSTILE,
    status: "active",
    suspension: null,
    quotas: { ...QUOTAS, requests_per_second: null, burst: null },
    effective_quotas: QUOTAS,
    list_runs: null,
    version: 3,
    created_at: AT,
    updated_at: AT,
    ...changes,
  };
}

export const OWN_TENANT: Schemas["OwnTenant"] = {
  ...tenant(),
  usage: { jobs: 4_800, dags: 3, runs_per_day: null },
  target_regions: ["eu-central-1", "us-east-1"],
  caller: HOSTILE,
  person: null,
  scopes: ["timegate/read", "timegate/operate"],
};

/** An API key without what proves it. */
export function apiKey(changes: Partial<Schemas["ApiKey"]> = {}): Schemas["ApiKey"] {
  return {
    key_id: "01272c6c6d19",
    name: HOSTILE,
    status: "active",
    scopes: ["read", "operate"],
    created_at: AT,
    created_by: HOSTILE,
    expires_at: "2037-11-21T07:01:00.000Z",
    revoked_at: null,
    ...changes,
  };
}

/** Costs of some attempts. */
export function costs(usd: number, runs: number): Schemas["Costs"] {
  const none = { scheduled: 0, one_shot: 0, triggered: 0, retry: 0, notification: 0, dag_task: 0 };
  return {
    usd,
    runs,
    attempts: { ...none, scheduled: runs, retry: runs === 0 ? 0 : 3 },
    target_seconds: runs / 5,
    services: { SQS: usd / 4, DynamoDB: (usd * 3) / 4 },
    quantities: { write_units: runs * 10 },
  };
}

/** A month of a tenant: two jobs are shown, one of them gone, and five others cost 0.02. */
export function costReport(changes: Partial<Schemas["CostReport"]> = {}): Schemas["CostReport"] {
  return {
    tenant: "acme",
    month: "2026-11",
    metered_until: "2026-11-21T06:55:00.000Z",
    whole: costs(0.5, 44_110),
    one_shots: costs(0.03, 910),
    dag_tasks: costs(0, 0),
    jobs: [
      { job_id: JOB_ID, name: HOSTILE, ...costs(0.4, 40_000) },
      { job_id: "zzzyzns2tqd44elwkoh3t4kpiq", name: null, ...costs(0.05, 3_000) },
    ],
    other_jobs: 5,
    is_complete: true,
    ...changes,
  };
}

export const AUDIT: Schemas["AuditPage"] = {
  items: [
    {
      at: AT,
      actor: { subject: HOSTILE, client_id: "ci", source_ip: "192.0.2.7", of_stage: false },
      operation: "updateJob",
      request_id: "JKJaXmPLvHcESHA=",
      resource: { kind: "job", id: JOB_ID },
      version: 4,
      changes: [
        { field: "name", before: "report", after: HOSTILE },
      ],
    },
  ],
  next_cursor: null,
};

/** Dead letters of one cause. */
export function decision(changes: Partial<Schemas["Decision"]> = {}): Schemas["Decision"] {
  return {
    kind: "dead_letter",
    reason: "retries_exhausted",
    error_code: "http_503",
    count: 42,
    jobs: 2,
    first_at: AT,
    last_at: AT,
    latest: [{ run_id: RUN_ID, job_id: JOB_ID, job_name: `report ${HOSTILE}`, ended_at: AT }],
    ...changes,
  };
}

/** A task that waits for a person. */
export function waitingApproval(
  changes: Partial<Schemas["WaitingApproval"]> = {},
): Schemas["WaitingApproval"] {
  return {
    dag_run_id: "a".repeat(26),
    dag_id: "d".repeat(26),
    dag_name: `release ${HOSTILE}`,
    task_key: "gate",
    round: 1,
    since: AT,
    until: AT,
    ...changes,
  };
}

/** Approvals of one task of a DAG. */
export function approvalGroup(
  changes: Partial<Schemas["ApprovalGroup"]> = {},
): Schemas["ApprovalGroup"] {
  return {
    dag_id: "d".repeat(26),
    dag_name: `release ${HOSTILE}`,
    task_key: "gate",
    count: 2,
    first_at: AT,
    last_at: AT,
    until: AT,
    latest: [waitingApproval()],
    ...changes,
  };
}

/** A notification rule of every kind of condition and two channels. */
export function rule(changes: Partial<Schemas["NotificationRule"]> = {}): Schemas["NotificationRule"] {
  return {
    name: "data-team",
    version: 3,
    created_at: AT,
    updated_at: AT,
    description: HOSTILE,
    tags: {},
    enabled: true,
    jobs: { job_id: null, name: HOSTILE, tags: {} },
    when: {
      failures_in_a_row: 3,
      dead_letter: false,
      quota_refused: false,
      late_after_seconds: 600,
      absent: {
        for_seconds: 93_600,
        at: "07:00",
        timezone: "Europe/Berlin",
        weekdays: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
      },
      recovered: true,
    },
    channels: [
      { type: "webhook", url: `https://alerts.example.com/${HOSTILE}`, signing_secret: null },
      {
        type: "slack",
        url_secret: { secret_arn: null, ssm_parameter: "/timegate-target/acme/slack", json_key: null },
      },
    ],
    quiet_hours: {
      timezone: "Europe/Berlin",
      windows: [{ weekdays: ["mon", "tue"], opens: "22:00", closes: "06:30" }],
    },
    ...changes,
  };
}

/** An event trigger with a web hook of its own. */
export function eventTrigger(changes: Partial<Schemas["EventTrigger"]> = {}): Schemas["EventTrigger"] {
  return {
    name: "paid",
    status: "active",
    version: 2,
    pattern: { data: { note: [HOSTILE] } },
    starts: {
      type: "job",
      job_id: JOB_ID,
      payload: { note: HOSTILE },
      payload_patch: null,
      priority: null,
      tags: {},
    },
    hook: {
      scheme: "standard",
      secret: { secret_arn: null, ssm_parameter: "/timegate-target/acme/paid", json_key: null },
      path: "/v1/hooks/f3q5",
    },
    description: HOSTILE,
    tags: { team: HOSTILE },
    created_at: AT,
    updated_at: AT,
    ...changes,
  };
}

/** A message that a rule sent, and that did not arrive. */
export function ruleMessage(): Schemas["RuleMessage"] {
  return {
    attempt: 10,
    state: "dead_lettered",
    due_at: AT,
    started_at: AT,
    ended_at: AT,
    error: { code: "http_503", type: "HttpStatus", message: HOSTILE },
    reason: "retries_exhausted",
    explanation: HOSTILE,
    notification_id: `${JOB_ID}.n20261121T070300000Z-rsyn52ee5wfrpckpn-jvscc2gn`,
    told_at: AT,
    channel: { type: "webhook", address: `https://alerts.example.com/${HOSTILE}` },
    message: { events: [{ text: `nightly: 3 runs in a row failed ${HOSTILE}` }], more: 0 },
  };
}
