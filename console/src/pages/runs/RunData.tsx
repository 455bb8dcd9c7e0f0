import Box from "@cloudscape-design/components/box";
import Link from "@cloudscape-design/components/link";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { isWebAddress, Live, readAll, RouteLink, type Schemas, useApi, useLive } from "../../kit";
import { JsonText } from "../shared/json/JsonText";
import { hasEnded } from "./acts/runActions";
import { ownerOf } from "./told/owner";

type Run = Schemas["Run"];

/** Shows what the target answered to the last attempt. */
export function RunResult({ run }: { run: Run }) {
  const api = useApi();
  const path = { run_id: run.run_id };
  const live = useLive({
    key: ["result", run.run_id, run.state, run.attempt],
    read: () => readAll(api.GET("/v1/runs/{run_id}/result", { params: { path } })),
    everyMs: () => null,
    isEnabled: hasEnded(run.state),
  });
  if (!hasEnded(run.state)) {
    return <Box color="text-body-secondary">It has not ended, and has no result yet.</Box>;
  }
  return (
    <Live live={live}>
      {(result) =>
        result.result === null ? (
          <Box color="text-body-secondary">The target answered nothing.</Box>
        ) : (
          <SpaceBetween size="s">
            <JsonText label="Result" value={result.result} />
            {isWebAddress(result.link) && (
              <Link external href={result.link} rel="noreferrer">
                The whole result ({(result.size_bytes ?? 0).toLocaleString("en")} bytes)
              </Link>
            )}
          </SpaceBetween>
        )
      }
    </Live>
  );
}

/** Shows what the run is sent. */
export function RunPayload({ run }: { run: Run }) {
  if (run.payload_from === "run") {
    return <JsonText label="Payload of the run" value={run.payload} />;
  }
  if (run.message !== null) {
    return <JsonText label="Message of the run" value={run.message} />;
  }
  const owner = ownerOf(run.run_id);
  if (owner.kind === "dag_run") {
    return (
      <Box color="text-body-secondary">
        It has the payload of its task: <RouteLink to={owner.place}>open the DAG run</RouteLink>.
      </Box>
    );
  }
  return <JobPayload jobId={run.job_id} />;
}

function JobPayload({ jobId }: { jobId: string }) {
  const api = useApi();
  const live = useLive({
    key: ["job", jobId],
    read: () => readAll(api.GET("/v1/jobs/{job_id}", { params: { path: { job_id: jobId } } })),
    everyMs: () => null,
  });
  return (
    <SpaceBetween size="s">
      <Box color="text-body-secondary">It has the payload of its job, as the job is now.</Box>
      <Live live={live}>
        {(job) => <JsonText label="Payload of the job" value={job.payload ?? null} />}
      </Live>
    </SpaceBetween>
  );
}
