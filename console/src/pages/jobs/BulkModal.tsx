import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";

import { Live, readAll, type Schemas, useAct, useApi, useGo, useLive } from "../../kit";
import { ActionModal } from "../shared/ActionModal";
import { command, request } from "../shared/quoting";
import { countJobs } from "./countJobs";

interface Props {
  kind: "pause" | "resume" | "cancel";
  selection: Schemas["JobSelection"];
  onDismiss: () => void;
}

const EFFECTS = {
  pause: "Each job that matches is paused; nothing new of it starts.",
  resume: "Each paused job that matches goes on from now, without a catch-up.",
  cancel: "Each job that matches is cancelled for good. Its history stays.",
} as const;

/** Starts an operation that changes every job of a selection, and opens it. */
export function BulkModal({ kind, selection, onDismiss }: Props) {
  const api = useApi();
  const go = useGo();
  const body = { kind, filter: selection } as Schemas["NewOperation"];
  const start = useAct(
    () => readAll(api.POST("/v1/operations", { body })),
    (operation) => {
      go(`/operations/${operation.operation_id}`);
    },
  );
  const chosen = Object.entries(selection).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return (
    <ActionModal
      title={`${kind.slice(0, 1).toUpperCase()}${kind.slice(1)} every job that matches?`}
      verb={`${kind.slice(0, 1).toUpperCase()}${kind.slice(1)} them`}
      isRunning={start.isRunning}
      isDisabled={chosen.length === 0}
      problem={start.problem}
      onConfirm={start.act}
      onDismiss={onDismiss}
      cli={command(`bulk ${kind}`, [
        ...Object.entries(selection.tags ?? {}).map(([k, v]) => ["--tag", `${k}=${v}`] as const),
        ["--name", selection.name],
      ])}
      api={`${request("POST", "/v1/operations")}\n\n${JSON.stringify(body, null, 2)}`}
    >
      {chosen.length === 0 ? (
        <Alert type="warning">Filter by name, tag, schedule or priority first.</Alert>
      ) : (
        <>
          <Box variant="p">
            {EFFECTS[kind]} Selected by {chosen.join(", ")}.
          </Box>
          <Preview selection={selection} />
        </>
      )}
    </ActionModal>
  );
}

/** Says which jobs match as things are now. */
function Preview({ selection }: { selection: Schemas["JobSelection"] }) {
  const api = useApi();
  const found = useLive({
    key: ["jobs-of-selection", selection],
    read: () => countJobs(api, selection),
    everyMs: () => null,
  });
  return (
    <Live live={found}>
      {({ count, isPartial, first }) => (
        <>
          <Box variant="p">
            As things are now, {isPartial ? "at least " : ""}
            {count.toLocaleString("en")} {count === 1 ? "job matches" : "jobs match"}
            {first.length < count ? ", among them:" : "."}
          </Box>
          <ul aria-label="Jobs that match">
            {first.map((job) => (
              <li key={job.job_id} className="tg-said">
                {job.name} ({job.status})
              </li>
            ))}
          </ul>
        </>
      )}
    </Live>
  );
}
