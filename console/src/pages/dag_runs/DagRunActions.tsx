import { useState } from "react";

import { readAll, type Schemas, useAct, useApi, useMay } from "../../kit";
import type { PictureEdge } from "../dags/picture";
import { ActionModal } from "../shared/ActionModal";
import { ActionRow } from "../shared/ActionRow";
import { command, request } from "../shared/quoting";
import { foretell } from "./consequences";
import { WhatHappens } from "./WhatHappens";

type DagRun = Schemas["DagRun"];

interface Props {
  run: DagRun;
  edges: readonly PictureEdge[];
  onDone: () => void;
}

/** Buttons of what an operator does with a DAG run as a whole. */
export function DagRunActions({ run, edges, onDone }: Props) {
  const [open, setOpen] = useState<"retry" | "cancel" | null>(null);
  const may = useMay("operate");
  const retry = foretell({ kind: "retry" }, run.status, run.tasks, edges);
  const cancel = foretell({ kind: "cancel" }, run.status, run.tasks, edges);
  const close = (): void => {
    setOpen(null);
  };
  const done = (): void => {
    close();
    onDone();
  };
  return (
    <>
      <ActionRow
        actions={[
          { text: "Cancel", why: may.why ?? cancel.refusal, onClick: () => { setOpen("cancel"); } },
          {
            text: "Retry what failed",
            why: may.why ?? retry.refusal,
            onClick: () => { setOpen("retry"); },
            isPrimary: true,
          },
        ]}
      />
      {open !== null && (
        <Asked
          kind={open}
          run={run}
          consequences={open === "retry" ? retry : cancel}
          onDone={done}
          onDismiss={close}
        />
      )}
    </>
  );
}

interface AskedProps {
  kind: "retry" | "cancel";
  run: DagRun;
  consequences: ReturnType<typeof foretell>;
  onDone: () => void;
  onDismiss: () => void;
}

function Asked({ kind, run, consequences, onDone, onDismiss }: AskedProps) {
  const api = useApi();
  const params = { path: { dag_run_id: run.dag_run_id } };
  const asked = useAct(
    () =>
      kind === "retry"
        ? readAll(api.POST("/v1/dag-runs/{dag_run_id}/retry", { params }))
        : readAll(api.POST("/v1/dag-runs/{dag_run_id}/cancel", { params })),
    onDone,
  );
  return (
    <ActionModal
      title={kind === "retry" ? "Run again what failed?" : "Cancel this DAG run?"}
      verb={kind === "retry" ? "Retry what failed" : "Cancel the DAG run"}
      size="large"
      isRunning={asked.isRunning}
      problem={asked.problem}
      onConfirm={asked.act}
      onDismiss={onDismiss}
      cli={command(`dags ${kind} ${run.dag_run_id}`)}
      api={request("POST", `/v1/dag-runs/${run.dag_run_id}/${kind}`)}
    >
      <WhatHappens consequences={consequences} />
    </ActionModal>
  );
}
