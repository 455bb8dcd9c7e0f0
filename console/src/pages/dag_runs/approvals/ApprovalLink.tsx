import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";
import { useState } from "react";

import { clipped, Instant, isolated, readAll, type Schemas, useAct, useApi, useKeptText } from "../../../kit";
import { ActionModal } from "../../shared/ActionModal";
import { JsonText } from "../../shared/json/JsonText";
import { command, request } from "../../shared/quoting";

interface Props {
  dagRunId: string;
  taskKey: string;
  onDismiss: () => void;
}

/** A link and the address at which it is opened: that of the API that made it. */
interface Made {
  link: Schemas["NewApprovalLink"];
  address: string;
}

const MOST = 100;

/** Makes a link by which a person decides without signing in; its holder may. */
export default function ApprovalLink({ dagRunId, taskKey, onDismiss }: Props) {
  const api = useApi();
  const [receiver, setReceiver] = useKeptText(`link ${taskKey}`, "");
  const [made, setMade] = useState<Made | null>(null);
  const named = receiver.trim();
  const body = { receiver: named === "" ? null : named };
  const path = `/v1/dag-runs/${dagRunId}/tasks/${taskKey}/approval-link`;
  const make = useAct(async () => {
    const params = { path: { dag_run_id: dagRunId, task_key: taskKey } };
    const answer = api.POST("/v1/dag-runs/{dag_run_id}/tasks/{task_key}/approval-link", { params, body });
    const link = await readAll(answer);
    const { url } = (await answer).response;
    return { link, address: `${url.slice(0, Math.max(0, url.indexOf(path)))}${link.path}` };
  }, setMade);
  return (
    <ActionModal
      title={`Make a link that decides ${isolated(taskKey)}`}
      verb={made === null ? "Make the link" : "Make it again"}
      isRunning={make.isRunning}
      problem={make.problem}
      onConfirm={make.act}
      onDismiss={onDismiss}
      cli={command(`dags approval-link ${dagRunId} ${taskKey}`, [["--for", named]])}
      api={`${request("POST", path)}\n\n${JSON.stringify(body, null, 2)}`}
    >
      <Box variant="p">
        A holder of the link may decide, without a role, until the wait ends. It is stored nowhere; the audit trail
        will have the name below.
      </Box>
      <FormField label="For" description="The person whom it is sent to." constraintText="Optional; empty: you">
        <Input
          value={receiver}
          onChange={({ detail }) => {
            setReceiver(clipped(detail.value, MOST));
            setMade(null);
          }}
        />
      </FormField>
      {made !== null && (
        <Alert type="success" header={`For ${made.link.receiver}`}>
          <JsonText value={made.address} label="the link" />
          Good until <Instant at={made.link.expires_at} both />.
        </Alert>
      )}
    </ActionModal>
  );
}
