import Modal from "@cloudscape-design/components/modal";

import { Live, readAll, useApi, useLive } from "../../kit";
import { RedriveRun } from "../runs/acts/RedriveRun";

interface Props {
  runId: string;
  onDone: () => void;
  onDismiss: () => void;
}

/** Reads a run whole, with its payload, and asks how it is redriven. */
export function RedriveOne({ runId, onDone, onDismiss }: Props) {
  const api = useApi();
  const live = useLive({
    key: ["run", runId],
    read: () => readAll(api.GET("/v1/runs/{run_id}", { params: { path: { run_id: runId } } })),
    everyMs: () => null,
  });
  if (live.data !== undefined) {
    return <RedriveRun run={live.data} onDone={onDone} onDismiss={onDismiss} />;
  }
  return (
    <Modal visible header="Redrive this run?" closeAriaLabel="Close" onDismiss={onDismiss}>
      <Live live={live}>{() => null}</Live>
    </Modal>
  );
}
