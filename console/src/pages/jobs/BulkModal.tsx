import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";

import { isolated, Live, readAll, Said, type Schemas, useAct, useApi, useGo, useKeptText, useLive, useRequestKey } from "../../kit";
import { ActionModal, ReasonField } from "../shared/ActionModal";
import { Unreadable } from "../shared/listing/Unreadable";
import { command, request } from "../shared/quoting";
import { type BulkKind, countJobs, type FoundJobs } from "./countJobs";

interface Props {
  kind: BulkKind;
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
  // A second click, or a repeated request, is the same operation.
  const [key] = useRequestKey(`${kind} many`);
  const [reason, setReason] = useKeptText(`${kind} many`, "");
  const why = kind === "pause" && reason.trim() !== "" ? reason.trim() : null;
  const body = { kind, filter: selection, ...(why === null ? {} : { reason: why }) } as Schemas["NewOperation"];
  const params = { header: { "Idempotency-Key": key } };
  const found = useLive({
    key: ["jobs-of-selection", kind, selection],
    read: () => countJobs(api, kind, selection),
    everyMs: () => null,
    isEnabled: Object.keys(selection).length > 0,
  });
  const start = useAct(
    () => readAll(api.POST("/v1/operations", { params, body })),
    (operation) => {
      go(`/operations/${operation.operation_id}`);
    },
  );
  const chosen = Object.entries(selection).map(([name, value]) => isolated(`${name} ${JSON.stringify(value)}`));
  return (
    <ActionModal
      title={`${kind.slice(0, 1).toUpperCase()}${kind.slice(1)} every job that matches?`}
      verb={`${kind.slice(0, 1).toUpperCase()}${kind.slice(1)} them`}
      isRunning={start.isRunning}
      isDisabled={found.data === undefined || (found.data.count === 0 && !found.data.isPartial)}
      problem={start.problem}
      onConfirm={start.act}
      onDismiss={onDismiss}
      cli={command(`bulk ${kind}`, [...optionsOf(selection), ["--reason", why]])}
      api={`${request("POST", "/v1/operations")}\n\n${JSON.stringify(body, null, 2)}`}
    >
      {chosen.length === 0 ? (
        <Alert type="warning">Filter by name, tag, schedule or priority first.</Alert>
      ) : (
        <>
          <Box variant="p">
            {EFFECTS[kind]} Selected by {chosen.join(", ")}.
          </Box>
          <Live live={found}>
            {(jobs) => (
              <>
                <Matching found={jobs} />
                <Unreadable names={jobs.unreadable} what="jobs" />
              </>
            )}
          </Live>
          {kind === "pause" && <ReasonField reason={reason} onChange={setReason} />}
        </>
      )}
    </ActionModal>
  );
}

/** Writes a selection as options of the command line. */
function optionsOf({ tags, status, kind, priority, name }: Schemas["JobSelection"]): (readonly [string, string | null])[] {
  const one = { "--status": status, "--kind": kind, "--priority": priority, "--name": name };
  return [
    ...Object.entries(tags ?? {}).map(([key, value]) => ["--tag", `${key}=${value}`] as const),
    ...Object.entries(one).map(([option, value]) => [option, value ?? null] as const),
  ];
}

/** Says which jobs match as things are now. */
function Matching({ found: { count, isPartial, first } }: { found: FoundJobs }) {
  if (count === 0) {
    return <Box variant="p">{isPartial ? "None among the first thousand jobs: there may be more." : "No job matches."}</Box>;
  }
  return (
    <>
      <Box variant="p">
        As things are now, {isPartial ? "at least " : ""}
        {count.toLocaleString("en")} {count === 1 ? "job matches" : "jobs match"}
        {first.length < count ? ", among them:" : "."}
      </Box>
      <ul aria-label="Jobs that match">
        {first.map((job) => (
          <li key={job.job_id} className="tg-said">
            <Said>{job.name}</Said> ({job.status})
          </li>
        ))}
      </ul>
    </>
  );
}
