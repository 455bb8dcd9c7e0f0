import Box from "@cloudscape-design/components/box";
import Checkbox from "@cloudscape-design/components/checkbox";
import { useState } from "react";

import { isolated, readAll, useAct, useApi } from "../../kit";
import { ActionModal } from "../shared/ActionModal";
import { command, request } from "../shared/quoting";

interface Props {
  jobId: string;
  name: string;
  onDone: () => void;
  onDismiss: () => void;
}

/** Asks before a job that its failures paused is resumed. */
export function ResumeJob({ jobId, name, onDone, onDismiss }: Props) {
  const api = useApi();
  const [catchUp, setCatchUp] = useState(false);
  const resume = useAct(
    () =>
      readAll(
        api.POST("/v1/jobs/{job_id}/resume", {
          params: { path: { job_id: jobId } },
          body: { catch_up: catchUp },
        }),
      ),
    onDone,
  );
  return (
    <ActionModal
      title={`Resume ${isolated(name)}?`}
      verb="Resume the job"
      isRunning={resume.isRunning}
      problem={resume.problem}
      onConfirm={resume.act}
      onDismiss={onDismiss}
      cli={command(`jobs resume ${jobId}`, [["--catch-up", catchUp]])}
      api={`${request("POST", `/v1/jobs/${jobId}/resume`)}\n\n${JSON.stringify({ catch_up: catchUp }, null, 2)}`}
    >
      <Box variant="p">
        It runs from its next instant on. If the next run fails, the job is paused again.
      </Box>
      <Checkbox
        checked={catchUp}
        description="What passed during the pause runs as the job's catch-up policy says."
        onChange={({ detail }) => {
          setCatchUp(detail.checked);
        }}
      >
        Catch up
      </Checkbox>
    </ActionModal>
  );
}
