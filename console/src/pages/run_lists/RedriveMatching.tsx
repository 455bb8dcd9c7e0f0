import Alert from "@cloudscape-design/components/alert";
import Checkbox from "@cloudscape-design/components/checkbox";

import { Live, readAll, type Schemas, useAct, useApi, useGo, useKeptText, useLive, useRepeated, useRequestKey } from "../../kit";
import { redriveRefusal } from "../runs/acts/runActions";
import { ActionModal, NoteField } from "../shared/ActionModal";
import { command, request } from "../shared/quoting";
import { countRuns } from "./countRuns";
import { DryRun } from "./DryRun";
import { failuresOf, optionsOf, type RunQuery } from "./runQuery";

interface Props {
  query: RunQuery;
  /** The begin of the span as the command line writes it. */
  since: string;
  onDismiss: () => void;
}

/** Redrives every failed run that a filter matches, as one operation, after a dry run has counted them. */
export default function RedriveMatching({ query, since, onDismiss }: Props) {
  const api = useApi();
  const go = useGo();
  // A span that ends now begins at another instant by then.
  const place = `redrive ${JSON.stringify({ ...query, from: null })}`;
  const [note, setNote] = useKeptText(`${place} note`, "");
  const [fresh, setFresh] = useKeptText(`${place} fresh`, false);
  const [key] = useRequestKey("redrive matching");
  // The span stays as it was when the question was asked: the same request is the same operation.
  const [asked] = useRepeated("redrive which", query);
  const found = useLive({
    key: ["redrive-matching", asked],
    read: () => countRuns(api, { ...asked, which: "failures" }, (run) => redriveRefusal(run) === null),
    everyMs: () => null,
  });
  const said = note.trim();
  const body = {
    filter: failuresOf(asked),
    ...(said === "" ? {} : { note: said }),
    ...(fresh ? { fresh } : {}),
  } as Schemas["RedriveFailed"];
  const redrive = useAct(
    () => readAll(api.POST("/v1/runs/redrive", { params: { header: { "Idempotency-Key": key } }, body })),
    (operation) => {
      go(`/operations/${operation.operation_id}`);
    },
  );
  const count = found.data?.count ?? 0;
  return (
    <ActionModal
      title="Redrive every failed run that matches?"
      verb={`Redrive ${found.data?.isPartial === true ? "at least " : ""}${count.toLocaleString("en")}`}
      size="large"
      isRunning={redrive.isRunning}
      isDisabled={count === 0 && found.data?.isPartial !== true}
      problem={redrive.problem}
      onConfirm={redrive.act}
      onDismiss={onDismiss}
      cli={command("runs redrive --failed", [
        ...optionsOf(asked, since),
        ["--fresh", fresh],
        ["--note", said],
        ["--wait", true],
      ])}
      api={`${request("POST", "/v1/runs/redrive")}\n\n${JSON.stringify(body, null, 2)}`}
    >
      <Live live={found}>
        {(runs) => (
          <DryRun
            found={runs}
            none="No run that matches can be tried again."
            effect="Each is tried again under its job as it is now, as one operation that can be watched and cancelled."
          />
        )}
      </Live>
      <Checkbox
        checked={fresh}
        description="Otherwise runs that left a checkpoint go on from it."
        onChange={({ detail }) => {
          setFresh(detail.checked);
        }}
      >
        Begin anew
      </Checkbox>
      <NoteField note={note} onChange={setNote} />
      <Alert type="warning">Targets may have done the work already. They see the same idempotency keys.</Alert>
    </ActionModal>
  );
}
