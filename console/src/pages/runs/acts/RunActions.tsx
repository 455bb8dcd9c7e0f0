import Box from "@cloudscape-design/components/box";
import { lazy, Suspense } from "react";

import { readAll, type Schemas, useAct, useApi, useKept, useMay } from "../../../kit";
import { ActionModal } from "../../shared/ActionModal";
import { ActionRow } from "../../shared/ActionRow";
import { command, request } from "../../shared/quoting";
import { RedriveRun } from "./RedriveRun";
import { cancelRefusal, redriveRefusal, repeatRefusal, rescheduleRefusal } from "./runActions";

/** Loaded on request, so that the page stays within its budget. */
const RepeatRun = lazy(() => import("./RepeatRun"));
const RescheduleRun = lazy(() => import("./RescheduleRun"));

type Run = Schemas["Run"];

/** Buttons of what an operator does with a run, and the questions behind them. */
export function RunActions({ run, onDone }: { run: Run; onDone: () => void }) {
  const [open, setOpen] = useKept<"cancel" | "redrive" | "repeat" | "reschedule" | null>("act", null);
  const may = useMay("operate");
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
          { text: "Cancel", why: may.why ?? cancelRefusal(run), onClick: () => { setOpen("cancel"); } },
          { text: "Reschedule", why: may.why ?? rescheduleRefusal(run), onClick: () => { setOpen("reschedule"); } },
          { text: "Run again", why: may.why ?? repeatRefusal(run), onClick: () => { setOpen("repeat"); } },
          {
            text: "Redrive",
            why: may.why ?? redriveRefusal(run),
            onClick: () => { setOpen("redrive"); },
            isPrimary: true,
          },
        ]}
      />
      {open === "cancel" && <CancelRun run={run} onDone={done} onDismiss={close} />}
      <Suspense fallback={null}>
        {open === "reschedule" && <RescheduleRun run={run} onDone={done} onDismiss={close} />}
        {open === "repeat" && <RepeatRun run={run} onDone={done} onDismiss={close} />}
      </Suspense>
      {open === "redrive" && <RedriveRun run={run} onDone={done} onDismiss={close} />}
    </>
  );
}

interface Asked {
  run: Run;
  onDone: () => void;
  onDismiss: () => void;
}

function CancelRun({ run, onDone, onDismiss }: Asked) {
  const api = useApi();
  const path = { run_id: run.run_id };
  const cancel = useAct(
    () => readAll(api.POST("/v1/runs/{run_id}/cancel", { params: { path } })),
    onDone,
  );
  return (
    <ActionModal
      title="Cancel this run?"
      verb="Cancel the run"
      isRunning={cancel.isRunning}
      problem={cancel.problem}
      onConfirm={cancel.act}
      onDismiss={onDismiss}
      cli={command(`runs cancel ${run.run_id}`)}
      api={request("POST", `/v1/runs/${run.run_id}/cancel`)}
    >
      <Box variant="p">
        {run.state === "running"
          ? "Its worker is asked to stop at its next heartbeat. What the target did stays done."
          : "It does not start, and ends as cancelled."}
      </Box>
    </ActionModal>
  );
}
