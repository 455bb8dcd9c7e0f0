import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { lazy, Suspense } from "react";

import { isolated, readAll, type Schemas, useAct, useApi, useKept, useKeptText, useMay, usePerson, useRequestKey } from "../../../kit";
import { ActionModal, NoteField } from "../../shared/ActionModal";
import { command, request } from "../../shared/quoting";

const ApprovalLink = lazy(() => import("./ApprovalLink"));

type Decision = Schemas["TaskDecision"]["decision"];

interface Props {
  dagRunId: string;
  task: Schemas["DagRunTask"];
  onDone: () => void;
}

const EFFECTS: Record<Decision, string> = {
  approve: "The task succeeds, and the tasks behind it begin.",
  reject: "The task fails, and what its edges say of a failure follows.",
};

/** Buttons of a person who decides a task that waits for an approval. */
export function DecideTask({ dagRunId, task, onDone }: Props) {
  const [asked, setAsked] = useKept<Decision | "link" | null>(`decide ${task.key}`, null);
  const may = useMay("operate");
  const { caller } = usePerson();
  const approvers = task.wait?.approvers ?? [];
  const named = approvers.length === 0 || approvers.includes(caller);
  const why = may.why ?? (named ? null : "The DAG names others who decide it.");
  const close = (): void => {
    setAsked(null);
  };
  return (
    <>
      <SpaceBetween direction="horizontal" size="xs">
        {(["approve", "reject"] as const).map((decision) => (
          <Button
            key={decision}
            variant={decision === "approve" ? "primary" : "normal"}
            disabled={why !== null}
            disabledReason={why ?? ""}
            onClick={() => {
              setAsked(decision);
            }}
          >
            {decision === "approve" ? "Approve" : "Reject"}
          </Button>
        ))}
        <Button
          disabled={may.why !== null}
          disabledReason={may.why ?? ""}
          onClick={() => {
            setAsked("link");
          }}
        >
          Make a link
        </Button>
      </SpaceBetween>
      {asked === "link" && (
        <Suspense fallback={null}>
          <ApprovalLink dagRunId={dagRunId} taskKey={task.key} onDismiss={close} />
        </Suspense>
      )}
      {asked !== null && asked !== "link" && (
        <Decide
          decision={asked}
          dagRunId={dagRunId}
          taskKey={task.key}
          onDismiss={close}
          onDone={() => {
            close();
            onDone();
          }}
        />
      )}
    </>
  );
}

interface DecideProps {
  decision: Decision;
  dagRunId: string;
  taskKey: string;
  onDone: () => void;
  onDismiss: () => void;
}

function Decide({ decision, dagRunId, taskKey, onDone, onDismiss }: DecideProps) {
  const api = useApi();
  const [note, setNote] = useKeptText(`${decision} ${taskKey}`, "");
  const said = note.trim();
  const body = { decision, ...(said === "" ? {} : { note: said }) } as Schemas["TaskDecision"];
  const [key] = useRequestKey(`${decision} ${taskKey}`);
  const params = { path: { dag_run_id: dagRunId, task_key: taskKey }, header: { "Idempotency-Key": key } };
  const decide = useAct(
    () => readAll(api.POST("/v1/dag-runs/{dag_run_id}/tasks/{task_key}/decide", { params, body })),
    onDone,
  );
  const verb = decision === "approve" ? "Approve" : "Reject";
  return (
    <ActionModal
      title={`${verb} the task ${isolated(taskKey)}?`}
      verb={`${verb} the task`}
      isRunning={decide.isRunning}
      problem={decide.problem}
      onConfirm={decide.act}
      onDismiss={onDismiss}
      cli={command(`dags ${decision} ${dagRunId} ${taskKey}`, [["--note", said]])}
      api={`${request("POST", `/v1/dag-runs/${dagRunId}/tasks/${taskKey}/decide`)}\n\n${JSON.stringify(body, null, 2)}`}
    >
      <Box variant="p">{EFFECTS[decision]} A decision cannot be taken back.</Box>
      <NoteField note={note} onChange={setNote} />
    </ActionModal>
  );
}
