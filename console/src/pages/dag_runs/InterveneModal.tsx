import Checkbox from "@cloudscape-design/components/checkbox";
import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";
import RadioGroup from "@cloudscape-design/components/radio-group";

import { clipped, readAll, type Schemas, useAct, useApi, useKeptText, useRequestKey } from "../../kit";
import type { PictureEdge } from "../dags/picture";
import { ActionModal } from "../shared/ActionModal";
import { parseJson } from "../shared/json/parseJson";
import { JsonEditor, PAYLOAD_BYTES } from "../shared/json/JsonEditor";
import { command, request, shellWord } from "../shared/quoting";
import { foretell } from "./consequences";
import { WhatHappens } from "./WhatHappens";

export type Kind = "rerun" | "complete" | "skip";

interface Props {
  kind: Kind;
  run: Schemas["DagRun"];
  task: Schemas["DagRunTask"];
  edges: readonly PictureEdge[];
  onDone: () => void;
  onDismiss: () => void;
}

const TITLES: Record<Kind, string> = {
  rerun: "Run this task again?",
  complete: "Say that this task has succeeded?",
  skip: "Say that this task is not to be run?",
};

const VERBS: Record<Kind, string> = {
  rerun: "Rerun the task",
  complete: "Complete the task",
  skip: "Skip the task",
};

interface Draft {
  scope: "branch" | "task";
  reason: string;
  result: string;
  onlyFailed: boolean;
}

/** Asks before an intervention, and shows which tasks it touches. */
export function InterveneModal({ kind, run, task, edges, onDone, onDismiss }: Props) {
  const [draft, setDraft] = useKeptText<Draft>(`${kind} ${task.key}`, {
    scope: "branch",
    reason: "",
    result: "",
    onlyFailed: false,
  });
  const change = (changes: Partial<Draft>): void => {
    setDraft((was) => ({ ...was, ...changes }));
  };
  const body = bodyOf(kind, draft);
  const send = useSend(kind, run.dag_run_id, task.key, body, onDone);
  const wish =
    kind === "rerun"
      ? ({ kind, key: task.key, scope: draft.scope } as const)
      : { kind, key: task.key };
  return (
    <ActionModal
      title={TITLES[kind]}
      verb={VERBS[kind]}
      size="large"
      isRunning={send.isRunning}
      isDisabled={draft.result !== "" && !parseJson(draft.result).ok}
      problem={send.problem}
      onConfirm={send.act}
      onDismiss={onDismiss}
      cli={cliOf(kind, run.dag_run_id, task.key, body)}
      api={`${request("POST", `/v1/dag-runs/${run.dag_run_id}/tasks/${task.key}/${kind}`)}\n\n${JSON.stringify(body, null, 2)}`}
    >
      {kind === "rerun" && (
        <RadioGroup
          ariaLabel="What runs again"
          value={draft.scope}
          onChange={({ detail }) => {
            change({ scope: detail.value as Draft["scope"] });
          }}
          items={[
            { value: "branch", label: "The branch", description: "The task and all behind it." },
            {
              value: "task",
              label: "The task",
              description: "And what behind it came to nothing, or has not begun.",
            },
          ]}
        />
      )}
      {task.members !== null && (
        <Checkbox
          checked={draft.onlyFailed}
          disabled={task.members.failed === 0}
          description="The others keep their runs and results; the join decides again."
          onChange={({ detail }) => {
            change({ onlyFailed: detail.checked });
          }}
        >
          Only its {task.members.failed} failed members
        </Checkbox>
      )}
      {kind === "complete" && (
        <JsonEditor
          label="Result"
          description="References of later tasks find it. Empty: no result."
          rows={5}
          text={draft.result}
          disabled={false}
          isOptional
          mostBytes={PAYLOAD_BYTES}
          onChange={(result) => {
            change({ result });
          }}
        />
      )}
      <FormField label="Reason" description="For readers of the record." constraintText="Optional">
        <Input
          value={draft.reason}
          onChange={({ detail }) => {
            change({ reason: clipped(detail.value, 500) });
          }}
        />
      </FormField>
      <WhatHappens consequences={foretell(wish, run.status, run.tasks, edges)} />
    </ActionModal>
  );
}

type Body = Schemas["TaskRerun"] & Schemas["TaskCompletion"];

function bodyOf(kind: Kind, draft: Draft): Partial<Body> {
  const result = parseJson(draft.result);
  return {
    ...(kind === "rerun" ? { scope: draft.scope } : {}),
    ...(kind === "complete" && result.ok
      ? { result: result.value }
      : {}),
    ...(draft.onlyFailed ? { members: "failed" as const } : {}),
    ...(draft.reason.trim() === "" ? {} : { reason: draft.reason.trim() }),
  };
}

function useSend(
  kind: Kind,
  dagRunId: string,
  taskKey: string,
  body: Partial<Body>,
  onDone: () => void,
) {
  const api = useApi();
  // A click that is repeated after a lost answer is the same intervention.
  const [idempotencyKey] = useRequestKey(`${kind} ${taskKey}`);
  const params = {
    path: { dag_run_id: dagRunId, task_key: taskKey },
    header: { "Idempotency-Key": idempotencyKey },
  };
  return useAct(async () => {
    switch (kind) {
      case "rerun":
        return readAll(
          api.POST("/v1/dag-runs/{dag_run_id}/tasks/{task_key}/rerun", {
            params,
            body: body as Schemas["TaskRerun"],
          }),
        );
      case "complete":
        return readAll(
          api.POST("/v1/dag-runs/{dag_run_id}/tasks/{task_key}/complete", {
            params,
            body: body as Schemas["TaskCompletion"],
          }),
        );
      case "skip":
        return readAll(
          api.POST("/v1/dag-runs/{dag_run_id}/tasks/{task_key}/skip", {
            params,
            body: body as Schemas["TaskSkip"],
          }),
        );
    }
  }, onDone);
}

function cliOf(kind: Kind, dagRunId: string, taskKey: string, body: Partial<Body>): string {
  const written = command(`dags ${kind} ${dagRunId} ${taskKey}`, [
    ["--scope", body.scope ?? null],
    ["--members", body.members === "failed" ? "failed" : null],
    ["--reason", body.reason ?? null],
  ]);
  return "result" in body ? `${written} --result ${shellWord(JSON.stringify(body.result))}` : written;
}
