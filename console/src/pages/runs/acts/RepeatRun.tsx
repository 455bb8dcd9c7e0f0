import Box from "@cloudscape-design/components/box";

import { readAll, type Schemas, useAct, useApi, useGo, useRequestKey } from "../../../kit";
import { ActionModal } from "../../shared/ActionModal";
import { command, request } from "../../shared/quoting";
import { PayloadFields, usePayload } from "./PayloadFields";

interface Props {
  run: Schemas["Run"];
  onDone: () => void;
  onDismiss: () => void;
}

/** Asks with which payload an ended run is run again; one request is one run, also repeated. */
export default function RepeatRun({ run, onDone, onDismiss }: Props) {
  const api = useApi();
  const go = useGo();
  const [key] = useRequestKey("repeat");
  const payload = usePayload(run);
  const body = { like_run_id: run.run_id, ...payload.body } as Schemas["TriggerRequest"];
  const params = { path: { job_id: run.job_id }, header: { "Idempotency-Key": key } };
  const repeat = useAct(
    () => readAll(api.POST("/v1/jobs/{job_id}/trigger", { params, body })),
    (made) => {
      onDone();
      go(`/runs/${made.run_id}`);
    },
  );
  return (
    <ActionModal
      title="Run this again?"
      verb="Run it again"
      size="large"
      isRunning={repeat.isRunning}
      isDisabled={payload.isBad}
      problem={repeat.problem}
      onConfirm={repeat.act}
      onDismiss={onDismiss}
      cli={`${command(`runs repeat ${run.run_id}`)}${payload.option}`}
      api={`${request("POST", `/v1/jobs/${run.job_id}/trigger`)}\n\n${JSON.stringify(body, null, 2)}`}
    >
      <Box variant="p">
        A run of its own is due at once, under the job as it is now, with the priority and the tags of this one.
        This run stays as it is.
      </Box>
      <PayloadFields run={run} draft={payload} />
    </ActionModal>
  );
}
