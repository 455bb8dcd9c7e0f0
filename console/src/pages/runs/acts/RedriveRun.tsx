import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Checkbox from "@cloudscape-design/components/checkbox";

import { readAll, type Schemas, useAct, useApi, useKeptText, useRequestKey } from "../../../kit";
import { ActionModal, NoteField } from "../../shared/ActionModal";
import { command, request } from "../../shared/quoting";
import { PayloadFields, usePayload } from "./PayloadFields";

interface Props {
  run: Schemas["Run"];
  onDone: () => void;
  onDismiss: () => void;
}

/** Asks how a failed run is tried again: with which payload, and from where. */
export function RedriveRun({ run, onDone, onDismiss }: Props) {
  const api = useApi();
  const payload = usePayload(run);
  const [fresh, setFresh] = useKeptText(`redrive ${run.run_id} fresh`, false);
  const [note, setNote] = useKeptText(`redrive ${run.run_id} note`, "");
  const body = {
    ...payload.body,
    ...(fresh ? { fresh } : {}),
    ...(note.trim() === "" ? {} : { note: note.trim() }),
  } as Schemas["Redrive"];
  const [key] = useRequestKey("redrive");
  const params = { path: { run_id: run.run_id }, header: { "Idempotency-Key": key } };
  const redrive = useAct(
    () => readAll(api.POST("/v1/runs/{run_id}/redrive", { params, body })),
    onDone,
  );
  return (
    <ActionModal
      title="Redrive this run?"
      verb="Redrive the run"
      size="large"
      isRunning={redrive.isRunning}
      isDisabled={payload.isBad}
      problem={redrive.problem}
      onConfirm={redrive.act}
      onDismiss={onDismiss}
      cli={`${command(`runs redrive ${run.run_id}`, [
        ["--fresh", fresh],
        ["--note", note.trim()],
      ])}${payload.option}`}
      api={`${request("POST", `/v1/runs/${run.run_id}/redrive`)}\n\n${JSON.stringify(body, null, 2)}`}
    >
      <Box variant="p">
        Attempt {run.attempt + 1} is due at once, under the job as it is now, with the whole retry
        policy before it. The run keeps its id and its place in the ledger; its fence goes on.
      </Box>
      <PayloadFields run={run} draft={payload} />
      {run.checkpoint !== null && (
        <Checkbox
          checked={fresh}
          description={`It left checkpoint ${run.checkpoint.sequence}, and goes on there otherwise.`}
          onChange={({ detail }) => {
            setFresh(detail.checked);
          }}
        >
          Begin anew
        </Checkbox>
      )}
      <NoteField note={note} onChange={setNote} />
      {run.state !== "dead_lettered" && (
        <Alert type="warning">
          The target may have done the work already. It sees the same idempotency key.
        </Alert>
      )}
    </ActionModal>
  );
}
