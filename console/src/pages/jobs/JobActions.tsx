import Box from "@cloudscape-design/components/box";
import { type ComponentType, lazy, Suspense } from "react";

import { readAll, type Schemas, useAct, useApi, useGo, useKept, useKeptText, useMay } from "../../kit";
import { ActionModal, ReasonField } from "../shared/ActionModal";
import { ActionRow, type RowAction } from "../shared/ActionRow";
import { command } from "../shared/quoting";

type Job = Schemas["Job"];
type Question = ComponentType<{ job: Job; onClose: () => void }>;

/** Questions whose code is read once they are asked, so that the page stays within its budget. */
const APART = {
  trigger: lazy(async () => ({ default: (await import("./TriggerJob")).TriggerJob })),
  "trigger-many": lazy(() => import("./TriggerMany")),
  backfill: lazy(() => import("../backfill/BackfillJob")),
} satisfies Record<string, Question>;
type Asked = keyof typeof EFFECTS | keyof typeof APART;

const isApart = (asked: Asked): asked is keyof typeof APART => asked in APART;

/** Buttons of what a person does with a job; those that a role or a status forbids say why. */
export function JobActions({ job }: { job: Job }) {
  const [asked, setAsked] = useKept<Asked | null>("act", null);
  const go = useGo();
  const operate = useMay("operate").why;
  const write = useMay("write").why;
  const ended = job.status === "cancelled" ? "A cancelled job stays cancelled." : null;
  const close = (): void => {
    setAsked(null);
  };
  const button = (kind: Asked, text: string, why: string | null): RowAction => ({
    text,
    why,
    onClick: () => { setAsked(kind); },
  });
  return (
    <>
      <ActionRow
        actions={[
          button("trigger", "Trigger", operate ?? ended),
          button("trigger-many", "Trigger many", operate ?? ended),
          button("backfill", "Backfill", operate ?? ended),
          job.status === "paused"
            ? button("resume", "Resume", operate)
            : button("pause", "Pause", operate ?? (job.status === "active" ? null : "Only an active job can be paused.")),
          button("cancel", "Cancel", write ?? ended),
          { text: "Edit", why: write ?? ended, onClick: () => { go(`/jobs/${job.job_id}/edit`); } },
        ]}
      />
      {asked !== null && <Ask asked={asked} job={job} onClose={close} />}
    </>
  );
}

function Ask({ asked, job, onClose }: { asked: Asked; job: Job; onClose: () => void }) {
  if (!isApart(asked)) return <Change kind={asked} job={job} onClose={onClose} />;
  const Shown = APART[asked];
  return (
    <Suspense fallback={null}>
      <Shown job={job} onClose={onClose} />
    </Suspense>
  );
}

const EFFECTS = {
  pause: "Nothing of it starts from now on. Runs that have begun go on.",
  resume: "It goes on from now; instants since the pause are on record as paused.",
  cancel: "It runs no more and cannot be revived. Its history and its audit trail stay.",
} as const;

interface ChangeProps {
  kind: keyof typeof EFFECTS;
  job: Job;
  onClose: () => void;
}

function Change({ kind, job, onClose }: ChangeProps) {
  const api = useApi();
  const [reason, setReason] = useKeptText(kind, "");
  const params = { path: { job_id: job.job_id } };
  const said = kind === "pause" && reason.trim() !== "" ? { reason: reason.trim() } : undefined;
  const change = useAct(() => {
    switch (kind) {
      case "pause":
        return readAll(api.POST("/v1/jobs/{job_id}/pause", { params, ...(said === undefined ? {} : { body: said }) }));
      case "resume":
        return readAll(api.POST("/v1/jobs/{job_id}/resume", { params }));
      case "cancel":
        return readAll(api.DELETE("/v1/jobs/{job_id}", { params }));
    }
  }, onClose);
  const verb = `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`;
  const path = `/v1/jobs/${job.job_id}`;
  return (
    <ActionModal
      title={`${verb} this job?`}
      verb={`${verb} the job`}
      isRunning={change.isRunning}
      problem={change.problem}
      onConfirm={change.act}
      onDismiss={onClose}
      cli={command(`jobs ${kind} ${job.job_id}`, [["--reason", said?.reason]])}
      api={kind === "cancel" ? `DELETE ${path}` : `POST ${path}/${kind}${said === undefined ? "" : `\n\n${JSON.stringify(said, null, 2)}`}`}
    >
      <Box variant="p">{EFFECTS[kind]}</Box>
      {kind === "pause" && (
        <ReasonField reason={reason} onChange={setReason} />
      )}
    </ActionModal>
  );
}
