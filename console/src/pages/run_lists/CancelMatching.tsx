import { Live, readAll, useAct, useApi, useGo, useRepeated, useRequestKey } from "../../kit";
import { ActionModal } from "../shared/ActionModal";
import { command, request } from "../shared/quoting";
import { DryRun } from "./DryRun";
import { optionsOf, pendingOf, type RunQuery, without } from "./runQuery";
import { countedVerb, isNone, usePending } from "./usePending";

interface Props {
  query: RunQuery;
  since: string;
  onDismiss: () => void;
}

/** Cancels every run of the jobs of a filter that has not begun, after a dry run has counted them. */
export default function CancelMatching({ query, since, onDismiss }: Props) {
  const api = useApi();
  const go = useGo();
  const [key] = useRequestKey("cancel matching");
  const [criteria] = useRepeated("cancel matching", () => without(query, "state"));
  const found = usePending(criteria);
  const body = { filter: pendingOf(criteria) };
  const cancel = useAct(
    () => readAll(api.POST("/v1/runs/cancel", { params: { header: { "Idempotency-Key": key } }, body })),
    (operation) => {
      go(`/operations/${operation.operation_id}`);
    },
  );
  return (
    <ActionModal
      title="Cancel every pending run that matches?"
      verb={countedVerb("Cancel", found.data)}
      size="large"
      isRunning={cancel.isRunning}
      isDisabled={isNone(found.data)}
      problem={cancel.problem}
      onConfirm={cancel.act}
      onDismiss={onDismiss}
      cli={command("runs cancel --pending", [...optionsOf(criteria, since), ["--wait", true]])}
      api={`${request("POST", "/v1/runs/cancel")}\n\n${JSON.stringify(body, null, 2)}`}
    >
      <Live live={found}>
        {(runs) => (
          <DryRun
            found={runs}
            none="No run that is listed waits to begin. Runs of jobs that do not list all of theirs are cancelled as well."
            effect="Each ends as cancelled before it begins; a run that a worker begins meanwhile goes on."
          />
        )}
      </Live>
    </ActionModal>
  );
}
