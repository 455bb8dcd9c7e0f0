import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";
import RadioGroup from "@cloudscape-design/components/radio-group";

import { clipped, readAll, type Schemas, useAct, useApi, useGo, useKeptText, useRequestKey } from "../../kit";
import { PayloadEditor } from "../payload_form/PayloadEditor";
import { ActionModal } from "../shared/ActionModal";
import { parseJson } from "../shared/json/parseJson";
import { editableJson } from "../shared/json/JsonText";
import { command, request } from "../shared/quoting";

type Job = Schemas["Job"];
type Payload = "kept" | "whole" | "merged";

/** A field of the browser's own for numbers says nothing of a text that it does not read: the run would be due at once. */
const SECONDS = /^\d+(\.\d+)?$/;
/** The longest key that the API takes. */
const KEY_LENGTH = 256;
const KEY_WORDS = {
  job: "The run waits for runs of the same key alone. Empty: it takes the slots of the job.",
  payload: "The run waits for runs of the same key alone. Empty: that in its payload, or none.",
};

/** Asks with which payload and when a job is triggered; one request is one run, also repeated. */
export function TriggerJob({ job, onClose }: { job: Job; onClose: () => void }) {
  const api = useApi();
  const go = useGo();
  const [key] = useRequestKey("trigger");
  const isBare = job.payload_schema !== null && job.payload_size_bytes === 0;
  const [payload, setPayload] = useKeptText<Payload>("trigger with", isBare ? "whole" : "kept");
  const [text, setText] = useKeptText("trigger payload", isBare ? "{}" : editableJson(job.payload));
  const [isUnread, setUnread] = useKeptText("trigger unread", false);
  const [delay, setDelay] = useKeptText("trigger delay", "");
  const parsed = parseJson(text);
  const [slotsOf, setSlotsOf] = useKeptText("trigger key", "");
  const isDelay = delay === "" || SECONDS.test(delay);
  const seconds = delay === "" ? null : Number(delay);
  const isBad = (payload !== "kept" && (!parsed.ok || isUnread)) || !isDelay;
  const body = {
    ...(payload === "whole" && parsed.ok ? { payload: parsed.value } : {}),
    ...(payload === "merged" && parsed.ok ? { payload_patch: parsed.value } : {}),
    ...(seconds === null ? {} : { delay_seconds: seconds }),
    ...(slotsOf === "" ? {} : { concurrency_key: slotsOf }),
  } as Schemas["TriggerRequest"];
  const params = { path: { job_id: job.job_id }, header: { "Idempotency-Key": key } };
  const trigger = useAct(
    () => readAll(api.POST("/v1/jobs/{job_id}/trigger", { params, body })),
    (run) => {
      onClose();
      go(`/runs/${run.run_id}`);
    },
  );
  const option = payload === "whole" ? "--payload" : "--merge";
  return (
    <ActionModal
      title="Trigger this job?"
      verb="Trigger a run"
      size="large"
      isRunning={trigger.isRunning}
      isDisabled={isBad}
      problem={trigger.problem}
      onConfirm={trigger.act}
      onDismiss={onClose}
      cli={command(`jobs trigger ${job.job_id}`, [
        [option, payload !== "kept" && parsed.ok ? JSON.stringify(parsed.value) : null],
        ["--delay", seconds === null ? null : `${delay}s`],
        ["--concurrency-key", slotsOf],
      ])}
      api={`${request("POST", `/v1/jobs/${job.job_id}/trigger`)}\n\n${JSON.stringify(body, null, 2)}`}
    >
      <FormField label="Payload">
        <RadioGroup
          value={payload}
          onChange={({ detail }) => {
            setPayload(detail.value as Payload);
          }}
          items={[
            { value: "kept", label: "The job's own" },
            { value: "whole", label: "Another one" },
            { value: "merged", label: "The job's own with a JSON merge patch" },
          ]}
        />
      </FormField>
      {payload !== "kept" && (
        <PayloadEditor
          key={payload}
          schema={payload === "whole" ? job.payload_schema : null}
          text={text}
          errors={trigger.problem?.problem.errors ?? []}
          onChange={(next, isNotRead) => {
            setText(next);
            setUnread(isNotRead);
          }}
        />
      )}
      <FormField
        label="Delay in seconds"
        description="Empty: the run is due at once."
        errorText={isDelay ? null : "A number of seconds: 90, or 0.5."}
      >
        <Input
          value={delay}
          inputMode="decimal"
          onChange={({ detail }) => {
            setDelay(detail.value.trim());
          }}
        />
      </FormField>
      {job.overlap.policy !== "allow" && (
        <FormField label="Key of its slots" description={KEY_WORDS[job.overlap.key_from === null ? "job" : "payload"]}>
          <Input
            value={slotsOf}
            onChange={({ detail }) => {
              setSlotsOf(clipped(detail.value, KEY_LENGTH));
            }}
          />
        </FormField>
      )}
    </ActionModal>
  );
}
