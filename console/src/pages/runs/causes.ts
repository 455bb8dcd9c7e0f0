/** Says what the code of an error usually means, and what an operator can do about it. */

export interface Cause {
  cause: string;
  advice: string;
}

const BY_CODE: Record<string, Cause> = {
  timeout: {
    cause: "The target did not answer within the job's timeout.",
    advice: "Check the target, or raise timeout_seconds. A target that works on may call back.",
  },
  connection_failed: {
    cause: "The target refused, or broke, the connection.",
    advice: "Check that the target is up and takes connections from the stage.",
  },
  tls_failed: {
    cause: "The target's certificate was refused, or TLS failed.",
    advice: "Renew the certificate, and check that its name and authority are right.",
  },
  name_not_resolved: {
    cause: "The target's name does not resolve.",
    advice: "Correct the host name of the job's address.",
  },
  invalid_answer: {
    cause: "The target's answer is no valid HTTP answer, or is too large.",
    advice: "Check what the target sends.",
  },
  address_not_allowed: {
    cause: "The stage does not call this address.",
    advice: "Give the job an address that the stage allows.",
  },
  port_not_allowed: {
    cause: "The stage does not call this port.",
    advice: "Give the job a port that the stage allows.",
  },
  https_required: {
    cause: "Credentials would be sent without encryption.",
    advice: "Give the job an address with https.",
  },
  target_not_allowed: {
    cause: "The resource is not on the stage's list of targets.",
    advice: "Name the tenant's own resource, or have the stage allow it.",
  },
  region_not_allowed: {
    cause: "The stage's jobs may not call this region.",
    advice: "Name a resource of the stage's own region, or have the stage allow the region.",
  },
  partition_mismatch: {
    cause: "The resource is in another partition of AWS than the stage.",
    advice: "Name a resource of the stage's partition.",
  },
  account_not_reachable: {
    cause: "AWS lets no other account call this resource.",
    advice: "Name a resource of the stage's own account.",
  },
  function_error: {
    cause: "The function raised an error.",
    advice: "Read the function's log; correct the function or the payload, then redrive.",
  },
  executor_error: {
    cause: "Timegate's executor failed.",
    advice: "Give the run id to the stage's operator.",
  },
  dag_run_failed: {
    cause: "Tasks of the DAG run failed.",
    advice: "Open the DAG run, and retry what failed.",
  },
  dag_run_timed_out: {
    cause: "The DAG run lasted longer than its DAG allows.",
    advice: "Open the DAG run; find the task that took the time.",
  },
  dag_deleted: {
    cause: "The job's DAG was deleted.",
    advice: "Give the job another DAG, or cancel it.",
  },
  reference_missing: {
    cause: "A reference in the task's input found nothing.",
    advice: "Give the reference a default, or correct its path.",
  },
};

const BY_REASON: Record<string, Cause> = {
  payload_lost: {
    cause: "The run's stored payload, or its checkpoint, is not in the bucket any more.",
    advice: "Look for what deletes objects of the bucket; redrive with another payload.",
  },
  kills_workers: {
    cause: "The run killed its workers while they executed nothing else.",
    advice: "Look for memory or a crash in the target's code before a redrive.",
  },
  worker_died: {
    cause: "The worker that held the run stopped renewing its lease.",
    advice: "Check the pool's workers; then redrive.",
  },
  poison_message: {
    cause: "The message of the run exhausted its receives.",
    advice: "Read the attempts; redrive once the cause is mended.",
  },
  duration_exceeded: {
    cause: "The run worked longer than its job allows.",
    advice: "Raise max_duration_seconds, or make the work smaller.",
  },
  late: {
    cause: "The run could not start within start_within_seconds.",
    advice: "Look where the time went: the waterfall shows the slowest stage.",
  },
  overlap: {
    cause: "An earlier run of the same concurrency key still held the slot.",
    advice: "Look at the runs of the key, or choose another overlap policy.",
  },
  quota: {
    cause: "The tenant had used a quota in full.",
    advice: "Read the tenant's quotas, and ask the stage for more.",
  },
  expired: {
    cause: "The run was not started before it expired.",
    advice: "Trigger it again, with a longer expiry.",
  },
  cancel_requested: {
    cause: "A caller cancelled the run.",
    advice: "The audit trail names the caller. Redrive it if it is still wanted.",
  },
  job_cancelled: {
    cause: "The run's job was cancelled.",
    advice: "Create the job anew if it is still wanted.",
  },
};

const SERVICE_DOWN: Cause = {
  cause: "AWS throttled the call, or the service was down.",
  advice: "Wait for the service, then redrive; check the target's concurrency.",
};
const SERVICE_REFUSED: Cause = {
  cause: "AWS refused the call.",
  advice: "Check the target's name and the rights of the stage on it, then redrive.",
};

function ofStatus(status: number): Cause {
  if (status === 401 || status === 403) {
    return {
      cause: `The target refused the caller's rights (HTTP ${status}).`,
      advice: "Check the job's secret, its signature and the target's access rules.",
    };
  }
  if (status === 404 || status === 410) {
    return {
      cause: `The target knows no such address (HTTP ${status}).`,
      advice: "Correct the job's address, then redrive.",
    };
  }
  if (status === 429) {
    return {
      cause: "The target asks for fewer calls (HTTP 429).",
      advice: "Give the job a rate limit that the target bears.",
    };
  }
  if (status >= 500) {
    return {
      cause: `The target failed (HTTP ${status}).`,
      advice: "Check the target's health and log; redrive once it is back.",
    };
  }
  return {
    cause: `The target refused the request (HTTP ${status}).`,
    advice: "Compare payload and headers with what the target takes; correct them, then redrive.",
  };
}

/** Finds the likely cause of an end; null where neither code nor reason tells one. */
export function likelyCause(code: string | null, reason: string | null): Cause | null {
  const byReason = reason === null ? undefined : BY_REASON[reason];
  if (code === null) {
    return byReason ?? null;
  }
  const status = /^http_([1-5]\d\d)$/.exec(code)?.[1];
  if (status !== undefined) {
    return ofStatus(Number(status));
  }
  const named = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  if (named !== undefined) {
    return named;
  }
  if (code.endsWith("_unavailable")) {
    return SERVICE_DOWN;
  }
  if (code.endsWith("_refused")) {
    return SERVICE_REFUSED;
  }
  return byReason ?? null;
}
