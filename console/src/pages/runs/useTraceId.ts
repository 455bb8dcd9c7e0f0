import { useEffect, useState } from "react";

import { useTenant } from "../../kit";

/** Computes the trace id that targets of a run receive in `traceparent`, from its id. */
export async function traceIdOf(tenant: string, runId: string): Promise<string> {
  const seed = new TextEncoder().encode(`trace\n${tenant}\n${runId}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", seed));
  return [...digest.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns a run's trace id; null until it is known, and of notifications. */
export function useTraceId(run: { run_id: string; origin: string }): string | null {
  const tenant = useTenant();
  const [trace, setTrace] = useState<string | null>(null);
  const isOwn = run.origin !== "notification" && "subtle" in crypto;
  useEffect(() => {
    let isCurrent = true;
    if (isOwn && tenant !== null) {
      void traceIdOf(tenant, run.run_id).then((found) => {
        if (isCurrent) {
          setTrace(found);
        }
      });
    }
    return () => {
      isCurrent = false;
    };
  }, [isOwn, tenant, run.run_id]);
  return isOwn ? trace : null;
}
