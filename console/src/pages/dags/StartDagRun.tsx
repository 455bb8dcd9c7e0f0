import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";

import { isolated, readAll, type Schemas, useAct, useApi, useGo, useKept, useKeptText, useMay, useRequestKey } from "../../kit";
import { ActionModal } from "../shared/ActionModal";
import { parseJson } from "../shared/json/parseJson";
import { JsonEditor, PAYLOAD_BYTES } from "../shared/json/JsonEditor";
import { request, shellWord } from "../shared/quoting";

type Dag = Schemas["Dag"];

/** The button that starts a run of a DAG, and the question behind it. */
export function StartDagRun({ dag }: { dag: Dag }) {
  const [isOpen, setIsOpen] = useKept("start a run", false);
  const may = useMay("operate");
  const why = may.why ?? (dag.status === "deleted" ? "A deleted DAG can only be read." : null);
  return (
    <>
      <Button
        variant="primary"
        disabled={why !== null}
        disabledReason={why ?? ""}
        onClick={() => {
          setIsOpen(true);
        }}
      >
        Start a run
      </Button>
      {isOpen && (
        <StartModal
          dag={dag}
          onDismiss={() => {
            setIsOpen(false);
          }}
        />
      )}
    </>
  );
}

function StartModal({ dag, onDismiss }: { dag: Dag; onDismiss: () => void }) {
  const api = useApi();
  const go = useGo();
  const [text, setText] = useKeptText("parameters", "{}");
  // One key for one question: a click that is repeated after a lost answer starts nothing twice.
  const [key, setKey] = useRequestKey("start a run");
  const parsed = parseJson(text);
  const isObject = parsed.ok && isRecord(parsed.value);
  const parameters = parsed.ok && isRecord(parsed.value) ? parsed.value : {};
  const start = useAct(
    () =>
      readAll(
        api.POST("/v1/dags/{dag_id}/runs", {
          params: { path: { dag_id: dag.dag_id }, header: { "Idempotency-Key": key } },
          body: { parameters },
        }),
      ),
    (run) => {
      go(`/dag-runs/${run.dag_run_id}`);
    },
  );
  const roots = dag.tasks.filter(({ key: task }) => !dag.edges.some((edge) => edge.target === task));
  return (
    <ActionModal
      title={`Start a run of ${isolated(dag.name)}?`}
      verb="Start the run"
      size="large"
      isRunning={start.isRunning}
      isDisabled={!isObject || key.trim() === ""}
      problem={start.problem}
      onConfirm={start.act}
      onDismiss={onDismiss}
      cli={`timegate dags run ${dag.dag_id} --parameters ${shellWord(JSON.stringify(parameters))} --idempotency-key ${shellWord(key)}`}
      api={`${request("POST", `/v1/dags/${dag.dag_id}/runs`)}\nIdempotency-Key: ${key}\n\n${JSON.stringify({ parameters }, null, 2)}`}
    >
      <Box variant="p">
        It keeps to version {dag.version}. First {roots.length === 1 ? "comes" : "come"}{" "}
        {roots.map((task) => task.key).join(", ")}; {dag.task_count} tasks in all.
      </Box>
      <JsonEditor
        label="Parameters"
        mostBytes={PAYLOAD_BYTES}
        description="References of tasks find them under parameters."
        text={text}
        onChange={setText}
        refusal={isObject ? null : "Parameters are an object: { … }."}
      />
      <FormField
        label="Idempotency key"
        description="The same key with the same parameters is the same DAG run."
      >
        <Input
          value={key}
          onChange={({ detail }) => {
            setKey(detail.value);
          }}
        />
      </FormField>
    </ActionModal>
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
