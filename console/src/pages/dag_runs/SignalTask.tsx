import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { isolated, readAll, RouteLink, type Schemas, useAct, useApi, useKept, useKeptText, useMay, useRequestKey } from "../../kit";
import { ActionModal, NoteField } from "../shared/ActionModal";
import { parseJson } from "../shared/json/parseJson";
import { JsonEditor, PAYLOAD_BYTES } from "../shared/json/JsonEditor";
import { command, request } from "../shared/quoting";

interface Props {
  dagRunId: string;
  task: Schemas["DagRunTask"];
  onDone: () => void;
}

/** Actions for a task that waits for an event: send it, or answer in its place. */
export default function SignalTask({ dagRunId, task, onDone }: Props) {
  const [isAsked, setAsked] = useKept(`signal ${task.key}`, false);
  const { allowed, why } = useMay("operate");
  const { event_type: type = null, correlation = null } = task.wait ?? {};
  return (
    <SpaceBetween direction="horizontal" size="xs" alignItems="center">
      <Button
        disabled={!allowed}
        disabledReason={why ?? ""}
        onClick={() => {
          setAsked(true);
        }}
      >
        Answer in its place
      </Button>
      {type !== null && (
        <RouteLink to={`/event-triggers/+send?${new URLSearchParams({ type, key: correlation ?? "" }).toString()}`}>
          Send this event
        </RouteLink>
      )}
      {isAsked && (
        <Signal
          dagRunId={dagRunId}
          taskKey={task.key}
          onDismiss={() => {
            setAsked(false);
          }}
          onDone={() => {
            setAsked(false);
            onDone();
          }}
        />
      )}
    </SpaceBetween>
  );
}

interface SignalProps {
  dagRunId: string;
  taskKey: string;
  onDone: () => void;
  onDismiss: () => void;
}

function Signal({ dagRunId, taskKey, onDone, onDismiss }: SignalProps) {
  const api = useApi();
  const [text, setText] = useKeptText(`signal data ${taskKey}`, "{}");
  const [note, setNote] = useKeptText(`signal note ${taskKey}`, "");
  const [key] = useRequestKey(`signal ${taskKey}`);
  const parsed = parseJson(text);
  const said = note.trim();
  const body = {
    ...(parsed.ok ? { data: parsed.value } : {}),
    ...(said === "" ? {} : { note: said }),
  } as Schemas["TaskSignal"];
  const path = { dag_run_id: dagRunId, task_key: taskKey };
  const params = { path, header: { "Idempotency-Key": key } };
  const signal = useAct(
    () => readAll(api.POST("/v1/dag-runs/{dag_run_id}/tasks/{task_key}/signal", { params, body })),
    onDone,
  );
  return (
    <ActionModal
      title={`Answer in the place of the event of ${isolated(taskKey)}?`}
      verb="Give it this"
      isRunning={signal.isRunning}
      isDisabled={!parsed.ok}
      problem={signal.problem}
      onConfirm={signal.act}
      onDismiss={onDismiss}
      cli={command(`dags signal ${dagRunId} ${taskKey}`, [
        ["--data", parsed.ok ? JSON.stringify(parsed.value) : null],
        ["--note", said],
      ])}
      api={`${request("POST", `/v1/dag-runs/${dagRunId}/tasks/${taskKey}/signal`)}\n\n${JSON.stringify(body, null, 2)}`}
    >
      <Box variant="p">
        The task succeeds with this as its result, whatever its pattern says, and the tasks behind it begin. It is on
        record in the audit trail.
      </Box>
      <JsonEditor label="Data" text={text} rows={6} mostBytes={PAYLOAD_BYTES} onChange={setText} />
      <NoteField note={note} onChange={setNote} />
    </ActionModal>
  );
}
