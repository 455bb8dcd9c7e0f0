import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";

import {
  decimalOf,
  Live,
  readAll,
  type Schemas,
  useAct,
  useApi,
  useGo,
  useKeptText,
  useRepeated,
  useRequestKey,
} from "../../kit";
import { IN_AN_HOUR, instantOptions, instantRefusal, rescheduleOf } from "../runs/acts/anotherInstant";
import { InstantFields } from "../runs/acts/InstantFields";
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

const DAY_MINUTES = 24 * 60;

/** Says why a span cannot be sent; null: it can. */
function spreadRefusal(minutes: string): string | null {
  const count = decimalOf(minutes);
  return count >= 0 && count <= DAY_MINUTES ? null : "0 to 1,440 minutes, in digits.";
}

/** Lets every run of the jobs of a filter that has not begun be due at another instant, after a dry run. */
export default function RescheduleMatching({ query, since, onDismiss }: Props) {
  const api = useApi();
  const go = useGo();
  const [key] = useRequestKey("reschedule matching");
  const [criteria] = useRepeated("reschedule which", () => without(query, "state"));
  const [draft, setDraft] = useKeptText("reschedule matching", IN_AN_HOUR);
  const [spread, setSpread] = useKeptText("reschedule spread", "0");
  const found = usePending(criteria);
  const body: Schemas["RescheduleRuns"] = {
    filter: pendingOf(criteria),
    ...rescheduleOf(draft),
    spread_seconds: Math.round(decimalOf(spread) * 60),
  };
  const reschedule = useAct(
    () => readAll(api.POST("/v1/runs/reschedule", { params: { header: { "Idempotency-Key": key } }, body })),
    (operation) => {
      go(`/operations/${operation.operation_id}`);
    },
  );
  const isBad = instantRefusal(draft) !== null || spreadRefusal(spread) !== null;
  return (
    <ActionModal
      title="Reschedule every pending run that matches?"
      verb={countedVerb("Reschedule", found.data)}
      size="large"
      isRunning={reschedule.isRunning}
      isDisabled={isNone(found.data) || isBad}
      problem={reschedule.problem}
      onConfirm={reschedule.act}
      onDismiss={onDismiss}
      cli={command("runs reschedule --pending", [
        ...optionsOf(criteria, since),
        ...instantOptions(draft),
        ["--spread", decimalOf(spread) === 0 ? null : `${spread.trim()}m`],
        ["--wait", true],
      ])}
      api={`${request("POST", "/v1/runs/reschedule")}\n\n${JSON.stringify(body, null, 2)}`}
    >
      <InstantFields draft={draft} onChange={setDraft} />
      <FormField
        label="Spread over minutes"
        description="Each run has an instant of its own within so many minutes from then on; 0: all are due at once."
        errorText={spreadRefusal(spread)}
      >
        <Input
          type="number"
          value={spread}
          onChange={({ detail }) => {
            setSpread(detail.value);
          }}
        />
      </FormField>
      <Live live={found}>
        {(runs) => (
          <DryRun
            found={runs}
            none="No run that is listed waits to begin. Runs of jobs that do not list all of theirs are moved as well."
            effect="Each keeps its id and its nominal instant, and is due at another one; a run that a worker begins meanwhile goes on."
          />
        )}
      </Live>
    </ActionModal>
  );
}
