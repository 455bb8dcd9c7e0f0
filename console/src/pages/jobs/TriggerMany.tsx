import Alert from "@cloudscape-design/components/alert";
import FormField from "@cloudscape-design/components/form-field";
import StatusIndicator from "@cloudscape-design/components/status-indicator";
import Table from "@cloudscape-design/components/table";
import Textarea from "@cloudscape-design/components/textarea";
import { useState } from "react";

import { readAll, RouteLink, type Schemas, useAct, useApi, useKeptText, useRequestKey } from "../../kit";
import { ActionModal } from "../shared/ActionModal";
import { command, request } from "../shared/quoting";
import { readTriggers } from "./triggerLines";

type Many = Schemas["TriggeredMany"];
type Item = Schemas["TriggerItem"];

interface Props {
  job: Schemas["Job"];
  onClose: () => void;
}

/** Triggers many runs of a job, one a line; a line that is refused stops no other. */
export default function TriggerMany({ job, onClose }: Props) {
  const api = useApi();
  const [key] = useRequestKey("trigger many");
  const [text, setText] = useKeptText("trigger many", "");
  const [answer, setAnswer] = useState<Many | null>(null);
  const read = readTriggers(text);
  const body = { triggers: read.triggers } as Schemas["TriggerMany"];
  const params = { path: { job_id: job.job_id }, header: { "Idempotency-Key": key } };
  const trigger = useAct(
    () => readAll(api.POST("/v1/jobs/{job_id}/trigger/batch", { params, body })),
    setAnswer,
  );
  const count = read.triggers.length;
  return (
    <ActionModal
      title="Trigger many runs of this job?"
      verb={answer === null ? `Trigger ${count.toLocaleString("en")} ${count === 1 ? "run" : "runs"}` : "Close"}
      size="large"
      isRunning={trigger.isRunning}
      isDisabled={answer === null && (count === 0 || read.error !== null)}
      problem={trigger.problem}
      onConfirm={answer === null ? trigger.act : onClose}
      onDismiss={onClose}
      cli={`${command(`jobs trigger-many ${job.job_id}`, [
        ["--file", "-"],
        ["--idempotency-key", key],
      ])} <<'EOF'\n${read.triggers.map((each) => JSON.stringify(each)).join("\n")}\nEOF`}
      api={`${request("POST", `/v1/jobs/${job.job_id}/trigger/batch`)}\nIdempotency-Key: ${key}\n\n${JSON.stringify(body)}`}
    >
      {answer === null ? (
        <FormField
          stretch
          label="One trigger a line"
          description={`As the API takes it: {"payload": {"page": 1}, "delay_seconds": 60}; {} has everything of the job.`}
          errorText={read.error}
          constraintText="At most 1,000 lines."
        >
          <Textarea
            value={text}
            rows={10}
            spellcheck={false}
            placeholder={`{"payload": {"page": 1}}\n{"payload": {"page": 2}}`}
            onChange={({ detail }) => {
              setText(detail.value);
            }}
          />
        </FormField>
      ) : (
        <Answered answer={answer} lines={read.lines} />
      )}
    </ActionModal>
  );
}

function Answered({ answer, lines }: { answer: Many; lines: readonly number[] }) {
  const { triggered, replayed, failed, items } = answer;
  return (
    <>
      <Alert type={failed > 0 ? "warning" : "success"}>
        {triggered.toLocaleString("en")} triggered, {replayed.toLocaleString("en")} there before, {failed.toLocaleString("en")} refused.
      </Alert>
      <Table
        variant="embedded"
        wrapLines
        items={items}
        trackBy={(item) => String(item.index)}
        ariaLabels={{ tableLabel: "Triggered runs" }}
        columnDefinitions={[
          { id: "line", header: "Line", isRowHeader: true, cell: ({ index }) => lines[index] ?? index + 1 },
          { id: "run", header: "Run", cell: (item) => <Became item={item} /> },
        ]}
      />
    </>
  );
}

function Became({ item }: { item: Item }) {
  const { error, run_id: runId, collapsed_into: into } = item;
  if (error !== null) {
    const fields = error.errors.map(({ field, detail }) => `${field}: ${detail}`).join("; ");
    return <StatusIndicator type="error">{`${error.code}: ${fields === "" ? error.detail : fields}`}</StatusIndicator>;
  }
  if (runId === null) return <>–</>;
  return (
    <>
      <RouteLink to={`/runs/${runId}`}>{runId}</RouteLink>
      {into !== null && (
        <>
          , collapsed into <RouteLink to={`/runs/${into}`}>{into}</RouteLink>
        </>
      )}
    </>
  );
}
