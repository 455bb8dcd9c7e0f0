import Box from "@cloudscape-design/components/box";

import { Instant, readAll, type Schemas, useAct, useApi, useKeptText } from "../../../kit";
import { ActionModal } from "../../shared/ActionModal";
import { request } from "../../shared/quoting";
import { IN_AN_HOUR, instantRefusal, rescheduleCommand, rescheduleOf } from "./anotherInstant";
import { InstantFields } from "./InstantFields";

interface Props {
  run: Schemas["Run"];
  onDone: () => void;
  onDismiss: () => void;
}

/** Asks when a run that has not begun is due instead. */
export default function RescheduleRun({ run, onDone, onDismiss }: Props) {
  const api = useApi();
  const [draft, setDraft] = useKeptText("reschedule", IN_AN_HOUR);
  const body = rescheduleOf(draft);
  const path = { run_id: run.run_id };
  const move = useAct(() => readAll(api.POST("/v1/runs/{run_id}/reschedule", { params: { path }, body })), onDone);
  return (
    <ActionModal
      title="Reschedule this run?"
      verb="Reschedule the run"
      isRunning={move.isRunning}
      isDisabled={instantRefusal(draft) !== null}
      problem={move.problem}
      onConfirm={move.act}
      onDismiss={onDismiss}
      cli={rescheduleCommand(run.run_id, draft)}
      api={`${request("POST", `/v1/runs/${run.run_id}/reschedule`)}\n\n${JSON.stringify(body, null, 2)}`}
    >
      <Box variant="p">
        It is due <Instant at={run.due_at} both /> now. The run keeps its id and its nominal instant; calendars,
        freezes and limits hold at the new one.
      </Box>
      <InstantFields draft={draft} onChange={setDraft} />
    </ActionModal>
  );
}
