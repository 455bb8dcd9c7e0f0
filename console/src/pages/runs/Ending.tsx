import Alert from "@cloudscape-design/components/alert";
import ProgressBar from "@cloudscape-design/components/progress-bar";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { Said, type Schemas } from "../../kit";
import { hasEnded } from "./acts/runActions";
import { likelyCause } from "./causes";
import { Explained } from "./told/Explained";

type Run = Schemas["Run"];

/** Says how the run ended or how far it came, with the likely cause and what to do. */
export function Ending({ run }: { run: Run }) {
  const cause = likelyCause(run.error?.code ?? null, run.reason);
  if (run.error === null && (run.state === "succeeded" || !hasEnded(run.state))) {
    return <Going run={run} />;
  }
  return (
    <Alert
      type={run.state === "skipped" || run.state === "cancelled" ? "info" : "error"}
      header={run.error === null ? <Explained run={run} /> : `${run.error.code}: ${run.error.type}`}
    >
      <SpaceBetween size="xs">
        {run.error !== null && <Said>{run.error.message}</Said>}
        {cause !== null && (
          <span>
            <b>Likely cause:</b> {cause.cause} <b>What to do:</b> {cause.advice}
          </span>
        )}
        {run.error !== null && (
          <span>
            <Explained run={run} />
          </span>
        )}
      </SpaceBetween>
    </Alert>
  );
}

function Going({ run }: { run: Run }) {
  if (run.progress?.percent != null && !hasEnded(run.state)) {
    return (
      <ProgressBar
        value={run.progress.percent}
        label="Progress, as its worker reports it"
        description={run.progress.message ?? ""}
        additionalInfo={run.cancel_requested ? "Its worker has been asked to stop." : ""}
      />
    );
  }
  return (
    <Alert type={run.state === "succeeded" ? "success" : "info"}>
      {run.cancel_requested ? "Its worker has been asked to stop. " : ""}
      {run.explanation}
    </Alert>
  );
}
